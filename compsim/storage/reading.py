"""Files that a user names, read so that whatever is wrong is one error that names the place.

>>> parse_json('{"rho": 0.5}', "results.json", "save it again")
{'rho': 0.5}
>>> parse_json("[" * 10**5, "results.json", "save it again")
Traceback (most recent call last):
...
compsim.errors.DataError: results.json: the JSON is nested too deeply: save it again
>>> brief("a" * 100)
"'aaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaa'"
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import re
import reprlib
import stat
import tokenize
import tomllib
import zlib
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from compsim.errors import DataError

__all__ = [
    "MOST_UNPACKED",
    "UNREADABLE",
    "brief",
    "expanded",
    "lines_of",
    "open_plain",
    "parse_json",
    "parse_toml",
    "read_plain",
    "read_text",
    "shortened",
]

#: A gzipped file that is read at once may have so many bytes unpacked: a packed gigabyte of zeros
#: has one megabyte.
MOST_UNPACKED: Final = 1 << 29
#: A line of a file that is read line by line may have so many bytes.
_LONGEST: Final = 1 << 24
#: What reading a damaged file of arrays or JSON raises: a header may promise an array of any size,
#: or be no Python.
UNREADABLE: Final = (
    OSError, EOFError, ValueError, KeyError, TypeError, SyntaxError, MemoryError, RecursionError,
    tokenize.TokenError, zlib.error,
)  # fmt: skip
_GZIP: Final = b"\x1f\x8b"
_SHORT: Final = 40
#: Characters of a path that an error shows in full.
_LONGEST_PATH: Final = 1000


def brief(value: Any) -> str:
    """A value as an error shows it, shortened."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = _SHORT
    try:
        return short.repr(value)
    except ValueError:  # an integer of thousands of digits
        return f"a number of {value.bit_length()} bits"


def shortened(path: str) -> str:
    """A path as an error shows it: without its middle where it is longer than any can be."""
    return path if len(path) <= _LONGEST_PATH else f"{path[:_SHORT]}...{path[-_SHORT:]}"


def expanded(path: str | PathLike[str]) -> Path:
    """The path with ``~`` replaced.

    Raises ``DataError`` for a user that there is none of, and for a path longer than any can be.
    """
    try:
        result = Path(path).expanduser()
    except RuntimeError as error:
        raise DataError(f"{brief(fspath(path))}: there is no such user: give a path") from error
    try:
        result.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise DataError(f"{brief(fspath(path))}: the path is too long: give another") from error
    except ValueError:  # a null byte, which whoever opens it tells
        pass
    return result


def open_plain(path: Path) -> BinaryIO:
    """Open a file to read.

    Raises ``OSError`` for what is no file on a disk: reading a device or a pipe might never end.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is a device or a pipe, and no file", str(path))
    return path.open("rb")


def read_plain(path: Path) -> bytes:
    """All of a file.

    Raises ``OSError`` for a device, a pipe, and a file of more than ``MOST_UNPACKED`` bytes.
    """
    with open_plain(path) as file:
        data = file.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        raise OSError(errno.EFBIG, f"it has more than {MOST_UNPACKED >> 20} MiB", str(path))
    return data


def read_text(
    path: Path, mend: str = "give a text file in UTF-8, or that gzipped", unpack: bool = True
) -> str:
    """The text of a file in UTF-8, unpacked if it is gzipped.

    Raises ``DataError``, which says ``mend``, for a file that cannot be read, is no such text, or
    has more than ``MOST_UNPACKED`` bytes, packed or unpacked.
    """
    try:
        data = read_plain(path)
        if unpack and data.startswith(_GZIP):
            data = _unpacked(path, io.BytesIO(data))
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 (byte {error.start})"
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = f"cannot be read ({getattr(error, 'strerror', None) or error})"
    shown = shortened(str(path).replace("\0", "\\0"))
    raise DataError(f"{shown} {reason}: {mend}")


def _unpacked(path: Path, raw: IO[bytes]) -> bytes:
    with gzip.open(raw) as file:
        data = file.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        raise DataError(
            f"{path} has more than {MOST_UNPACKED >> 20} MiB unpacked: unpack it and give that"
        )
    return data


def lines_of(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """The lines of an open file; raises ``DataError`` for one that is no line of text any more."""
    number = 0
    while line := file.readline(_LONGEST):
        number += 1
        if len(line) == _LONGEST and not line.endswith(b"\n"):
            raise DataError(
                f"{path}, line {number}: longer than {_LONGEST >> 20} MiB: this is no text file"
            )
        yield line


def parse_json(text: str | bytes, where: str, mend: str) -> Any:
    """Parse a JSON text; raises ``DataError`` that names the file and says ``mend``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if error.lineno > 1 else ""
        raise DataError(f"{where}{line}: not JSON ({error.msg}): {mend}") from error
    except RecursionError as error:
        raise DataError(f"{where}: the JSON is nested too deeply: {mend}") from error
    except ValueError as error:  # not UTF-8, or a number of thousands of digits
        raise DataError(f"{where}: not JSON ({error}): {mend}") from error


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Parse a TOML text; raises ``DataError`` that names the file and the line."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        match = re.search(r"line (\d+)", str(error))
        line = int(match[1]) if match else text.count("\n") + 1
        raise DataError(f"{where}:{line}: this is not valid TOML ({error}): mend it") from error
