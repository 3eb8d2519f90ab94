"""Contrast triples: is a sentence more like one that means the same than like one that does not?

A file has the columns ``phenomenon``, ``sentence``, ``same`` and ``other``, tabs between them; a
line break in a cell is written ``\\n``. A triple is won where the score of the sentence with the
one that means the same is higher than that with the other, which has the same words or nearly so.

>>> triple = Triple("passive", "Cats chase mice.", "Mice are chased by cats.", "Mice chase cats.")
>>> figures([triple] * 4, [0.3, 0.1, 0.0, -0.2])["macro"].value
0.5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.triples import CONTRASTS, Triple, read_contrasts
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, open_method, sha256
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace

if TYPE_CHECKING:
    from compsim.benchmarks.stats.paired import Sample

__all__ = ["Contrasts", "contrasts", "figures"]

#: Scores that differ by no more are equal: the triple is tied.
_TIE: Final = 1e-6
_RESAMPLES: Final = 1000
#: Lost triples that a report shows of each row.
_WORST: Final = 10


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


class Contrasts(Task):
    """The triples of a file, won, tied and lost."""

    name = "contrasts"
    title = "Sentences that mean the same against sentences of the same words"
    columns = dict.fromkeys(("macro", "won", "tied", "triples"), 0)
    form = ".3f"
    paper = "compsim's contrasts"
    headline = "macro"
    figure = "share won, mean of phenomena"
    unit = "triples"

    def __init__(self, file: str | Path, specs: Sequence[Spec]) -> None:
        self.triples = read_contrasts(file)
        self.specs = specs
        self.content = sha256([file])
        self.data = Path(file).stem, str(file), self.content
        self.steps = len(self.triples)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """How much higher the sentence that means the same scores, triple by triple."""
        import numpy as np

        method: Any = open_method(spec)
        _, sentences, same, other = (list(column) for column in zip(*self.triples, strict=True))
        batch = method.encode(sentences)
        margins = method.similarity_pairwise(batch, method.encode(same))
        margins = np.asarray(margins - method.similarity_pairwise(batch, method.encode(other)))
        advance(spec.method, self.steps)
        of = {
            "method": spec.title,
            "normalize": method.normalize,
            "parser": getattr(getattr(method, "parser", None), "name", ""),
            "vectors": str(getattr(getattr(method, "vectors", None), "name", "")),
        }
        told: dict[str, Any] = {
            "margins": [None if np.isnan(found) else float(found) for found in margins]
        }
        told["phenomena"] = {
            name: {"won": float(np.mean(won)), "n": len(won)}
            for name, won in _by_phenomenon(self.triples, margins.tolist()).items()
        }
        return [Row(of, figures(self.triples, margins.tolist()), details=told)]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and in lines the share of each phenomenon."""
        found = [row for row in rows if row.status == "ok"]
        summary = []
        for name, count in _counts(self.triples).items():
            shares = ", ".join(
                f"{row.label} {row.details['phenomena'][name]['won']:.2f}" for row in found
            )
            summary.append(f"{name} (n={count}): {shares}")
        return super().results(rows, summary=summary if found else ())

    def items_of(self, row: Row) -> Sample | None:
        """Which triples are won, drawn phenomenon by phenomenon."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        won = [float(margin is not None and margin > _TIE) for margin in row.details["margins"]]
        _, of = np.unique([triple.kind for triple in self.triples], return_inverse=True)
        return Sample(np.array(won), strata=of.reshape(-1))

    def report(self, results: Results) -> str:
        """The table, that of the phenomena, and the triples that are lost by most."""
        from compsim.benchmarks.report import section

        found = [row for row in results.rows if row.status == "ok"]
        results = replace(results, summary=())  # the table of phenomena says it
        return section(results, self.title, self._phenomena(found), *map(self._lost, found))

    def _phenomena(self, rows: Sequence[Row]) -> str:
        cells = [
            [name, str(count), *(f"{row.details['phenomena'][name]['won']:.2f}" for row in rows)]
            for name, count in _counts(self.triples).items()
        ]
        return _table(["phenomenon", "n", *(row.label for row in rows)], cells, "By phenomenon")

    def _lost(self, row: Row) -> str:
        lost = [
            (margin, triple)
            for margin, triple in zip(row.details["margins"], self.triples, strict=True)
            if margin is not None and margin < -_TIE
        ]
        lost.sort(key=lambda pair: pair[0])
        cells = [[f"{margin:.3f}", *triple] for margin, triple in lost[:_WORST]]
        title = f"Lost by most: {row.label}"
        return _table(["margin", *CONTRASTS], cells, title) if cells else ""


def figures(triples: Sequence[Triple], margins: Sequence[float]) -> dict[str, Figure]:
    """The shares of triples won and tied, and the mean of the phenomena's shares won.

    The interval of that mean resamples the triples of each phenomenon. What has no score, NaN, is
    not won.
    """
    import numpy as np

    groups = [np.array(won) for won in _by_phenomenon(triples, margins).values()]
    rng = np.random.default_rng(0)
    resampled = np.mean(
        [won[rng.integers(len(won), size=(_RESAMPLES, len(won)))].mean(axis=1) for won in groups],
        axis=0,
    )
    low, high = np.percentile(resampled, [2.5, 97.5]).tolist()
    count = len(triples)
    tied = float(np.mean([abs(margin) <= _TIE for margin in margins]))
    macro = float(np.mean([won.mean() for won in groups]))
    return {
        "macro": Figure(macro, count, low, high),
        "won": Figure(float(np.concatenate(groups).mean()), count),
        "tied": Figure(tied, count),
        "triples": Figure(count),
    }


def _by_phenomenon(triples: Sequence[Triple], margins: Sequence[float]) -> dict[str, list[float]]:
    """1 for each triple that is won, else 0, by phenomenon in the order of the file."""
    found: dict[str, list[float]] = {}
    for triple, margin in zip(triples, margins, strict=True):
        found.setdefault(triple.kind, []).append(float(margin > _TIE))
    return found


def _counts(triples: Sequence[Triple]) -> dict[str, int]:
    return {name: len(won) for name, won in _by_phenomenon(triples, [0.0] * len(triples)).items()}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> str:
    from compsim.benchmarks.report.figures import cells

    return f"<h3>{escape(title)}</h3>{cells(head, rows, title)}"
