"""Temporary files beside a target until they replace it, and the removal of leftovers.

A scratch is locked while its writer lives, so that the next writer of the same name can tell what a
killed one has left, and remove it.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "figures.json"
>>> with scratch(path, folder=False) as fresh:
...     [is_left_of(one.name, "figures.json") for one in path.parent.iterdir()]
[True]
>>> list(path.parent.iterdir())
[]
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["aside_of", "discard", "is_left_of", "recover", "scratch", "sweep", "target_of"]

_NEW: Final = "new"
#: What a folder that is replaced in two steps is called between them.
_OLD: Final = "old"
_SCRATCH: Final = re.compile(rf"\.(.+)\.[0-9a-f]{{8}}\.(?:{_NEW}|{_OLD})", re.DOTALL)


@contextlib.contextmanager
def scratch(path: Path, folder: bool) -> Iterator[Path]:
    """Make an empty file or folder beside a path; what is left of it at the end is removed.

    Others that killed writers of the path have left are removed first.
    """
    sweep(path)
    while True:
        # In the target's own folder, since what is moved in one step stays in its file system.
        fresh = _name(path, _NEW)
        if folder:
            fresh.mkdir()
        else:
            fresh.touch(exist_ok=False)
        try:
            with _held(fresh) as held:
                if not held:  # another has swept it before it was locked
                    continue
                yield fresh
                return
        finally:
            discard(fresh)


def sweep(path: Path) -> None:
    """Remove what killed writers of a path have left beside it."""
    if sys.platform == "win32":  # it has no locks of folders
        return
    left = [item for item in _siblings(path) if is_left_of(item.name, path.name)]
    # Looked at after the names: what was moved aside since is no longer needed only then.
    there = os.path.lexists(path)
    for item in left:
        if item.name.endswith(_OLD) and not there:
            continue
        with _lock(Path(item.path)) as free:
            if free:
                discard(Path(item.path))


def recover(path: Path) -> None:
    """Put back what a writer moved aside that was killed before it put something in its place."""
    if os.path.lexists(path):
        return
    for item in _siblings(path):
        if is_left_of(item.name, path.name) and item.name.endswith(_OLD):
            with contextlib.suppress(OSError):
                os.rename(item.path, path)
                return


def aside_of(path: Path) -> Path:
    """Return a name to move a folder to while another takes its place."""
    return _name(path, _OLD)


def is_left_of(name: str, target: str) -> bool:
    """Return whether a name is one of those that are given beside a target."""
    return target_of(name) == target


def target_of(name: str) -> str | None:
    """Return the target beside which a name is given, None for another name."""
    match = _SCRATCH.fullmatch(name)
    return None if match is None else match[1]


def discard(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there and can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def _name(path: Path, ending: str) -> Path:
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}.{ending}")


def _siblings(path: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path.parent) as items:
            return [item for item in items if item.name.startswith(f".{path.name}.")]
    except OSError:
        return []


@contextlib.contextmanager
def _held(path: Path) -> Iterator[bool]:
    """Lock what was just made; says whether it is still there."""
    if sys.platform == "win32":
        yield True
        return
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with contextlib.suppress(OSError):  # some network file systems lock no folders
            fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            there = os.path.samestat(os.fstat(handle), os.lstat(path))
        except FileNotFoundError:
            there = False
        yield there
    finally:
        os.close(handle)


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[bool]:
    """Lock what is left of a writer; says whether that was possible, so that the writer is dead."""
    import fcntl

    if path.is_symlink():  # nobody writes to it
        yield True
        return
    try:
        if not (path.is_file() or path.is_dir()):
            raise FileNotFoundError
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(handle)
