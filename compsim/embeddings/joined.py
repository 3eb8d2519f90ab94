"""Sentence vectors joined of the vectors of parts, such as a whole sentence and its subject.

Each part is of unit length times the root of its share, or zero where a sentence lacks it. The
cosine of two joined vectors is then the mean of the cosines of their parts by their shares, over
the geometric mean of the shares that each sentence has.

>>> import numpy as np
>>> whole, subject = np.array([[2.0, 0.0]]), np.array([[0.0, 0.0]])
>>> joined([whole, subject], [0.5, 0.5]).round(2)
array([[0.71, 0.  , 0.  , 0.  ]], dtype=float32)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.explanation import RoleRow
from compsim.graph import Node
from compsim.kernels.cosine import unit_rows

__all__ = ["JoinedMethod", "joined"]

Vectors = npt.NDArray[np.float32]


def joined(parts: Sequence[npt.NDArray[np.floating]], shares: Sequence[float]) -> Vectors:
    """Return the vectors (n, parts * dim) of sentences from those of their parts, (n, dim) each."""
    scaled = [
        unit_rows(np.asarray(part, dtype=np.float32)) * np.float32(np.sqrt(share))
        for part, share in zip(parts, shares, strict=True)
    ]
    return np.hstack(scaled)


class JoinedMethod(EmbeddingMethod):
    """A method whose sentence vectors have parts of equal length, one behind another."""

    @abstractmethod
    def _part_nodes(self, sentence: str) -> list[tuple[str, Node | None]]:
        """The name of each part and what it is in a sentence, None where the sentence lacks it."""

    def _rows(self, sentences: list[str], score: float) -> tuple[list[RoleRow], str]:
        """A row for each part that either sentence has, those of one alone first."""
        batch = self.encode(sentences)
        x, y = batch.unit.astype(np.float64)
        if self._normalizer is not None or not x.any() or not y.any():
            return super()._rows(sentences, score)
        first, second = map(self._part_nodes, sentences)
        width = len(x) // len(first)
        rows: list[RoleRow] = []
        alone: list[RoleRow] = []
        for place, ((name, here), (_, there)) in enumerate(zip(first, second, strict=True)):
            piece = slice(place * width, (place + 1) * width)
            length = float(np.linalg.norm(x[piece])), float(np.linalg.norm(y[piece]))
            product = float(x[piece] @ y[piece])
            if min(length) > 0:
                weight = length[0] * length[1]
                cosine = max(-1.0, min(1.0, product / weight))
                rows.append(RoleRow(name, here, there, cosine, weight, product))
            elif max(length) > 0:
                mine, other = (here, None) if length[0] else (None, there)
                alone.append(RoleRow(name, mine, other, None, max(length) ** 2, 0.0))
        note = "A row is a part of the vectors, its weight the product of that part's lengths."
        return alone + rows, note
