"""Sentence vectors as a batch.

>>> import numpy as np
>>> batch = VectorBatch(np.eye(2), texts=["Cats sleep.", "Dogs bark."])
>>> batch[1]
VectorBatch(1 sentences, 2 dimensions)
>>> VectorBatch.concat([batch, batch[:1]]).vector.tolist()
[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.kernels.cosine import unit_rows
from compsim.method import Encoded, Index, items_at, parts_of
from compsim.storage.batch_files import Stored

__all__ = ["VectorBatch", "check_space"]


class VectorBatch(Encoded):
    """Encoded sentences: ``vector`` float32 (n, dim), as the model gave them, and their texts.

    ``space`` says which model made them: batches of different spaces are not compared.
    """

    def __init__(self, vector: npt.ArrayLike, *, texts: Sequence[str], space: str = "") -> None:
        self.vector = np.ascontiguousarray(vector, dtype=np.float32)
        self.texts = texts
        self.space = space
        if self.vector.ndim != 2 or len(self.vector) != len(texts):
            raise InputError("a batch of vectors has one row and one text for each sentence")

    def __len__(self) -> int:
        return len(self.vector)

    def __repr__(self) -> str:
        return f"VectorBatch({len(self)} sentences, {self.vector.shape[1]} dimensions)"

    @cached_property
    def unit(self) -> npt.NDArray[np.float32]:
        """The vectors at unit length; a zero vector stays zero. float32 (n, dim)."""
        return unit_rows(self.vector)

    def __getitem__(self, index: Index) -> Self:
        places = self._places(index)
        texts = items_at(self.texts, places)
        return type(self)(self.vector[places], texts=texts, space=self.space)

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, made by one model."""
        parts = parts_of(batches)
        for part in parts:
            parts[0].check(part)
        return cls(
            np.concatenate([part.vector for part in parts]),
            texts=[text for part in parts for text in part.texts],
            space=parts[0].space,
        )

    def check(self, other: VectorBatch) -> None:
        """Raise ``InputError`` for a batch that cannot be compared with this one."""
        check_space(self, other)

    def _to_stored(self) -> Stored:
        return Stored({"vector": self.vector}, {"space": self.space}, self.texts)

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        space = stored.details["space"]
        return cls(stored.arrays["vector"], texts=stored.records, space=space)


class _Spaced(Protocol):
    @property
    def space(self) -> str: ...
    @property
    def vector(self) -> npt.NDArray[np.float32]: ...


def check_space(one: _Spaced, other: _Spaced) -> None:
    """Raise ``InputError`` for batches whose vectors cannot be compared."""
    mine, its = one.vector.shape[1], other.vector.shape[1]
    if (one.space, mine) != (other.space, its):
        raise InputError(
            f"the batches were encoded differently ({one.space}, {mine} dimensions; "
            f"{other.space}, {its}): encode both with one method"
        )
