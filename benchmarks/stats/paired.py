"""Significance of a difference of two methods on the same items: interval and p value.

The items are drawn anew a thousand times, the same ones for both methods, and the figure of each is
computed of what was drawn. Items that depend on each other, such as two rewritings of a sentence,
are drawn together. The p value is that of ``stats.correlation``, of one comparison alone.

>>> right, wrong = Sample(np.array([1.0, 1, 1, 0, 1, 1])), Sample(np.array([0.0, 0, 1, 0, 0, 1]))
>>> result = difference(right, wrong)
>>> result.value, result.items, result.p < 0.1
(0.5, 6, True)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.classification import auc, resampled_auc
from compsim.benchmarks.stats.correlation import Bootstrap, p_value

__all__ = ["Difference", "Sample", "difference", "draws", "interval"]

RESAMPLES: Final = 1000
_SEED: Final = 2024
_KINDS: Final = ("mean", "spearman", "pearson", "auc")
#: With fewer items the resamples say nothing.
_FEWEST: Final = 3

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """Contributions of the items to one method's figure, in an order that all methods share.

    :param values: what is found of each item, float64 (n,); NaN where it has nothing.
    :param kind: "mean", the correlation "spearman" or "pearson" of values and ratings, or "auc",
        the area under the ROC curve of values that separate ratings of 1 from those of 0.
    :param ratings: what people say of each item, (n,); for correlations and areas.
    :param weights: how much each item counts in a mean, (n,); None: all the same.
    :param units: a number for each item, (n,); items of one number are drawn together.
    :param strata: a number for each item, (n,); so many are drawn of each stratum as it has, and
        in the mean each stratum counts the same. Not together with units.
    :param scale: what the figure is multiplied by, 100 for percent.
    """

    values: Array
    kind: str = "mean"
    ratings: Array | None = None
    weights: Array | None = None
    units: Places | None = None
    strata: Places | None = None
    scale: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise ValueError(f"kind={self.kind!r} is not known: use {', '.join(_KINDS)}")

    def only(self, kept: npt.NDArray[np.bool_]) -> Sample:
        """Some of the items."""
        columns = ("values", "ratings", "weights", "units", "strata")
        there = {name: getattr(self, name) for name in columns}
        cut: dict[str, Any] = {n: of[kept] for n, of in there.items() if of is not None}
        return replace(self, **cut)

    def figure(self) -> float:
        """The figure of all items, NaN where it is undefined."""
        if self.kind == "spearman":
            ranks = (library("scipy.stats").rankdata(of) for of in self._both())
            return self.scale * _correlated(*ranks)
        if self.kind == "pearson":
            return self.scale * _correlated(*self._both())
        if self.kind == "auc":
            area = auc(*self._both())
            return float("nan") if area is None else self.scale * area
        weights = self._counting()
        return self.scale * float(weights @ self.values / weights.sum())

    def resampled(self, times: npt.NDArray[np.int64]) -> Array:
        """The figure of each resample, float64 (resamples,), by how often each item is in it."""
        if self.kind == "spearman":
            values, ratings = self._both()
            return self.scale * Bootstrap(ratings, times=times).correlations(values)
        if self.kind == "pearson":
            return self.scale * _pearson(times.astype(np.float64), *self._both())
        if self.kind == "auc":
            return self.scale * resampled_auc(*self._both(), times)
        weights = self._counting()
        with np.errstate(invalid="ignore", divide="ignore"):
            result: Array = (times @ (weights * self.values)) / (times @ weights)
        return self.scale * result

    def _both(self) -> tuple[Array, Array]:
        assert self.ratings is not None, f"{self.kind} needs ratings"
        return self.values, self.ratings

    def _counting(self) -> Array:
        if self.strata is not None:
            _, of, sizes = np.unique(self.strata, return_inverse=True, return_counts=True)
            return np.asarray(1.0 / sizes[of.reshape(-1)])
        return np.ones(len(self.values)) if self.weights is None else self.weights


class Difference(NamedTuple):
    """Difference of the first method's figure: mean, 95 % interval, p value, and resamples.

    ``items`` counts the items that both have a value of, or their units; ``cut``: these are not all
    that one of them has, or they do not count the same, so that it is not that of both figures.
    ``low``, ``high`` and ``p`` are None where the items are too few, or the figure is undefined.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    items: int
    cut: bool = False


