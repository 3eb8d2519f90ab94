"""Work that ends at the Nth thing that it asks of the file system: killed, or interrupted.

The files are real, and so is each operation before that point. Python tells its profiler of each
call of a C function before it is made; those that change files are counted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any, Final

#: How the work ends: killed; killed with half of what it wrote last, as where the power is cut; or
#: with an error that its own clean-up sees.
ENDS: Final = ("killed", "torn", "interrupted")

_SYSTEM: Final = {
    *("open", "close", "write", "fsync", "flock", "truncate", "ftruncate"),
    *("rename", "replace", "link", "symlink", "unlink", "remove", "mkdir", "rmdir"),
}
_METHODS: Final = {"write", "writelines", "flush", "close", "truncate", "tofile", "__exit__"}
_DEAD: Final = 9


def count(work: Callable[[], object]) -> int:
    """Return the number of operations."""
    counted = 0

    def count_one() -> None:
        nonlocal counted
        counted += 1

    def child() -> bytes:
        _before_each(count_one)
        work()
        sys.setprofile(None)
        return str(counted).encode()

    status, said = _forked(child)
    assert status == 0, "the work fails by itself"
    return int(said)


def run(work: Callable[[], object], point: int, end: str) -> bool:
    """Do the work in another process, which ends before operation ``point``, from 0.

    Returns whether the work had returned by then: only an interrupted one can have, one that
    cleans up and goes on.
    """
    left = point
    last = ""

    def remember(event: str, given: tuple[Any, ...]) -> None:
        nonlocal last
        if event == "open" and isinstance(given[0], str) and _writes(given):
            last = given[0]

    def end_at_point() -> None:
        nonlocal left
        if left:
            left -= 1
            return
        sys.setprofile(None)
        if end == "interrupted":
            raise KeyboardInterrupt
        if end == "torn":
            with contextlib.suppress(OSError):
                os.truncate(last, os.path.getsize(last) // 2)
        os._exit(_DEAD)

    def child() -> bytes:
        sys.addaudithook(remember)
        _before_each(end_at_point)
        with contextlib.suppress(KeyboardInterrupt):
            work()
            return b"done"
        return b"interrupted"

    status, said = _forked(child)
    assert status == (_DEAD if end != "interrupted" else 0), (status, said)
    return said == b"done"


def _writes(given: tuple[Any, ...]) -> bool:
    flags = given[2]
    return bool(flags & (os.O_WRONLY | os.O_RDWR))


def _before_each(action: Callable[[], None]) -> None:
    """Have an action done before each operation on files from now on."""

    def look(_: Any, event: str, called: Any) -> None:
        if event != "c_call":
            return
        name, owner = called.__name__, getattr(called, "__self__", None)
        module = getattr(owner, "__name__", "")
        if (name in _SYSTEM and module in ("posix", "fcntl", "io", "_io")) or (
            name in _METHODS and (type(owner).__module__ == "_io" or name == "tofile")
        ):
            action()

    sys.setprofile(look)


def _forked(child: Callable[[], bytes]) -> tuple[int, bytes]:
    """The exit status of a child process, and what it says."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        process = os.fork()
    if process == 0:
        status = 1
        try:
            os.close(reading)
            said = child()
            sys.setprofile(None)
            os.write(writing, said)
            status = 0
        except BaseException as error:
            sys.setprofile(None)
            os.write(writing, repr(error).encode()[:4000])
        finally:
            os._exit(status)
    os.close(writing)
    said = b""
    while part := os.read(reading, 65536):
        said += part
    os.close(reading)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said
