"""Checksums that tell what was damaged from what is as it was saved: CRC-32.

>>> json_checksum({"b": (1, 2), "a": None}) == json_checksum({"a": None, "b": [1, 2]})
True
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import Any, Final

from compsim.storage.reading import open_plain

__all__ = ["check_file", "file_checksum", "json_checksum", "quick_fingerprint"]

#: Bytes of a file that are read at a time.
_BLOCK: Final = 1 << 20
#: The checksums of files that were read, by what tells a file from one that was changed since.
_known: dict[tuple[int, ...], int] = {}
#: How many are remembered.
_MOST_KNOWN: Final = 1 << 17


def check_file(path: Path, checksum: int) -> None:
    """Raise ``ValueError`` for a file whose CRC-32 is another.

    A file that has not changed since is read once in a process. Raises ``OSError`` where it cannot
    be read.
    """
    stamp = _stamp(path)
    entry = _known.get(stamp)
    if entry is None:
        entry = file_checksum(path)
        if _stamp(path) == stamp:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[stamp] = entry
    if entry != checksum:
        raise ValueError(f"{path.name} is not as it was saved")


def _stamp(path: Path) -> tuple[int, ...]:
    result = os.stat(path)
    return result.st_dev, result.st_ino, result.st_size, result.st_mtime_ns, result.st_ctime_ns


def file_checksum(path: Path) -> int:
    """CRC-32 of a file."""
    result = 0
    with open_plain(path) as file:
        while part := file.read(_BLOCK):
            result = zlib.crc32(part, result)
    return result


def json_checksum(value: Any) -> int:
    """CRC-32 of what JSON can hold."""
    # Through JSON, so that a tuple counts as the list that it is read as.
    return zlib.crc32(json.dumps(value, sort_keys=True).encode())


def quick_fingerprint(path: Path) -> str:
    """A short hash of a file's size and of its first and last mebibyte, for files of gigabytes."""
    size = path.stat().st_size
    digest = hashlib.blake2b(str(size).encode(), digest_size=8)
    with open_plain(path) as file:
        digest.update(file.read(_BLOCK))
        file.seek(max(0, size - _BLOCK))
        digest.update(file.read(_BLOCK))
    return digest.hexdigest()
