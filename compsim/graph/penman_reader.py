"""Reading many AMRs in PENMAN notation, quickly and without stopping at a bad one.

An entry is a graph with the comments before it; entries stand apart by blank lines. What is well
formed is read as ``RoleGraph.from_penman`` reads it. What is not becomes a failed graph whose
reason gives line and column, and reading goes on with the next entry: at a blank line or comment,
or at a line that starts with a bracket.

>>> from compsim.graph.penman_reader import read_amr
>>> text = '''# ::snt Dogs bark.
... (b / bark-01 :ARG0 (d / dog))
...
... # ::snt Cats sleep.
... (s / sleep-01 :ARG0 (c / cat)
...
... # ::snt Birds sing.
... NULL'''
>>> for graph in read_amr(text):
...     print(graph.text, graph.reason or "is read")
Dogs bark. is read
Cats sleep. line 5, column 30: the graph ends with 1 bracket open
Birds sing. line 8, column 1: the graph is NULL

Nesting may be of any depth. A variable that is introduced twice is one node with the later concept;
one without a concept has an empty label.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from compsim.errors import CompsimError, DataError
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import FORWARD_OF_ROLES

__all__ = ["Entry", "read_amr", "read_entries"]

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
_INK: Final = re.compile(r"[^ \t\r\n\v\f]")
_STRING: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')

# A relation as it is read: source variable, role with its colon, and target; the role of a node's
# own line is "/".
_Triple = tuple[str, str, str | None]


class Entry(NamedTuple):
    """A graph, the ``::key value`` comments before it, and the line, from 1, where it starts."""

    graph: RoleGraph
    metadata: dict[str, str]
    line: int


class _BadGraphError(Exception):
    """What is wrong, and the place in the text of the entry."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def read_amr(source: str | Path | Iterable[str]) -> Iterator[RoleGraph]:
    """Yield the graphs of a text, a file's path, or lines, in order; failed ones too.

    Only a ``Path`` is a path: a string is the text itself. Raises ``DataError`` for a file that
    cannot be read.
    """
    for entry in read_entries(source):
        yield entry.graph


def read_entries(source: str | Path | Iterable[str]) -> Iterator[Entry]:
    """Yield the entries as :func:`read_amr` does, with their comments.

    Comments with an ``::id`` or ``::snt`` but no graph after them are an entry that failed.
    """
    if isinstance(source, Path):
        try:
            with source.open(encoding="utf-8-sig", errors="replace") as lines:
                yield from _entries(lines)
        except OSError as error:
            raise DataError(
                f"{source} cannot be read ({error}): give the path of a file"
            ) from error
    else:
        yield from _entries(source.split("\n") if isinstance(source, str) else source)


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    comments: list[str] = []
    commented = 0  # the line of the first comment
    body: list[str] = []
    start = 0  # the line of the first line of the body
    gap = False
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.strip(" \t\r\n\v\f\ufeff")
        if not line:
            gap = True
            continue
        is_comment = line[0] == "#"
        if body and (is_comment or (gap and (raw[0] == "(" or not _is_open(body)))):
            yield from _read(comments, body, start)
            comments, body = [], []
        if is_comment:
            if gap and _is_named(comments) and _is_named([line]):
                yield _no_graph(comments, commented)
                comments = []
            if not comments:
                commented = number
            comments.append(line)
        else:
            if not body:
                start = number
            elif gap:
                body += [""] * (number - start - len(body))
            body.append(raw.rstrip("\r\n"))
        gap = False
    if body:
        yield from _read(comments, body, start)
    elif _is_named(comments):
        yield _no_graph(comments, commented)


def _is_open(body: list[str]) -> bool:
    text = _STRING.sub("", "\n".join(body))
    return text.count("(") > text.count(")")


def _is_named(comments: list[str]) -> bool:
    return any("::snt" in line or "::id" in line for line in comments)


def _no_graph(comments: list[str], line: int) -> Entry:
    metadata = _metadata(comments)
    reason = f"line {line}, column 1: no graph follows the comments"
    return Entry(RoleGraph.failed(_sentence(metadata), reason), metadata, line)


def _metadata(comments: list[str]) -> dict[str, str]:
    """The keys and values of the comments, later ones before earlier ones of the same line."""
    metadata: dict[str, str] = {}
    for line in comments:
        for field in reversed(line.split("::")[1:]):
            key, _, value = field.partition(" ")
            metadata[key] = value.rstrip()
    return metadata


def _sentence(metadata: dict[str, str]) -> str:
    """The sentence; some corpora number it, ``::snt-17``."""
    for key, value in metadata.items():
        if key == "snt" or key.startswith("snt-"):
            return value
    return ""


