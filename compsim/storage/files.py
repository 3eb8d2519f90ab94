"""Files that are written whole or not at all, and locks between processes.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "figures.json"
>>> write_json(path, {"rho": 0.5})
>>> path.read_text()
'{\\n "rho": 0.5\\n}\\n'
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from compsim.errors import DataError, ServiceError

__all__ = [
    "file_lock",
    "file_sha256",
    "whole_file",
    "whole_folder",
    "write_bytes",
    "write_json",
    "write_text",
    "writing",
]


@contextlib.contextmanager
def writing(folder: Path, mend: str = "name another folder") -> Iterator[None]:
    """Make the folder; what can not be written there is a ``DataError`` that says ``mend``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if isinstance(error, ServiceError):
            raise
        raise DataError(
            f"{folder} can not be written ({error.strerror or error}); free some space or {mend}"
        ) from error


@contextlib.contextmanager
def file_lock(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold an exclusive lock between processes; it ends with the process, however that ends.

    Raises ``BlockingIOError`` where another has it and one is not to wait.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as handle:
        if sys.platform == "win32":
            import msvcrt
            import time

            while True:
                handle.seek(0)
                try:
                    msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError as error:
                    if not wait:
                        raise BlockingIOError(error.errno, "it is locked", str(path)) from error
                    time.sleep(0.1)
            try:
                yield
            finally:
                handle.seek(0)
                msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Closing the file gives the lock back.
            yield


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as JSON; see ``write_bytes``."""
    write_text(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8; see ``write_bytes``."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old one or the whole new one."""
    with whole_file(path) as file:
        file.write(content)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write; it takes the place of the old one when all is written."""
    scratch = _scratch(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    try:
        with scratch.open("xb") as file:
            yield file
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of what was at the path when all is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh, aside = _scratch(path), _scratch(path)
    fresh.mkdir()
    try:
        yield fresh
        # A folder can not be replaced in one step while it holds files: move it aside first.
        with contextlib.suppress(FileNotFoundError):
            os.rename(path, aside)
        os.rename(fresh, path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(aside, ignore_errors=True)


def _scratch(path: Path) -> Path:
    # In the target's own folder, since a file moves in one step only within a file system.
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}")
