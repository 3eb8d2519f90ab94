"""Durable file writes: data is flushed to disk before the call returns.

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
    """Flush a folder, and all that is in it, to disk."""
    for item in folder.rglob("*"):
        if item.is_dir():
            sync_folder(item)
        else:
            with item.open("rb+") as file:
                os.fsync(file.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, where the system can do so."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
