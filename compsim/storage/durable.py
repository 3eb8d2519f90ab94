"""Files that a loss of power leaves there: on the disk, not with the system, after the call.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "code").write_bytes(b"0110")
>>> sync_tree(folder)
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["sync_folder", "sync_tree"]


def sync_tree(folder: Path) -> None:
    """Have a folder, and all that is in it, on disk."""
    for item in folder.rglob("*"):
        if item.is_dir():
            sync_folder(item)
        else:
            with item.open("rb+") as file:
                os.fsync(file.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Have the names of a folder's files on disk, where the system can say so."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
