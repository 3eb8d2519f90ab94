"""How near a parser's AMRs come to given ones: corpus Smatch over files of PENMAN graphs.

Each graph's sentence is its ``::snt`` comment. A graph that cannot be read or has no sentence is
left out and counted.

>>> from compsim.benchmarks.tasks.amr import measure
>>> from compsim.parsers import load
>>> measure(["gold.txt"], load("amr")).corpus.f1  # doctest: +SKIP
0.63
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from compsim.amr.smatch import smatch_pairwise
from compsim.amr.smatch.corpus import CorpusScore, corpus_score
from compsim.amr.smatch.triples import encode
from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.graph.penman_reader import read_amr

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = ["AmrScores", "measure", "read_gold"]

_CHUNK: Final = 256


@dataclass(frozen=True, slots=True)
class AmrScores:
    """Corpus Smatch; ``failed`` sentences the parser gave up on, ``unread`` given graphs."""

    corpus: CorpusScore
    failed: int
    unread: int

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        return {**asdict(self.corpus), "failed": self.failed, "unread": self.unread}


def read_gold(path: str | Path) -> list[RoleGraph]:
    """The graphs of a PENMAN file (gzip by its name), failed ones too.

    Raises DataError where the file itself cannot be read.
    """
    file = Path(path)
    if file.suffix != ".gz":
        return list(read_amr(file))
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            return list(read_amr(lines))
    except (OSError, EOFError) as error:
        raise DataError(f"{file} cannot be read ({error}): give the path of a file") from error


def measure(
    paths: Iterable[str | Path],
    parser: Parser,
    advance: Callable[[int], None] = lambda count: None,
) -> AmrScores:
    """Parse the sentence of each given graph and match the two graphs.

    ``advance`` is told how many more sentences are parsed. Raises DataError for files without a
    graph that has a sentence.
    """
    files = list(paths)
    read = [graph for path in files for graph in read_gold(path)]
    gold = [graph for graph in read if graph.nodes and graph.text]
    if not gold:
        names = ", ".join(map(str, files))
        raise DataError(f"{names}: no PENMAN graph with a ::snt comment: name another file")
    parsed: list[RoleGraph] = []
    for start in range(0, len(gold), _CHUNK):
        chunk = [graph.text for graph in gold[start : start + _CHUNK]]
        parsed += parser.parse(chunk)
        advance(len(chunk))
    scores = smatch_pairwise(encode(parsed), encode(gold))
    return AmrScores(
        corpus_score(scores.matched, scores.total_a, scores.total_b),
        sum(graph.status is Status.FAILED for graph in parsed),
        len(read) - len(gold),
    )
