"""Unit vectors in one byte a number, and how far off that can be.

A row x is held as int8 codes c and a scale s, so that s c is nearly x; the length of what is left,
|x - s c|, is held too. For a query q this bounds the cosine from above, so that a search over codes
can say for certain which rows cannot be among the best:

    q x <= s (q' c) + |q'| |x - s c| + |q - q'|

with q' the query in whole numbers of at most 16 bits, few enough that sums fit into 32.

>>> rows = quantized(np.array([[0.6, -0.8], [0.0, 0.0]], dtype=np.float32))
>>> rows.code.tolist(), (rows.error < 0.01).tolist()
([[95, -127], [0, 0]], [True, True])
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Coded", "Rounded", "as_it_is", "quantized", "rounded_query"]

_MOST: Final = 127
#: What sums of float32 may be off by.
_ROUNDING: Final = 1e-6


class Coded(NamedTuple):
    """Rows as ``code`` int8 (n, dim), or float32; ``scale`` and ``error`` float32 (n,) of each.

    A row of zeros has the scale 0.
    """

    code: npt.NDArray[Any]
    scale: npt.NDArray[np.float32]
    error: npt.NDArray[np.float32]


class Rounded(NamedTuple):
    """A query: ``code`` int16 (dim,), its ``scale``, the length of that, and of what is left."""

    code: npt.NDArray[np.int16]
    scale: float
    length: float
    error: float


def quantized(unit: npt.NDArray[np.float32]) -> Coded:
    """Rows (n, dim) of unit length, or zero, in one byte a number."""
    scale = np.abs(unit).max(axis=1, initial=0.0).astype(np.float32) / np.float32(_MOST)
    code = np.rint(unit / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    left = unit - scale[:, None] * code
    error = np.sqrt(np.einsum("ij,ij->i", left, left, dtype=np.float64)) + _ROUNDING
    return Coded(code, scale, error.astype(np.float32))


def as_it_is(unit: npt.NDArray[np.float32]) -> Coded:
    """The same with the numbers as they are."""
    known = np.any(unit, axis=1).astype(np.float32)
    return Coded(unit, known, np.full(len(unit), _ROUNDING, dtype=np.float32))


def rounded_query(unit: npt.NDArray[np.float32]) -> Rounded:
    """A query (dim,) of unit length, or zero, in whole numbers."""
    most = min(2**15 - 1, (2**31 - 1) // (_MOST * max(len(unit), 1)))
    scale = float(np.abs(unit).max(initial=0.0)) / max(most, 1)
    code = np.rint(unit / (scale or 1.0)).astype(np.int16)
    result = scale * code.astype(np.float64)
    error = float(np.linalg.norm(unit - result)) + _ROUNDING
    return Rounded(code, scale, float(np.linalg.norm(result)), error)
