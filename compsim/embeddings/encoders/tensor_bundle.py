"""Checkpoints of TensorFlow, read without it: the tensors that ``tf.train.Saver`` has written.

A checkpoint ``NAME`` is ``NAME.index``, a sorted table of the tensors' types, shapes and offsets,
and ``NAME.data-00000-of-00001`` (or several of these) with their numbers. The table is LevelDB's:
blocks of keys that share beginnings, found through an index block, which the last 48 bytes name.
Numbers are mapped from disk. Source: tensorflow/core/util/tensor_bundle and lib/io/table_format.

>>> sorted(open_checkpoint("model.ckpt-500").names)  # doctest: +SKIP
['encoder/fw/gru_cell/candidate/bias', ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.storage.reading import read_plain

__all__ = ["Checkpoint", "open_checkpoint"]

_MAGIC: Final = (0xDB4775248B80FB57).to_bytes(8, "little")
_FOOTER: Final = 48
#: Behind each block: whether it is compressed, and a checksum.
_TRAILER: Final = 5
#: TensorFlow's numbers of types.
_TYPES: Final = {1: "<f4", 2: "<f8", 3: "<i4", 9: "<i8"}
#: The file in a folder that names its newest checkpoint.
_POINTER: Final = "checkpoint"
_NEWEST: Final = re.compile(r'^model_checkpoint_path: "([^"]+)"', re.MULTILINE)


class _Entry(NamedTuple):
    """A tensor: its type and shape, and where in which file its numbers lie."""

    kind: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int


class Checkpoint:
    """The tensors of a checkpoint by name.

    Attributes:
        path: The checkpoint's path, without the endings of its files.
        names: The names of the tensors.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        index = path.with_name(f"{path.name}.index")
        try:
            self._entries, self._shards = _read_index(read_plain(index))
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise DataError(
                f"{index} is not the index of a TensorFlow checkpoint ({why}): give the path of a "
                "checkpoint without its endings, or the folder that holds one"
            ) from error
        self.names = tuple(self._entries)

    @property
    def files(self) -> list[Path]:
        """The files of the checkpoint: its index and its data."""
        names = [f"{self.path.name}.index", *map(self._shard, range(self._shards))]
        return [self.path.with_name(name) for name in names]

    def tensor(self, name: str) -> npt.NDArray[Any]:
        """Return a tensor, mapped from disk.

        Raises ``DataError`` where there is none of this name, or it cannot be read.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise DataError(f"the checkpoint {self.path} has no tensor {name!r}: give another one")
        try:
            dtype = np.dtype(_TYPES[entry.kind])
            count = int(np.prod(entry.shape, dtype=np.int64))
            if entry.size != count * dtype.itemsize:
                raise ValueError(f"it has {entry.size} bytes for {count} numbers")
            if not count:
                return np.empty(entry.shape, dtype)
            file = self.path.with_name(self._shard(entry.shard))
            return np.memmap(file, dtype, mode="r", offset=entry.offset, shape=entry.shape)
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"the tensor {name!r} of {self.path} cannot be read ({error}): get the checkpoint "
                "again"
            ) from error

    def _shard(self, number: int) -> str:
        return f"{self.path.name}.data-{number:05}-of-{self._shards:05}"


def open_checkpoint(path: Path) -> Checkpoint:
    """Return a checkpoint, or the newest one of a folder.

    Raises ``DataError`` where there is none.
    """
    if path.is_dir():
        pointer = path / _POINTER
        try:
            newest = _NEWEST.search(read_plain(pointer).decode("utf-8", "replace"))
        except OSError:
            newest = None
        if newest is None:
            raise DataError(
                f"the folder {path} has no file 'checkpoint' that names one: give the path of a "
                "checkpoint without its endings"
            )
        # Where the model was trained is another machine's path.
        path = path / Path(newest[1]).name
    return Checkpoint(path)


def _read_index(data: bytes) -> tuple[dict[str, _Entry], int]:
    """Return the tensors by name and the number of data files; ``ValueError`` for no index."""
    if len(data) < _FOOTER or not data.endswith(_MAGIC):
        raise ValueError("its end is not that of one")
    footer, place = data[-_FOOTER:], 0
    for _ in range(2):  # the block of what else is told, which is empty
        _, place = _varint(footer, place)
    offset, place = _varint(footer, place)
    size, _ = _varint(footer, place)
    entries: dict[str, _Entry] = {}
    shards = 1
    for _, handle in _block(data, offset, size):
        start, place = _varint(handle, 0)
        length, _ = _varint(handle, place)
        for key, value in _block(data, start, length):
            if key:
                entries[key.decode("utf-8")] = _entry(value)
            else:
                shards = int(_fields(value).get(1, [1])[-1])
    return entries, shards


def _block(data: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys and values of a block; each key begins as the one before it does."""
    if offset + size + _TRAILER > len(data):
        raise ValueError("it ends too early")
    if data[offset + size]:
        raise ValueError("it is compressed")
    block = data[offset : offset + size]
    restarts = int.from_bytes(block[-4:], "little")
    end, place, key = len(block) - 4 * (restarts + 1), 0, b""
    while place < end:
        shared, place = _varint(block, place)
        more, place = _varint(block, place)
        length, place = _varint(block, place)
        key = key[:shared] + block[place : place + more]
        place += more
        yield key, block[place : place + length]
        place += length


def _entry(value: bytes) -> _Entry:
    """Return what a record says of a tensor."""
    fields = _fields(value)
    if 7 in fields:
        raise ValueError("it has tensors in slices")
    shape = _fields(fields.get(2, [b""])[-1])
    sizes = tuple(_fields(dim).get(1, [0])[-1] for dim in shape.get(2, []))
    kind, shard, offset, size = (fields.get(number, [0])[-1] for number in (1, 3, 4, 5))
    return _Entry(kind, sizes, shard, offset, size)


def _fields(data: bytes) -> dict[int, list[Any]]:
    """Return the fields of a protocol buffer by number: integers, and bytes where they are long."""
    fields: dict[int, list[Any]] = {}
    place = 0
    while place < len(data):
        tag, place = _varint(data, place)
        number, kind = tag >> 3, tag & 7
        value: Any
        if kind == 0:
            value, place = _varint(data, place)
        elif kind == 2:
            length, place = _varint(data, place)
            value, place = data[place : place + length], place + length
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
            value, place = int.from_bytes(data[place : place + length], "little"), place + length
        else:
            raise ValueError("a record of it is damaged")
        if place > len(data):
            raise ValueError("a record of it ends too early")
        fields.setdefault(number, []).append(value)
    return fields


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return a number in groups of seven bits, lowest first, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
        if shift > 63:
            raise ValueError("a number of it is too long")
