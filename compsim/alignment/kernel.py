"""The matcher compiled: for calls from Python and from other kernels.

Importing this module lets any compiled function call ``align``, and ``make_scratch`` too.

>>> import numpy as np
>>> from compsim.alignment.scratch import make_scratch
>>> scratch = make_scratch(1, 1, 0, 0)
>>> none = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
>>> edges = *none, np.zeros(0)
>>> tables = np.ones((1, 1)), np.zeros((1, 1))
>>> align(1, 1, np.array([0.5]), *edges, *edges, *tables, 100, 10_000, scratch)
(0.5, 0.5, 0)
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction
from typing import Any, Final

import numpy as np
from numba.extending import overload

from compsim.alignment import (
    bounds,
    edges,
    graphs,
    lines,
    local_search,
    problem,
    scratch,
    search,
    state,
)
from compsim.kernels import assignment
from compsim.kernels.compilation import compiled, let_call
from compsim.kernels.references import pass_by_reference

__all__ = ["align"]


def _zeros(kind: type[np.generic]) -> Callable[[int, bool], Callable[[int, bool], Any]]:
    """Return what numba compiles in place of a function that makes zeros."""
    # numba compares the two signatures, so neither may have annotations.
    return lambda size, lists: lambda size, lists: np.zeros(size, dtype=kind)


_ARRAYS: Final[dict[Any, type[np.generic]]] = {
    state.floats: np.float64,
    state.integers: np.int32,
    state.flags: np.uint8,
    state.totals: np.int64,
}
#: The functions that make arrays, and so count who holds them.
_MAKERS: Final = (
    state.make_assignment,
    state.make_workspace,
    edges.make_bundles,
    edges.make_matching,
    scratch.make_scratch,
)
for _tuple in (
    assignment.Assignment,
    edges.Bundles,
    edges.Matching,
    problem.Problem,
    state.SearchState,
    scratch.Scratch,
):
    pass_by_reference(_tuple)
for function, kind in _ARRAYS.items():
    overload(function)(_zeros(kind))
for module in (
    assignment,
    problem,
    state,
    local_search,
    bounds,
    search,
    edges,
    lines,
    graphs,
    scratch,
):
    for step in vars(module).values():
        if isfunction(step) and step.__module__ == module.__name__ and step not in _ARRAYS:
            # Calls, and counting who holds an array, take longer than many searches: the steps
            # become one.
            let_call(step, forceinline=True, _nrt=step in _MAKERS)

align: Final = compiled()(graphs.align)
