"""How near a parser's AMRs come to given ones: corpus Smatch over a file of PENMAN graphs.

Each graph's sentence is its ``::snt`` comment (``::tok`` where there is none). Matched triples and
totals are summed over all sentences (micro), as Smatch does for a corpus. A graph that can not be
read or has no sentence is left out and counted.

>>> from compsim.benchmarks.amr import AmrScores
>>> scores = AmrScores(matched=6, found=8, expected=10, sentences=1, failed=0, unread=0)
>>> scores.precision, scores.recall, round(scores.f1, 3)
(0.75, 0.6, 0.667)
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from compsim.errors import CompsimError, DataError
from compsim.graph import RoleGraph, Status

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = ["AmrScores", "Match", "read_gold", "score_file"]

_CHUNK: Final = 256
_SENTENCE: Final = re.compile(r"^#.*?::(?:snt(?:-\d+)?|tok)[ \t]+(.*?)(?=\s+::\w|$)", re.MULTILINE)


class Match(Protocol):
    """What a scorer says of two graphs: matched triples, and the triples of each."""

    @property
    def matched(self) -> float:
        """Triples that both have under the best variable mapping."""

    @property
    def total_a(self) -> int:
        """Triples of the first graph."""

    @property
    def total_b(self) -> int:
        """Triples of the second."""


@dataclass(frozen=True, slots=True)
class AmrScores:
    """Sums over a file; ``failed`` sentences the parser gave up on, ``unread`` gold graphs."""

    matched: float
    found: int
    expected: int
    sentences: int
    failed: int
    unread: int

    @property
    def precision(self) -> float:
        """Share of the parser's triples that are right."""
        return self.matched / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of the gold triples that were found."""
        return self.matched / max(self.expected, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.matched / max(self.found + self.expected, 1)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        return {
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "sentences": self.sentences,
            "failed": self.failed,
            "unread": self.unread,
        }


def read_gold(path: str | Path) -> Iterator[RoleGraph | None]:
    """The graphs of a PENMAN file (gzip by its name), None for one that can not be read.

    Raises DataError where the file itself can not be read.
    """
    file = Path(path)
    try:
        data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        text = data.decode("utf8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(
            f"{file} can not be read ({error}): give a file of PENMAN graphs"
        ) from error
    for entry in re.split(r"\n\s*\n", text):
        lines = entry.strip().split("\n")
        if all(line.startswith("#") for line in lines):
            continue  # a header
        found = _SENTENCE.search(entry)
        body = "\n".join(line for line in lines if not line.startswith("#"))
        try:
            graph = RoleGraph.from_penman(body)
        except CompsimError:
            yield None
            continue
        sentence = found[1].strip() if found else ""
        usable = sentence and graph.nodes
        yield RoleGraph(graph.nodes, graph.edges, graph.root, sentence) if usable else None


def score_file(
    path: str | Path,
    parser: Parser,
    match: Callable[[RoleGraph, RoleGraph], Match],
    advance: Callable[[int], None] = lambda count: None,
) -> AmrScores:
    """Parse each sentence of a gold file and match its graph with the gold one.

    ``match`` is given the parser's graph and the gold one, such as ``compsim.amr.smatch.smatch``;
    ``advance`` is told how many more are done. Raises DataError for a file without graphs.
    """
    read = list(read_gold(path))
    gold = [graph for graph in read if graph is not None]
    if not gold:
        raise DataError(f"{path} holds no PENMAN graph with a ::snt comment: name another file")
    matched, found, expected, failed = 0.0, 0, 0, 0
    for start in range(0, len(gold), _CHUNK):
        chunk = gold[start : start + _CHUNK]
        parsed = parser.parse([graph.text for graph in chunk])
        for graph, true in zip(parsed, chunk, strict=True):
            result = match(graph, true)
            matched += result.matched
            found += result.total_a
            expected += result.total_b
            failed += graph.status is Status.FAILED
        advance(len(chunk))
    return AmrScores(matched, found, expected, len(gold), failed, len(read) - len(gold))
