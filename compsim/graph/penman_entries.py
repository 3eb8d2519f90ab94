"""The entries of a text in PENMAN notation: each a graph with the comments before it.

Entries stand apart by blank lines. One that is malformed has an empty graph, and the next one is
looked for at a blank line or comment, or at a line that starts with a bracket. The graphs are made
by what the caller gives, so nothing here needs to know the class.

>>> from compsim.graph import RoleGraph
>>> for entry in entries(["# ::snt Dogs.", "(d / dog)", "", "(c / cat"], RoleGraph):
...     print(entry.line, entry.graph.text, entry.problem)
2 Dogs.
4  line 4, column 9: the graph ends with 1 bracket open
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from typing import Final, Generic, NamedTuple, TypeVar

from compsim.errors import CompsimError, DataError
from compsim.graph.nodes import Status
from compsim.graph.penman_graph import fields, sentence
from compsim.graph.penman_syntax import INK, STRING, NotationError, graph_at

__all__ = ["Entry", "entries", "lines_of", "only_graph"]

Graph = TypeVar("Graph")

# A byte order mark stands before the first line, and inside a text made of several files.
_MARK: Final = "\ufeff"
_BLANKS: Final = f" \t\r\n\v\f{_MARK}"


class Entry(NamedTuple, Generic[Graph]):
    """A graph, the ``::key value`` comments before it, and the line, from 1, where it starts.

    ``problem`` says with line and column why the entry cannot be read; else it is empty.
    """

    graph: Graph
    metadata: dict[str, str]
    line: int
    problem: str = ""


def only_graph(text: str, make: Callable[..., Graph]) -> Graph:
    """Return the one graph in ``text``; raises DataError if there is none, several or a bad one."""
    items = list(entries(lines_of(text), make))
    for entry in items:
        if entry.problem:
            raise DataError(f"malformed PENMAN, {entry.problem}")
    if len(items) != 1:
        raise DataError(
            f"expected one PENMAN graph, found {len(items)}: read several with "
            "compsim.amr.read_amr()"
        )
    return items[0].graph


def lines_of(text: str) -> Iterable[str]:
    """The lines of a text, which end as those of a file do: at line feeds, returns or both."""
    return StringIO(text, newline=None)


def entries(lines: Iterable[str], make: Callable[..., Graph]) -> Iterator[Entry[Graph]]:
    """Yield the entries in order; ``make`` takes the fields of a RoleGraph, or some by name.

    Comments with an ``::id`` or ``::snt`` but no graph after them are an entry with a problem.
    """
    comments: list[str] = []
    commented = 0  # the line of the first comment
    body: list[str] = []
    start = 0  # the line of the first line of the body
    gap = False
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.strip(_BLANKS)
        if not line:
            gap = True
            continue
        is_comment = line[0] == "#"
        if body and not (gap or is_comment):
            body.append(raw.rstrip("\r\n"))
            continue
        if body and (is_comment or raw.lstrip(_MARK)[0] == "(" or not _is_open(body)):
            yield from _read(comments, body, start, make)
            comments, body = [], []
        if is_comment:
            if gap and comments and _is_named(comments) and _is_named([line]):
                yield _without_graph(comments, commented, make)
                comments = []
            if not comments:
                commented = number
            comments.append(line)
        else:
            if not body:
                start = number
            else:
                body += [""] * (number - start - len(body))
            body.append(raw.rstrip("\r\n"))
        gap = False
    if body:
        yield from _read(comments, body, start, make)
    elif _is_named(comments):
        yield _without_graph(comments, commented, make)


def _is_open(body: list[str]) -> bool:
    text = STRING.sub("", "\n".join(body))
    return text.count("(") > text.count(")")


def _is_named(comments: list[str]) -> bool:
    return any("::snt" in line or "::id" in line for line in comments)


def _without_graph(comments: list[str], line: int, make: Callable[..., Graph]) -> Entry[Graph]:
    problem = f"line {line}, column 1: no graph follows the comments"
    return _failed(_metadata(comments), line, problem, make)


def _failed(
    metadata: dict[str, str], line: int, problem: str, make: Callable[..., Graph]
) -> Entry[Graph]:
    graph = make(text=sentence(metadata), status=Status.FAILED, reason=problem)
    return Entry(graph, metadata, line, problem)


def _metadata(comments: list[str]) -> dict[str, str]:
    """The keys and values of the comments, later ones before earlier ones of the same line."""
    metadata: dict[str, str] = {}
    for line in comments:
        for field in line.split("::")[:0:-1]:
            key, _, value = field.partition(" ")
            metadata[key] = value.rstrip()
    return metadata


def _read(
    comments: list[str], body: list[str], start: int, make: Callable[..., Graph]
) -> Iterator[Entry[Graph]]:
    """The graphs of one stretch of lines; the comments belong to the first."""
    text = "\n".join(body)
    if _MARK in text:
        text = f"\n{text}".replace(f"\n{_MARK}", "\n")[1:]
    metadata = _metadata(comments)
    line, opening, place = start, 0, 0
    while place >= 0 and (ink := INK.search(text, place)):
        line += text.count("\n", opening, ink.start())
        opening = ink.start()
        try:
            relations = graph_at(text, opening)
            place = relations.end
            yield Entry(make(*fields(relations, metadata)), metadata, line)
        except (NotationError, CompsimError) as error:
            wrong = opening
            if isinstance(error, NotationError):
                wrong = error.place
                place = text.find("\n(", wrong)
            row, column = text.count("\n", opening, wrong), wrong - text.rfind("\n", 0, wrong)
            problem = f"line {line + row}, column {column}: {error}"
            yield _failed(metadata, line, problem, make)
        metadata = {}
