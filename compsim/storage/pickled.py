"""Pickles of plain data and of arrays of numbers, read without importing or calling what they name.

A pickle is a program, and ``pickle.load`` runs it. Here containers, texts and numbers come out as
they are, arrays of numbers are made again by this module, and any other name is an error. Pickles
of Python 2 are read too: its byte strings become text.

>>> import io, pickle
>>> load_plain(io.BytesIO(pickle.dumps({"words": ["a", "b"], "vector": np.ones(2)}, 2)))
{'words': ['a', 'b'], 'vector': array([1., 1.])}
>>> load_plain(io.BytesIO(pickle.dumps(print)))
Traceback (most recent call last):
...
ValueError: it names builtins.print, which is neither plain data nor an array
"""

from __future__ import annotations

import math
import pickle
import re
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["load_object_rows", "load_plain"]

#: What reading a damaged pickle raises.
_DAMAGED: Final = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError,
    MemoryError, OverflowError, RecursionError, TypeError,
)  # fmt: skip
_NUMBERS: Final = re.compile(r"[<>|=]?[biuf][0-9]{1,2}")
#: The head of a file of ``numpy.save`` that holds a pickled array of objects.
_MAGIC: Final = b"\x93NUMPY\x01\x00"
_OBJECTS: Final = re.compile(rb"\{'descr': '\|?O[48]?', .*\} *\n", re.DOTALL)


def load_plain(file: IO[bytes], encoding: str = "latin1") -> Any:
    """Return what a pickle of plain data holds, its arrays as NumPy's.

    Args:
        file: The pickle, read from where the stream stands.
        encoding: That of the byte strings of Python 2. Arrays of Python 2 need "latin1".

    Raises:
        ValueError: It is damaged, or names what is neither plain data nor an array of numbers.
    """
    return _finished(_load(file, encoding))


def load_object_rows(file: IO[bytes]) -> npt.NDArray[np.float32]:
    """Return the rows, float32 (n, dim), of an array of n arrays that ``numpy.save`` has pickled.

    Raises ``ValueError`` for what is no such file, and for rows of unlike lengths.
    """
    start = file.read(len(_MAGIC) + 2)
    head = file.read(int.from_bytes(start[len(_MAGIC) :], "little"))
    if not start.startswith(_MAGIC) or not _OBJECTS.fullmatch(head):
        raise ValueError("it is no array of objects as NumPy writes it")
    array = _load(file, "latin1")
    if not isinstance(array, _Array) or not isinstance(array.content, list):
        raise ValueError("it is no array of objects as NumPy writes it")
    rows = array.content
    first = rows[0].numbers().size if rows and isinstance(rows[0], _Array) else 0
    result = np.empty((len(rows), first), dtype=np.float32)
    for place, row in enumerate(rows):
        if not isinstance(row, _Array) or (numbers := row.numbers()).size != first:
            raise ValueError(f"its row {place} is not {first} numbers")
        result[place] = numbers.reshape(-1)
    return result


def _load(file: IO[bytes], encoding: str) -> Any:
    try:
        return _Unpickler(file, encoding=encoding, errors="surrogateescape").load()
    except _DAMAGED as error:
        raise ValueError(str(error) or type(error).__name__) from error


class _Type:
    """The type of an array: its name and the order of its bytes."""

    def __init__(self, name: str = "", *_: Any) -> None:
        self.name = name

    def __setstate__(self, state: Any) -> None:
        order = state[1] if isinstance(state, tuple) and len(state) > 1 else "="
        self.name = f"{order}{self.name}" if order in ("<", ">") else self.name


class _Array:
    """An array whose numbers are made when the whole pickle is read."""

    def __init__(self, *_: Any) -> None:
        self.shape: Any = ()
        self.type: Any = None
        self.fortran = False
        self.content: Any = b""

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) != 5:
            raise pickle.UnpicklingError("an array in it is not as NumPy writes it")
        _, self.shape, self.type, self.fortran, self.content = state

    def numbers(self) -> npt.NDArray[Any]:
        """Return the array; raises ``ValueError`` where it is none of numbers."""
        name = getattr(self.type, "name", "")
        content = self.content
        if isinstance(content, str):  # bytes of Python 2, read as Latin-1
            content = content.encode("latin1")
        shape = self.shape
        sizes = isinstance(shape, tuple) and all(type(one) is int and one >= 0 for one in shape)
        if not (isinstance(name, str) and _NUMBERS.fullmatch(name)) or not sizes:
            raise ValueError("an array in it is none of numbers")
        numbers = np.frombuffer(content, np.dtype(name))
        if numbers.size != math.prod(shape):
            raise ValueError("an array in it has not as many numbers as it says")
        return numbers.reshape(shape, order="F" if self.fortran else "C")


def _bytes(text: str, encoding: str = "latin1") -> bytes:
    """Return the bytes that Python 3 writes as text in pickles for Python 2."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"bytes in it are written in {encoding}")
    return text.encode("latin1")


_NAMES: Final = {
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Type,
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy._core.multiarray", "_reconstruct"): _Array,
    ("_codecs", "encode"): _bytes,
    ("__builtin__", "bytes"): bytes,  # of no arguments: those of an empty array
}


class _Unpickler(pickle.Unpickler):
    """An unpickler that knows the names of arrays, and gives its own makers for them."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the maker of an array; any other name is refused."""
        try:
            return _NAMES[module, name]
        except KeyError:
            raise pickle.UnpicklingError(
                f"it names {module}.{name}, which is neither plain data nor an array"
            ) from None


def _finished(value: Any) -> Any:
    """Return a value with the arrays in its lists, tuples and dictionaries made."""
    if isinstance(value, _Array):
        return value.numbers()
    if isinstance(value, dict):
        return {key: _finished(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finished(one) for one in value]
    if isinstance(value, tuple):
        return tuple(map(_finished, value))
    return value
