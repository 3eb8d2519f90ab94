"""Two rankings of the same documents as one: weighted scores, or reciprocal ranks.

Scores of different kinds, BM25's and cosines, have different units, so each is stretched over the
candidates from 0, the worst, to 1, the best, before they are added. Reciprocal rank fusion
(Cormack, Clarke, Büttcher 2009) takes only the order: a document at place r adds ``1 / (60 + r)``.

>>> import numpy as np
>>> own, first = np.array([0.1, 0.9, 0.5]), np.array([30.0, 10.0, 20.0])
>>> fused(own, first, "score", 0.75).tolist()
[0.25, 0.75, 0.5]
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError, check_choice

__all__ = ["Blend", "check_blend", "first_scores", "fused"]

Blend = Literal["score", "rrf"]

#: How much less the first places count, as the authors chose it.
_RANK: Final = 60.0


def check_blend(blend: str, weight: float) -> None:
    """Raise ``InputError`` for a blend that is not known, or a weight not in [0, 1]."""
    check_choice("blend", blend, get_args(Blend))
    fits = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not fits or not 0 <= weight <= 1:
        raise InputError(
            f"weight={weight!r} is not a share: give how much the reranker's own score counts "
            "beside the first stage's, from 0 to 1"
        )


def first_scores(scores: npt.ArrayLike, count: int) -> npt.NDArray[np.float64]:
    """The scores of a first stage, float64 (count,); NaN where it did not find a document.

    Raises ``InputError`` where there are more or fewer, or one is infinite or no number.
    """
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the first stage's scores are no numbers ({error})") from error
    if values.shape != (count,):
        raise InputError(
            f"the first stage's scores have the shape {values.shape} and there are {count} "
            "documents: give one score for each"
        )
    if np.isinf(values).any():
        raise InputError(
            f"the first stage's score {int(np.flatnonzero(np.isinf(values))[0])} is infinite: "
            "give numbers, or NaN for a document that it did not find"
        )
    return values


def fused(
    own: npt.NDArray[np.float64], first: npt.NDArray[np.float64], blend: Blend, weight: float
) -> npt.NDArray[np.float64]:
    """Both scores (n,) as one (n,); ``weight`` is the share of ``own``.

    A score that is NaN, of either, counts as the worst of its kind, or adds no reciprocal rank.
    """
    turn = _stretched if blend == "score" else _reciprocal
    return weight * turn(own) + (1.0 - weight) * turn(first)


def _stretched(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    known = scores[~np.isnan(scores)]
    if len(known) == 0:
        return np.zeros(len(scores))
    low, high = float(known.min()), float(known.max())
    # Where all are alike they say nothing against one another, and more than NaN.
    out = (scores - low) / (high - low) if high > low else np.where(np.isnan(scores), 0.0, 1.0)
    return np.nan_to_num(out, nan=0.0)


def _reciprocal(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    known = np.sort(-scores[~np.isnan(scores)])
    place = 1.0 + np.searchsorted(known, -scores)  # equal scores share the better place
    return np.where(np.isnan(scores), 0.0, 1.0 / (_RANK + place))
