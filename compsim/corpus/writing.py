"""Writing to a corpus: the lock of the one writer, and one error for what cannot be written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError
from compsim.storage.files import file_lock

__all__ = ["LOCK", "aside", "locked", "on_disk", "present"]

LOCK: Final = ".lock"


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the one writer of a corpus. Raises ``DataError`` where another is writing."""
    lock = file_lock(path / LOCK, wait=False)
    try:
        lock.__enter__()
    except BlockingIOError as error:
        raise DataError(
            f"{path} is being written to by another process: try again when it is done"
        ) from error
    except OSError as error:
        raise _unwritten(path, error) from error
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


@contextlib.contextmanager
def on_disk(path: Path) -> Iterator[None]:
    """Turn what cannot be written into one error."""
    try:
        yield
    except OSError as error:
        raise _unwritten(path, error) from error


@contextlib.contextmanager
def present(path: Path) -> Iterator[None]:
    """Turn a file of a corpus that is gone into one error."""
    try:
        yield
    except FileNotFoundError as error:
        raise DataError(
            f"{error.filename} is missing: {aside(path)}, or restore it from a copy"
        ) from error


def aside(path: Path) -> str:
    """Return what an error says of a damaged segment."""
    return f"run `compsim corpus repair {path}`, which sets the segment aside"


def _unwritten(path: Path, error: Any) -> DataError:
    return DataError(
        f"{path} can not be written ({error.strerror or error}): free some space or mend that; "
        "what was saved before is there"
    )
