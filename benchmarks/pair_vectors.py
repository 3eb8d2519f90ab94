"""Vectors of rated sentence pairs beside their cosines: distances, alignment and uniformity.

>>> from compsim import load
>>> method = load("mean-cn", vectors="builtin")
>>> a, b = method.encode(["Cats sleep."] * 2), method.encode(["Dogs bark.", "Cats sleep."])
>>> (negative_distances(method, a, b) < 0).tolist()
[True, False]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.results import Figure
from compsim.benchmarks.stats.hypersphere import COLUMNS, alignment, uniformity
from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.method import EmbeddingMethod

__all__ = ["ALIKE", "negative_distances", "space_figures"]

#: The least rating of a positive pair, from 0 to 1: 4 of 5 on STSb, as Gao et al. (2021) have it.
ALIKE: Final = 0.8


def negative_distances(
    method: EmbeddingMethod, a: VectorBatch, b: VectorBatch
) -> npt.NDArray[np.float64]:
    """Return the negated Euclidean distance of each pair of vectors, float64 (n,).

    The vectors are normalised where the method does so, and as long as they are. "Just Rank" has
    1 / (1 + distance), which puts pairs in the same order.
    """
    x, y = method.normalized(a, b)
    distances: npt.NDArray[np.float64] = np.linalg.norm(x.astype(np.float64) - y, axis=1)
    return -distances


def space_figures(
    method: EmbeddingMethod, a: VectorBatch, b: VectorBatch, ratings: Sequence[float]
) -> dict[str, Figure]:
    """Return the alignment of pairs rated ``ALIKE`` or more, and the uniformity of all sentences.

    Each distinct sentence counts once; ``ratings`` (n,) are from 0 to 1.
    """
    x, y = method.normalized(a, b)
    positive = np.asarray(ratings) >= ALIKE - 1e-9
    texts = [*a.texts, *b.texts]
    first = {text: row for row, text in reversed(list(enumerate(texts)))}
    distinct = np.concatenate([x, y])[sorted(first.values())]
    values = alignment(x[positive], y[positive]), uniformity(distinct)
    counts = int(positive.sum()), len(distinct)
    why = f"no pair is rated {ALIKE} or more", "there are fewer than two vectors"
    return {
        name: Figure(value, count, note=why[place] if value is None else "")
        for place, (name, value, count) in enumerate(zip(COLUMNS, values, counts, strict=True))
    }
