"""The numba kernel behind Smatch: many pairs of graphs in one call, without the interpreter lock.

>>> from compsim.amr.smatch import smatch_pairwise
>>> from compsim.amr.smatch.triples import encode
>>> from compsim.graph import RoleGraph
>>> batch = encode([RoleGraph.from_penman("(d / dog)"), RoleGraph.from_penman("(c / cat)")])
>>> smatch_pairwise(batch, batch[[0, 0]]).matched  # what calls the kernel
array([2., 1.])
"""

from __future__ import annotations

from inspect import isfunction
from typing import Any, Final

import compsim.alignment.kernel  # noqa: F401 - lets numba compile the search
from compsim.alignment.state import make_workspace
from compsim.amr.smatch import pair, problem
from compsim.amr.smatch.pair import OPEN, largest, solve_pair
from compsim.kernels.compilation import compiled, let_call

__all__ = ["graded_worth", "solve_pairs"]

for module in (problem, pair):
    for step in vars(module).values():
        if isfunction(step) and step.__module__ == module.__name__:
            # Calls, and counting who holds an array, take longer than most searches: the steps
            # become one.
            let_call(step, forceinline=True, _nrt=False)

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
    cells, ties, width = largest(a, b, start, end, results.visited)
    cells_and_ties, state = make_workspace(cells, ties, width, False)
    for p in range(start, end):
        if results.visited[p] == OPEN:
            solve_pair(a, b, p, options, vector, limits, stop, cells_and_ties, state, results)
