"""Exact confidence bounds of a share that was counted (Clopper and Pearson 1934).

>>> round(upper_bound(0, 100), 4), round(upper_bound(3, 100), 4), upper_bound(5, 5)
(0.0295, 0.0757, 1.0)
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

__all__ = ["CONFIDENCE", "upper_bound"]

#: How sure a bound is.
CONFIDENCE: Final = 0.95
_HALVINGS: Final = 60
#: A share of the largest term that changes no sum.
_NOTHING: Final = 1e-20


@lru_cache(maxsize=1 << 12)
def upper_bound(count: int, n: int, confidence: float = CONFIDENCE) -> float:
    """Return the one-sided upper bound of a share of which ``count`` of ``n`` were seen."""
    if count >= n:
        return 1.0
    low, high = count / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_most(count, n, middle) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(count: int, n: int, share: float) -> float:
    """The probability of at most so many of n successes, each with this probability.

    ``share`` is at least ``count / n``.
    """
    if share <= 0.0:
        return 1.0
    if share >= 1.0:
        return 0.0
    # From the largest term down: the share is at least count / n, so that each is below the last.
    most = (
        math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
        + count * math.log(share) + (n - count) * math.log1p(-share)
    )  # fmt: skip
    term = total = 1.0
    for k in range(count, 0, -1):
        term *= k / (n - k + 1) * (1.0 - share) / share
        if term < _NOTHING:
            break
        total += term
    return math.exp(most) * total
