"""The pattern language of the grammar: what a rule looks for in a dependency tree.

A pattern is a list of steps, separated by semicolons::

    verb[lemma=be] -nsubj-> subject; verb -acomp-> adjective[pos=ADJ]; not verb -neg-> word

- ``a -label|label-> b``: token ``b`` depends on ``a`` with one of these labels;
- ``a -conj*-> b``: ``b`` is reached from ``a`` by any number of such dependencies, none included;
- ``a =role|role=> b``: an edge that an earlier rule has added, from ``a`` to ``b``;
- ``a < b``: ``a`` stands before ``b`` in the text;
- a single name with conditions, ``word[pos=NOUN]``, where a rule looks at one token;
- ``not`` before a step: there is no such token; ``maybe``: there may be one, and actions on it are
  left out where there is none.

Conditions stand in brackets behind a name, separated by commas: ``pos``, ``tag``, ``lemma``,
``word`` (the lower-case form), ``dep`` or ``class`` (of the lexicon), ``=`` or ``!=``, and values
separated by ``|``; any other name is a feature that an earlier rule has set (``negated=yes``).
Those in a step with ``not`` or ``maybe`` hold in that step alone.

>>> pattern = parse("noun[pos=NOUN] -amod-> adjective; not noun -neg-> word")
>>> [step.kind for step in pattern.steps], sorted(pattern.conditions)
(['dependency', 'dependency'], ['noun'])
>>> pattern.steps[1].negative
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from compsim.errors import DataError

__all__ = ["Condition", "Pattern", "Step", "parse"]

_NAME: Final = r"[a-z][a-z_0-9]*"
_NODE: Final = rf"({_NAME})(?:\[([^\]]*)\])?"
_EDGE: Final = re.compile(rf"{_NODE}\s*(?:-([^\s>]+)->|=([^\s>]+)=>)\s*{_NODE}")
_ORDER: Final = re.compile(rf"({_NAME})\s*<\s*({_NAME})")
_SINGLE: Final = re.compile(_NODE)
_CONDITION: Final = re.compile(r"([a-z_]+)(!?=)(\S+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a token must be like: ``attribute`` has one of ``values``, or none if ``negative``."""

    attribute: str
    values: frozenset[str]
    negative: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pattern.

    ``kind`` is ``"dependency"``, ``"closure"`` (a repeated dependency), ``"edge"``, ``"order"`` or
    ``"token"``; ``second`` is empty for a single token. ``conditions`` are those of a step that is
    negative or optional, by name; those of other steps belong to the pattern.
    """

    kind: str
    first: str
    second: str = ""
    labels: frozenset[str] = frozenset()
    negative: bool = False
    optional: bool = False
    conditions: Mapping[str, tuple[Condition, ...]] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The names of the step, one or two."""
        return frozenset((self.first, self.second)) - {""}


@dataclass(frozen=True, slots=True)
class Pattern:
    """The steps of a pattern, and the conditions on each name that they bind."""

    text: str
    steps: tuple[Step, ...]
    conditions: Mapping[str, tuple[Condition, ...]]

    @property
    def names(self) -> frozenset[str]:
        """Every name that a match may bind to a token: those of negative steps alone are not."""
        return frozenset().union(*(step.names for step in self.steps if not step.negative))

    @property
    def optional(self) -> frozenset[str]:
        """The names that a match may leave without a token."""
        sure = (step.names for step in self.steps if not (step.negative or step.optional))
        return self.names.difference(*sure)


def parse(text: str) -> Pattern:
    """Parse a pattern.

    Raises:
        DataError: A step cannot be read, or is not connected with those before it.
    """
    steps: list[Step] = []
    conditions: dict[str, tuple[Condition, ...]] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        word, _, rest = part.partition(" ")
        flag = word if word in ("not", "maybe") else ""
        if not flag:
            steps.append(_step(part, conditions))
            continue
        within: dict[str, tuple[Condition, ...]] = {}
        step = _step(rest.strip(), within)
        steps.append(
            replace(step, negative=flag == "not", optional=flag == "maybe", conditions=within)
        )
    _check(text, steps)
    return Pattern(text, tuple(steps), conditions)


def _step(text: str, conditions: dict[str, tuple[Condition, ...]]) -> Step:
    """Read one step and add the conditions on its names to ``conditions``."""
    if match := _EDGE.fullmatch(text):
        first, first_conditions, labels, roles, second, second_conditions = match.groups()
        if first == second:
            raise DataError(f"{text!r} joins {first!r} with itself: give two names")
        _add_conditions(first, first_conditions, conditions)
        _add_conditions(second, second_conditions, conditions)
        if roles is not None:
            return Step("edge", first, second, _alternatives(roles, text))
        if labels.endswith("*"):
            return Step("closure", first, second, _alternatives(labels[:-1], text))
        return Step("dependency", first, second, _alternatives(labels, text))
    if match := _ORDER.fullmatch(text):
        return Step("order", match[1], match[2])
    if match := _SINGLE.fullmatch(text):
        _add_conditions(match[1], match[2], conditions)
        return Step("token", match[1])
    raise DataError(f"{text!r} is no step of a pattern: write 'a -label-> b' or 'a =role=> b'")


def _alternatives(text: str, within: str) -> frozenset[str]:
    values = text.split("|")
    if not all(values):
        raise DataError(f"{within!r} has an empty alternative: write 'one|other'")
    return frozenset(values)


def _add_conditions(
    name: str, text: str | None, conditions: dict[str, tuple[Condition, ...]]
) -> None:
    if text is None:
        return
    listed = list(conditions.get(name, ()))
    for part in text.split(","):
        match = _CONDITION.fullmatch(part.strip())
        if match is None:
            raise DataError(f"{part.strip()!r} is no condition: write 'pos=NOUN|PROPN'")
        values = _alternatives(match[3], part.strip())
        listed.append(Condition(match[1], values, match[2] == "!="))
    conditions[name] = tuple(listed)


def _check(text: str, steps: list[Step]) -> None:
    """Raise ``DataError`` for a pattern without a positive first step, or in pieces."""
    if not steps or steps[0].negative or steps[0].optional or steps[0].kind == "order":
        raise DataError(f"pattern {text!r} begins with no token or edge that must be there")
    if steps[0].kind == "closure":
        raise DataError(f"pattern {text!r} begins with a repeated dependency: begin with another")
    known: set[str] = set(steps[0].names)
    uncertain: set[str] = set()
    for step in steps[1:]:
        if uncertain & step.names:
            name = min(uncertain & step.names)
            raise DataError(
                f"pattern {text!r}: {name!r} may be missing, so no step can build on it"
            )
        if not step.names & known or (step.kind == "order" and not step.names <= known):
            raise DataError(f"pattern {text!r}: {' and '.join(sorted(step.names))} hang on nothing")
        if step.kind == "closure" and step.first not in known:
            raise DataError(f"pattern {text!r}: a repeated dependency starts from a known token")
        if step.optional:
            uncertain |= step.names - known
            if step.names <= known:
                raise DataError(f"pattern {text!r}: a step with 'maybe' names a new token")
        elif not step.negative:
            known |= step.names
