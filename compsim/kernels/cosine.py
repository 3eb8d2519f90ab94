"""Cosines of rows, and of texts that have no vector.

A text without a vector is a zero row. Its cosine with anything is 0, but for one case: two such
texts that are equal, white space aside, and not blank, score 1.

>>> import numpy as np
>>> x = unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32))
>>> cosines(x, x, ["a", "b"], ["a", "c"]).tolist()
[1.0, 0.0]
>>> cosine_matrix(x, x, ["a", "b"], ["a", "b"]).tolist()
[[1.0, 0.0], [0.0, 1.0]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.plain_text import plain

__all__ = ["cosine_matrix", "cosines", "same_text", "unit_rows"]


def unit_rows(
    vector: npt.NDArray[np.float32], out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]:
    """The rows at unit length, into ``out`` if given; a zero row stays zero. float32 (n, dim).

    Raises ``InputError`` for a row with NaN or infinity.
    """
    # In float64, since the square of a large float32 overflows.
    length = np.sqrt(np.einsum("ij,ij->i", vector, vector, dtype=np.float64))
    if not np.isfinite(length).all():
        raise InputError("a word vector holds NaN or infinity: mend the table of word vectors")
    unit = np.empty(vector.shape, dtype=np.float32) if out is None else out
    # float64 as a whole would be a copy of twice the size.
    return np.divide(vector, np.where(length > 0, length, 1)[:, None], unit, casting="same_kind")


def cosines(
    x: npt.NDArray[np.float32],
    y: npt.NDArray[np.float32],
    first: Sequence[str],
    second: Sequence[str],
) -> npt.NDArray[np.float64]:
    """The cosine of each row of x with the same row of y, all of unit length or zero: float64 (n,).

    ``first`` and ``second`` are the texts behind the rows.
    """
    values: npt.NDArray[np.float64] = np.einsum("ij,ij->i", x, y, dtype=np.float64)
    np.clip(values, -1.0, 1.0, out=values)
    for i in np.flatnonzero(~x.any(axis=1) & ~y.any(axis=1)).tolist():
        values[i] = float(same_text(first[i], second[i]))
    return values


def cosine_matrix(
    x: npt.NDArray[np.float32],
    y: npt.NDArray[np.float32],
    first: Sequence[str],
    second: Sequence[str],
) -> npt.NDArray[np.float32]:
    """The cosine of every row of x with every one of y: float32 (n, m); see ``cosines``."""
    result: npt.NDArray[np.float32] = x @ y.T
    np.clip(result, -1.0, 1.0, out=result)
    wordless = np.flatnonzero(~y.any(axis=1)).tolist()
    for i in np.flatnonzero(~x.any(axis=1)).tolist():
        for j in wordless:
            result[i, j] = float(same_text(first[i], second[j]))
    return result


def same_text(s: str, t: str) -> bool:
    """Return whether two texts are the same but for white space, and not blank."""
    read = plain(s)
    return bool(read) and read == plain(t)
