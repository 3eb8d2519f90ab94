"""Branch and bound over one-to-one mappings of rows to columns.

The sum of the worths of all cells used, and of all ties between them, is to be made as large as can
be. ``bounds`` bounds it from above by assignment problems; each assignment is a mapping too, so
every step also gives an answer. Where bound and answer do not meet, the search branches on a cell.
Where all worths are whole numbers the bound is rounded down, which ends most searches at once.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> from compsim.alignment.problem import Problem, count_halves, sort_halves
>>> from compsim.alignment.state import make_workspace
>>> problem, state = make_workspace(cells=4, ties=1, width=2, lists=True)
>>> problem.unary[:] = [1.0, 1.0, 1.0, 1.0]
>>> problem.tie_worth[0], problem.tie_cell[:] = 0.5, [1, 2]  # worth more crosswise
>>> count_halves(4, 1, problem)
>>> sort_halves(4, 1, problem)
>>> search(2, 2, 1, problem, state, False, 100, 10_000, [0])
(2.5, 2.5, 1)
>>> state.answer[:2]
[1, 0]
"""

from __future__ import annotations

import math
from typing import Any, Final

from compsim.alignment.bounds import (
    clear_used_shares,
    exclude,
    exclude_cells,
    list_used_shares,
    split_ties,
    weigh_cells,
)
from compsim.alignment.local_search import climb, gain, keep_best
from compsim.alignment.problem import Problem
from compsim.alignment.state import (
    BEST,
    BOUND,
    EXCLUDED,
    GAIN,
    SMALL,
    TIED,
    UNIT,
    WORK,
    SearchState,
)
from compsim.kernels.assignment import assign

__all__ = ["search"]

_ROOT_STEPS: Final = 120
_STEPS: Final = 12

#: Steps without progress after which the search branches; whole numbers close a node soon after.
_PATIENCE: Final = 6
_WHOLE_PATIENCE: Final = 20

#: Bounds of whole numbers are rounded down from this far above one.
_ROUNDING: Final = 1e-6

#: In place of a cell to branch on: no cell has a rival; no better mapping is left.
_NO_RIVAL: Final = -1
_CLOSED: Final = -2


def search(
    n: int,
    m: int,
    ties: int,
    problem: Problem,
    state: SearchState,
    whole: bool,
    nodes: int,
    work: int,
    stop: Any,
) -> tuple[float, float, int]:
    """Search for the best mapping of n rows to m >= n columns, in ``answer``.

    The search visits at most ``nodes`` nodes, takes about ``work`` elementary steps, and ends once
    ``stop[0]`` is not 0. ``whole`` says that all worths are whole numbers.

    Returns:
        The score of the answer, an upper bound of all scores, and the nodes visited. The answer is
        proven to be best where score and bound are equal.
    """
    _begin(n, m, ties, problem, state, whole)
    visited = 0
    depth = 0
    while True:
        visited += 1
        branch = _bound_node(n, m, ties, depth, problem, state, whole, work, stop)
        if branch == _NO_RIVAL:
            _map_the_rest(n, m, problem, state)
            branch = _CLOSED
        if branch != _CLOSED:
            if visited >= nodes or state.count[WORK] > work or stop[0] != 0:
                return state.score[BEST], _rounded(state.score[BOUND], whole), visited
            _descend(branch, n, m, depth, state)
            depth += 1
        else:
            depth = _backtrack(depth, state) if depth > 0 else 0
            if depth == 0:
                return state.score[BEST], state.score[BEST], visited


def _rounded(bound: float, whole: bool) -> float:
    return math.floor(bound + _ROUNDING) * 1.0 if whole else bound


def _begin(n: int, m: int, ties: int, problem: Problem, state: SearchState, whole: bool) -> None:
    """Split the ties evenly; all cells that are worth anything are alive."""
    unary, tie_ptr = problem.unary, problem.tie_ptr
    alive, in_use, tied, count, score = (
        state.alive,
        state.in_use,
        state.tied,
        state.count,
        state.score,
    )
    split_ties(ties, problem, state)
    size = 0
    for cell in range(n * m):
        has_ties = tie_ptr[cell + 1] > tie_ptr[cell]
        alive[cell] = 1 if unary[cell] > 0.0 or has_ties else 0
        in_use[cell] = 0
        if has_ties:
            tied[size] = cell
            size += 1
    for i in range(n):
        state.answer[i] = -1
    count[WORK] = 0
    count[EXCLUDED] = 0
    count[TIED] = size
    score[BEST] = 0.0
    score[BOUND] = math.inf
    score[GAIN] = 1.0 - _ROUNDING if whole else SMALL
    score[UNIT] = 1.0
    if not whole and ties > 0:
        total = 0.0
        for tie in range(ties):
            total += problem.tie_worth[tie]
        score[UNIT] = total / ties


