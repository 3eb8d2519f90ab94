"""The trade-off of the hybrid: what a larger share of the graphs gains on a set, and what it costs.

Each hybrid is scored with a larger and larger share of the agreement of role graphs, all else as
its scheme has it, beside its whole sentences alone: a row each, a column for each part of each set
of data. Sentences are encoded once.

>>> shares_of("0, .35,1")
(0.0, 0.35, 1.0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from compsim.benchmarks.datasets import Dataset, open_dataset
from compsim.benchmarks.datasets.triples import Triple, read_contrasts
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    listed,
    open_method,
    sha256,
)
from compsim.benchmarks.tasks.minimal_pairs.margins import figures
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.hybrid.batch import HybridBatch
    from compsim.hybrid.method import HybridMethod

    Scores = Callable[[float | None], npt.NDArray[np.float64]]

__all__ = ["Tradeoff", "shares_of", "tradeoff"]


def tradeoff(
    datasets: Annotated[
        str, "PATH or FORMAT:PATH, separated by commas, as `bench sts` has them; sts3k:FOLDER"
    ],
    methods: Annotated[str, "hybrid, or hybrid:WHOLE, separated by commas"] = "hybrid",
    contrasts: Annotated[
        Path | None, "a file of contrast triples, reported in an additional column"
    ] = None,
    shares: Annotated[
        str,
        "weights of role-graph agreement against whole-sentence similarity, from 0 "
        "to 1, separated by commas",
    ] = "0,.1,.2,.3,.5,.75,1",
    parser: str | None = None,
    vectors: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Score hybrid at increasing weights of its role graphs, on several data sets."""
    opened = [open_dataset(spec) for spec in listed(datasets)]
    specs = specs_of(methods, None, parser=parser, vectors=vectors, **option or {})
    triples = [] if contrasts is None else read_contrasts(contrasts)
    checksum = "" if contrasts is None else sha256([contrasts])
    return Tradeoff(opened, specs, shares_of(shares), triples, checksum)


def shares_of(text: str) -> tuple[float, ...]:
    """Return numbers from 0 to 1, separated by commas; raises ``InputError`` for what is none."""
    try:
        shares = tuple(map(float, listed(text)))
    except ValueError as error:
        raise InputError(f"shares={text!r}: give numbers, separated by commas") from error
    if not all(0 <= share <= 1 for share in shares):
        raise InputError(f"shares={text!r}: give numbers from 0 to 1")
    return shares


class Tradeoff(Task):
    """Hybrids by the share of their role graphs."""

    name = "tradeoff"
    title = "What a larger share of the graphs gains and costs"

    def __init__(
        self,
        datasets: Sequence[Dataset],
        specs: Sequence[Spec],
        shares: Sequence[float],
        triples: Sequence[Triple] = (),
        checksum: str = "",
    ) -> None:
        library("scipy.stats")
        self.sets, self.specs, self.shares, self.triples = datasets, specs, shares, triples
        self.columns = {
            _column(data, part): len(index)
            for data in datasets
            for part, index in data.parts.items()
        }
        if triples:
            self.columns["contrasts"] = len(triples)
        checksums = [data.checksum for data in datasets] + [checksum]
        self.content = [checksums, list(shares)]
        self.data = "tradeoff", ", ".join(data.source for data in datasets), checksums[0]
        self.problems = [problem for data in datasets for problem in data.problems]
        self.steps = sum(len(data.sentences()) for data in datasets) + len(triples)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """A row for the whole sentences alone and for each share. Raises ``InputError``."""
        from compsim.benchmarks.sides import encode_sides
        from compsim.hybrid.method import HybridMethod

        method: Any = open_method(spec)
        if not isinstance(method, HybridMethod):
            raise InputError(f"method {spec.method!r} has no such share: use hybrid")
        rows: list[dict[str, Figure]] = [{} for _ in (None, *self.shares)]
        for data in self.sets:
            scores = _scorer(method, *encode_sides(data, method))
            for row, share in zip(rows, (None, *self.shares), strict=True):
                row |= _correlations(data, scores(share))
            advance(spec.method, len(data.sentences()))
        if self.triples:
            _, *columns = map(list, zip(*self.triples, strict=True))
            sentences, same, other = map(method.encode, columns)
            scorers = [_scorer(method, sentences, side) for side in (same, other)]
            for row, share in zip(rows, (None, *self.shares), strict=True):
                won, lost = (scores(share) for scores in scorers)
                row["contrasts"] = figures(self.triples, (won - lost).tolist())["macro"]
            advance(spec.method, len(self.triples))
        labels = ["whole alone", *(f"{share:g}" for share in self.shares)]
        return [
            Row({"method": spec.title, "share": label}, row)
            for label, row in zip(labels, rows, strict=True)
        ]

    def report(self, results: Results) -> str:
        """The table, and for each set of data its columns against the share."""
        from compsim.benchmarks.report import charts, section

        groups = ["whole alone", *(f"{share:g}" for share in self.shares)]
        drawn = []
        for name, columns in self._by_set().items():
            lines = {}
            for spec in self.specs:
                rows = [row for row in results.rows if row.of.get("method") == spec.title]
                for column in columns:
                    line = [row.figures[column].value for row in rows if column in row.figures]
                    if len(line) == len(groups):
                        lines[f"{spec.title}, {column}"] = line
            question = f"What does a larger share of the graphs gain and cost on {name}?"
            plot = charts.dots(groups, lines, title=question)
            drawn.append(f"<h3>{escape(question)}</h3>{plot}")
        return section(results, self.title, *drawn)

    def _by_set(self) -> dict[str, list[str]]:
        """The columns of each set of data."""
        result = {data.name: [_column(data, part) for part in data.parts] for data in self.sets}
        return {**result, "contrasts": ["contrasts"]} if self.triples else result


def _column(data: Dataset, part: str) -> str:
    return f"{data.name} {part}" if len(data.parts) > 1 else data.name


def _scorer(method: HybridMethod, a: HybridBatch, b: HybridBatch) -> Scores:
    """Return a scorer of pairs (n,) by the weight of the graphs; None: whole sentences alone."""
    from compsim.comparison.method import mean_sizes, terms_of_pairs

    whole = method.whole.similarity_pairwise(a.whole, b.whole)
    terms, sizes = terms_of_pairs(a.roles, b.roles), mean_sizes(a.roles, b.roles)
    failed = a.roles.failed | b.roles.failed

    def scores(share: float | None) -> npt.NDArray[np.float64]:
        if share is None:
            return whole
        agreement = {**method.scheme.agreement, method.kind: share}
        scheme = replace(method.scheme, agreement=agreement)
        result = scheme.scores(terms, sizes, whole, method.kind)
        result[failed] = whole[failed]
        return result

    return scores


def _correlations(data: Dataset, scores: npt.NDArray[np.float64]) -> dict[str, Figure]:
    """Spearman's rho in each part."""
    import numpy as np

    from compsim.benchmarks.stats.correlation import correlate

    ratings = np.array([pair.rating for pair in data.pairs])
    correlations = {}
    for part, index in data.parts.items():
        rows = np.asarray(index)
        rho = correlate(scores[rows], ratings[rows])
        correlations[_column(data, part)] = Figure(rho.spearman, rho.n, note=rho.note)
    return correlations