def difference(first: Sample, second: Sample) -> Difference:
    """The first figure less the second one, over the items that both have a value of.

    :param first: a sample.
    :param second: one of the same items, by the same kind of figure.
    :returns: the difference; two-sided p of it.
    :raises ValueError: where the samples are of other items.
    """
    if len(first.values) != len(second.values) or first.kind != second.kind:
        raise ValueError("the samples are not of the same items: compare methods of one task")
    there = np.isfinite(first.values), np.isfinite(second.values)
    both = there[0] & there[1]
    cut = bool((there[0] != there[1]).any())
    if first.weights is not None and second.weights is not None:
        cut |= bool((first.weights[both] != second.weights[both]).any())
    first, second = first.only(both), second.only(both)
    count = int(both.sum()) if first.units is None else len(np.unique(first.units))
    if count == 0:
        return Difference(None, None, None, None, 0, cut)
    value = first.figure() - second.figure()
    if not np.isfinite(value):
        return Difference(None, None, None, None, count, cut)
    times = draws(first)
    if count < _FEWEST or times is None:
        return Difference(value, None, None, None, count, cut)
    own, other = first.resampled(times), second.resampled(times)
    result = own - other
    if np.isnan(result).all():
        return Difference(value, None, None, None, count, cut)
    low, high = np.nanpercentile(result, [2.5, 97.5])
    return Difference(value, float(low), float(high), p_value(own, other), count, cut)


def interval(sample: Sample) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the figure of one method over the same resamples.

    :param sample: items that all have a value.
    :returns: its ends; None where the items are too few.
    """
    times = draws(sample) if len(sample.values) >= _FEWEST else None
    if times is None:
        return None, None
    low, high = np.nanpercentile(sample.resampled(times), [2.5, 97.5])
    return float(low), float(high)


def draws(sample: Sample, resamples: int = RESAMPLES) -> npt.NDArray[np.int64] | None:
    """Return the counts of each item in each resample, int64 (resamples, n); the same at each call.

    :param sample: its units or strata say what is drawn.
    :param resamples: how many there are.
    :returns: the counts; None where there is only one unit to draw.
    """
    rng = np.random.default_rng(_SEED)
    count = len(sample.values)
    if sample.strata is not None:
        times = np.zeros((resamples, count), dtype=np.int64)
        for stratum in np.unique(sample.strata):
            places = np.flatnonzero(sample.strata == stratum)
            times[:, places] = _multinomial(rng, len(places), resamples)
        return times
    units = np.arange(count) if sample.units is None else sample.units
    _, unit = np.unique(units, return_inverse=True)
    number = int(unit.max()) + 1
    return None if number < 2 else _multinomial(rng, number, resamples)[:, unit.reshape(-1)]


def _multinomial(rng: np.random.Generator, count: int, resamples: int) -> npt.NDArray[np.int64]:
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=resamples)
    return np.asarray(drawn, dtype=np.int64)


def _correlated(x: Array, y: Array) -> float:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def _pearson(times: Array, x: Array, y: Array) -> Array:
    """Pearson's r in each resample, NaN where a side does not vary."""
    number = times.sum(axis=1)
    # Sums of squares of what is centred lose fewer digits.
    x, y = x - x.mean(), y - y.mean()
    sums = {name: times @ of / number for name, of in (("x", x), ("y", y))}
    xy = times @ (x * y) / number - sums["x"] * sums["y"]
    xx, yy = (times @ of**2 / number - sums[name] ** 2 for name, of in (("x", x), ("y", y)))
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Array = np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    return result
