"""Encoded batches on disk: a folder of ``.npy`` files that can be memory-mapped.

What the sentences were, parses or texts, lies as JSON, one record behind another, in
``records.npy``, so that one is read without the others. ``batch.json`` has a checksum of each array
and of itself: a batch that was damaged is refused, it never gives other scores.

>>> import tempfile
>>> import numpy as np
>>> stored = Stored({"code": np.array([7, 8])}, {"space": "toy"}, ["Cats sleep.", "Dogs bark."])
>>> with tempfile.TemporaryDirectory() as folder:
...     save(Path(folder) / "batch", "codes", stored)
...     load(Path(folder) / "batch", "codes", lambda stored: stored.records[1], mmap=False)
'Dogs bark.'
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from compsim.errors import CompsimError, DataError
from compsim.storage.arrays import load_array, map_array
from compsim.storage.checksums import file_checksum, json_checksum
from compsim.storage.files import whole_folder
from compsim.storage.reading import open_plain
from compsim.storage.scratch import recover

__all__ = ["Records", "Stored", "load", "save"]

_FORMAT: Final = "compsim batch 6"
_EARLIER: Final = (
    *("compsim role batch 1", "compsim graph batch 1"),
    *("compsim batch 2", "compsim batch 3", "compsim batch 4", "compsim batch 5"),
)
_META: Final = "batch.json"
#: The names of arrays: none leads out of the folder.
_ARRAY: Final = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.-]*")

T = TypeVar("T")
B = TypeVar("B")


class Stored(NamedTuple):
    """Stored batch: arrays by name, JSON details, one JSON value for each sentence.

    ``verified``: all of it is as it was saved.
    """

    arrays: Mapping[str, npt.NDArray[Any]]
    details: Mapping[str, Any]
    records: Sequence[Any]
    verified: bool = True


class Records(Sequence[T], Generic[T]):
    """Values made one at a time, from what a folder or a batch holds, when they are asked for."""

    def __init__(self, records: Sequence[Any], read: Callable[[Any], T]) -> None:
        self._records = records
        self._read = read

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return Records(self._records[index], self._read)
        return self._read(self._records[index])

    def at(self, places: Sequence[int]) -> Records[T]:
        """The values at these places, which are made no sooner."""
        return Records(_Chosen(self._records, places), self._read)

    @classmethod
    def joined(cls, parts: Sequence[Sequence[T]]) -> Records[T]:
        """The values of several sequences, in order, which are made no sooner."""
        return Records(_Joined(parts), _itself)


def _itself(value: T) -> T:
    return value


class _Joined(Sequence[Any]):
    """Several sequences, one behind another."""

    def __init__(self, parts: Sequence[Sequence[Any]]) -> None:
        self._parts = parts
        self._ends = list(accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Chosen(self, range(len(self))[index])
        place = range(len(self))[index]
        part = bisect_right(self._ends, place)
        return self._parts[part][place - (self._ends[part - 1] if part else 0)]


class _Chosen(Sequence[Any]):
    """Some of a sequence, by their places there."""

    def __init__(self, values: Sequence[Any], places: Sequence[int]) -> None:
        self._values = values
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Chosen(self._values, self._places[index])
        return self._values[self._places[index]]


def save(path: Path, kind: str, stored: Stored) -> None:
    """Write a batch to a new folder and put that in place of what was at the path.

    Raises ``DataError`` where something else than a batch is there, or nothing can be written.
    """
    try:
        _save(path, kind, stored)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{str(path)!r} can not be written ({getattr(error, 'strerror', None) or error}); free "
            "some space or give another path"
        ) from error


def _is_other(path: Path) -> bool:
    """Return whether the path holds something else than a batch, also while others replace it."""
    while True:
        try:
            result = path.stat().st_ino
            if (path / _META).is_file():
                return False
            # A folder that was replaced meanwhile says nothing about the one that is there now.
            if path.stat().st_ino == result:
                return True
        except FileNotFoundError:
            return False


def _save(path: Path, kind: str, stored: Stored) -> None:
    if _is_other(path):
        raise DataError(f"{path} is there already and is not a batch: give another path")
    lines = [json.dumps(record).encode() for record in stored.records]
    arrays = {
        **stored.arrays,
        "records": np.array(bytearray(b"".join(lines)), dtype=np.uint8),
        "records_end": np.cumsum([len(line) for line in lines], dtype=np.int64),
    }
    meta: dict[str, Any] = {
        "format": _FORMAT,
        "kind": kind,
        "details": dict(stored.details),
    }
    with whole_folder(path) as folder:
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        meta["arrays"] = {name: file_checksum(folder / f"{name}.npy") for name in arrays}
        meta["checksum"] = json_checksum(meta)
        (folder / _META).write_text(json.dumps(meta), encoding="utf-8")


def load(path: Path, kind: str, build: Callable[[Stored], B], mmap: bool, verify: bool = True) -> B:
    """Read a batch and build what it was; its arrays are mapped from disk where ``mmap`` says so.

    Without ``verify`` the checksums of the arrays are not looked at, so that they need not be read
    at once. Raises ``DataError`` for what is not a batch of this kind, is not as it was saved, or
    cannot be built.
    """
    recover(path)
    try:
        with open_plain(path / _META) as content:
            meta: dict[str, Any] = json.loads(content.read())
        result = meta.get("format") if isinstance(meta, dict) else None
        if result in _EARLIER:
            raise DataError(
                f"{path} was saved by an earlier release of compsim: encode and save it again"
            )
        if result != _FORMAT:
            raise DataError(f"{path} is not a batch of this version: encode and save it again")
        if meta.pop("checksum", None) != json_checksum(meta):
            raise ValueError(f"{_META} is not as it was saved")
        if meta["kind"] != kind:
            raise DataError(
                f"{path} holds a batch of {meta['kind']}, not of {kind}: load it with the method "
                "that made it"
            )

        if not all(map(_ARRAY.fullmatch, meta["arrays"])):
            raise ValueError(f"{_META} names files that are not its own")

        def read(name: str) -> npt.NDArray[Any]:
            file = path / f"{name}.npy"
            if verify and file_checksum(file) != meta["arrays"][name]:
                raise ValueError(f"{file.name} is not as it was saved")
            try:
                return map_array(file) if mmap else load_array(file)
            except ValueError as error:
                raise ValueError(f"{file.name}: {error}") from error

        arrays = {name: read(name) for name in meta["arrays"]}
        text, end = arrays.pop("records"), arrays.pop("records_end")
        _check_records(text, end)

        def record(row: int) -> Any:
            part = text[end[row - 1] if row else 0 : end[row]].tobytes()
            try:
                return json.loads(part)
            except ValueError as error:
                raise DataError(f"{path}: record {row} is damaged: save the batch again") from error

        records = Records(range(len(end)), record)
        return build(Stored(arrays, meta["details"], records, verify))
    except DataError:
        raise
    except (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, IndexError),
        *(RecursionError, MemoryError, CompsimError),
    ) as error:
        raise DataError(
            f"{path} cannot be read as a batch ({error}): encode and save it again"
        ) from error


def _check_records(text: npt.NDArray[Any], end: npt.NDArray[Any]) -> None:
    """Raise ``ValueError`` for ends of records that are no places in the text, in order."""
    kinds = text.dtype == np.uint8 and end.dtype == np.int64 and text.ndim == end.ndim == 1
    if not kinds or (np.diff(end, prepend=0) < 0).any() or (len(end) and end[-1] != len(text)):
        raise ValueError("the records do not fit together")
