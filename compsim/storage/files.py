"""Files that are written whole or not at all, and locks between processes.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "figures.json"
>>> write_json(path, {"rho": 0.5})
>>> path.read_text()
'{\\n "rho": 0.5\\n}\\n'
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compsim.errors import DataError, ServiceError

__all__ = ["file_lock", "file_sha256", "write_bytes", "write_json", "write_text", "writing"]


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
def file_lock(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; it ends with the process, however that ends."""
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
                except OSError:
                    time.sleep(0.1)
            try:
                yield
            finally:
                handle.seek(0)
                msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
            # Closing the file gives the lock back.
            yield


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    import pooch

    return str(pooch.file_hash(str(path), alg="sha256"))


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as JSON; see ``write_bytes``."""
    write_text(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8; see ``write_bytes``."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old one or the whole new one."""
    # In the target's own folder, since a file moves in one step only within a file system.
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(scratch, 0o666 & ~mask)
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise
