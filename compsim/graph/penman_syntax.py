r"""PENMAN notation as text: one graph's relations, or what is wrong and where.

>>> graph = graph_at('(b / bark-01 :ARG0 (d / dog) :polarity -)', 0)
>>> graph.triples
[('b', '/', None), ('b', ':ARG0', 'd'), ('b', ':polarity', '-')]
>>> graph.concepts
{'b': 'bark-01', 'd': 'dog'}
>>> graph_at('(b / bark-01 :ARG0 ()', 0)
Traceback (most recent call last):
...
compsim.graph.penman_syntax.NotationError: a bracket opens without a variable

Nesting may be of any depth. Alignments (``~e.3``) are skipped.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

__all__ = ["INK", "STRING", "NotationError", "Relations", "graph_at", "unquoted"]

_BLANK: Final = r"\s*+"
_SYMBOL: Final = r'[^\s"()/:~#][^\s"()/:~]*+'
_STRING: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_ATOM: Final = rf"{_STRING}|{_SYMBOL}"
_ALIGNMENT: Final = rf"(?:{_BLANK}~(?:[a-z]\.?)?[0-9]++(?:,[0-9]++)*+)?+"
_NODE: Final = (
    rf"(\(){_BLANK}({_SYMBOL})?+{_BLANK}(?:/{_BLANK}(?:({_ATOM}){_ALIGNMENT}{_BLANK})?+)?+"
)

#: One step through a graph: a role, what it leads to and the brackets that close after it, each of
#: which may be missing; or a character that fits nowhere. Blanks are those of ASCII.
_STEP: Final = re.compile(
    rf'(?:(:[^\s"()/:~]*+){_ALIGNMENT}{_BLANK})?+(?:{_NODE}|({_ATOM}){_ALIGNMENT}{_BLANK})?+'
    rf"((?:\){_BLANK})*+)"
    r"|.",
    re.ASCII | re.DOTALL,
)
_ROLE, _OPENED, _VARIABLE, _CONCEPT, _TARGET, _CLOSED = range(1, 7)
_COMMENTS: Final = re.compile(r"(?:#[^\n]*+\s*+)*+", re.ASCII)
INK: Final = re.compile(r"\S", re.ASCII)
STRING: Final = re.compile(_STRING)

# A relation as it is read: source variable, role with its colon, and target.
_Triple = tuple[str, str, str | None]


class NotationError(Exception):
    """Error of PENMAN notation, with its position in the text."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Relations(NamedTuple):
    """The relations of one graph in the order of reading, and where its text ends.

    The first triple is the top with the role "/", where there is one; each other source is the
    target of a triple before. A target is a variable, a constant as it is written, or None.
    ``concepts`` are those of all variables, None where there is none, the later one where there are
    two.
    """

    triples: list[_Triple]
    concepts: dict[str, str | None]
    end: int


def graph_at(text: str, place: int) -> Relations:
    """Return the relations of the graph that starts at a place.

    Raises ``NotationError`` for what is no graph, or goes on after its last bracket.
    """
    triples: list[_Triple] = []
    concepts: dict[str, str | None] = {}
    stack: list[str] = []
    for step in _STEP.finditer(text, place):
        role, opened, variable, concept, target, closed = step.groups()
        if role and stack:
            if not opened:
                if role == ":instance":
                    concepts[stack[-1]] = target
                else:
                    triples.append((stack[-1], role, target))
            elif variable:
                triples.append((stack[-1], role, variable))
                stack.append(variable)
                concepts[variable] = concept
            else:
                raise _wrong(step, stack)
        elif variable and not stack and not role:
            triples.append((variable, "/", None))
            stack.append(variable)
            concepts[variable] = concept
        elif step[0] and not (closed and _is_empty(step, stack)):
            raise _wrong(step, stack)
        if closed:
            count = closed.count(")")
            if count >= len(stack):
                return Relations(triples, concepts, _end(step, len(stack) or 1))
            del stack[-count:]
    brackets = "bracket" if len(stack) == 1 else "brackets"
    raise NotationError(f"the graph ends with {len(stack)} {brackets} open", len(text.rstrip()))


def _is_empty(step: re.Match[str], stack: list[str]) -> bool:
    """Return whether a step is a graph without nodes, ``()``."""
    return not stack and step[0][0] == "(" and "/" not in step[0]


def _end(step: re.Match[str], brackets: int) -> int:
    """Return the end of a graph and its comments, given the number of brackets of its last step.

    After it only another one may follow: anything else means that it ended too soon.
    """
    text, place = step.string, step.end()
    if step[_CLOSED].count(")") > brackets:
        place = step.start(_CLOSED)
        for _ in range(brackets + 1):
            place = text.index(")", place) + 1
        place -= 1
    elif place < len(text):
        comments = _COMMENTS.match(text, place)
        place = comments.end() if comments else place
    if place < len(text) and text[place] != "(":
        raise NotationError(f"{text[place]!r} follows the bracket that closes the graph", place)
    return place


def _wrong(step: re.Match[str], stack: list[str]) -> NotationError:
    """Return the error for a step that fits nowhere, with its position."""
    atom, stray = step[_TARGET], None if step[_CLOSED] else step[0]
    if step[_ROLE] and not stack:
        return NotationError("a role stands outside of a graph", step.start(_ROLE))
    if step[_OPENED]:
        why = "role before it" if stack and not step[_ROLE] else "variable"
        if not step[_VARIABLE]:
            why = "variable"
        return NotationError(f"a bracket opens without a {why}", step.start(_OPENED))
    if atom is not None:
        if atom == "NULL" and not stack:
            return NotationError("the graph is NULL", step.start(_TARGET))
        shown = atom if len(atom) <= 40 else f"{atom[:37]}..."
        where = "without a role before it" if stack else "outside of a graph"
        return NotationError(f"{shown!r} stands {where}", step.start(_TARGET))
    if stray == '"':
        return NotationError("a quote opens a string that has no end", step.start())
    if stray == "#":
        return NotationError("a comment starts inside of a graph", step.start())
    if stray is not None:
        return NotationError(f"{stray!r} stands alone", step.start())
    return NotationError("a bracket closes that none opens", step.start())


def unquoted(value: str | None) -> str:
    """Return the text of an atom; a string with escapes that JSON lacks loses its backslashes."""
    if value is None:
        return ""
    if value[0] != '"' or len(value) < 2:
        return value
    if "\\" not in value:
        return value[1:-1]
    try:
        return str(json.loads(value, strict=False))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", value[1:-1])
