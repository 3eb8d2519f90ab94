"""Arrays with a stretch of rows for each sentence, beside one another.

>>> import numpy as np
>>> words = Ragged(np.array([0, 2, 3]), {"code": np.array([7, 8, 9])})
>>> words[np.array([1, 0])].columns["code"].tolist()
[9, 7, 8]
>>> words.joined([words]).indptr.tolist()
[0, 2, 3, 5, 6]

A column may be ragged itself, with a stretch for each row: sentences have frames, frames phrases.

>>> frames = Ragged(np.array([0, 1, 2]), {"phrase": words})
>>> frames[np.array([1])].columns["phrase"].columns["code"].tolist()
[9]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

__all__ = ["Array", "Column", "Ragged", "Rows", "read_only"]

Array: TypeAlias = npt.NDArray[Any]
Rows: TypeAlias = slice | npt.NDArray[np.int64]
Column: TypeAlias = "Array | Ragged"


class Ragged:
    """Columns that run side by side, with a stretch for each sentence.

    ``indptr`` int64 (n + 1): sentence i has the rows ``indptr[i]:indptr[i + 1]`` of each column.
    Raises ``InputError`` for columns that do not fit it.
    """

    def __init__(self, indptr: Array, columns: Mapping[str, Column]) -> None:
        starts = np.asarray(indptr)
        whole = starts.dtype.kind in "iu"
        self.indptr = np.ascontiguousarray(starts if whole else [], dtype=np.int64)
        self.columns: dict[str, Any] = {
            name: column if isinstance(column, Ragged) else np.ascontiguousarray(column)
            for name, column in columns.items()
        }
        fits = (
            self.indptr.ndim == 1
            and len(self.indptr) > 0
            and self.indptr[0] == 0
            and bool((np.diff(self.indptr) >= 0).all())
            and all(len(column) == self.indptr[-1] for column in self.columns.values())
        )
        if not fits:
            raise InputError(
                "the arrays of a batch do not fit together: indptr runs from 0 to the "
                "number of rows of each column"
            )

    @classmethod
    def single(cls, columns: Mapping[str, Array]) -> Ragged:
        """Return columns that have one row for each sentence."""
        return cls(np.arange(len(next(iter(columns.values()))) + 1), columns)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, rows: Rows) -> Ragged:
        """The stretches of these sentences; a slice of step 1 shares the memory of the whole."""
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self))
            first, last = self.indptr[start], self.indptr[stop]
            inner: Rows = slice(int(first), int(last))
            indptr = self.indptr[start : stop + 1] - first
        else:
            length = self.indptr[rows + 1] - self.indptr[rows]
            indptr = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
            inner = np.arange(indptr[-1]) + np.repeat(self.indptr[rows] - indptr[:-1], length)
        return Ragged(indptr, {name: column[inner] for name, column in self.columns.items()})

    def joined(self, others: Iterable[Ragged]) -> Ragged:
        """This and the others, in order."""
        parts = [self, *others]
        lengths = np.concatenate([np.diff(part.indptr) for part in parts])
        columns: dict[str, Column] = {}
        for name, column in self.columns.items():
            rest = [part.columns[name] for part in parts[1:]]
            nested = isinstance(column, Ragged)
            columns[name] = column.joined(rest) if nested else np.concatenate([column, *rest])
        return Ragged(np.concatenate([[0], np.cumsum(lengths)]), columns)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """``indptr`` and the columns as the kernels take them, a ragged column in its turn.

        They are read-only whether or not they are mapped from disk, so that a kernel is compiled
        for one kind of array only.
        """
        return tuple(read_only(array) for _, array in self.named())

    def named(self, name: str = "") -> Iterator[tuple[str, Array]]:
        """Each array by its name, those of a ragged column behind the column's and a point."""
        yield f"{name}indptr", self.indptr
        for column, values in self.columns.items():
            if isinstance(values, Ragged):
                yield from values.named(f"{name}{column}.")
            else:
                yield name + column, values

    @classmethod
    def of_named(cls, arrays: Mapping[str, Array], name: str = "") -> Ragged:
        """Return the ragged array whose parts ``named`` stored under names with this prefix."""
        own = {key.removeprefix(name): a for key, a in arrays.items() if key.startswith(name)}
        columns: dict[str, Column] = {}
        for key, array in own.items():
            column, point, _ = key.partition(".")
            if point and column not in columns:
                columns[column] = cls.of_named(own, f"{column}.")
            elif not point and key != "indptr":
                columns[column] = array
        return cls(own["indptr"], columns)


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written to."""
    view = np.asarray(array).view(np.ndarray)
    view.flags.writeable = False
    return view
