"""SR: do scores follow what a change of syntax does to the meaning?

Each sentence is rewritten twice: with roles or order changed (``relation``), and in another syntax
(``structure``). The figures are Spearman's rho with the ratings, times 100, of each file and
rewriting, and their means over files; and ``within``: of rows whose two ratings differ by 2 or more
of 5, the share in which the scores differ the same way.

The published figures are those of the authors' repository, which its data gives; the paper as
printed has others, of another version of the data.

>>> from compsim.benchmarks.task import run
>>> results = run(sr("SR/data", "stsb", methods="sbert"))  # doctest: +SKIP
>>> results.rows[0].figures["stsb structure"].value  # doctest: +SKIP
17.84
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.datasets.sr import FILES, KINDS, open_sr
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.task import Spec, Task, listed
from compsim.benchmarks.tasks.sts import Sts, specs_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["PUBLISHED", "Sr", "sr"]

#: Table 4 in the authors' repository, the files in the order of ``FILES``, relation and structure.
PUBLISHED: Final = {
    "all-MiniLM-L6-v2": (
        (0.35, 14.60, 13.99, 27.86, 14.05, 48.29),
        (17.84, 15.89, 7.68, 18.27, 6.51, 12.76),
    ),
    "all-mpnet-base-v2": (
        (24.24, 41.92, 24.33, 34.66, 16.95, 23.43),
        (23.83, 23.44, 6.67, 24.03, 12.09, 23.94),
    ),
    "sup-simcse-roberta-large": (
        (40.29, 52.83, 8.03, 31.62, 25.80, 40.62),
        (23.32, 24.99, -0.85, 17.64, 13.45, 37.62),
    ),
    "sentence-t5-xl": (
        (45.03, 54.48, 17.65, 46.28, 34.13, 51.78),
        (22.95, 20.33, 11.70, 26.83, 23.00, 35.41),
    ),
    "text-embedding-ada-002": (
        (27.61, 31.17, 6.92, 27.59, 19.47, 36.92),
        (21.81, 20.86, 12.48, 26.63, 14.22, 13.03),
    ),
}
#: Ratings of a row, as shares of the range, that differ by at least so much say which is nearer.
_APART: Final = 0.4
_PERCENT: Final = 100


def sr(
    data: Annotated[Path, "a folder with files of SR: stsb.csv, sickr.csv and so on"],
    datasets: Annotated[str | None, "which files, separated by commas; default: all there"] = None,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    drop_identical: Annotated[bool, "leave out rows with a sentence that stayed the same"] = False,
) -> Task:
    """Correlate scores with ratings of changed roles and changed syntax (Spearman, times 100)."""
    opened = open_sr(data, None if datasets is None else listed(datasets), drop_identical)
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    return Sr(opened, specs)


class Sr(Sts):
    """Scores against the ratings of SR."""

    name = "sr"
    title = "SR: changed roles and changed syntax"

    def __init__(self, data: Dataset, specs: Sequence[Spec]) -> None:
        super().__init__(data, specs)
        self.files = list(dict.fromkeys(part.split()[0] for part in data.parts))
        self.within = {name: self._telling(name) for name in self.files}
        self.columns = {part: len(index) for part, index in data.parts.items()}
        self.columns |= {f"mean {kind}": 0 for kind in KINDS} if len(self.files) > 1 else {}
        self.columns |= {f"{name} within": len(rows) for name, rows in self.within.items()}

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows with their correlations, means and shares, those of the literature below."""
        found = super().results(rows, **more)
        printed = [
            Row({"method": f"{model}, published"}, self._with_means(self._printed(figures)))
            for model, figures in PUBLISHED.items()
        ]
        return replace(
            found,
            rows=[self._completed(row) for row in found.rows],
            literature=printed,
            form=".2f",
            remarks=self._remarks(),
        )

    def report(self, results: Results) -> str:
        """The table, scores against ratings for each rewriting, and the most mis-scored pairs."""
        from compsim.benchmarks.report import scores_section

        return scores_section(self.pairs, results, self.title)

    def _telling(self, name: str) -> npt.NDArray[np.int64]:
        """The rows of a file whose two ratings tell which rewriting is nearer."""
        import numpy as np

        relation, structure = (self._ratings(name, kind) for kind in KINDS)
        return np.flatnonzero(np.abs(structure - relation) > _APART - 1e-9)

    def _ratings(self, name: str, kind: str) -> npt.NDArray[np.float64]:
        import numpy as np

        return np.array([self.pairs.pairs[i].rating for i in self.pairs.parts[f"{name} {kind}"]])

    def _completed(self, row: Row) -> Row:
        """The row with its correlations times 100, their means, and the shares within rows."""
        if row.status != "ok":
            return row
        figures = {name: _scaled(figure) for name, figure in row.figures.items()}
        figures = self._with_means(figures)
        for name in self.files:
            figures[f"{name} within"] = self._share(name, row.scores)
        return replace(row, figures=figures, published={})

    def _with_means(self, figures: dict[str, Figure]) -> dict[str, Figure]:
        """With the plain mean of each kind over several files, where all of them have a figure."""
        if len(self.files) > 1:
            for kind in KINDS:
                values = [figures[f"{name} {kind}"].value for name in self.files]
                known = [value for value in values if value is not None]
                if len(known) == len(values):
                    figures[f"mean {kind}"] = Figure(sum(known) / len(known))
        return figures

    def _printed(self, figures: tuple[tuple[float, ...], ...]) -> dict[str, Figure]:
        return {
            f"{name} {kind}": Figure(values[FILES.index(name)])
            for kind, values in zip(KINDS, figures, strict=True)
            for name in self.files
        }

    def _share(self, name: str, scores: Sequence[float]) -> Figure:
        """The share of telling rows in which the better rated rewriting scores higher."""
        import numpy as np

        from compsim.benchmarks.stats.correlation import interval

        rows = self.within[name]
        if len(rows) == 0:
            return Figure(None, note="no row's ratings differ enough")
        found = np.array(scores, dtype=np.float64)
        own = [found[list(self.pairs.parts[f"{name} {kind}"])][rows] for kind in KINDS]
        rated = [self._ratings(name, kind)[rows] for kind in KINDS]
        # A tie counts as wrong.
        right = np.sign(own[1] - own[0]) == np.sign(rated[1] - rated[0])
        share = float(_PERCENT * right.mean())
        return Figure(share, len(rows), *interval(np.mean, _PERCENT * right))

    def _remarks(self) -> list[str]:
        if 1 < len(self.files) < len(FILES):
            return [f"means are of {len(self.files)} of the {len(FILES)} files"]
        return []


def _scaled(figure: Figure) -> Figure:
    """The figure and its interval times 100."""
    values = (figure.value, figure.low, figure.high)
    value, low, high = (None if each is None else _PERCENT * each for each in values)
    return replace(figure, value=value, low=low, high=high)
