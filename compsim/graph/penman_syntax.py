r"""PENMAN notation as text: one graph's relations, or what is wrong and where.

>>> graph = graph_at('(b / bark-01 :ARG0 (d / dog) :polarity -)', 0)
>>> graph.triples
[('b', '/', None), ('b', ':ARG0', 'd'), ('d', '/', None), ('b', ':polarity', '-')]
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

_BLANK: Final = r"[ \t\r\n\v\f]*"
_SYMBOL: Final = r'[^ \t\r\n\v\f"()/:~]+'
_ATOM: Final = rf'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|{_SYMBOL}'
_ALIGNMENT: Final = rf"(?:{_BLANK}~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*)?"
_NODE: Final = rf"(\(){_BLANK}({_SYMBOL})?(?:{_BLANK}(/){_BLANK}({_ATOM})?{_ALIGNMENT})?"

#: One step through a graph: a closing bracket, a role with what it leads to, or a graph's start.
_STEP: Final = re.compile(
    rf"{_BLANK}(?:(\))"
    rf'|(:[^ \t\r\n\v\f"()/:~]*){_ALIGNMENT}{_BLANK}(?:{_NODE}|({_ATOM}){_ALIGNMENT})?'
    rf"|{_NODE}"
    rf"|({_ATOM})"
    r"|([^ \t\r\n\v\f]))"
)
_EMPTY: Final = re.compile(rf"{_BLANK}\)")
INK: Final = re.compile(r"[^ \t\r\n\v\f]")
STRING: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')

# A relation as it is read: source variable, role with its colon, and target; the role of a node's
# own line is "/".
_Triple = tuple[str, str, str | None]


class NotationError(Exception):
    """What is wrong, and the place in the text."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Relations(NamedTuple):
    """The relations of one graph in the order of reading, and where its text ends.

    A target is a variable, a constant as it is written, or None; a variable that stands in quotes
    keeps them. ``concepts`` are those of all variables, None where there is none, the later one
    where there are two.
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
        close, role, opened, variable, slash, concept, atom, *rest = step.groups()
        if close:
            if not stack:
                raise NotationError("a bracket closes that none opens", step.start(1))
            stack.pop()
            if not stack:
                _check_rest(text, step.end())
                return Relations(triples, concepts, step.end())
            continue
        if role:
            if not stack:
                raise NotationError("a role stands outside of a graph", step.start(2))
            if not opened:
                if role == ":instance":
                    concepts[stack[-1]] = atom
                else:
                    triples.append((stack[-1], role, atom))
                continue
            if variable is None:
                raise NotationError("a bracket opens without a variable", step.start(3))
            triples.append((stack[-1], role, variable))
        else:
            opened, variable, slash, concept, atom, other = rest
            if stack or not opened:
                raise NotationError(*_unexpected(step, bool(stack), atom, other))
            if variable is None:
                end = _EMPTY.match(text, step.end())
                if slash or end is None:
                    raise NotationError("a bracket opens without a variable", step.start(8))
                _check_rest(text, end.end())
                return Relations([], {}, end.end())
        stack.append(variable)
        triples.append((variable, "/", None))
        concepts[variable] = concept
    brackets = "bracket" if len(stack) == 1 else "brackets"
    raise NotationError(f"the graph ends with {len(stack)} {brackets} open", len(text.rstrip()))


def _check_rest(text: str, place: int) -> None:
    """After a graph only another one may follow: anything else means that it ended too soon."""
    following = INK.search(text, place)
    if following is not None and following[0] != "(":
        raise NotationError(
            f"{following[0]!r} follows the bracket that closes the graph", following.start()
        )


def _unexpected(
    step: re.Match[str], inside: bool, atom: str | None, other: str | None
) -> tuple[str, int]:
    """What is wrong with a step that is none, and where."""
    if atom is not None:
        if atom == "NULL" and not inside:
            return "the graph is NULL", step.start(12)
        where = "without a role before it" if inside else "outside of a graph"
        return f"{atom if len(atom) <= 40 else f'{atom[:37]}...'!r} stands {where}", step.start(12)
    if other is not None:
        what = (
            "a quote opens a string that has no end" if other == '"' else f"{other!r} stands alone"
        )
        return what, step.start(13)
    return "a bracket opens without a role before it", step.start(8)


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
