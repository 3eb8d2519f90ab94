"""Checksums that tell what was damaged from what is as it was saved: CRC-32.

>>> json_checksum({"b": (1, 2), "a": None}) == json_checksum({"a": None, "b": [1, 2]})
True
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, Final

__all__ = ["file_checksum", "json_checksum"]

#: Bytes of a file that are read at a time.
_BLOCK: Final = 1 << 20


def file_checksum(path: Path) -> int:
    """CRC-32 of a file."""
    found = 0
    with path.open("rb") as file:
        while part := file.read(_BLOCK):
            found = zlib.crc32(part, found)
    return found


def json_checksum(value: Any) -> int:
    """CRC-32 of what JSON can hold."""
    # Through JSON, so that a tuple counts as the list that it is read as.
    return zlib.crc32(json.dumps(value, sort_keys=True).encode())
