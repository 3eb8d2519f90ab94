"""The scores of a document's sentences as one: the best, the mean of the best few, or of all.

>>> import numpy as np
>>> scores, starts = np.array([0.2, 0.8, 0.5, 0.1]), np.array([0, 3, 3, 4])
>>> combined(scores, starts, 1).tolist(), combined(scores, starts, 2).tolist()
([0.8, nan, 0.1], [0.65, nan, 0.1])
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

__all__ = ["ALL", "best_of", "combined", "counted", "deciding", "penalties"]

#: More sentences than any document has.
ALL: Final = 2**62


def best_of(combine: str | int) -> int:
    """Return how many best sentences of a document count: 1 for "max", all for "mean", or a number.

    Raises ``InputError`` for anything else.
    """
    named = {"max": 1, "mean": ALL}
    if isinstance(combine, str) and combine in named:
        return named[combine]
    if isinstance(combine, bool) or not isinstance(combine, int) or combine < 1:
        raise InputError(
            f"combine={combine!r} is not known: use 'max', 'mean', or how many of the best "
            "sentences count"
        )
    return combine


def counted(
    scores: npt.NDArray[np.float64], starts: npt.NDArray[np.int64], best: int
) -> npt.NDArray[np.bool_]:
    """Return a mask of the sentences among the ``best`` of their document, bool (sentences,).

    ``scores`` (sentences,) are those of document i from ``starts[i]`` to ``starts[i + 1]``. One
    that is NaN is not among them; of equal ones the first is.
    """
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((-scores, owner))  # NaN goes last
    place = np.empty(len(scores), dtype=np.int64)
    place[order] = np.arange(len(scores)) - starts[owner]
    chosen: npt.NDArray[np.bool_] = (place < best) & ~np.isnan(scores)
    return chosen


def combined(
    scores: npt.NDArray[np.float64], starts: npt.NDArray[np.int64], best: int
) -> npt.NDArray[np.float64]:
    """The mean of the ``best`` highest scores of each document, float64 (documents,).

    Arguments are those of ``counted``; a document without a score has NaN.
    """
    chosen = counted(scores, starts, best)
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[chosen]
    count = np.bincount(owner, minlength=len(starts) - 1)
    total = np.bincount(owner, weights=scores[chosen], minlength=len(starts) - 1)
    mean = np.full(len(starts) - 1, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def penalties(
    unwanted: npt.NDArray[np.float64], starts: npt.NDArray[np.int64], share: float
) -> npt.NDArray[np.float64]:
    """Return the deductions for exclusions from each document, float64 (documents,).

    ``unwanted`` (exclusions, sentences) says how much each sentence is like what is left out: the
    sentence that is most like one of them counts, by a share.
    """
    if not len(unwanted) or not share:
        return np.zeros(len(starts) - 1)
    worst = combined(np.nan_to_num(unwanted).max(axis=0), starts, 1)
    return share * np.nan_to_num(np.maximum(worst, 0.0))


def deciding(
    scores: npt.NDArray[np.float64], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The place in its document of the sentence with the highest score, int64 (documents,).

    Arguments are those of ``counted``; of equal ones the first, -1 where there is none.
    """
    known = np.where(np.isnan(scores), -np.inf, scores)
    filled = np.flatnonzero(starts[1:] > starts[:-1])
    out = np.full(len(starts) - 1, -1, dtype=np.int64)
    if not len(filled):
        return out
    highest = np.maximum.reduceat(known, starts[filled])
    owner = np.repeat(np.arange(len(filled)), np.diff(starts)[filled])
    is_best = np.flatnonzero((known == highest[owner]) & (known > -np.inf))
    # Backwards, so that of equal ones the first stands.
    place = is_best - starts[filled][owner[is_best]]
    out[filled[owner[is_best[::-1]]]] = place[::-1]
    return out
