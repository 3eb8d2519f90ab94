"""Reading the grammar: rules with their patterns, actions and examples from TOML files.

A rule has a ``name``, a ``source``, a pattern (``match``), actions (``do``) and example pairs of
sentences: ``same`` say the same, ``other`` do not, and tests hold the rule to them.

Actions: ``add A role B [confidence]`` adds an edge (``@P`` for a role: the relation that the
preposition P names); ``remove A role B``; ``keep A`` and ``drop A`` say whether a token is a
concept; ``merge A B`` makes B part of A's concept; ``set A feature value`` (``@B``: B's lemma);
``phrase P A B ...`` names the phrase that P stands for; ``rename A lemma`` (``@B``: B's);
``call NAME A ...`` runs a function of :mod:`compsim.parsers.grammar.actions`.

>>> rule = read_rules()[0]
>>> rule.name, rule.actions
('content word', (Action(name='keep', words=('word',)),))
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError
from compsim.parsers.grammar.actions import ACTIONS
from compsim.parsers.grammar.pattern import Pattern, parse
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["Action", "Order", "Rule", "read_order", "read_rule_file", "read_rules", "rules_folder"]

#: How many words stand behind the name of an action, at least and at most.
_LENGTHS: Final = {
    "add": (3, 4), "remove": (3, 3), "keep": (1, 1), "drop": (1, 1), "merge": (2, 2),
    "set": (3, 3), "phrase": (2, 8), "rename": (2, 2), "call": (2, 8),
}  # fmt: skip
#: The places of those words that are names of tokens; a slice has all from there on.
_TOKENS: Final[Mapping[str, tuple[int, ...] | slice]] = {
    "add": (0, 2), "remove": (0, 2), "keep": (0,), "drop": (0,), "merge": (0, 1), "set": (0,),
    "rename": (0,), "phrase": slice(0, None), "call": slice(1, None),
}  # fmt: skip
#: The place of a word that may name a token behind ``@``.
_REFERENCES: Final = {"add": 1, "set": 2, "rename": 1}
_KEYS: Final = ("name", "source", "match", "do", "same", "other")
_PAIR: Final = 2
_HEADER: Final = re.compile(r"^\s*\[\[\s*rule\s*\]\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a rule: its name and the words behind it."""

    name: str
    words: tuple[str, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The names of tokens that the action refers to."""
        places = _TOKENS[self.name]
        if isinstance(places, slice):
            return self.words[places]
        named = [self.words[place] for place in places]
        reference = self.words[_REFERENCES[self.name]] if self.name in _REFERENCES else ""
        return (*named, reference[1:]) if reference.startswith("@") else tuple(named)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the grammar; ``group`` is the name of its file, ``where`` file, line and rule."""

    name: str
    source: str
    pattern: Pattern
    actions: tuple[Action, ...]
    same: tuple[tuple[str, str], ...]
    other: tuple[tuple[str, str], ...]
    group: str
    where: str

    @property
    def sentences(self) -> list[str]:
        """The sentences of its example pairs."""
        return [text for pair in (*self.same, *self.other) for text in pair]


@dataclass(frozen=True, slots=True)
class Order:
    """Groups of rules in the order in which they run, and roles that the graph does not keep."""

    groups: tuple[str, ...]
    helpers: frozenset[str]


def rules_folder() -> Path:
    """Return the folder of the shipped rules."""
    return weights_folder() / "grammar"


def read_order(folder: Path | None = None) -> Order:
    """Read ``order.toml`` of a folder, by default that of the shipped rules.

    Raises:
        DataError: The file cannot be read or lacks a list.
    """
    path = (folder or rules_folder()) / "order.toml"
    table = _table(path)
    for key in ("groups", "helpers"):
        values = table.get(key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise DataError(f"{path}: {key!r} is no list of names: write {key} = [...]")
    return Order(tuple(table["groups"]), frozenset(table["helpers"]))


def read_rules(folder: Path | None = None) -> list[Rule]:
    """Read the rules of a folder, by default the shipped ones, in the order in which they run.

    The file ``order.toml`` lists the groups, each a file.

    Raises:
        DataError: A file or a rule cannot be read, or two rules have one name; the message names
            file, line, rule and fault.
    """
    folder = folder or rules_folder()
    rules = []
    for group in read_order(folder).groups:
        rules += read_rule_file(folder / f"{group}.toml")
    check_names(rules)
    return rules


def read_rule_file(path: Path) -> list[Rule]:
    """Read the rules of one file.

    Raises:
        DataError: As for ``read_rules``.
    """
    text = read_text(path, "give a file of rules")
    table = parse_toml(text, str(path))
    if unknown := set(table) - {"rule"}:
        raise DataError(f"{path}: unknown key {min(unknown)!r}: begin each rule with [[rule]]")
    entries = table.get("rule", [])
    if not isinstance(entries, list):
        raise DataError(f"{path}: 'rule' is no list: begin each rule with [[rule]]")
    starts = [text.count("\n", 0, match.end()) + 1 for match in _HEADER.finditer(text)]
    rules = []
    for i, entry in enumerate(entries):
        place = f"{path}, line {starts[i]}" if len(starts) == len(entries) else str(path)
        name = entry.get("name") if isinstance(entry, dict) else None
        where = f"{place}, rule {repr(name) if isinstance(name, str) else f'number {i + 1}'}"
        try:
            rules.append(_rule(entry, path.stem, where))
        except DataError as error:
            raise DataError(f"{where}: {error}") from error
    return rules


def check_names(rules: Sequence[Rule]) -> None:
    """Raise ``DataError`` where two rules have one name."""
    seen: dict[str, Rule] = {}
    for rule in rules:
        if rule.name in seen:
            raise DataError(
                f"{rule.where}: this name stands at {seen[rule.name].where} too: rename one"
            )
        seen[rule.name] = rule


def _table(path: Path) -> Mapping[str, Any]:
    return parse_toml(read_text(path, "give a file of rules"), str(path))


def _rule(entry: Any, group: str, where: str) -> Rule:
    if not isinstance(entry, dict):
        raise DataError("it is no table: begin each rule with [[rule]]")
    if unknown := set(entry) - set(_KEYS):
        raise DataError(f"unknown key {min(unknown)!r}: one of {', '.join(_KEYS)}")
    for key in ("name", "source", "match"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise DataError(f'{key!r} is missing: write {key} = "..."')
    pattern = parse(entry["match"])
    listed = entry.get("do")
    if not isinstance(listed, list) or not listed:
        raise DataError("'do' is no list of actions: write do = [\"...\"]")
    actions = tuple(_action(text, pattern) for text in listed)
    same, other = (_pairs(entry.get(name, []), name) for name in ("same", "other"))
    return Rule(entry["name"], entry["source"], pattern, actions, same, other, group, where)


def _pairs(listed: Any, key: str) -> tuple[tuple[str, str], ...]:
    fault = DataError(f'{key!r} is no list of pairs of sentences: write {key} = [["...", "..."]]')
    if not isinstance(listed, list):
        raise fault
    for pair in listed:
        if not isinstance(pair, list) or len(pair) != _PAIR:
            raise fault
        if not all(isinstance(text, str) and text.strip() for text in pair):
            raise fault
    return tuple((first, second) for first, second in listed)


def _action(text: Any, pattern: Pattern) -> Action:
    """Read an action. Raises ``DataError`` for one that is unknown or names an unbound token."""
    name, *words = text.split() if isinstance(text, str) and text.strip() else [""]
    if name not in _LENGTHS:
        raise DataError(f"unknown action {name!r}: one of {', '.join(sorted(_LENGTHS))}")
    low, high = _LENGTHS[name]
    if not low <= len(words) <= high:
        raise DataError(f"action {text!r} has too few or too many words")
    action = Action(name, tuple(words))
    for token in action.tokens:
        if token not in pattern.names:
            raise DataError(f"action {text!r} names {token!r}, which the pattern does not bind")
    if name == "remove" and words[1].startswith("@"):
        raise DataError(f"action {text!r}: {words[1]!r} is no role: remove one by its name")
    if name == "add":
        _check_confidence(words[3:], text)
    if name == "call":
        _check_call(words, text)
    return action


def _check_confidence(words: Sequence[str], text: str) -> None:
    for word in words:
        try:
            sure = 0 < float(word) <= 1
        except ValueError:
            sure = False
        if not sure:
            raise DataError(f"action {text!r}: confidence {word!r} is not above 0 and up to 1")


def _check_call(words: Sequence[str], text: str) -> None:
    function = ACTIONS.get(words[0])
    if function is None:
        known = ", ".join(sorted(ACTIONS))
        raise DataError(f"action {text!r} calls an unknown function: one of {known}")
    if len(words) != len(inspect.signature(function).parameters):  # the draft, but for the name
        raise DataError(f"action {text!r} gives {words[0]} too few or too many tokens")
