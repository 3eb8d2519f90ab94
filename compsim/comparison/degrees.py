"""Degrees of pairs, as the tables of the lexicon write them: ``"near far" = 1.0``.

>>> fill_degrees(matrix := np.zeros((2, 2)), {"a b": 0.5}, {"a": 0, "b": 1}, "file", "letters")
>>> matrix.tolist()
[[0.0, 0.5], [0.5, 0.0]]
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError

__all__ = ["fill_degrees"]


def fill_degrees(
    matrix: npt.NDArray[np.float64],
    degrees: Mapping[str, float],
    numbers: Mapping[str, int],
    place: str,
    kind: str,
) -> None:
    """Write degrees into a symmetric matrix.

    Args:
        matrix: Float64 (n, n).
        degrees: By two names with a space between them, above 0 and up to 1.
        numbers: The row of each name.
        place: Where the degrees are written, for the error.
        kind: What the names are, for the error.

    Raises:
        DataError: A name is not among the numbers, or a degree is out of range.
    """
    for pair, degree in degrees.items():
        first, _, second = pair.partition(" ")
        if first not in numbers or second not in numbers or not 0 < degree <= 1:
            raise DataError(f"{place}, {pair!r}: not two {kind} and a degree")
        i, j = numbers[first], numbers[second]
        matrix[i, j] = matrix[j, i] = degree
