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
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from compsim.errors import DataError, ServiceError
from compsim.storage.checksums import file_checksum
from compsim.storage.durable import sync_folder, sync_tree
from compsim.storage.exchange import exchange
from compsim.storage.scratch import aside_of, discard, recover, scratch

__all__ = [
    "file_lock",
    "file_sha256",
    "whole_file",
    "whole_folder",
    "write_bytes",
    "write_durably",
    "write_json",
    "write_text",
    "writing",
]

#: How often a folder is tried to be replaced while others replace it too.
_TRIES: Final = 100


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
            try:
                yield
            finally:
                # Closing the file does not give the lock back where a fork has taken a copy along.
                fcntl.flock(handle, fcntl.LOCK_UN)


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
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    with scratch(path, folder=False) as fresh:
        with fresh.open("r+b") as file:
            yield file
        os.replace(fresh, path)


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


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of what was at the path when all is on disk.

    Whoever is killed meanwhile leaves the old one there, or the new one. Where the system cannot
    exchange two folders in one step, the old one may be called otherwise then, until ``recover``
    puts it back.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    recover(path)
    with scratch(path, folder=True) as fresh:
        yield fresh
        sync_tree(fresh)
        _put(fresh, path)
        sync_folder(path.parent)


def _put(fresh: Path, path: Path) -> None:
    """Put a folder in place of what is at a path, which is then where the folder was, or gone."""
    asides: list[Path] = []
    try:
        for _ in range(_TRIES):
            with contextlib.suppress(OSError):
                os.rename(fresh, path)
                return
            if exchange(fresh, path):
                return
            asides.append(aside_of(path))
            with contextlib.suppress(FileNotFoundError):
                os.rename(path, asides[-1])
        os.rename(fresh, path)  # says why it cannot be
    except BaseException:
        recover(path)
        raise
    finally:
        if os.path.lexists(path):
            for aside in asides:
                discard(aside)
