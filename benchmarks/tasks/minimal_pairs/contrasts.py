"""Contrast triples: is a sentence more like one that means the same than like one that does not?

A file has the columns ``phenomenon``, ``sentence``, ``same`` and ``other``, tabs between them; a
line break in a cell is written ``\\n``. A triple is won where the score of the sentence with the
one that means the same is higher than that with the other, which has the same words or nearly so.

>>> from compsim.benchmarks.task import run
>>> results = run(contrasts("contrasts.tsv", methods="verbnet-cn,sbert"))  # doctest: +SKIP
>>> print(results.to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from compsim.benchmarks.datasets.triples import read_contrasts
from compsim.benchmarks.task import Results, Row, Spec, Task, sha256
from compsim.benchmarks.tasks.minimal_pairs.margins import Margins, kind_sizes, kind_table
from compsim.benchmarks.tasks.similarity.sts import specs_of

__all__ = ["Contrasts", "contrasts"]


def contrasts(
    file: Annotated[Path, "phenomenon, sentence, same, other: a triple a line, tabs between"],
    /,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Count triples in which the sentence that means the same scores higher, by phenomenon."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    return Contrasts(file, specs)


class Contrasts(Margins):
    """The triples of a file, won, tied and lost."""

    name = "contrasts"
    title = "Sentences that mean the same against sentences of the same words"
    columns = dict.fromkeys(("macro", "won", "tied", "triples"), 0)
    form = ".3f"
    paper = "compsim's contrasts"
    figure = "share won, mean of phenomena"
    kind = "phenomenon", "phenomena"

    def __init__(self, file: str | Path, specs: Sequence[Spec]) -> None:
        super().__init__([read_contrasts(file)], specs)
        self.content = sha256([file])
        self.data = Path(file).stem, str(file), self.content

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and in lines the share of each phenomenon."""
        measured = [row for row in rows if row.status == "ok"]
        summary = []
        for name, count in kind_sizes(self.triples).items():
            shares = ", ".join(
                f"{row.label} {row.details['phenomena'][name]['won']:.2f}" for row in measured
            )
            summary.append(f"{name} (n={count}): {shares}")
        return super().results(rows, summary=summary if measured else ())

    def report(self, results: Results) -> str:
        """The table, that of the phenomena, and the triples that are lost by most."""
        from compsim.benchmarks.report import section

        measured = [row for row in results.rows if row.status == "ok"]
        results = replace(results, summary=())  # the table of phenomena says it
        columns = {
            row.label: [f"{share['won']:.2f}" for share in row.details["phenomena"].values()]
            for row in measured
        }
        phenomena = kind_table(self.kind[0], kind_sizes(self.triples), columns)
        return section(results, self.title, phenomena, *map(self.lost_table, measured))
