"""NumPy arrays in files that may be damaged, or that somebody else made.

NumPy reads the head of a file as Python, and makes room for what that says. Here it must be as
``numpy.save`` writes it, and the file as long as it says, before anything is mapped or read.

>>> import io
>>> file = io.BytesIO()
>>> np.save(file, np.arange(3))
>>> size = file.tell()
>>> _ = file.seek(0)
>>> read_array(file, size)
array([0, 1, 2])
>>> _ = file.seek(0)
>>> read_array(file, size - 8)
Traceback (most recent call last):
...
ValueError: it has 144 bytes, and its head says 152
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.storage.reading import open_plain

__all__ = ["load_array", "map_array", "read_array"]

#: Of version 1.0, which all arrays get whose head is below 64 KiB.
_MAGIC: Final = b"\x93NUMPY\x01\x00"
_HEAD: Final = re.compile(
    rb"\{'descr': '([<>|=][biufcUS][0-9]{1,6})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,15}(?:, [0-9]{1,15})*,?)?)\), \} *\n"
)


class _Head(NamedTuple):
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    #: Where the numbers begin.
    offset: int

    @property
    def order(self) -> str:
        return "F" if self.fortran else "C"


def load_array(path: Path) -> npt.NDArray[Any]:
    """Read an array. Raises ``OSError``, or ``ValueError`` for what is none as it was saved."""
    with open_plain(path) as file:
        return read_array(file, os.fstat(file.fileno()).st_size)


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map an array from disk, to be read where it lies; raises what ``load_array`` does."""
    with open_plain(path) as file:
        head = _head(file, os.fstat(file.fileno()).st_size)
        if not math.prod(head.shape):
            return np.empty(head.shape, head.dtype)
        given = {"offset": head.offset, "shape": head.shape, "order": head.order}
        return np.memmap(file, head.dtype, mode="r", **given)  # type: ignore[call-overload, no-any-return]


def read_array(file: IO[bytes], size: int) -> npt.NDArray[Any]:
    """Read an array from a stream of so many bytes; raises what ``load_array`` does."""
    head = _head(file, size)
    numbers = np.frombuffer(bytearray(file.read(size - head.offset)), head.dtype)
    if numbers.size != math.prod(head.shape):
        raise ValueError("it ends too early")
    return numbers.reshape(head.shape, order="F" if head.fortran else "C")


def _head(file: IO[bytes], size: int) -> _Head:
    """Read the head of a file of so many bytes, which must be as long as that says."""
    start = file.read(len(_MAGIC) + 2)
    if not start.startswith(_MAGIC) or len(start) < len(_MAGIC) + 2:
        raise ValueError("it is no NumPy array")
    length = int.from_bytes(start[len(_MAGIC) :], "little")
    match = _HEAD.fullmatch(file.read(length))
    if match is None:
        raise ValueError("its head is not one that NumPy writes")
    dtype = np.dtype(match[1].decode())
    shape = tuple(int(one) for one in re.findall(rb"[0-9]+", match[3]))
    head = _Head(dtype, shape, match[2] == b"True", len(start) + length)
    expected = head.offset + math.prod(shape) * dtype.itemsize
    if size != expected:
        raise ValueError(f"it has {size} bytes, and its head says {expected}")
    return head
