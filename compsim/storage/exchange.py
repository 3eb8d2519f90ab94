"""Two names of files or folders that trade what they name, in one step, where the system can.

>>> import tempfile
>>> a, b = (Path(tempfile.mkdtemp()) for _ in range(2))
>>> _ = (a / "first").touch(), (b / "second").touch()
>>> [path.name for path in a.iterdir()] if exchange(a, b) else ["second"]
['second']
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["exchange"]

#: Of Linux, and of macOS.
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_RENAME_SWAP: Final = 2


def exchange(a: Path, b: Path) -> bool:
    """Exchange two files or folders of one file system; returns whether that was done.

    It was not where one is missing, or where the system or the file system has no such step.
    """
    return _call()(os.fsencode(a), os.fsencode(b)) == 0


@cache
def _call() -> Callable[[bytes, bytes], int]:
    """Return what exchanges two names; other than 0 where it could not."""
    import ctypes

    if sys.platform == "linux":
        linux = getattr(ctypes.CDLL(None), "renameat2", None)
        if linux is not None:
            given = (ctypes.c_int, ctypes.c_char_p)
            linux.argtypes = (*given, *given, ctypes.c_uint)
            return lambda a, b: int(linux(_AT_FDCWD, a, _AT_FDCWD, b, _RENAME_EXCHANGE))
    if sys.platform == "darwin":
        darwin = getattr(ctypes.CDLL(None), "renamex_np", None)
        if darwin is not None:
            darwin.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint)
            return lambda a, b: int(darwin(a, b, _RENAME_SWAP))
    return lambda a, b: -1
