"""Read the word-vector files of other makers.

:func:`convert` reads the official Numberbatch file (English or multilingual, where only the English
entries are kept), word2vec text and binary, and GloVe text, each plain or gzipped, in one pass.
:func:`ensure_table` does that once and keeps the result as a table folder.

>>> import pathlib, tempfile
>>> from compsim.vectors.files import convert
>>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.txt")
>>> _ = file.write_text("2 3\\ncat 1 0 0\\ndog 0 1 0\\n")
>>> convert(file)[0]
['cat', 'dog']
"""

from __future__ import annotations

import gzip
import os
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.storage.files import file_lock, file_sha256, write_json
from compsim.storage.reading import lines_of, open_plain
from compsim.vectors.table import LARGEST, read_meta, usable, write_table

__all__ = ["convert", "ensure_table"]

_CONCEPT, _ENGLISH = b"/c/", b"/c/en/"
_NUMBER = np.dtype("<f4")

#: Digits of a number of words, and numbers of a vector, that a header may promise.
_DIGITS, _WIDEST = 12, 1 << 20


def ensure_table(source: Path, folder: Path, *, name: str) -> Path:
    """Convert ``source`` into ``folder`` unless that was done already, and return ``folder``.

    The table counts as current while the source has the size and time, or else the SHA-256, that
    it had when it was converted. Processes that ask at the same time wait for the first of them.
    """
    if os.path.isdir(source):  # which takes a path of any length
        raise DataError(f"{source} is a folder without a vector table; name a vector file")
    try:
        with open_plain(source):  # a device or a pipe would be hashed for ever
            stat = source.stat()
        if _is_current(folder, stat):
            return folder
        with file_lock(folder.with_name(folder.name + ".lock")):
            if _is_current(folder, stat):
                return folder
            seen = {
                "file": source.name,
                "size": stat.st_size,
                "mtime_ns": stat.st_mtime_ns,
                "sha256": file_sha256(source),
            }
            meta = read_meta(folder)
            if meta.get("source", {}).get("sha256") == seen["sha256"]:
                write_json(folder / "meta.json", meta | {"source": seen})
            else:
                words, matrix = convert(source)
                write_table(folder, words, matrix, name=name, source=seen)
    except FileNotFoundError as error:
        raise DataError(f"there is no vector file at {source}; check the path") from error
    except OSError as error:
        raise DataError(
            f"{source} could not be converted into {folder} ({error.strerror or error}); check "
            "that both can be used, or name another folder in COMPSIM_HOME"
        ) from error
    return folder


