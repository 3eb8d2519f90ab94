"""AMRs read from a file: an AMR corpus in PENMAN notation, or published AMR parses of pairs.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp(), "parses.txt")
>>> _ = path.write_text("# ::snt Cats sleep.\\n(s / sleep-01 :ARG0 (c / cat))\\n")
>>> parser = StoredAmrParser(path)
>>> [graph.status.value for graph in parser.parse(["Cats sleep.", "Dogs bark."])]
['ok', 'failed']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.graph.penman_reader import Entry, read_amr, read_entries
from compsim.parsers.files.stored_roles import StoredParser, line_of_row, read_rows
from compsim.storage.reading import read_text

__all__ = ["StoredAmrParser", "graph_from_amr"]


class StoredAmrParser(StoredParser):
    """Looks AMRs up by sentence; white space counts as one space.

    ``path`` is a file in PENMAN notation whose graphs have their sentence in a ``::snt`` comment
    (``::snt-17`` too), or the JSON in which the authors of STS3k publish AMRs: row number -> the
    two sentences and their two graphs. ``sentences``, a list or a text file with one a line, names
    the graphs of a PENMAN file by their position instead. A graph that is ``NULL``, missing or
    malformed gives a failed one whose reason names file and line. Where a sentence is stored twice,
    the first graph counts. Raises DataError for a file that can not be read, is another kind of
    JSON, or whose graphs are not as many as the sentences.
    """

    name = "amr-stored"
    cacheable_failures = False

    def __init__(
        self, path: str | Path, sentences: str | Path | Sequence[str] | None = None
    ) -> None:
        self.path = Path(path)
        content = read_text(self.path)
        if content.lstrip().startswith("{"):
            if sentences is not None:
                raise DataError(f"{self.path} holds its sentences itself: leave sentences= out")
            self._keep(_read_rows(self.path, content), content)
            return
        graphs = [self._graph(entry) for entry in read_entries(content)]
        texts: list[str] = []
        if sentences is not None:
            if isinstance(sentences, str | Path):
                texts = read_text(Path(sentences)).removesuffix("\n").split("\n")
            else:
                texts = list(sentences)
            if len(texts) != len(graphs):
                raise DataError(
                    f"{self.path} holds {len(graphs)} graphs for {len(texts)} sentences: give one "
                    "sentence for each graph, in their order"
                )
            graphs = [_named(*pair) for pair in zip(graphs, texts, strict=True)]
        self._keep([(graph,) for graph in graphs], content, "\n".join(texts))

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return the stored graph of each sentence, a failed one for a sentence not stored."""
        graphs = super().parse(sentences)
        return [_named(*pair) for pair in zip(graphs, sentences, strict=True)]

    def _graph(self, entry: Entry[RoleGraph]) -> RoleGraph:
        graph = _named(entry.graph, entry.graph.text)
        problem = entry.problem
        if entry.graph.status is Status.OK and not graph.nodes:
            problem = f"line {entry.line}: {graph.reason}"
        return replace(graph, reason=f"{self.path.name}, {problem}") if problem else graph

    @property
    def graphs(self) -> tuple[RoleGraph, ...]:
        """All graphs in the order of the file, failed ones too."""
        return tuple(graph for row in self._rows for graph in row)


def graph_from_amr(text: str, amr: str | None, parser: str, problem: str = "") -> RoleGraph:
    """Make the graph of a sentence from one AMR in PENMAN notation, however bad.

    None, NULL, malformed or empty notation, and more than one graph, give a failed graph; a
    ``problem`` that the parser told of is its reason, or makes a graph that can be read partial.
    """
    results = list(read_amr(amr)) if amr else []
    if len(results) != 1 or not results[0].nodes:
        reason = results[0].reason if len(results) == 1 else ""
        many = (
            f"the parser made {len(results)} graphs of it"
            if results
            else "the parser made no graph"
        )
        return RoleGraph.failed(text, problem or reason or many, parser)
    graph = _named(results[0], text, parser)
    return replace(graph, status=Status.PARTIAL, reason=problem) if problem else graph


def _named(graph: RoleGraph, text: str, parser: str = StoredAmrParser.name) -> RoleGraph:
    """The graph as that of ``text``; spans are those of another text and go if that differs."""
    if text == graph.text and graph.parser and graph.nodes:
        return graph
    if not graph.nodes and graph.status is Status.OK:
        return RoleGraph.failed(text, "the graph is empty", parser)
    nodes = graph.nodes
    if text != graph.text:
        nodes = tuple(replace(node, span=None, parts=()) for node in nodes)
    return replace(graph, nodes=nodes, text=text, parser=graph.parser or parser)


def _read_rows(path: Path, content: str) -> list[tuple[RoleGraph, ...]]:
    rows = {}
    for number, row in read_rows(path, content).items():
        if not _is_row(number, row):
            raise DataError(
                f"{path}, line {line_of_row(content, number)}: row {number!r} is not a number with "
                "two sentences and two graphs: is it the right file?"
            )
        graphs = [graph_from_amr(row[i], row[i + 2], StoredAmrParser.name) for i in (0, 1)]
        for i, graph in enumerate(graphs):
            if graph.status is Status.FAILED:
                line = line_of_row(content, number)
                reason = f"{path.name}, line {line}, row {number}: {graph.reason}"
                graphs[i] = replace(graph, reason=reason)
        rows[int(number)] = tuple(graphs)
    return [row for _, row in sorted(rows.items())]


def _is_row(number: str, row: Any) -> bool:
    return (
        number.isdecimal()
        and isinstance(row, list)
        and len(row) == 4
        and all(isinstance(text, str) for text in row[:2])
        and all(amr is None or isinstance(amr, str) for amr in row[2:])
    )
