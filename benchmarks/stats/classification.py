"""Classification by scores: pairs that say the same against pairs that do not.

The area under the ROC curve (AUC) and the average precision are those of scikit-learn. ``hits`` is
what a threshold accepts of the same pairs where it accepts a given share of the different ones.

>>> scores, same = [0.9, 0.8, 0.7, 0.6], [True, False, True, False]
>>> auc(scores, same), round(average_precision(scores, same), 3), hits(scores, same, 0.05)
(0.75, 0.833, 0.5)
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats import library

__all__ = ["auc", "average_precision", "hits", "rankable", "resampled_auc"]

Array = npt.NDArray[np.float64]

#: Resamples that are ranked at a time.
_CHUNK: Final = 64


def auc(scores: npt.ArrayLike, same: npt.ArrayLike) -> float | None:
    """Return how often a same pair scores above a different one, a tie as one half.

    Args:
        scores: Scores, float (n,); NaN is below every other.
        same: Whether each pair says the same, bool (n,).

    Returns:
        The area, from 0 to 1; .5 by chance; None where all pairs have the same label.

    Raises:
        MissingExtraError: Without scikit-learn.

    Examples:
        >>> auc([0.9, 0.5, 0.5], [True, True, False])
        0.75
    """
    labels = np.asarray(same, dtype=bool)
    if labels.all() or not labels.any():
        return None
    return float(library("sklearn.metrics").roc_auc_score(labels, rankable(scores)))


def average_precision(scores: npt.ArrayLike, same: npt.ArrayLike) -> float | None:
    """Return the mean, over the same pairs, of the precision at the score of each.

    Args:
        scores: Scores, float (n,); NaN is below every other.
        same: Whether each pair says the same, bool (n,).

    Returns:
        The average precision, from 0 to 1; by chance the share of same pairs; None where all pairs
        have the same label.

    Raises:
        MissingExtraError: Without scikit-learn.

    Examples:
        >>> average_precision([0.9, 0.5, 0.4], [True, False, False])
        1.0
    """
    labels = np.asarray(same, dtype=bool)
    if labels.all() or not labels.any():
        return None
    metrics = library("sklearn.metrics")
    return float(metrics.average_precision_score(labels, rankable(scores)))


def hits(scores: npt.ArrayLike, same: npt.ArrayLike, false: float) -> float | None:
    """Return the share of same pairs that the best threshold accepts at a share of false ones.

    Args:
        scores: Scores, float (n,); NaN is below every other.
        same: Whether each pair says the same, bool (n,).
        false: The largest share of the different pairs that may be accepted with them.

    Returns:
        The share, from 0 to 1; None where all pairs have the same label.

    Raises:
        MissingExtraError: Without scikit-learn.

    Examples:
        >>> hits([0.9, 0.8, 0.8, 0.7], [True, True, False, False], 0.05)
        0.5
    """
    labels = np.asarray(same, dtype=bool)
    if labels.all() or not labels.any():
        return None
    curve = library("sklearn.metrics").roc_curve(labels, rankable(scores), drop_intermediate=False)
    accepted_different, accepted_same, _ = curve
    return float(accepted_same[accepted_different <= false + 1e-12].max())


def rankable(scores: npt.ArrayLike) -> Array:
    """Return scores, float64 (n,), with a value below all others for each NaN."""
    values = np.asarray(scores, dtype=np.float64)
    missing = np.isnan(values)
    if not missing.any():
        return values
    return np.where(missing, values[~missing].min(initial=0.0) - 1.0, values)


def resampled_auc(scores: Array, same: Array, times: npt.NDArray[np.int64]) -> Array:
    """Return the AUC of each resample, float64 (resamples,); NaN where one label is missing.

    Args:
        scores: Scores, float64 (n,).
        same: 1 for a pair that says the same, else 0, (n,).
        times: How often each pair is in each resample, int64 (resamples, n).

    Returns:
        The areas.

    Examples:
        >>> resampled_auc(np.array([0.9, 0.1]), np.array([1.0, 0.0]), np.array([[1, 1], [0, 2]]))
        array([ 1., nan])
    """
    _, group = np.unique(scores, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    labels = np.asarray(same)[order] > 0
    values = np.empty(len(times))
    for begin in range(0, len(times), _CHUNK):
        drawn = times[begin : begin + _CHUNK, order].astype(np.float64)
        accepted, rejected = (
            np.add.reduceat(drawn * chosen, starts, axis=1) for chosen in (labels, ~labels)
        )
        # Equal scores are one group, in which half of the comparisons are won.
        below = np.cumsum(rejected, axis=1) - rejected / 2
        with np.errstate(invalid="ignore"):
            values[begin : begin + _CHUNK] = (accepted * below).sum(axis=1) / (
                accepted.sum(axis=1) * rejected.sum(axis=1)
            )
    return values
