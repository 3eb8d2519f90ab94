"""The numba kernel behind Smatch: many pairs of graphs in one call, without the interpreter lock.

>>> from compsim.amr.smatch import smatch_pairwise
>>> from compsim.amr.smatch.triples import encode
>>> from compsim.graph import RoleGraph
>>> batch = encode([RoleGraph.from_penman("(d / dog)"), RoleGraph.from_penman("(c / cat)")])
>>> smatch_pairwise(batch, batch[[0, 0]]).matched  # what calls the kernel
array([2., 1.])
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction
from typing import Any, Final

import numpy as np
from numba.extending import overload, register_jitable

from compsim.amr.smatch import mapping, pair, problem, search
from compsim.amr.smatch.pair import OPEN, largest, room, solve_pair
from compsim.kernels import assignment
from compsim.kernels.compilation import compiled

__all__ = ["graded_worth", "solve_pairs"]


def _zeros(kind: type[np.generic]) -> Callable[[int], Callable[[int], Any]]:
    """What numba compiles in place of a function that makes a list of zeros."""
    # numba compares the two signatures, so neither may have annotations.
    return lambda size: lambda size: np.zeros(size, dtype=kind)


_ARRAYS: Final[dict[Any, type[np.generic]]] = {
    pair.floats: np.float64,
    pair.ints: np.int32,
    pair.flags: np.uint8,
    pair.totals: np.int64,
}
for function, kind in _ARRAYS.items():
    overload(function)(_zeros(kind))
for module in (assignment, problem, mapping, search, pair):
    for step in vars(module).values():
        if isfunction(step) and step.__module__ == module.__name__ and step not in _ARRAYS:
            # Calls, and counting who holds an array, take longer than most searches: the steps
            # become one, and only what makes arrays counts.
            register_jitable(forceinline=True, _nrt=step is pair.room)(step)

#: What two graded concepts are worth.
graded_worth: Final = compiled()(problem.concept_worth)


@compiled()
def solve_pairs(
    a: Any,
    b: Any,
    start: int,
    end: int,
    options: Any,
    vector: Any,
    limits: Any,
    stop: Any,
    results: Any,
) -> None:
    """Solve graph i of a against graph i of b for i in start..end, where ``visited`` is OPEN.

    a and b are the ``side`` of batches of one vocabulary; ``vector`` (codes, dim) float32 has a
    unit vector or zeros for each concept code, or no row where concepts are equal or not;
    ``limits`` are nodes and elementary steps; ``stop`` uint8 (1,) ends the search once it is not 0.
    Results: matched, bound float64 (n,), visited int64 (n,), mapping int32 (variables of a).
    """
    cells, ties, wide = largest(a, b, start, end, results.visited)
    cells_and_ties, state = room(cells, ties, wide)
    for p in range(start, end):
        if results.visited[p] == OPEN:
            solve_pair(a, b, p, options, vector, limits, stop, cells_and_ties, state, results)
