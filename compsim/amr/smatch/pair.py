"""One pair of graphs solved: what the compiled loop over many pairs and the plain one share.

Loading compiled code takes longer than solving some hundred pairs without it, so a process begins
in plain Python, and goes over to the kernel (``kernel``) once it has done as much work as that.

>>> from compsim.amr.smatch.pair import solve_plainly
>>> from compsim.amr.smatch.problem import Options
>>> from compsim.amr.smatch.triples import encode
>>> from compsim.graph import RoleGraph
>>> batch = encode([RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog))")])
>>> results = Results([0.0], [0.0], [OPEN], [-1, -1])
>>> solve_plainly(batch, batch, Options(True, True, True, 0.5), (100, 10_000), results)
>>> results
Results(matched=[4.0], bound=[4.0], visited=[-2], mapping=[0, 1])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from compsim.alignment.problem import Problem
from compsim.alignment.scratch import LARGE
from compsim.alignment.search import search
from compsim.alignment.state import WORK, SearchState, make_workspace
from compsim.amr.smatch.problem import Options, Side, build, count_ties

if TYPE_CHECKING:
    from compsim.amr.smatch.triples import TripleBatch

__all__ = [
    "OPEN",
    "SETTLED",
    "STEPS",
    "UNSOLVED",
    "Results",
    "largest",
    "solve_pair",
    "solve_plainly",
]

#: In ``Results.visited``: still to be solved; too large; solved already.
OPEN: Final = 0
UNSOLVED: Final = -1
SETTLED: Final = -2

#: Elementary steps, about half a second, that a search with a limit on its nodes may take besides.
STEPS: Final = 1 << 28

#: Elementary steps, about as long as the compiled code takes to load (0.6 s), that a process may
#: take in plain Python, and how many a pair of variables needs as a rule.
_PLAIN_WORK: Final = 2_500_000
_CELL_WORK: Final = 20

_spent = 0


class Results(NamedTuple):
    """For each pair ``matched``, its ``bound``, and the nodes of the search in ``visited``.

    ``mapping`` has the variable of b or -1 for each variable of a.
    """

    matched: Any
    bound: Any
    visited: Any
    mapping: Any


def largest(a: Side, b: Side, start: int, end: int, visited: Any) -> tuple[int, int, int]:
    """The most cells, ties and variables of the pairs to search; the others become UNSOLVED."""
    cells, ties, wide = 0, 0, 0
    for p in range(start, end):
        if visited[p] != OPEN:
            continue
        n = a.variable[p + 1] - a.variable[p]
        m = b.variable[p + 1] - b.variable[p]
        count = 0
        if n * m <= LARGE:
            count = count_ties(a, b, p, p)
        if n * m > LARGE or count > LARGE:
            visited[p] = UNSOLVED
            continue
        cells = max(cells, n * m)
        ties = max(ties, count)
        wide = max(wide, n, m)
    return cells, ties, wide


def solve_pair(
    a: Side,
    b: Side,
    p: int,
    options: Options,
    vector: Any,
    limits: Any,
    stop: Any,
    problem: Problem,
    state: SearchState,
    results: Results,
) -> None:
    """Solve graph p of a against graph p of b."""
    first = a.variable[p]
    n = a.variable[p + 1] - first
    m = b.variable[p + 1] - b.variable[p]
    for i in range(n):
        results.mapping[first + i] = -1
    if n == 0 or m == 0:
        results.matched[p] = 0.0
        results.bound[p] = 0.0
        return
    flipped = n > m
    if flipped:
        n, m = m, n
        ties = build(b, a, p, n, m, options, vector, problem)
    else:
        ties = build(a, b, p, n, m, options, vector, problem)
    match = search(n, m, ties, problem, state, len(vector) == 0, limits[0], limits[1], stop)
    results.matched[p], results.bound[p], results.visited[p] = match
    for i in range(n):
        c = state.answer[i]
        if c >= 0 and _matches(i * m + c, m, problem, state.answer):
            if flipped:
                results.mapping[first + c] = i
            else:
                results.mapping[first + i] = c


def _matches(cell: int, m: int, problem: Problem, answer: Any) -> bool:
    """Return whether a mapped cell matches a triple; variables without one stay unmapped."""
    if problem.unary[cell] > 0.0:
        return True
    for place in range(problem.tie_ptr[cell], problem.tie_ptr[cell + 1]):
        other = problem.tie_cell[problem.tie[place] ^ 1]
        if answer[other // m] == other % m:
            return True
    return False


def solve_plainly(
    a: TripleBatch,
    b: TripleBatch,
    options: Options,
    limits: tuple[int, int],
    results: Results,
    most: int = _PLAIN_WORK,
) -> None:
    """Solve pairs without compiled code until the process has taken ``most`` elementary steps so.

    The pairs whose best mapping is found are SETTLED, the others stay OPEN. Concepts are equal or
    not. ``limits`` are the nodes and elementary steps that each pair may take.
    """
    global _spent
    variables = [batch.parts["variable"].indptr for batch in (a, b)]
    cells = int(np.diff(variables[0]) @ np.diff(variables[1]))
    if _spent + _CELL_WORK * cells > most:
        return
    first, second = (Side(*(array.tolist() for array in batch.side)) for batch in (a, b))
    visited = [SETTLED if seen == SETTLED else OPEN for seen in results.visited]
    cells, ties, width = largest(first, second, 0, len(a), visited)
    problem, state = make_workspace(cells, ties, width, lists=True)
    for p, seen in enumerate(visited):
        if seen != OPEN:
            continue
        nodes, work = limits[0], min(limits[1], most - _spent)
        solve_pair(first, second, p, options, (), (nodes, work), (0,), problem, state, results)
        _spent += state.count[WORK]
        done = results.matched[p] == results.bound[p] and state.count[WORK] <= work
        results.visited[p] = SETTLED if done else OPEN
        if _spent >= most:
            return