def convert(source: str | Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Read a foreign vector file: its words and its vectors (n, dim) float32.

    Of a word that is repeated the first line is taken, and a warning counts such lines. Raises
    ``DataError``, naming the file and where possible the line, for a file that is missing, empty,
    truncated, not a vector file, or that holds NaN or infinite values.
    """
    source = Path(source)
    try:
        with _opened(source) as handle:
            rows = _read(handle, source)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{source} is truncated or damaged ({error}); get it again") from error
    except FileNotFoundError as error:
        raise DataError(f"there is no vector file at {source}; check the path") from error
    if rows.repeated:
        warnings.warn(
            f"{source} repeats {rows.repeated} words: the first line of each is taken", stacklevel=3
        )
    words = list(rows.lines)
    matrix = np.frombuffer(rows.numbers, dtype=_NUMBER).reshape(len(words), -1)
    bad = np.flatnonzero(~usable(matrix))
    if bad.size:
        word = words[int(bad[0])]
        where = f"(line {rows.lines[word]}) " if rows.lines[word] else ""
        raise DataError(
            f"{source}: the vector of {word!r} {where}holds NaN, infinite values or some beyond "
            f"{LARGEST:g}; repair or remove it"
        )
    return words, matrix.astype(np.float32, copy=False)


class _Rows:
    """Words read so far: the line of each (0 in a binary file) and all vectors in a row."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.numbers = bytearray()
        self.repeated = 0

    def add(self, word: str, vector: bytes | memoryview, line: int = 0) -> None:
        if word in self.lines:
            self.repeated += 1
        else:
            self.lines[word] = line
            self.numbers += vector


def _read(handle: IO[bytes], source: Path) -> _Rows:
    first, second = handle.readline(1 << 20), handle.readline(1 << 20)
    if not first.strip():
        raise DataError(f"{source} is empty; name a file of word vectors")
    handle.seek(0)
    declared = _header(first)
    if declared is None:
        dim = first.rstrip().count(b" ")
        if not _is_row(first, dim):
            raise DataError(
                f"{source}, line 1: neither a word2vec header nor a word and its vector; name a "
                "file of word vectors (word2vec text or binary, GloVe, Numberbatch)"
            )
        return _read_text(handle, source, None, dim, english_only=first.startswith(_CONCEPT))
    words, dim = declared
    if _is_row(second, dim):
        return _read_text(handle, source, words, dim, english_only=second.startswith(_CONCEPT))
    if b"\0" not in second and second.count(b" ") > dim // 2 and _is_text(second):
        raise _short_row(source, 2, second, dim)
    return _read_binary(handle, source, words, dim)


def _read_text(
    handle: IO[bytes], source: Path, declared: int | None, dim: int, *, english_only: bool
) -> _Rows:
    rows = _Rows()
    there = 0
    lines = enumerate(lines_of(handle, source), start=1)
    if declared is not None:
        next(lines)
    for number, line in lines:
        row = line.rstrip()
        if not row:
            continue
        if row.count(b" ") != dim:
            raise _short_row(source, number, row, dim)
        there += 1
        if english_only:
            if not row.startswith(_ENGLISH):
                continue
            row = row.removeprefix(_ENGLISH)
        word, *fields = row.decode("utf-8", "replace").split(" ")
        try:
            with np.errstate(over="ignore"):  # becomes infinite, of which convert tells
                vector = np.array(fields, dtype=_NUMBER)
        except ValueError as error:
            raise DataError(f"{source}, line {number}: {error}; get the file again") from error
        rows.add(word, vector.data, number)
    if declared is not None and there != declared:
        raise DataError(
            f"{source}: the header promises {declared} words and the file holds {there}; it is "
            "truncated or its header is wrong, so get it again"
        )
    if not rows.lines:
        raise DataError(f"{source} holds no English entries (/c/en/...); get one that does")
    return rows


def _read_binary(handle: IO[bytes], source: Path, words: int, dim: int) -> _Rows:
    rows = _Rows()
    handle.readline()
    for number in range(1, words + 1):
        word = bytearray()
        while (byte := handle.read(1)) != b" ":
            word += byte
            if not byte or len(word) > 10_000:
                raise DataError(
                    f"{source} ends or is damaged at word {number} of the {words} that its "
                    "header promises, or is no vector file; get it again"
                )
        vector = handle.read(dim * _NUMBER.itemsize)
        if len(vector) != dim * _NUMBER.itemsize:
            raise DataError(
                f"{source} is truncated in word {number} of the {words} that its header "
                "promises; get it again"
            )
        # Some writers end each vector with a line feed, which then stands before the next word.
        rows.add(word.decode("utf-8", "replace").lstrip("\n"), vector)
    if handle.read(2).strip():
        raise DataError(
            f"{source} goes on after the {words} words that its header promises; the header "
            "is wrong or the file damaged, so get it again"
        )
    return rows


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with open_plain(path) as raw:
        gzipped = raw.read(2) == b"\x1f\x8b"
    opener: Callable[..., Any] = gzip.open if gzipped else open
    if gzipped and path.suffix != ".gz":
        raise DataError(f"{path} is gzipped; let its name end in .gz")
    with opener(path, "rb") as handle:
        yield handle


def _header(line: bytes) -> tuple[int, int] | None:
    fields = line.split()
    counts = len(fields) == 2 and all(x.isdigit() and len(x) <= _DIGITS for x in fields)
    if counts and 0 < int(fields[1]) <= _WIDEST:
        return int(fields[0]), int(fields[1])
    return None


def _is_row(line: bytes, dim: int) -> bool:
    fields = line.rstrip().split(b" ")
    if len(fields) != dim + 1 or dim < 2:
        return False
    try:
        [float(x) for x in fields[1:]]
    except ValueError:
        return False
    return True


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _short_row(source: Path, number: int, line: bytes, dim: int) -> DataError:
    word = line.split(b" ", 1)[0].decode("utf-8", "replace")[:40]
    return DataError(
        f"{source}, line {number}: {line.rstrip().count(b' ')} values for {word!r} instead of "
        f"{dim}; the file is truncated or malformed, so get it again"
    )


def _is_current(folder: Path, stat: os.stat_result) -> bool:
    seen = read_meta(folder).get("source", {})
    return (seen.get("size"), seen.get("mtime_ns")) == (stat.st_size, stat.st_mtime_ns)
