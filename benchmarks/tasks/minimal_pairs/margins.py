"""Margins of triples: how far a paraphrase of a text scores above a text that says something else.

A triple is won where its margin is above zero. Each kind of triple has a share won, and the figure
of a method is the mean of these shares, so that each kind counts the same.

>>> triple = Triple("passive", "Cats chase mice.", "Mice are chased by cats.", "Mice chase cats.")
>>> figures([triple] * 4, [0.3, 0.1, 0.0, -0.2])["macro"].value
0.5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from compsim.benchmarks.datasets.triples import Triple
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, open_method
from compsim.benchmarks.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

    Array = npt.NDArray[np.float64]

__all__ = ["TIE", "Margins", "figures", "kind_figures", "kind_sizes", "kind_table", "table"]

#: Scores that differ by no more are equal: the triple is tied.
TIE: Final = 1e-6
_RESAMPLES: Final = 1000
#: Lost triples that a report shows of each row.
_WORST: Final = 10


class Margins(Task):
    """Triples, won, tied and lost.

    Attributes:
        kind: What distinguishes kinds of triples, and the plural of it, as JSON and reports say.
        tie: The largest margin of a tied triple.
        both: Whether the paraphrase, too, must score lower with the foil than with the text.
    """

    headline = "macro"
    unit = "triples"
    kind: tuple[str, str] = ("kind", "kinds")
    tie: float = TIE
    both: bool = False

    def __init__(self, files: Sequence[Sequence[Triple]], specs: Sequence[Spec]) -> None:
        self.files, self.specs = files, specs
        self.triples = [triple for file in files for triple in file]
        self.texts = list(dict.fromkeys(text for triple in self.triples for text in triple[1:]))
        self.index = {text: i for i, text in enumerate(self.texts)}
        self.steps = len(self.texts)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Return one row: the margin of each triple, and the figures that they make."""
        import numpy as np

        from compsim.benchmarks.sides import encode_all, encoding_content, unparsed

        method: Any = open_method(spec)
        batch = encode_all(
            self.texts,
            method,
            workspace=workspace,
            content=encoding_content(spec),
            advance=lambda _, count: advance(spec.method, count),
        )
        # A score is rounded by the pairs that are scored with it: so a file is scored by itself.
        margins = [
            margin for file in self.files for margin in self._margins(method, batch, file).tolist()
        ]
        of = {
            "method": spec.title,
            "normalize": method.normalize,
            "parser": getattr(getattr(method, "parser", None), "name", ""),
            "vectors": str(getattr(getattr(method, "vectors", None), "name", "")),
        }
        details: dict[str, Any] = {
            "margins": [None if np.isnan(margin) else margin for margin in margins],
            self.kind[1]: {
                name: {"won": figure.value, "n": figure.n}
                for name, figure in kind_figures(self.triples, margins, self.tie).items()
            },
        }
        failed = unparsed(batch)
        notes = [f"{failed} sentences have no parse"] if failed else []
        return [Row(of, self.figures(margins), notes=notes, details=details)]

    def _margins(self, method: Any, batch: Any, triples: Sequence[Triple]) -> Array:
        """Return the margins of triples whose texts are all in a batch, float64 (n,)."""
        import numpy as np

        text, same, other = (
            batch[np.array([self.index[triple[field]] for triple in triples], dtype=np.int64)]
            for field in (1, 2, 3)
        )

        def scores(first: Any, second: Any) -> Array:
            return np.asarray(method.similarity_pairwise(first, second), dtype=np.float64)

        foils = scores(text, other)
        if self.both:
            foils = np.maximum(foils, scores(same, other))
        return scores(text, same) - foils

    def figures(self, margins: Sequence[float]) -> dict[str, Figure]:
        """Return the figures of a row by the margin of each triple."""
        return figures(self.triples, margins, self.tie)

    def items_of(self, row: Row) -> Sample | None:
        """Return the triples that are won, as a sample drawn kind by kind."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        won = [float(margin is not None and margin > self.tie) for margin in row.details["margins"]]
        _, strata = np.unique([triple.kind for triple in self.triples], return_inverse=True)
        return Sample(np.array(won), strata=strata.reshape(-1))

    def report(self, results: Results) -> str:
        """The table, and the triples that are lost by most."""
        from compsim.benchmarks.report import section

        measured = [row for row in results.rows if row.status == "ok"]
        return section(results, self.title, *map(self.lost_table, measured))

    def lost_table(self, row: Row) -> str:
        """Return the triples that a row loses by most as HTML, "" where it loses none."""
        lost = [
            (margin, triple)
            for margin, triple in zip(row.details["margins"], self.triples, strict=True)
            if margin is not None and margin < -self.tie
        ]
        lost.sort(key=lambda pair: pair[0])
        cells = [[f"{margin:.3f}", *triple] for margin, triple in lost[:_WORST]]
        head = ["margin", self.kind[0], "sentence", "same", "other"]
        return table(head, cells, f"Lost by most: {row.label}") if cells else ""


def figures(
    triples: Sequence[Triple], margins: Sequence[float], tie: float = TIE
) -> dict[str, Figure]:
    """Return the mean of the kinds' shares won, and the shares of all triples won and tied.

    The interval of that mean resamples the triples of each kind. What has no score, NaN, is not
    won.
    """
    import numpy as np

    groups = _won_by_kind(triples, margins, tie)
    resampled = np.mean(list(_resampled(groups).values()), axis=0)
    low, high = np.percentile(resampled, [2.5, 97.5]).tolist()
    count = len(triples)
    macro = float(np.mean([won.mean() for won in groups.values()]))
    tied = float(np.mean([abs(margin) <= tie for margin in margins]))
    return {
        "macro": Figure(macro, count, low, high),
        "won": Figure(float(np.concatenate(list(groups.values())).mean()), count),
        "tied": Figure(tied, count),
        "triples": Figure(count),
    }


def kind_figures(
    triples: Sequence[Triple], margins: Sequence[float], tie: float = TIE
) -> dict[str, Figure]:
    """Return the share of triples won of each kind, in the order of the kinds, with intervals."""
    import numpy as np

    groups = _won_by_kind(triples, margins, tie)
    result = {}
    for kind, shares in _resampled(groups).items():
        low, high = np.percentile(shares, [2.5, 97.5]).tolist()
        result[kind] = Figure(float(groups[kind].mean()), len(groups[kind]), low, high)
    return result


def kind_sizes(triples: Sequence[Triple]) -> dict[str, int]:
    """Return the number of triples of each kind, in the order of the kinds."""
    sizes: dict[str, int] = {}
    for triple in triples:
        sizes[triple.kind] = sizes.get(triple.kind, 0) + 1
    return sizes


def table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> str:
    """Return a table with a title as HTML."""
    from compsim.benchmarks.report.figures import cells

    return f"<h3>{escape(title)}</h3>{cells(head, rows, title)}"


def kind_table(kind: str, sizes: Mapping[str, int], columns: Mapping[str, Sequence[str]]) -> str:
    """Return a table of kinds as HTML, with a column of cells for each method."""
    rows = [
        [name, str(count), *(cells[i] for cells in columns.values())]
        for i, (name, count) in enumerate(sizes.items())
    ]
    return table([kind, "n", *columns], rows, f"By {kind}")


def _won_by_kind(
    triples: Sequence[Triple], margins: Sequence[float], tie: float
) -> dict[str, Array]:
    """Return 1 for each triple that is won, else 0, by kind in the order of the triples."""
    import numpy as np

    won: dict[str, list[float]] = {}
    for triple, margin in zip(triples, margins, strict=True):
        won.setdefault(triple.kind, []).append(float(margin > tie))
    return {kind: np.array(values) for kind, values in won.items()}


def _resampled(groups: Mapping[str, Array]) -> dict[str, Array]:
    """Return the mean of each group in each resample of its items, float64 (resamples,)."""
    import numpy as np

    rng = np.random.default_rng(0)
    return {
        kind: won[rng.integers(len(won), size=(_RESAMPLES, len(won)))].mean(axis=1)
        for kind, won in groups.items()
    }
