"""Correlations of scores with human ratings, their intervals, and what sets two methods apart.

Intervals and differences come from one paired bootstrap: the same resamples of the pairs for every
method, so that the rank correlations of two methods can be compared resample by resample.

>>> import numpy as np
>>> ratings = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.2])
>>> correlate(ratings**2, ratings).spearman
1.0
>>> correlate(np.ones(6), ratings).note
'all scores are 1'
>>> sample = Bootstrap(ratings)
>>> good, poor = sample.correlations(ratings**2), sample.correlations(-ratings)
>>> [round(bound, 6) for bound in sample.interval(good)]
[1.0, 1.0]
>>> p_value(good, poor) < 0.05
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats import library

__all__ = ["Bootstrap", "Correlation", "compare", "correlate", "interval", "p_value"]

RESAMPLES: Final = 1000
_SEED: Final = 2024

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Correlation of scores and ratings of n pairs; None where undefined, by ``note``'s reason.

    ``low`` and ``high`` bound Spearman's rho: 95 % of the resamples lie between them.
    """

    spearman: float | None
    pearson: float | None
    kendall: float | None
    n: int
    note: str = ""
    low: float | None = None
    high: float | None = None


def correlate(scores: npt.ArrayLike, ratings: npt.ArrayLike) -> Correlation:
    """Spearman's rho, Pearson's r and Kendall's tau-b of two arrays (n,), ties averaged.

    Raises ``MissingExtraError`` without scipy.
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    why = _undefined(x, y)
    if why:
        return Correlation(None, None, None, len(x), why)
    stats = library("scipy.stats")
    known = (stats.spearmanr, stats.pearsonr, stats.kendalltau)
    rho, r, tau = (float(statistic(x, y).statistic) for statistic in known)
    return Correlation(rho, r, tau, len(x))


def _undefined(scores: Array, ratings: Array) -> str:
    """Return the reason why a correlation is undefined, "" if it is defined."""
    bad = int((~np.isfinite(scores)).sum())
    if bad:
        return f"{bad} of {len(scores)} scores are NaN"
    if len(scores) < 3:
        return f"there are only {len(scores)} pairs"
    for name, values in (("scores", scores), ("ratings", ratings)):
        if (values == values[0]).all():
            return f"all {name} are {values[0]:g}"
    return ""


class Bootstrap:
    """Resamples of rated pairs, with replacement, the same for all scores that are given.

    ``ratings`` (n,). A resample is held as how often each pair is in it: (resamples, n). ``times``
    are such counts where pairs are not to be drawn one by one.
    """

    def __init__(
        self,
        ratings: npt.ArrayLike,
        resamples: int = RESAMPLES,
        times: npt.NDArray[np.int64] | None = None,
    ) -> None:
        values = np.asarray(ratings, dtype=np.float64)
        if times is None:
            rng = np.random.default_rng(_SEED)
            count = len(values)
            times = rng.multinomial(count, np.full(count, 1 / count), size=resamples)
        self._times = times
        # Where pairs are drawn together, resamples may be of several sizes.
        self._mean_rank = (times.sum(axis=1, keepdims=True) + 1) / 2
        self._ratings, self._spread = self._centred_ranks(values)

    def correlations(self, scores: npt.ArrayLike) -> Array:
        """Spearman's rho in each resample, float64 (resamples,); NaN where all values are equal."""
        ranks, spread = self._centred_ranks(np.asarray(scores, dtype=np.float64))
        product: Array = (self._times * ranks * self._ratings).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            rho: Array = np.clip(product / (spread * self._spread), -1.0, 1.0)
        return rho

    def interval(self, correlations: Array) -> tuple[float, float]:
        """The middle 95 % of correlations in the resamples."""
        low, high = np.nanpercentile(correlations, [2.5, 97.5])
        return float(low), float(high)

    def _centred_ranks(self, values: Array) -> tuple[Array, Array]:
        """The rank of each value in each resample less the mean rank, and their length.

        float64 (resamples, n) and (resamples,).
        """
        _, group = np.unique(values, return_inverse=True)
        order = np.argsort(group, kind="stable")
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        size = np.add.reduceat(self._times[:, order], starts, axis=1)
        # Equal values share the middle of the ranks that they take up.
        middle = np.cumsum(size, axis=1) - (size - 1) / 2
        ranks: Array = middle[:, group] - self._mean_rank
        spread: Array = np.sqrt((self._times * ranks**2).sum(axis=1))
        return ranks, spread


def p_value(first: Array, second: Array) -> float:
    """Two-sided p of a difference between two methods' correlations in the same resamples."""
    difference = first - second
    difference = difference[~np.isnan(difference)]
    below = int((difference <= 0).sum())
    above = int((difference >= 0).sum())
    return float(min(1.0, 2 * (min(below, above) + 1) / (len(difference) + 1)))


def interval(
    statistic: Callable[..., Any], *columns: npt.ArrayLike
) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of a statistic of columns (n,) over resamples of their n items.

    There are no ends for fewer than two items, or where it is undefined in a resample.
    """
    table = [np.asarray(column) for column in columns]
    count = len(table[0])
    if count < 2:
        return None, None
    rng = np.random.default_rng(_SEED)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = rng.integers(count, size=(RESAMPLES, count))
        statistics = [statistic(*(column[drawn] for column in table)) for drawn in draws]
    low, high = np.percentile(statistics, [2.5, 97.5])
    return (float(low), float(high)) if np.isfinite(low) else (None, None)


def compare(
    scores: Sequence[Sequence[float] | None],
    ratings: Sequence[float],
    parts: Mapping[str, Sequence[int]],
) -> tuple[list[dict[str, Correlation]], list[dict[str, float]]]:
    """The correlations of each method's scores in each part, with intervals, and p values.

    The p values are of the difference from the best method of the part. A method without scores
    has neither.
    """
    rated = np.array(ratings)
    results: list[dict[str, Correlation]] = [{} for _ in scores]
    differs: list[dict[str, float]] = [{} for _ in scores]
    for part, places in parts.items():
        index = np.array(places, dtype=np.int64)
        bootstrap: Bootstrap | None = None
        resampled: dict[int, Array] = {}
        for i, given in enumerate(scores):
            if given is None:
                continue
            values = np.array(given)[index]
            figures = correlate(values, rated[index])
            if figures.spearman is not None:
                bootstrap = bootstrap or Bootstrap(rated[index])
                resampled[i] = bootstrap.correlations(values)
                low, high = bootstrap.interval(resampled[i])
                figures = replace(figures, low=low, high=high)
            results[i][part] = figures
        if resampled:
            best = max(resampled, key=lambda i: results[i][part].spearman or 0.0)
            for i, correlations in resampled.items():
                differs[i][part] = p_value(resampled[best], correlations)
    return results, differs
