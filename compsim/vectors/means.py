"""Means over stretches of rows: many phrases at once.

>>> import numpy as np
>>> words = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
>>> stretch_means(words, np.array([0, 1, 1]), np.array([0, 2, 3, 3])).tolist()
[[0.5, 0.5], [0.0, 1.0], [0.0, 0.0]]
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["stretch_means"]

# Phrases averaged at once: few enough that their vectors stay in the processor's cache.
_BLOCK: Final = 1 << 10
# Words of a phrase that is averaged by itself, and so many of its words at a time.
_LONG: Final = 64
_WORDS: Final = 1 << 12


def stretch_means(
    matrix: npt.NDArray[Any],
    rows: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]:
    """The means float32 (n, dim) of the rows of a matrix from ``ends[i]`` to ``ends[i + 1]``.

    ``rows`` (words,) are rows of ``matrix`` (m, dim); ``weights`` (words,) says how much each word
    counts, all of them alike if it is None. The mean of nothing is the zero vector.
    """
    counts = np.diff(ends)
    # The longest first: those that have a word in place p are then a prefix, and one sum over
    # all phrases for each place replaces one sum a phrase (np.add.reduceat: 20 times slower).
    order = np.argsort(-counts, kind="stable")
    starts, lengths = ends[:-1][order], counts[order]
    means = np.zeros((len(counts), matrix.shape[1]), dtype=np.float32)
    long = int(np.searchsorted(-lengths, -_LONG))
    for i, start, stop in zip(order[:long], starts, starts + lengths, strict=False):
        own = None if weights is None else weights[start:stop]
        means[i] = _mean(matrix, rows[start:stop], own)
    for low in range(long, len(order), _BLOCK):
        start, length = starts[low : low + _BLOCK], lengths[low : low + _BLOCK]
        sums = np.zeros((len(start), matrix.shape[1]), dtype=np.float32)
        total = np.zeros(len(start), dtype=np.float32)
        ascending = -length
        for place in range(int(length[0])):
            active = int(np.searchsorted(ascending, -place))
            words = start[:active] + place
            if weights is None:
                sums[:active] += matrix[rows[words]]
                total[:active] += 1
            else:
                sums[:active] += matrix[rows[words]] * weights[words, None]
                total[:active] += weights[words]
        sums /= np.where(total > 0, total, 1)[:, None]
        means[order[low : low + _BLOCK]] = sums
    return means


def _mean(
    matrix: npt.NDArray[Any], rows: npt.NDArray[np.int64], weights: npt.NDArray[np.float32] | None
) -> npt.NDArray[np.float32]:
    """Return the mean float32 (dim,) of rows of a matrix."""
    if weights is None:
        weights = np.ones(len(rows), dtype=np.float32)
    sums = np.zeros(matrix.shape[1], dtype=np.float32)
    for start in range(0, len(rows), _WORDS):
        part = slice(start, start + _WORDS)
        sums += (matrix[rows[part]] * weights[part, None]).sum(axis=0, dtype=np.float32)
    total = weights.sum()
    return sums / (total if total > 0 else np.float32(1))
