"""Shares of units, such as the phrases of an adjective: intervals, and whether two groups differ.

What one unit gives is dependent, so units are drawn, never what they give. A share is all hits by
all counts. The p values are of permutations: how often two groups drawn from all their units differ
as much; of all ways to draw them where these are few, else of a sample.

>>> import numpy as np
>>> hits, counts = np.array([9.0, 8, 9, 1, 2, 1]), np.full(6, 10.0)
>>> p_of_shares(hits, counts, 3)  # 2 of the 20 ways to draw 3 of 6
0.1
>>> low, high = interval_of_share(hits, counts)
>>> 0.1 <= low < 0.5 < high <= 0.9
True
"""

from __future__ import annotations

import math
from itertools import chain, combinations
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "EXACT",
    "interval_of_share",
    "interval_of_table",
    "is_exact",
    "p_of_shares",
    "p_of_table",
    "share",
]

#: All ways to draw a group are looked at where there are no more.
EXACT: Final = 50_000
RESAMPLES: Final = 10_000
_SEED: Final = 2024
#: Differences that rounding makes are none.
_CLOSE: Final = 1e-12

Array = npt.NDArray[np.float64]
Interval = tuple[float, float] | tuple[None, None]


def share(hits: npt.ArrayLike, counts: npt.ArrayLike) -> float | None:
    """All hits by all counts, None where nothing counts."""
    total = float(np.sum(counts))
    return float(np.sum(hits)) / total if total > 0 else None


def interval_of_share(hits: Array, counts: Array) -> Interval:
    """The middle 95 % of the share over resamples of the units, arrays (n,).

    There are no ends for fewer than two units, or where nothing counts in a resample.
    """
    if len(hits) < 2:
        return None, None
    drawn = _draws(len(hits), 0)
    return _middle(drawn @ hits, drawn @ counts)


def interval_of_table(hits: Array, counts: Array, same: bool = False) -> Interval:
    """The same for pairs of units, arrays (n, m), where both sides are drawn anew.

    ``same``: both sides are the same units, and drawn together.
    """
    if min(hits.shape) < 2:
        return None, None
    rows, columns = _draws(len(hits), 0), _draws(hits.shape[1], int(not same))
    totals = (np.einsum("ri,ri->r", rows @ of, columns) for of in (hits, counts))
    return _middle(*totals)


def p_of_shares(hits: Array, counts: Array, first: int) -> float | None:
    """Two-sided p of the difference of shares of the first units and the others, arrays (n,).

    None where a group has nothing that counts.
    """
    chosen = _groups(first, len(hits))
    with np.errstate(invalid="ignore", divide="ignore"):
        ones = (chosen @ hits) / (chosen @ counts)
        others = (hits.sum() - chosen @ hits) / (counts.sum() - chosen @ counts)
    return _p(np.abs(ones - others))


def p_of_table(hits: Array, counts: Array, first: int) -> float | None:
    """Two-sided p of how far the share of pairs is from one half, arrays (n, n) of all units.

    The pairs are those of one of the first units and one of the others.
    """
    chosen = _groups(first, len(hits))
    with np.errstate(invalid="ignore", divide="ignore"):
        # All columns less those of the same group.
        inside = (np.einsum("ri,ri->r", chosen @ of, 1 - chosen) for of in (hits, counts))
        result = next(inside) / next(inside)
    return _p(np.abs(result - 0.5))


def is_exact(first: int, units: int) -> bool:
    """Return whether all ways to draw a group are looked at."""
    return math.comb(units, first) <= EXACT


def _p(far: Array) -> float | None:
    """The share of groups that are as far apart as the real ones, which come first."""
    if math.isnan(far[0]):
        return None
    there = far[~np.isnan(far)]
    return float(np.mean(there >= there[0] - _CLOSE))


def _groups(first: int, units: int) -> Array:
    """Return the units of the first group, 0 or 1, (ways, units); the real groups come first."""
    if is_exact(first, units):
        ways = math.comb(units, first)
        flat = chain.from_iterable(combinations(range(units), first))
        places = np.fromiter(flat, np.int64, ways * first).reshape(ways, first)
    else:
        rng = np.random.default_rng(_SEED)
        drawn = rng.permuted(np.tile(np.arange(units), (RESAMPLES - 1, 1)), axis=1)[:, :first]
        places = np.vstack([np.arange(first), drawn])
    groups = np.zeros((len(places), units))
    np.put_along_axis(groups, places, 1.0, axis=1)
    return groups


def _draws(units: int, stream: int) -> Array:
    """Return the counts of each unit in each draw, (resamples, units)."""
    rng = np.random.default_rng([_SEED, stream])
    result = rng.multinomial(units, np.full(units, 1 / units), RESAMPLES)
    return result.astype(np.float64)


def _middle(hits: Array, counts: Array) -> Interval:
    if not (counts > 0).all():
        return None, None
    low, high = np.percentile(hits / counts, [2.5, 97.5])
    return float(low), float(high)
