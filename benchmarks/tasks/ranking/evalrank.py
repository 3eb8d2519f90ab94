"""EvalRank: how high near-synonyms and paraphrases rank among all words or sentences.

For each pair the second item is sought by the first among some 22,000 words or 25,000 sentences
(Wang, Kuo and Li 2022, "Just Rank"). MRR is the mean of 1 / rank, Hits@k the share of ranks up to
k, both in percent, MR the mean rank. Equal scores do not count against a pair; ``MRR, ties`` counts
half of them.

As the authors' code does, and their paper does not say, the mean vector is subtracted first: of a
whole table of word vectors, or of all sentences. Their figures are lower than the exact ones where
an item's score with itself, or with its double, depends on how it was computed: ``as_published``
adds rows computed their way.

>>> task = evalrank("EvalRank", level="word", vectors="numberbatch")  # doctest: +SKIP
>>> run(task).rows[0].figures["MRR"].value  # doctest: +SKIP
23.55
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import numpy as np

from compsim.benchmarks.datasets.ranking.evalrank import (
    Positives,
    build_positives,
    open_evalrank,
)
from compsim.benchmarks.downstream import (
    Downstream,
    correlations,
    of_rows,
    read_downstream,
    summed_up,
)
from compsim.benchmarks.published import published_evalrank
from compsim.benchmarks.ranked import details_of, limits
from compsim.benchmarks.spaces import Comparison, Items
from compsim.benchmarks.stats.correlation import p_value
from compsim.benchmarks.stats.hypersphere import COLUMNS as SPACE
from compsim.benchmarks.stats.hypersphere import alignment, uniformity
from compsim.benchmarks.stats.neighbours import (
    METRICS,
    Space,
    rank_pairs,
    resampled_means,
    unordered,
)
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, listed
from compsim.benchmarks.tasks.ranking.compared_items import compared_items
from compsim.benchmarks.tasks.ranking.table_specs import BOW, WORDS, table_specs
from compsim.benchmarks.tasks.similarity.sts import explainer
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError, UnknownNameError

if TYPE_CHECKING:
    import numpy.typing as npt

    from compsim.benchmarks.stats.neighbours import Ranked
    from compsim.benchmarks.stats.paired import Sample

Places: TypeAlias = "npt.NDArray[np.int64]"
__all__ = ["OOV", "EvalRank", "evalrank"]

#: What is done with items that have no vector.
OOV: Final = ("drop", "average", "zero")
#: Ranks up to which the second item counts as found.
_HITS: Final = (1, 3, 5, 10)
#: First items that are taken of methods that compare pair by pair.
_QUERIES: Final = 1000
#: The share of pairs with ties that is worth a warning.
_TIED: Final = 0.01
_PERCENT: Final = 100
#: Figures that may go with scores in other tasks.
_PREDICTORS: Final = ("MRR", "Hits@1", "Hits@3", "MR")
#: Metrics, centred or not, that stand side by side.
_WAYS: Final = (("cos", True), ("cos", False), ("l2", True))


def evalrank(
    data: Annotated[
        Path | None, "a folder with word_evalrank and sent_evalrank, or one of them"
    ] = None,
    level: Annotated[str, "word or sentence"] = "word",
    methods: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    parser: str | None = None,
    option: Mapping[str, Any] | None = None,
    metric: Annotated[str, "cos, or l2: the Euclidean distance"] = "cos",
    background: Annotated[
        str,
        "distractors: basic+wiki, basic or none, or a file with one item a line "
        "(with --build: in addition to the items of the pairs)",
    ] = "basic+wiki",
    center: Annotated[bool, "subtract the mean vector first"] = True,
    oov: Annotated[str, "items without a vector: drop, average or zero"] = "drop",
    as_published: Annotated[bool, "add rows with the authors' way to score a pair"] = False,
    published: Annotated[bool, "add the figures that the paper prints"] = False,
    side_by_side: Annotated[
        bool,
        "add rows not centred and with distances; --normalize all adds abtt, whitening and others",
    ] = False,
    space: Annotated[bool, "alignment of the pairs and uniformity of all items too"] = False,
    drop_identical: Annotated[bool, "leave out pairs of an item with itself"] = False,
    queries: Annotated[
        int | None,
        "number of queries (first items), sampled at random; default: all, or 1000 "
        "for methods without vectors",
    ] = None,
    seed: Annotated[int | None, "of the draw; default: 0"] = None,
    build: Annotated[
        str | None, "in place of data: rated pairs, PATH or FORMAT:PATH, separated by commas"
    ] = None,
    top: Annotated[
        float, "with --build: the share of the best rated pairs of each set used as positives"
    ] = 0.25,
    keep_identical: Annotated[bool, "build: keep pairs of an item with itself"] = False,
    save: Annotated[Path | None, "build: write what was built into this folder, for data"] = None,
    correlate: Annotated[
        Path | None,
        "CSV of models and their scores on downstream tasks; reports the rank "
        "correlation with the figures",
    ] = None,
) -> Task:
    """Rank near-synonyms among all words, or paraphrases among all sentences (MRR, Hits@k)."""
    if (data is None) == (build is None):
        raise InputError("give either data, a folder of EvalRank, or build, rated pairs")
    if published and data is None:
        raise InputError("published figures are of EvalRank's own data: leave published out")
    if data is not None:
        opened = open_evalrank(data, level, background, drop_identical)
        if save is not None:
            raise InputError("save writes what build makes: give build, not data")
    else:
        opened = build_positives(listed(str(build)), level, background, top, keep_identical)
        if save is not None:
            opened.save(save)
    more = {"parser": parser, **(option or {})}
    specs = table_specs(level, methods, vectors, normalize, more)
    return EvalRank(
        opened,
        specs,
        metric=metric,
        center=center,
        oov=oov,
        as_published=as_published,
        queries=queries,
        seed=seed or 0,
        side_by_side=side_by_side,
        space=space,
        downstream=None if correlate is None else read_downstream(correlate),
        literature=published_evalrank(level, background) if published else {},
    )


class EvalRank(Task):
    """Ranks of the second items of pairs among all items."""

    name = "evalrank"
    title = "EvalRank: near-synonyms and paraphrases among everything else"
    form = ".2f"
    paper = "Wang, Kuo, Li 2022 (EvalRank)"
    headline = "MRR"
    figure = "MRR, percent"
    scale = 100

    def __init__(
        self,
        data: Positives,
        specs: Sequence[Spec],
        *,
        metric: str = "cos",
        center: bool = True,
        oov: str = "drop",
        as_published: bool = False,
        queries: int | None = None,
        seed: int = 0,
        side_by_side: bool = False,
        space: bool = False,
        downstream: Downstream | None = None,
        literature: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        if metric not in METRICS:
            raise UnknownNameError(f"metric={metric!r} is not known: use {', '.join(METRICS)}")
        if oov not in OOV:
            raise UnknownNameError(f"oov={oov!r} is not known: use {', '.join(OOV)}")
        self.positives, self.specs = data, specs
        self.metric, self.center, self.oov = metric, center, oov
        self.as_published, self.queries, self.seed = as_published, queries, seed
        self.columns = dict.fromkeys(
            ("MRR", *(f"Hits@{k}" for k in _HITS), "MR", "MRR, ties", "pairs", "among"), 0
        )
        self.downstream = downstream
        self.literature = literature or {}
        self.ways = [(metric, center)]
        if side_by_side:
            self.ways += [way for way in _WAYS if way != (metric, center)]
        self.content = [data.checksum, self.ways, oov, as_published, queries, seed]
        self.content += [dict(data.sizes), list(data.sources)]
        self.space = space
        if space:
            self.columns |= dict.fromkeys(SPACE, 0)
            self.content += ["space"]
        self.data = data.name, data.source, data.checksum
        self.problems = data.problems
        self.steps = len(data.items) + len(data)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The figures of a method in each way, and those computed the authors' way if asked for."""
        how = [
            Comparison(metric, center, self.oov, self.as_published) for metric, center in self.ways
        ]
        made = compared_items(spec, self.positives.items, how, workspace, advance)
        rows: list[Row] = []
        for way in made:
            result = self._measured(spec, *way, _silent if rows else advance)
            said = {note for row in rows for note in row.notes}
            rows += [replace(r, notes=[n for n in r.notes if n not in said]) for r in result]
        return rows

    def _measured(
        self, spec: Spec, of: dict[str, str], items: Items, notes: list[str], advance: Advance
    ) -> list[Row]:
        pairs = np.array(self.positives.pairs, dtype=np.int64)
        place = np.full(len(self.positives.items), -1, dtype=np.int64)
        place[items.kept] = np.arange(len(items.kept))
        left = np.asarray((place[pairs] >= 0).all(axis=1))
        if len(items.kept) < len(place):
            there = (
                f"{left.sum()} of {len(pairs)} pairs and {len(items.kept)} of {len(place)} items"
            )
            notes.append(f"{there} are there: the others have no vector")
        if not left.any():
            raise DataError(
                f"{of.get('vectors') or spec.title} has vectors of {len(items.kept)} of the "
                f"{len(place)} items and of no pair: give vectors of these, or oov=average"
            )
        if note := self._draw(pairs, left, all_of_them=items.has_vectors):
            notes.append(note)
        chosen = place[pairs[left]]
        ranked = rank_pairs(
            items.scores,
            chosen,
            within=list(limits(self.positives, items).values()),
            advance=lambda count: advance(spec.method, count),
        )
        advance(spec.method, len(pairs) - len(chosen))
        row = self._row({**of, "ranks": "exact"}, ranked, chosen, left, items, notes)
        rows = [replace(row, details=details_of(ranked, chosen, left, items, self.positives))]
        if self.as_published:
            theirs = rank_pairs(items.published or items.scores, chosen, apart=True)
            rows.append(self._row({**of, "ranks": "as published"}, theirs, chosen, left, items, []))
        return rows

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, which are no worse than the best on the same pairs, and other tasks."""
        rows = [
            replace(row, explain=explainer(spec)) if spec is not None else row
            for row, spec in ((row, self._explaining(row)) for row in rows)
        ]
        if self.downstream is not None:
            models = of_rows(rows, self.downstream, ("method", "vectors", "normalize"))
            more = {**more, **summed_up(correlations(self.downstream, models, _PREDICTORS))}
        printed = [
            Row(
                {"method": f"{model}, published", "ranks": "as published"},
                {name: Figure(value) for name, value in values.items()},
            )
            for model, values in self.literature.items()
        ]
        more = {**more, "literature": printed}
        pairs = np.array(self.positives.pairs, dtype=np.int64)
        group = unordered(pairs)
        scored = [row for row in rows if row.scores]
        result = {i: np.array(row.scores) for i, row in enumerate(rows) if row.scores}
        both = ~np.isnan(np.array(list(result.values()))) if result else np.zeros((0, len(pairs)))
        if len(scored) < 2 or (both != both[0]).any():
            return super().results(rows, **more)
        means = {i: resampled_means(s[both[0]], group[both[0]]) for i, s in result.items()}
        best = max(result, key=lambda i: float(np.nanmean(result[i])))
        compared = [
            replace(row, differs={"MRR": p_value(means[best], means[i])}) if i in means else row
            for i, row in enumerate(rows)
        ]
        return super().results(compared, **more)

    def items_of(self, row: Row) -> Sample | None:
        """The reciprocal ranks of all pairs, exact ones and of the first way; NaN of no rank."""
        from compsim.benchmarks.stats.paired import Sample

        way = {"ranks": "exact", "metric": self.metric}
        if row.of.get("normalize", "none") in ("", "none"):
            way["centred"] = "yes" if self.center else "no"
        if any(row.of.get(name, told) != told for name, told in way.items()):
            return None
        units = unordered(np.array(self.positives.pairs, dtype=np.int64))
        return Sample(np.array(row.scores, np.float64), units=units, scale=_PERCENT)

    def _explaining(self, row: Row) -> Spec | None:
        """The spec of a row whose pairs can be explained: sentences by a method without a fit."""
        own = [spec for spec in self.specs if spec.title == row.of.get("method")]
        plain = row.of.get("normalize", "") in ("", "none") and row.status == "ok"
        word = self.positives.level == "word" or row.of.get("method") in (WORDS, BOW)
        return own[0] if own and plain and not word else None

    def report(self, results: Results) -> str:
        """The table, how ranks are spread, and the pairs that rank worst, with what is nearer."""
        from compsim.benchmarks.report import ranks_section

        return ranks_section(results, self.title)

    def _draw(self, pairs: Places, left: npt.NDArray[np.bool_], all_of_them: bool) -> str:
        """Leave only the pairs of some first items, drawn at random, and say so."""
        count = self.queries if self.queries or all_of_them else _QUERIES
        firsts = np.unique(pairs[left, 0])
        if count is None or count >= len(firsts):
            return ""
        # The same ones for each method, as far as it has vectors of them.
        order = np.random.default_rng(self.seed).permutation(np.unique(pairs[:, 0]))
        left &= np.isin(pairs[:, 0], order[np.isin(order, firsts)][:count])
        return f"the pairs of {count} of {len(firsts)} first items, drawn with seed {self.seed}"

    def _row(
        self,
        of: Mapping[str, str],
        result: Ranked,
        chosen: Places,
        left: npt.NDArray[np.bool_],
        items: Items,
        notes: Sequence[str],
    ) -> Row:
        """The figures of ranked pairs, with intervals over pairs, both directions as one."""
        group = unordered(chosen)
        ranks = result.ranks.astype(np.float64)
        values = {"MRR": _PERCENT / ranks}
        values |= {f"Hits@{k}": _PERCENT * (ranks <= k).astype(np.float64) for k in _HITS}
        values["MR"] = ranks
        told = list(notes)
        if of["ranks"] == "exact":
            values["MRR, ties"] = _PERCENT / (ranks + result.ties / 2)
            tied = float(np.mean(result.ties > 0))
            if tied > _TIED:
                told.append(f"{tied:.1%} of the pairs have ties: see MRR, ties")
        figures = {}
        for name, of_pairs in values.items():
            low, high = np.percentile(resampled_means(of_pairs, group), [2.5, 97.5])
            ends = (float(low), float(high)) if group.any() else (None, None)
            figures[name] = Figure(float(of_pairs.mean()), len(ranks), *ends)
        figures["pairs"] = Figure(len(ranks))
        figures["among"] = Figure(len(items.kept))
        if self.space and isinstance(items.scores, Space):
            vectors = items.scores.vectors
            apart = alignment(vectors[chosen[:, 0]], vectors[chosen[:, 1]])
            figures["alignment"] = Figure(apart, len(ranks))
            figures["uniformity"] = Figure(uniformity(vectors), len(vectors))
        scores = np.full(len(left), np.nan)
        scores[left] = 1 / ranks
        return Row(of, figures, notes=told, scores=scores.tolist())


def _silent(name: str, count: int) -> None:
    pass
