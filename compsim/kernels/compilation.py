"""Compiling kernels: numba with one policy for where its machine code is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

__all__ = ["compiled"]

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
