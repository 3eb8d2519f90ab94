"""Pairs of sentences scored some at a time, so that memory does not grow with their number.

Both sentences of a pair are encoded in one batch: what is costly about a text that occurs on both
sides is done once, and its vectors are the same to the last bit.

>>> from compsim import load
>>> method = load("sbert")  # doctest: +SKIP
>>> pairwise_in_chunks(method, ["a cat"] * 100_000, ["a dog"] * 100_000).shape  # doctest: +SKIP
(100000,)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.method import Method
from compsim.sentences import check_pairs

__all__ = ["pairwise_in_chunks"]

#: Pairs at a time: enough that sorting them by length leaves little padding.
PAIRS: Final = 4096


def pairwise_in_chunks(
    method: Method[Any], a: Iterable[str], b: Iterable[str], pairs: int = PAIRS
) -> npt.NDArray[np.float64]:
    """Score each sentence of a against the one at the same place in b: float64 (n,).

    Raises ``InputError`` where a and b are not equally long.
    """
    first, second = check_pairs(a, b)
    scores = np.empty(len(first), dtype=np.float64)
    for start in range(0, len(first), pairs):
        left, right = first[start : start + pairs], second[start : start + pairs]
        batch = method.encode(left + right)
        x, y = batch[: len(left)], batch[len(left) :]
        scores[start : start + pairs] = Method.similarity_pairwise(method, x, y)
    return scores
