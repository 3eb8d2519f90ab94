"""Compiling kernels: numba with one policy for where its machine code is kept.

Machine code is made at the first call of a kernel and kept on disk. Where that takes its time, one
line on a terminal says so, once in a process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
from numba.core import event
from numba.extending import register_jitable

__all__ = ["compiled", "let_call"]

#: Seconds spent on compiling after which more of it is told.
_PATIENCE: Final = 0.5

#: Options of what compiled code alone calls: wrappers that Python would call it by take a fifth of
#: the time to compile.
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(**options: Any) -> Callable[[_Function], _Function]:
    """``numba.njit`` that keeps its machine code on disk where there is a place for it."""

    def decorate(function: _Function) -> _Function:
        try:
            result: _Function = numba.njit(cache=True, nogil=True, **options)(function)
        except RuntimeError:
            # Neither the install folder nor the user's cache folder can be written to.
            result = numba.njit(nogil=True, **options)(function)
        return result

    return decorate


def let_call(function: _Function, **options: Any) -> _Function:
    """Let compiled code call a function, which stays as it is for Python; return it."""
    register_jitable(**_INNER, **options)(function)
    return function


class _Notice(event.Listener):
    """Tells a terminal, once, that kernels of compsim are being compiled.

    A kernel compiles the ones that it calls meanwhile, so only the outermost is timed; numba lets
    one thread compile at a time.
    """

    def __init__(self) -> None:
        self._shown = False
        self._depth = 0
        self._begun = self._spent = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel is not on disk and begins to be compiled."""
        if not _ours(event):
            return
        now = time.perf_counter()
        if self._depth == 0:
            self._begun = now
        self._depth += 1
        if not self._shown and self._spent + now - self._begun > _PATIENCE:
            self._shown = True
            if sys.stderr is not None and sys.stderr.isatty():
                print(
                    "compsim: compiling for this machine, once: some seconds ...", file=sys.stderr
                )

    def on_end(self, event: Any) -> None:
        """It is compiled."""
        if _ours(event):
            self._depth -= 1
            if self._depth == 0:
                self._spent += time.perf_counter() - self._begun


def _ours(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith("compsim.")


event.register("numba:compile", _Notice())
