"""Files that a loss of power leaves there: on the disk, not with the system, after the call.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "code"
>>> checksum = write_durably(path, lambda file: file.write(b"0110"))
>>> path.read_bytes(), checksum == file_checksum(path)
(b'0110', True)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from compsim.storage.checksums import file_checksum
from compsim.storage.files import whole_file

__all__ = ["sync_folder", "write_durably"]


def write_durably(path: Path, write: Callable[[BinaryIO], object]) -> int:
    """Have ``write`` fill the file at a path, have that on disk, and return its checksum.

    Raises what ``write`` raises, and ``OSError`` where it cannot be on disk; what was there before
    is there then.
    """
    with whole_file(path) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)
    return file_checksum(path)


def sync_folder(folder: Path) -> None:
    """Have the names of a folder's files on disk, where the system can say so."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
