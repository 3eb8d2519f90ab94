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

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import MissingExtraError

__all__ = ["Bootstrap", "Correlation", "correlate", "p_value"]

RESAMPLES: Final = 1000
_SEED: Final = 2024

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """How scores go with ratings over n pairs; None where undefined, and ``note`` says why.

    ``low`` and ``high`` bound Spearman's rho: 95 % of the resamples lie between them.
    """

    spearman: float | None
    pearson: float | None
    kendall: float | None
    n: int
    note: str = ""
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def correlate(scores: npt.ArrayLike, ratings: npt.ArrayLike) -> Correlation:
    """Spearman's rho, Pearson's r and Kendall's tau-b of two arrays (n,), ties averaged.

    Raises ``MissingExtraError`` without scipy.
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    why = _undefined(x, y)
    if why:
        return Correlation(None, None, None, len(x), why)
    rho, r, tau = (float(statistic(x, y).statistic) for statistic in _statistics())
    return Correlation(rho, r, tau, len(x))


def _undefined(scores: Array, ratings: Array) -> str:
    """Why there is no correlation, "" where there is."""
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

    ``ratings`` (n,). A resample is held as how often each pair is in it: (resamples, n).
    """

    def __init__(self, ratings: npt.ArrayLike, resamples: int = RESAMPLES) -> None:
        values = np.asarray(ratings, dtype=np.float64)
        rng = np.random.default_rng(_SEED)
        count = len(values)
        self._times = rng.multinomial(count, np.full(count, 1 / count), size=resamples)
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
        ranks: Array = middle[:, group] - (len(values) + 1) / 2
        spread: Array = np.sqrt((self._times * ranks**2).sum(axis=1))
        return ranks, spread


def p_value(first: Array, second: Array) -> float:
    """Two-sided p of a difference between two methods' correlations in the same resamples."""
    difference = first - second
    difference = difference[~np.isnan(difference)]
    below = int((difference <= 0).sum())
    above = int((difference >= 0).sum())
    return float(min(1.0, 2 * (min(below, above) + 1) / (len(difference) + 1)))


def _statistics() -> tuple[Any, Any, Any]:
    try:
        from scipy.stats import kendalltau, pearsonr, spearmanr
    except ImportError as error:
        raise MissingExtraError(
            "the correlation needs scipy, which is not installed: run pip install 'compsim[bench]'",
            name="scipy",
        ) from error
    return spearmanr, pearsonr, kendalltau