def _bound_node(
    n: int,
    m: int,
    ties: int,
    depth: int,
    problem: Problem,
    state: SearchState,
    whole: bool,
    work: int,
    stop: Any,
) -> int:
    """Lower the bound of a node until that gets slow; return a cell to branch on or a sign."""
    count, score = state.count, state.score
    share, used, used_list = state.share, state.used, state.used_list
    steps = _ROOT_STEPS if depth == 0 else _STEPS
    patience = _WHOLE_PATIENCE if whole else _PATIENCE
    lowest = math.inf
    stalled = 0
    for step in range(steps):
        weigh_cells(n * m, problem, state)
        bound = assign(state.worth, n, m, state.assignment, count)
        improve = depth == 0 and step % 16 == 0
        _try_assignment(n, m, bound, improve, problem, state, work)
        if depth == 0 and bound < score[BOUND]:
            score[BOUND] = bound
        least = score[BEST] + score[GAIN]
        if _rounded(bound, whole) < least:
            return _CLOSED
        exclude_cells(n * m, m, bound, least, state)
        size = list_used_shares(m, problem, state)
        lonely = 0
        for t in range(size):
            if used[used_list[t] ^ 1] == 0:
                lonely += 1
        count[WORK] += 4 * (n * m + ties)
        tired = count[WORK] > work or stop[0] != 0
        branch = _CLOSED
        if step == steps - 1 or stalled >= patience or lonely == 0 or tired:
            branch = _branch(n, m, size, problem, state)
        else:
            move = (bound - score[BEST] - score[GAIN] + 0.05 * score[UNIT]) / lonely
            for t in range(size):
                half = used_list[t]
                if used[half ^ 1] == 0:
                    share[half] -= move
                    share[half ^ 1] += move
        clear_used_shares(m, size, state)
        if branch != _CLOSED:
            return branch
        if bound < lowest - 0.01 * score[UNIT]:
            lowest = bound
            stalled = 0
        else:
            stalled += 1
    return _CLOSED  # never reached: the last step branches


def _try_assignment(
    n: int, m: int, bound: float, improve: bool, problem: Problem, state: SearchState, work: int
) -> None:
    """Take the assignment as a mapping, climb from it where that may help, and keep the best."""
    mapping, row_of, assigned = state.mapping, state.row_of, state.assignment.row_of
    for i in range(n):
        mapping[i] = -1
    score = 0.0
    for a in range(m):
        if assigned[a + 1] != 0:
            i = assigned[a + 1] - 1
            score += gain(i * m + a, mapping, m, problem)
            mapping[i] = a
    if improve or score > state.score[BEST] + SMALL:
        for j in range(m + 1):
            row_of[j] = assigned[j]
        if score + SMALL < bound:
            score = climb(mapping, row_of, score, n, m, SMALL, problem, state.count, work)
        keep_best(n, score, state)


def _branch(n: int, m: int, size: int, problem: Problem, state: SearchState) -> int:
    """Return the assigned cell that has a rival and the most shares in dispute."""
    tie_cell, row_of, dispute = problem.tie_cell, state.assignment.row_of, state.assignment.least
    used, used_list, worth, alive = state.used, state.used_list, state.worth, state.alive
    for i in range(n):
        dispute[i] = 0.0
    for t in range(size):
        half = used_list[t]
        if used[half ^ 1] == 0:
            dispute[tie_cell[half] // m] += 1.0
            dispute[tie_cell[half ^ 1] // m] += 1.0
    chosen = _NO_RIVAL
    most = -1.0
    for a in range(m):
        if row_of[a + 1] == 0:
            continue
        i = row_of[a + 1] - 1
        cell = i * m + a
        if alive[cell] == 0:
            continue
        weight = dispute[i] + worth[cell] * 1e-3
        if weight > most and _has_rival(cell, n, m, alive):
            most = weight
            chosen = cell
    if chosen >= 0:
        return chosen
    for cell in range(n * m):
        if alive[cell] != 0 and _has_rival(cell, n, m, alive):
            return cell
    return _NO_RIVAL


def _has_rival(cell: int, n: int, m: int, alive: Any) -> bool:
    """Return whether another cell of its row or column is alive."""
    i, a = cell // m, cell % m
    for b in range(m):
        if b != a and alive[i * m + b] != 0:
            return True
    for k in range(n):  # noqa: SIM110 - numba knows no any()
        if k != i and alive[k * m + a] != 0:
            return True
    return False


def _map_the_rest(n: int, m: int, problem: Problem, state: SearchState) -> None:
    """Map all cells that are alive, none of which has a rival."""
    mapping, alive = state.mapping, state.alive
    for i in range(n):
        mapping[i] = -1
    score = 0.0
    for cell in range(n * m):
        if alive[cell] != 0:
            score += gain(cell, mapping, m, problem)
            mapping[cell // m] = cell % m
    keep_best(n, score, state)


def _descend(branch: int, n: int, m: int, depth: int, state: SearchState) -> None:
    """Go on with a cell, all its rivals excluded."""
    alive, trail, count = state.alive, state.trail, state.count
    state.branch[depth] = branch
    state.branch_trail[depth] = count[EXCLUDED]
    state.branch_second[depth] = 0
    i, a = branch // m, branch % m
    for b in range(m):
        if b != a and alive[i * m + b] != 0:
            exclude(i * m + b, alive, trail, count)
    for k in range(n):
        if k != i and alive[k * m + a] != 0:
            exclude(k * m + a, alive, trail, count)


def _backtrack(depth: int, state: SearchState) -> int:
    """Go back to the last branch not yet tried without its cell; return its depth, 0 at the end."""
    alive, trail, count = state.alive, state.trail, state.count
    while depth > 0:
        depth -= 1
        while count[EXCLUDED] > state.branch_trail[depth]:
            count[EXCLUDED] -= 1
            alive[trail[count[EXCLUDED]]] = 1
        if state.branch_second[depth] == 0:
            state.branch_second[depth] = 1
            exclude(state.branch[depth], alive, trail, count)
            return depth + 1
    return 0
