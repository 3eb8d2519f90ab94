"""Sentence vectors as a batch, and what it shares with a batch of token vectors.

>>> import numpy as np
>>> batch = VectorBatch(np.eye(2), texts=["Cats sleep.", "Dogs bark."])
>>> batch[1]
VectorBatch(1 sentences, 2 dimensions)
>>> VectorBatch.concat([batch, batch[:1]]).vector.tolist()
[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded, Index, items_at, joined_items, parts_of
from compsim.errors import InputError
from compsim.kernels.cosine import unit_rows
from compsim.kernels.layout import Field, check
from compsim.kernels.ragged import Ragged
from compsim.storage.batch_files import Stored

__all__ = ["TextBatch", "VectorBatch"]

_LAYOUT = {"text.vector": Field("float32", dimensions=2)}


class TextBatch(Encoded):
    """Texts, and something for each of them: what the first argument of a subclass holds.

    ``vector`` holds all vectors, float32 (rows, dim). ``space`` says which model made them: batches
    of different spaces are not compared.
    """

    vector: npt.NDArray[np.float32]

    def __init__(self, rows: Any, *, texts: Sequence[str], space: str = "") -> None:
        self._rows = rows
        self.texts = texts
        self.space = space

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Index) -> Self:
        places = self._places(index)
        texts = items_at(self.texts, places)
        return type(self)(self._rows[places], texts=texts, space=self.space)

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, made by one model."""
        first, *others = parts = parts_of(batches)
        for part in others:
            first.check(part)
        texts = joined_items([part.texts for part in parts])
        return cls(first._joined(others), texts=texts, space=first.space)

    @abstractmethod
    def _joined(self, others: list[Self]) -> Any:
        """Return the texts of this and of the other batches, concatenated."""

    def check(self, other: TextBatch) -> None:
        """Raise ``InputError`` for a batch that cannot be compared with this one."""
        mine, its = self.vector.shape[1], other.vector.shape[1]
        if (self.space, mine) != (other.space, its):
            raise InputError(
                f"the batches were encoded differently ({self.space}, {mine} dimensions; "
                f"{other.space}, {its}): encode both with one method"
            )


class VectorBatch(TextBatch):
    """Encoded sentences: ``vector`` float32 (n, dim), as the model gave them, and their texts.

    ``space`` says which model made them: batches of different spaces are not compared.
    """

    def __init__(self, vector: npt.ArrayLike, *, texts: Sequence[str], space: str = "") -> None:
        self.vector = np.ascontiguousarray(vector, dtype=np.float32)
        super().__init__(self.vector, texts=texts, space=space)
        if self.vector.ndim != 2 or len(self.vector) != len(texts):
            raise InputError("a batch of vectors has one row and one text for each sentence")

    def __repr__(self) -> str:
        return f"VectorBatch({len(self)} sentences, {self.vector.shape[1]} dimensions)"

    @cached_property
    def unit(self) -> npt.NDArray[np.float32]:
        """The vectors at unit length; a zero vector stays zero. float32 (n, dim)."""
        return unit_rows(self.vector)

    def _joined(self, others: list[Self]) -> npt.NDArray[np.float32]:
        return np.concatenate([self.vector, *(other.vector for other in others)])

    def _to_stored(self) -> Stored:
        return Stored({"vector": self.vector}, {"space": self.space}, self.texts)

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        vector = stored.arrays["vector"]
        rows = Ragged.single({"vector": vector})
        check({"text": rows}, _LAYOUT, {}, finite=stored.verified)
        return cls(vector, texts=stored.records, space=stored.details["space"])
