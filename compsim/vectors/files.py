"""Read the word-vector files of other makers.

:func:`convert` reads the official Numberbatch file (English or multilingual, where only the English
entries are kept), word2vec text and binary, and GloVe text, each plain or gzipped, with gensim.
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
import shutil
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, MissingExtraError
from compsim.storage.files import file_lock, file_sha256, write_json
from compsim.storage.reading import lines_of
from compsim.vectors.table import LARGEST, read_meta, usable, write_table

__all__ = ["convert", "ensure_table"]

_ENGLISH = b"/c/en/"


def ensure_table(source: Path, folder: Path, *, name: str) -> Path:
    """Convert ``source`` into ``folder`` unless that was done already, and return ``folder``.

    The table counts as current while the source has the size and time, or else the SHA-256, that
    it had when it was converted. Processes that ask at the same time wait for the first of them.
    """
    if source.is_dir():
        raise DataError(f"{source} is a folder without a vector table; name a vector file")
    try:
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
    """Read a foreign vector file with gensim: its words and its vectors (n, dim) float32.

    Of a word that is repeated the first line is taken, and a warning counts such lines. Raises
    ``DataError``, naming the file and where possible the line, for a file that is missing, empty,
    truncated, not a vector file, or that holds NaN or infinite values.
    """
    source = Path(source)
    scratch: Path | None = None
    try:
        layout = _inspect(source)
        if layout.english_only:
            scratch = Path(tempfile.mkdtemp(prefix="compsim-")) / "english.txt"
            _extract_english(source, scratch, layout)
        words, matrix = _read_with_gensim(scratch or source, source, layout)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{source} is truncated or damaged ({error}); get it again") from error
    except FileNotFoundError as error:
        raise DataError(f"there is no vector file at {source}; check the path") from error
    finally:
        if scratch is not None:
            shutil.rmtree(scratch.parent, ignore_errors=True)
    bad = np.flatnonzero(~usable(matrix))
    if bad.size:
        word = words[int(bad[0])]
        key = word.encode("utf-8") + b" "
        line = _line_where(source, layout, lambda line: line.removeprefix(_ENGLISH).startswith(key))
        where = f"({line}) " if line else ""
        raise DataError(
            f"{source}: the vector of {word!r} {where}holds NaN, infinite values or some beyond "
            f"{LARGEST:g}; repair or remove it"
        )
    return words, matrix


@dataclass(frozen=True, slots=True)
class _Layout:
    binary: bool
    header: bool
    english_only: bool
    words: int
    dim: int


def _inspect(source: Path) -> _Layout:
    """Walk over the file once, without reading numbers: what it is, and whether it is whole."""
    with _opened(source) as handle:
        first = handle.readline(1 << 20)
        if not first.strip():
            raise DataError(f"{source} is empty; name a file of word vectors")
        declared = _header(first)
        second = handle.readline(1 << 20) if declared else first
        if declared is None and not _is_row(first, first.rstrip().count(b" ")):
            raise DataError(
                f"{source}, line 1: neither a word2vec header nor a word and its vector; name a "
                "file of word vectors (word2vec text or binary, GloVe, Numberbatch)"
            )
        dim = declared[1] if declared else first.rstrip().count(b" ")
        if declared and not _is_row(second, dim):
            if b"\0" not in second and second.count(b" ") > dim // 2 and _is_text(second):
                raise _short_row(source, 2, second, dim)
            return _Layout(True, True, False, *_walk_binary(source, declared))
    rows = english = 0
    with _opened(source) as handle:
        if declared:
            handle.readline()
        for number, line in enumerate(lines_of(handle, source), start=2 if declared else 1):
            if line.rstrip().count(b" ") != dim:
                if not line.strip():
                    break
                raise _short_row(source, number, line, dim)
            rows += 1
            english += line.startswith(_ENGLISH)
    if declared and rows != declared[0]:
        raise DataError(
            f"{source}: the header promises {declared[0]} words and the file holds {rows}; it is "
            "truncated or its header is wrong, so get it again"
        )
    multilingual = second.startswith(b"/c/")
    if multilingual and not english:
        raise DataError(f"{source} holds no English entries (/c/en/...); get one that does")
    return _Layout(False, declared is not None, multilingual, english or rows, dim)


def _walk_binary(source: Path, declared: tuple[int, int]) -> tuple[int, int]:
    words, dim = declared
    with _opened(source) as handle:
        handle.readline()
        for row in range(words):
            size = 0
            while (byte := handle.read(1)) != b" ":
                size += 1
                if not byte or size > 10_000:
                    raise DataError(
                        f"{source} ends or is damaged at word {row + 1} of the {words} that its "
                        "header promises, or is no vector file; get it again"
                    )
            if len(handle.read(4 * dim)) != 4 * dim:
                raise DataError(
                    f"{source} is truncated in word {row + 1} of the {words} that its header "
                    "promises; get it again"
                )
        if handle.read(2).strip():
            raise DataError(
                f"{source} goes on after the {words} words that its header promises; the header "
                "is wrong or the file damaged, so get it again"
            )
    return words, dim


def _extract_english(source: Path, target: Path, layout: _Layout) -> None:
    with _opened(source) as lines, target.open("wb") as out:
        if layout.header:
            lines.readline()
        out.write(b"%d %d\n" % (layout.words, layout.dim))
        out.writelines(x.removeprefix(_ENGLISH) for x in lines if x.startswith(_ENGLISH))


def _read_with_gensim(
    path: Path, source: Path, layout: _Layout
) -> tuple[list[str], npt.NDArray[np.float32]]:
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise MissingExtraError(
            f"{source} can not be read without gensim: run pip install gensim (Python 3.14 has to "
            "wait for its next release), or use the built-in vectors",
            name="gensim",
        ) from error
    try:
        vectors = KeyedVectors.load_word2vec_format(
            str(path),
            binary=layout.binary,
            no_header=not layout.header and not layout.english_only,
            unicode_errors="replace",
        )
    except ValueError as error:
        line = _line_where(source, layout, lambda line: not _are_numbers(_fields(line)[1:]))
        where = f", {line}" if line else ""
        raise DataError(f"{source}{where}: {error}; get the file again") from error
    # gensim keeps the first line of a word and leaves rows without a word at the end.
    words = [word for word in vectors.index_to_key if word is not None]
    repeated = len(vectors.index_to_key) - len(words)
    if repeated:
        warnings.warn(
            f"{source} repeats {repeated} words: the first line of each is taken", stacklevel=4
        )
    return words, np.asarray(vectors.vectors[: len(words)], dtype=np.float32)


def _line_where(source: Path, layout: _Layout, holds: Callable[[bytes], bool]) -> str:
    """The first line of which that holds, as "line 7"; "" for none, and for a binary file."""
    if not layout.binary:
        with _opened(source) as handle:
            for number, line in enumerate(handle, start=1):
                if holds(line):
                    return f"line {number}"
    return ""


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        gzipped = raw.read(2) == b"\x1f\x8b"
    opener: Callable[..., Any] = gzip.open if gzipped else open
    if gzipped and path.suffix != ".gz":
        raise DataError(f"{path} is gzipped; let its name end in .gz")
    with opener(path, "rb") as handle:
        yield handle


def _header(line: bytes) -> tuple[int, int] | None:
    fields = line.split()
    if len(fields) == 2 and all(x.isdigit() for x in fields) and int(fields[1]) > 0:
        return int(fields[0]), int(fields[1])
    return None


def _is_row(line: bytes, dim: int) -> bool:
    fields = _fields(line)
    return len(fields) == dim + 1 and dim >= 2 and _are_numbers(fields[1:])


def _fields(line: bytes) -> list[bytes]:
    return line.rstrip().split(b" ")


def _are_numbers(fields: list[bytes]) -> bool:
    try:
        [float(x) for x in fields]
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
