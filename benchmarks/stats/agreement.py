"""Quality of human ratings: their spread and the raters' agreement.

From a table of pairs and raters, with gaps where a rater did not see a pair:

>>> import numpy as np
>>> gap = np.nan
>>> table = [[1, 2, 1, gap], [4, gap, 4, 5], [7, 7, 6, 7], [3, 2, gap, 2]]
>>> result = describe(np.array(table), low=1, high=7)
>>> result.pairs, result.raters, result.ratings
(4, 4, 13)
>>> round(result.agreement["all"].reliability, 2)
0.98

``statistics`` does this for a file: a CSV, or the workbook that STS3k's authors publish. The
reliability of the mean ratings is what bounds how well any model can do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import STS3k
from compsim.benchmarks.datasets.sts.ratings import read_ratings
from compsim.benchmarks.stats import library
from compsim.errors import DataError, InputError

__all__ = ["Agreement", "Statistics", "describe", "of_sts3k", "statistics"]

_SEED: Final = 2024
#: Random halves of the raters; the reliability is the mean over them.
SPLITS: Final = 200
_BINS: Final = 20

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of raters on the pairs of a part; None where undefined.

    - ``deviation``: the standard deviation (n - 1) of a pair's ratings, mean over the pairs;
    - ``reliability``: Pearson's r between the mean ratings by two halves of the raters, mean over
      random halves, stepped up to all raters by the Spearman-Brown formula;
    - ``kappa``: Cohen's kappa with linear weights between the same means, rounded to whole ratings
      where all ratings are whole, mean over random halves; ``kappa_all``: stepped up likewise.
    """

    pairs: int
    deviation: float | None
    reliability: float | None
    kappa: float | None
    kappa_all: float | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a table of ratings; ratings are scaled so that ``low`` is 0 and ``high`` 1.

    ``edges`` bound the bins of two histograms of the pairs' mean ratings: as they are
    (``observed``), and after each rater's ratings are shuffled over the pairs they rated
    (``shuffled``). ``distance`` and ``p`` (asymptotic) are those of the
    Kolmogorov-Smirnov test between the two.
    """

    source: str
    pairs: int
    raters: int
    ratings: int
    low: float
    high: float
    minimum: float
    maximum: float
    mean: float
    deviation: float
    edges: tuple[float, ...]
    observed: tuple[int, ...]
    shuffled: tuple[int, ...]
    distance: float
    p: float
    agreement: dict[str, Agreement]

    @property
    def ceiling(self) -> float | None:
        """Correlation of a perfect model with the mean ratings, given the raters' disagreement.

        That is the square root of their reliability (correction for attenuation, Spearman 1904).
        """
        reliability = self.agreement["all"].reliability
        return reliability**0.5 if reliability and reliability > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """The statistics as JSON types."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


def statistics(
    path: str | Path,
    *,
    low: float | None = None,
    high: float | None = None,
    parts: Mapping[str, Sequence[int]] | None = None,
    raters: Sequence[str] | None = None,
) -> Statistics:
    """Statistics of the ratings in a file, a pair a row and a rater a column (see ``sts.ratings``).

    ``raters`` names the columns, ``low`` and ``high`` the ends of the scale (by default, of the
    ratings given), ``parts`` the rows of each part, "all" excepted. Raises ``DataError`` for a file
    that cannot be read or has too little in it, ``MissingExtraError`` without scipy and
    scikit-learn, or without openpyxl for a workbook.
    """
    return describe(read_ratings(path, raters), low=low, high=high, parts=parts, source=str(path))


def of_sts3k(data: STS3k) -> Statistics | None:
    """The statistics of STS3k's raters, by part; None where their ratings are not here."""
    file = data.ratings_file
    return None if file is None else statistics(file, low=1, high=7, parts=data.parts)