def _read(comments: list[str], body: list[str], start: int) -> Iterator[Entry]:
    """The graphs of one stretch of lines; the comments belong to the first."""
    text = "\n".join(body)
    metadata = _metadata(comments)
    place = 0
    while place is not None and place < len(text):
        opening = place
        try:
            triples, concepts, top, place = _parse(text, place)
            if place < 0:
                return
            if "compsim" in metadata:
                whole = "\n".join([*comments, text[opening:place]])
                graph = RoleGraph.from_penman(whole)
            else:
                graph = _graph(triples, concepts, top, _sentence(metadata))
        except (_BadGraphError, CompsimError) as error:
            if isinstance(error, _BadGraphError):
                wrong = error.place
                place = text.find("\n(", wrong)
            else:
                wrong = opening + len(text[opening:]) - len(text[opening:].lstrip())
            line, column = text.count("\n", 0, wrong), wrong - text.rfind("\n", 0, wrong)
            reason = f"line {start + line}, column {column}: {error}"
            graph = RoleGraph.failed(_sentence(metadata), reason)
        line = start + text.count("\n", 0, opening)
        if text[opening : opening + 1] == "\n":
            line += 1
        yield Entry(graph, metadata, line)
        comments, metadata = [], {}
        if place < 0:
            return


def _parse(text: str, place: int) -> tuple[list[_Triple], dict[str, str | None], str | None, int]:
    """The triples of the graph that starts at a place, and where it ends; -1 if there is none.

    A target is a variable, a constant as it is written, or None; a variable that stands in quotes
    keeps them. Concepts are those of all variables, None where there is none.
    """
    triples: list[_Triple] = []
    concepts: dict[str, str | None] = {}
    stack: list[str] = []
    top: str | None = None
    for step in _STEP.finditer(text, place):
        close, role, opened, variable, slash, concept, atom, *rest = step.groups()
        if close:
            if not stack:
                raise _BadGraphError("a bracket closes that none opens", step.start(1))
            stack.pop()
            if not stack:
                _check_rest(text, step.end())
                return triples, concepts, top, step.end()
            continue
        if role:
            if not stack:
                raise _BadGraphError("a role stands outside of a graph", step.start(2))
            if not opened:
                triples.append((stack[-1], role, atom))
                continue
            if variable is None:
                raise _BadGraphError("a bracket opens without a variable", step.start(3))
            triples.append((stack[-1], role, variable))
        else:
            opened, variable, slash, concept, atom, other = rest
            if stack or not opened:
                raise _BadGraphError(*_unexpected(step, bool(stack), atom, other))
            if variable is None:
                end = _EMPTY.match(text, step.end())
                if slash or end is None:
                    raise _BadGraphError("a bracket opens without a variable", step.start(8))
                _check_rest(text, end.end())
                return [], {}, None, end.end()
            top = variable
        stack.append(variable)
        triples.append((variable, "/", None))
        if slash and concept is not None:
            concepts[variable] = concept
        else:
            concepts[variable] = None
    if stack:
        brackets = "bracket" if len(stack) == 1 else "brackets"
        end_of_text = len(text.rstrip())
        raise _BadGraphError(f"the graph ends with {len(stack)} {brackets} open", end_of_text)
    return [], {}, None, -1


def _check_rest(text: str, place: int) -> None:
    """After a graph only another one may follow: anything else means that it ended too soon."""
    following = _INK.search(text, place)
    if following is not None and following[0] != "(":
        raise _BadGraphError(
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
        return f"{_shown(atom)} stands {where}", step.start(12)
    if other is not None:
        what = (
            "a quote opens a string that has no end" if other == '"' else f"{other!r} stands alone"
        )
        return what, step.start(13)
    return "a bracket opens without a role before it", step.start(8)


def _shown(atom: str) -> str:
    return repr(atom if len(atom) <= 40 else f"{atom[:37]}...")


def _graph(
    triples: list[_Triple], concepts: dict[str, str | None], top: str | None, sentence: str
) -> RoleGraph:
    """A role graph of what was read, nodes in order of first mention, inverse edges turned."""
    place: dict[str, int] = {}
    nodes: list[Node] = []
    edges: list[Edge] = []

    def node(variable: str) -> int:
        found = place.get(variable)
        if found is None:
            found = place[variable] = len(nodes)
            nodes.append(Node(_unquoted(concepts[variable]), variable=variable))
        return found

    for source, role, target in triples:
        if role == "/":
            node(source)
            continue
        inverse = role.endswith("-of") and role[1:] not in FORWARD_OF_ROLES
        role = role[1:-3] if inverse else role[1:]
        if target in concepts:
            start, end = (target, source) if inverse else (source, target)
            edges.append(Edge(node(start), role, node(end)))
            continue
        start_place = node(source)
        nodes.append(Node(_unquoted(target)))
        end_place = len(nodes) - 1
        if inverse:
            start_place, end_place = end_place, start_place
        edges.append(Edge(start_place, role, end_place))
    return RoleGraph(tuple(nodes), tuple(edges), None if top is None else place[top], sentence)


def _unquoted(value: str | None) -> str:
    if value is None:
        return ""
    if value[0] != '"' or len(value) < 2:
        return value
    if "\\" not in value:
        return value[1:-1]
    try:
        return str(json.loads(value, strict=False))
    except ValueError:  # escapes that JSON lacks
        return re.sub(r"\\(.)", r"\1", value[1:-1])
