"""Subtree spans of each word, for all sentences of a batch at once.

>>> import numpy as np
>>> heads = np.array([1, 1, 1, 2], dtype=np.int32)  # the head of "sees" is itself
>>> first, stop = stretches(heads, np.array([0, 4]))
>>> first.tolist(), stop.tolist()
([0, 0, 2, 3], [1, 4, 4, 4])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled

__all__ = ["stretches"]


def stretches(
    heads: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return start and end of the subtree of each word, int32 (words,) each; see ``Tree``.

    ``heads`` and ``starts`` as of ``Moves.run``.
    """
    first, stop = np.empty_like(heads), np.empty_like(heads)
    _stretch(heads, starts, first, stop)
    return first, stop


@compiled()
def _stretch(heads: Any, starts: Any, first: Any, stop: Any) -> None:
    """Fill first and stop int32 (words,); a word with gaps below it has both alike."""
    size = np.ones(heads.shape[0], dtype=np.int32)
    for s in range(starts.shape[0] - 1):
        offset = starts[s]
        head = heads[offset : starts[s + 1]]
        for i in range(head.shape[0]):
            first[offset + i], stop[offset + i] = i, i + 1
        for i in range(head.shape[0]):
            above = i
            while head[above] != above:
                above = head[above]
                size[offset + above] += 1
                first[offset + above] = min(first[offset + above], i)
                stop[offset + above] = max(stop[offset + above], i + 1)
    for i in range(heads.shape[0]):
        if stop[i] - first[i] != size[i]:
            stop[i] = first[i]
