"""Evaluation of AMR parsers: corpus Smatch against files of gold PENMAN graphs.

Each graph's sentence is its ``::snt`` comment. A graph that cannot be read or has no sentence is
left out and counted.

>>> from compsim.benchmarks.task import run
>>> results = run(amr(["gold.txt"]))  # doctest: +SKIP
>>> results.rows[0].figures["F1"].value  # doctest: +SKIP
0.63
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, sha256
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.graph.penman_reader import read_amr
from compsim.parsers import load
from compsim.parsers.base import Parser
from compsim.storage.reading import read_text

__all__ = ["Amr", "amr", "read_gold"]


def amr(
    files: Annotated[list[Path], "PENMAN graphs with ::snt comments"],
    /,
    parser: Annotated[str, "amr, amrlib[:FOLDER], amr-stored:FILE or amr-server:URL"] = "amr",
) -> Task:
    """Score a parser's AMRs by Smatch against those of a file (micro, bootstrap interval)."""
    return Amr(files, load(parser), parser)


class Amr(Task):
    """A parser on given graphs; with the name that it is opened by, its parses are kept."""

    name = "amr"
    title = "Smatch of parses with given graphs"
    columns = dict.fromkeys(("sentences", "precision", "recall", "F1"), 0)
    form = ".4f"

    def __init__(
        self, files: Sequence[str | Path], parser: Parser, named: str | None = None
    ) -> None:
        read = [graph for file in files for graph in read_gold(file)]
        self.data = "AMRs", ", ".join(map(str, files)), sha256(files)
        self.gold = [graph for graph in read if graph.nodes and graph.text]
        self.unread = len(read) - len(self.gold)
        if not self.gold:
            raise DataError(
                f"{self.data[1]}: no PENMAN graph with a ::snt comment: name another file"
            )
        self.parser = parser
        self.specs = [Spec(named or parser.name, {"parser": named or parser})]
        self.steps = len({graph.text for graph in self.gold})

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Parse the sentence of each given graph and match the two graphs."""
        from compsim.amr.smatch import smatch_pairwise
        from compsim.amr.smatch.corpus import corpus_score
        from compsim.amr.smatch.triples import encode
        from compsim.benchmarks.sides import parse_once

        texts = [graph.text for graph in self.gold]
        graphs = parse_once(self.parser, texts, spec, workspace, advance)
        parsed = [graphs[text] for text in texts]
        scores = smatch_pairwise(encode(parsed), encode(self.gold))
        score = corpus_score(scores.matched, scores.total_a, scores.total_b)
        failed = sum(graph.status is Status.FAILED for graph in parsed)
        figures = {
            "sentences": Figure(score.pairs),
            "precision": Figure(score.precision, score.pairs),
            "recall": Figure(score.recall, score.pairs),
            "F1": Figure(score.f1, score.pairs, *score.interval or ()),
        }
        result = {**asdict(score), "failed": failed, "unread": self.unread}
        return [Row({"parser": spec.method}, figures, details=result)]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The row of the parser, and what it could not parse."""
        counts = {
            "sentences have no parse": rows[0].details.get("failed"),
            "graphs are left out: not readable, or no sentence": self.unread,
        }
        remarks = [f"{count} {what}" for what, count in counts.items() if count]
        return super().results(rows, remarks=remarks, details=rows[0].details)


def read_gold(path: str | Path) -> list[RoleGraph]:
    """The graphs of a PENMAN file (gzip by its name), failed ones too.

    Raises DataError where the file itself cannot be read.
    """
    file = Path(path)
    return list(read_amr(read_text(file) if file.suffix == ".gz" else file))
