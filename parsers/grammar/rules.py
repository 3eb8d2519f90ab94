"""Reading the grammar: rules with their patterns, actions and examples from TOML files.

A rule has a ``name``, a ``source``, a pattern (``match``), actions (``do``) and example pairs of
sentences: ``same`` say the same, ``other`` do not, and tests hold the rule to them.

Actions: ``add A role B [confidence]`` adds an edge (``@P`` for a role: the relation that the
preposition P names); ``remove A role B``; ``keep A`` and ``drop A`` say whether a token is a
concept; ``merge A B`` makes B part of A's concept; ``set A feature value`` (``@B``: B's lemma);
``phrase P A B ...`` names the phrase that P stands for; ``rename A lemma``; ``call NAME A ...``
runs a function of :mod:`compsim.parsers.grammar.actions`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError
from compsim.parsers.grammar.pattern import Pattern, parse
from compsim.storage.places import weights_folder
from compsim.storage.reading import read_text

__all__ = ["Action", "Rule", "read_rules"]

#: How many names of tokens each action takes, from and to.
_TOKENS: Final = {"keep": 1, "drop": 1, "rename": 1, "merge": 2, "set": 1, "add": 2, "remove": 2}
_LENGTHS: Final = {
    "keep": (2, 2), "drop": (2, 2), "rename": (3, 3), "merge": (3, 3), "set": (4, 4),
    "add": (4, 5), "remove": (4, 4), "phrase": (3, 9), "call": (3, 9),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a rule: its name and the words behind it."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the grammar; ``where`` names its file and group."""

    name: str
    source: str
    pattern: Pattern
    actions: tuple[Action, ...]
    same: tuple[tuple[str, str], ...]
    other: tuple[tuple[str, str], ...]
    where: str


def read_rules(folder: Path | None = None) -> list[Rule]:
    """Read the rules of a folder, by default the shipped ones, in the order in which they run.

    The file ``order.toml`` lists the groups, each a file.

    Raises:
        DataError: A file or a rule cannot be read; the message names file, rule and fault.
    """
    folder = weights_folder() / "grammar" if folder is None else folder
    groups = _table(folder / "order.toml").get("groups", [])
    rules = []
    for group in groups:
        path = folder / f"{group}.toml"
        for number, entry in enumerate(_table(path).get("rule", []), 1):
            name = entry.get("name", f"number {number}") if isinstance(entry, dict) else number
            try:
                rules.append(_rule(entry, group))
            except (DataError, KeyError, TypeError, ValueError, AttributeError) as error:
                fault = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else error
                raise DataError(f"{path}, rule {name!r}: {fault}") from error
    return rules


def _table(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(read_text(path, "restore it"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: not TOML ({error}): mend that line") from error


def _rule(entry: Mapping[str, Any], group: str) -> Rule:
    unknown = set(entry) - {"name", "source", "match", "do", "same", "other"}
    if unknown:
        raise DataError(f"unknown key {min(unknown)!r}")
    pattern = parse(entry["match"])
    actions = tuple(_action(text, pattern) for text in entry["do"])
    same, other = (_pairs(entry.get(name, [])) for name in ("same", "other"))
    return Rule(entry["name"], entry["source"], pattern, actions, same, other, group)


def _pairs(listed: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    if not all(len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in listed):
        raise DataError("examples are pairs of sentences")
    return tuple((first, second) for first, second in listed)


def _action(text: str, pattern: Pattern) -> Action:
    """Read an action. Raises ``DataError`` for one that is unknown or names an unbound token."""
    name, *words = text.split()
    if name not in _LENGTHS:
        raise DataError(f"unknown action {name!r}: one of {', '.join(sorted(_LENGTHS))}")
    low, high = _LENGTHS[name]
    if not low <= len(words) + 1 <= high:
        raise DataError(f"action {text!r} has too few or too many words")
    if name in ("add", "remove"):
        tokens = [words[0], words[2], *[w[1:] for w in words[1:2] if w.startswith("@")]]
    elif name in ("phrase", "call"):
        tokens = words[name == "call" :]
    else:
        tokens = words[: _TOKENS[name]]
        tokens += [w[1:] for w in words[2:] if name == "set" and w.startswith("@")]
    for token in tokens:
        if token not in pattern.names:
            raise DataError(f"action {text!r} names {token!r}, which the pattern does not bind")
    return Action(name, tuple(words))
