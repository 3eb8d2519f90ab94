"""Batches of encoded sentences: sliced, joined, saved and memory-mapped.

>>> items_at(["cats", "dogs", "mice"], slice(1, 3))
['dogs', 'mice']
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.storage import batch_files
from compsim.storage.batch_files import Records, Stored

__all__ = ["Encoded", "Index", "items_at", "joined_items", "parts_of"]

Index: TypeAlias = int | slice | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_] | list[int]

T = TypeVar("T")
E = TypeVar("E", bound="Encoded")


class Encoded(ABC):
    """A batch of encoded sentences that can be sliced, joined, saved and memory-mapped.

    ``Method.encode`` makes it. ``len`` is the number of sentences; an index, a slice, a list of
    numbers or a mask gives a part, again as a batch.

    Examples:
        >>> from compsim import load
        >>> batch = load("mean-cn", vectors="builtin").encode(["Cats sleep.", "Dogs bark."])
        >>> len(batch), len(batch[1]), len(type(batch).concat([batch, batch]))
        (2, 1, 4)
    """

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, index: Index) -> Self:
        """The sentences at a place, a slice, an array of places or a mask, as a batch."""

    @classmethod
    @abstractmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, in order.

        Args:
            batches: Batches that one method made.

        Returns:
            A batch with the sentences of all.

        Raises:
            InputError: There is no batch, or they were not made alike.
        """

    @abstractmethod
    def _to_stored(self) -> Stored:
        """Return the stored form of the batch."""

    @classmethod
    @abstractmethod
    def _of_stored(cls, stored: Stored) -> Self:
        """The batch that is made of this."""

    def save(self, path: str | Path) -> None:
        """Write the batch as a folder of ``.npy`` files, replacing a batch that is there.

        Args:
            path: The folder.

        Raises:
            DataError: Something else is there, or it cannot be written.
        """
        batch_files.save(Path(path), type(self).__name__, self._to_stored())

    @classmethod
    def load(cls, path: str | Path, mmap: bool = True, verify: bool = True) -> Self:
        """Read a saved batch.

        Args:
            path: The folder that ``save`` wrote.
            mmap: Whether arrays stay on disk until they are used.
            verify: Whether all of it is read once, to see that it is as it was saved; else only
                what holds places in other arrays is.

        Returns:
            The batch.

        Raises:
            DataError: The folder is no batch of this class, or not as it was saved.
        """
        return batch_files.load(Path(path), cls.__name__, cls._of_stored, mmap, verify)

    def _places(self, index: Index) -> slice | npt.NDArray[np.int64]:
        """An index as a slice of step 1, whose parts share memory with the whole, or as places.

        Raises ``InputError`` for what is out of range.
        """
        n = len(self)
        if isinstance(index, slice) and index.indices(n)[2] == 1:
            start, stop, _ = index.indices(n)
            return slice(start, max(start, stop))
        try:
            return np.atleast_1d(np.arange(n)[index])
        except (IndexError, TypeError) as error:
            raise InputError(f"a batch of {n} sentences has no {index!r} ({error})") from error


def items_at(values: Sequence[T], places: slice | npt.NDArray[np.int64]) -> Sequence[T]:
    """Return the items of a sequence at the positions of a batch."""
    if isinstance(places, slice):
        return values[places]
    if isinstance(values, Records):
        return values.at(places.tolist())
    return [values[i] for i in places.tolist()]


def joined_items(parts: Sequence[Sequence[T]]) -> Sequence[T]:
    """Return the items of several sequences in order; what lies on disk is left there."""
    if any(isinstance(part, Records) for part in parts):
        return Records.joined(parts)
    return [item for part in parts for item in part]


def parts_of(batches: Iterable[E]) -> list[E]:
    """The batches to join. Raises ``InputError`` where there are none."""
    parts = list(batches)
    if not parts:
        raise InputError("there is no batch to join: give at least one")
    return parts