def describe(
    table: npt.ArrayLike,
    *,
    low: float | None = None,
    high: float | None = None,
    parts: Mapping[str, Sequence[int]] | None = None,
    source: str = "",
) -> Statistics:
    """Statistics of an array (pairs, raters), NaN for a gap; a pair without ratings is left out."""
    given = np.asarray(table, dtype=np.float64)
    if given.ndim != 2:
        raise InputError(f"the ratings have {given.ndim} axes: give an array (pairs, raters)")
    if np.isinf(given).any():
        raise InputError("a rating is infinite: give numbers, NaN for a gap")
    there = ~np.isnan(given)
    if there.any(axis=1).sum() < 3 or there.any(axis=0).sum() < 2:
        raise DataError(
            f"{source or 'the table'} has ratings of {there.any(axis=1).sum()} pairs by "
            f"{there.any(axis=0).sum()} raters: statistics need 3 pairs and 2 raters or more"
        )
    low = float(given[there].min()) if low is None else float(low)
    high = float(given[there].max()) if high is None else float(high)
    if not low < high or given[there].min() < low or given[there].max() > high:
        raise InputError(
            f"ratings go from {given[there].min():g} to {given[there].max():g}, which does not fit "
            f"a scale from {low:g} to {high:g}: give the ends of the scale as low and high"
        )
    scaled = (given - low) / (high - low)
    rated = there.any(axis=1)
    means, shuffled = (
        np.nanmean(ratings[rated], axis=1) for ratings in (scaled, _shuffled(scaled))
    )
    observed, edges = np.histogram(means, _BINS, (0, 1))
    chance, _ = np.histogram(shuffled, _BINS, (0, 1))
    # The exact p is out of reach for thousands of pairs; one rule for all sizes.
    against = library("scipy.stats").ks_2samp(means, shuffled, method="asymp")
    # Means are compared in the scale's own steps where it has any.
    whole = bool((given[there] == np.round(given[there])).all())
    rows: dict[str, Any] = {"all": slice(None)}
    for name, index in (parts or {}).items():
        if name != "all":
            rows[name] = _rows(name, index, len(given))
    return Statistics(
        source=source,
        pairs=int(rated.sum()),
        raters=int(there.any(axis=0).sum()),
        ratings=int(there.sum()),
        low=low,
        high=high,
        minimum=float(means.min()),
        maximum=float(means.max()),
        mean=float(means.mean()),
        deviation=float(means.std(ddof=1)),
        edges=tuple(edges.tolist()),
        observed=tuple(observed.tolist()),
        shuffled=tuple(chance.tolist()),
        distance=float(against.statistic),
        p=float(against.pvalue),
        agreement={
            name: _agreement(given[index], high - low, whole) for name, index in rows.items()
        },
    )


def _rows(name: str, index: Sequence[int], count: int) -> npt.NDArray[np.int64]:
    rows = np.asarray(index, dtype=np.int64)
    if rows.size and (rows.min() < 0 or rows.max() >= count):
        raise InputError(
            f"part {name!r} has rows {rows.min()} to {rows.max()} and there are ratings of {count} "
            "pairs: take both from one copy of the data"
        )
    return rows


def _shuffled(table: Array) -> Array:
    """Each rater's ratings, in random order, over the same pairs."""
    rng = np.random.default_rng(_SEED)
    copy = table.copy()
    for rater in range(table.shape[1]):
        rows = np.flatnonzero(~np.isnan(table[:, rater]))
        copy[rows, rater] = rng.permutation(table[rows, rater])
    return copy


def _agreement(table: Array, span: float, whole: bool) -> Agreement:
    counts = (~np.isnan(table)).sum(axis=1)
    several = table[counts >= 2]
    halves = [(x, y) for x, y in _halves(several) if len(x) >= 3]
    spread = np.nanstd(several, axis=1, ddof=1) / span
    correlations = [
        float(np.corrcoef(x, y)[0, 1]) for x, y in halves if np.ptp(x) > 0 and np.ptp(y) > 0
    ]
    kappa = _mean([k for x, y in halves if (k := _kappa(x, y, whole)) is not None])
    return Agreement(
        pairs=int((counts >= 1).sum()),
        deviation=_mean(spread.tolist()),
        reliability=_spearman_brown(_mean(correlations)),
        kappa=kappa,
        kappa_all=_spearman_brown(kappa),
    )


def _halves(table: Array) -> list[tuple[Array, Array]]:
    """The mean ratings (pairs,) by both halves of the raters, for each random split.

    A pair that only one half has rated is left out of that split.
    """
    there = ~np.isnan(table)
    filled = np.where(there, table, 0)
    rng = np.random.default_rng(_SEED)
    raters = table.shape[1]
    side = np.zeros((raters, SPLITS))
    for split in range(SPLITS):
        side[rng.permutation(raters)[: raters // 2], split] = 1
    counts = [there.astype(np.float64) @ half for half in (side, 1 - side)]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [
            (filled @ half) / count for half, count in zip((side, 1 - side), counts, strict=True)
        ]
    both = (counts[0] > 0) & (counts[1] > 0)
    return [(means[0][keep, i], means[1][keep, i]) for i, keep in enumerate(both.T)]


def _kappa(first: Array, second: Array, whole: bool) -> float | None:
    """Cohen's kappa with linear weights; None where all ratings are the same.

    Ratings that are not whole have no classes: for them it is 1 less the mean distance over that of
    all pairings, which for whole ones is the same.
    """
    if not whole:
        distances = library("scipy.spatial.distance")
        chance = distances.cdist(first[:, None], second[:, None], "cityblock").mean()
        return None if chance == 0 else 1 - float(np.abs(first - second).mean() / chance)
    x, y = (np.floor(side + 0.5).astype(int) for side in (first, second))
    steps = np.arange(min(x.min(), y.min()), max(x.max(), y.max()) + 1)
    if len(steps) == 1:
        return None
    result = library("sklearn.metrics").cohen_kappa_score(x, y, labels=steps, weights="linear")
    return float(result)


def _spearman_brown(half: float | None) -> float | None:
    """The agreement of twice the raters; where there is none, more raters make no more of it."""
    return half if half is None or half <= 0 else 2 * half / (1 + half)


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
