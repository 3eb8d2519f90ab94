"""Vectors on the unit sphere: are alike items near, and are all spread evenly?

Alignment and uniformity (Wang and Isola 2020, https://arxiv.org/abs/2005.10242, equations 2 and 3):
the mean squared distance of positive pairs, and the logarithm of the mean of exp(-2 d^2) over all
pairs of items at the distance d. The lower, the better, of both.

>>> import numpy as np
>>> corners = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
>>> alignment(corners[:1], corners[1:2])
2.0
>>> round(uniformity(corners), 3)
-4.396
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats.neighbours import unit_vectors

__all__ = ["COLUMNS", "alignment", "uniformity"]

#: What these figures are called in a table.
COLUMNS: Final = ("alignment", "uniformity")
#: The temperature of the Gaussian potential, as in the paper's experiments.
_T: Final = 2.0
#: Rows of the matrix of all pairs that are held at a time.
_BLOCK: Final = 512

Vectors = npt.NDArray[Any]


def alignment(first: Vectors, second: Vectors) -> float | None:
    """Return the mean squared distance of pairs of vectors at unit length.

    Args:
        first: The first items of positive pairs (n, dim).
        second: The second items (n, dim).

    Returns:
        The mean, from 0 to 4; None where no pair has two vectors that are not zero.
    """
    there = first.any(axis=1) & second.any(axis=1)
    if not there.any():
        return None
    x, y = (unit_vectors(side[there].astype(np.float64)) for side in (first, second))
    return float(np.square(x - y).sum(axis=1).mean())


def uniformity(vectors: Vectors) -> float | None:
    """Return the logarithm of the mean Gaussian potential of all pairs of vectors at unit length.

    Args:
        vectors: The items (n, dim), each once; zero vectors do not count.

    Returns:
        The logarithm, from -8 to 0; None for fewer than two vectors.
    """
    rows = unit_vectors(vectors[vectors.any(axis=1)].astype(np.float64))
    if len(rows) < 2:
        return None
    total = 0.0
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        # Of unit vectors the squared distance is 2 - 2 cos; each pair counts once.
        potential = np.exp(-2 * _T * (1 - block @ rows[start:].T))
        total += float(np.triu(potential, k=1).sum())
    return float(np.log(total / (len(rows) * (len(rows) - 1) / 2)))
