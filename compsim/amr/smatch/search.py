"""An exact search for the variable mapping that matches most triples.

Mapping variable i of one graph to variable a of the other, a *cell* (i, a), matches a number of
instance and attribute triples, ``unary[i, a]``; a relation e of one graph and f of the other with
the same role match too where both their ends are mapped so, which ties two cells together. The sum
over a one-to-one mapping is to be made as large as can be.

Upper bound. The worth of each tie is split in two shares, one for each of its cells. A cell then
has a best worth of its own: its unary part, and for each of its relations the largest share among
the relations it may be matched with. An assignment problem over these worths bounds the sum from
above, whatever the split. A subgradient walk moves shares from cells that the assignment uses to
those it does not, which lowers the bound towards that of the linear program (Lagrangian
decomposition as for the quadratic assignment problem). The assignment itself is a mapping, so each
step also tries an answer, and its dual values rule out cells that can take part in no better one.
What is left is settled by branching on a cell.

Where all worths are whole numbers the bound is rounded down, which ends most searches at once.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> from compsim.amr.smatch import smatch
>>> from compsim.graph import RoleGraph
>>> a = RoleGraph.from_penman("(a / and :op1 (d / dog) :op2 (c / cat))")
>>> b = RoleGraph.from_penman("(a / and :op1 (c / cat) :op2 (d / dog))")
>>> result = smatch(a, b)
>>> result.matched, result.upper_bound
(4.0, 4.0)
"""

from __future__ import annotations

import math
from typing import Any, Final

from compsim.amr.smatch.mapping import (
    BEST,
    BOUND,
    DEAD,
    GAIN,
    SMALL,
    TIED,
    WORK,
    Search,
    climb,
    gain,
    keep,
)
from compsim.amr.smatch.problem import Problem
from compsim.kernels.assignment import assign

__all__ = ["search"]

_ROOT_STEPS: Final = 120
_STEPS: Final = 12

#: In place of a cell to branch on: no cell has a rival; no better mapping is left.
_NO_RIVAL: Final = -1
_CLOSED: Final = -2


def search(
    n: int, m: int, ties: int, problem: Problem, state: Search, whole: bool, limits: Any, stop: Any
) -> tuple[float, float, int]:
    """The best mapping of n rows to m columns in ``answer``; its score, a bound, the nodes used.

    The score is the largest possible where it equals the bound. ``whole`` says that all worths are
    whole numbers, ``limits`` how many nodes and elementary steps the search may take.
    """
    budget, work = limits
    _begin(n, m, ties, problem, state, whole)
    nodes = 0
    depth = 0
    while True:
        nodes += 1
        branch = _lower_bound(n, m, ties, depth, problem, state, whole, work, stop)
        if branch == _NO_RIVAL:
            _map_the_rest(n, m, problem, state)
            branch = _CLOSED
        if branch != _CLOSED:
            if nodes >= budget or state.number[WORK] > work or stop[0] != 0:
                return state.score[BEST], _rounded(state.score[BOUND], whole), nodes
            _descend(branch, n, m, depth, state)
            depth += 1
        else:
            depth = _back(depth, state) if depth > 0 else 0
            if depth == 0:
                return state.score[BEST], state.score[BEST], nodes


def _rounded(bound: float, whole: bool) -> float:
    return math.floor(bound + SMALL) * 1.0 if whole else bound


def _begin(n: int, m: int, ties: int, problem: Problem, state: Search, whole: bool) -> None:
    """Share out ties evenly; all cells that are worth anything are alive."""
    unary, tie_ptr, tie_worth = problem.unary, problem.tie_ptr, problem.tie_worth
    share, used, alive, in_use, tied = (
        state.share,
        state.used,
        state.alive,
        state.in_use,
        state.tied,
    )
    number, score, answer = state.number, state.score, state.answer
    for half in range(2 * ties):
        share[half] = tie_worth[half >> 1] / 2
        used[half] = 0
    count = 0
    for cell in range(n * m):
        tied_here = tie_ptr[cell + 1] > tie_ptr[cell]
        alive[cell] = 1 if unary[cell] > 0.0 or tied_here else 0
        in_use[cell] = 0
        if tied_here:
            tied[count] = cell
            count += 1
    for i in range(n):
        answer[i] = -1
    number[WORK] = 0
    number[DEAD] = 0
    number[TIED] = count
    score[BEST] = 0.0
    score[BOUND] = math.inf
    score[GAIN] = 1.0 - SMALL if whole else SMALL


def _lower_bound(
    n: int,
    m: int,
    ties: int,
    depth: int,
    problem: Problem,
    state: Search,
    whole: bool,
    work: int,
    stop: Any,
) -> int:
    """Lower the bound of a node until it is closed or that gets slow; the cell to branch on."""
    number, score = state.number, state.score
    share, used, used_list = state.share, state.used, state.used_list
    steps = _ROOT_STEPS if depth == 0 else _STEPS
    lowest = math.inf
    stalled = 0
    for step in range(steps):
        _worth_of_cells(n * m, problem, state)
        bound = assign(state.worth, n, m, state.assignment, number)
        improve = depth == 0 and step % 16 == 0
        _try_assignment(n, m, bound, improve, problem, state, work)
        if depth == 0 and bound < score[BOUND]:
            score[BOUND] = bound
        least = score[BEST] + score[GAIN]
        if _rounded(bound, whole) < least:
            return _CLOSED
        _rule_out(n * m, m, bound, least, state)
        count = _use_shares(m, problem, state)
        lonely = 0
        for t in range(count):
            if used[used_list[t] ^ 1] == 0:
                lonely += 1
        number[WORK] += 4 * (n * m + ties)
        tired = number[WORK] > work or stop[0] != 0
        branch = _CLOSED
        if step == steps - 1 or stalled >= 20 or lonely == 0 or tired:
            branch = _branch(n, m, count, problem, state)
        else:
            size = (bound - score[BEST] - score[GAIN] + 0.05) / lonely
            for t in range(count):
                half = used_list[t]
                if used[half ^ 1] == 0:
                    share[half] -= size
                    share[half ^ 1] += size
        _forget_use(m, count, state)
        if branch != _CLOSED:
            return branch
        if bound < lowest - 0.01:
            lowest = bound
            stalled = 0
        else:
            stalled += 1
    return _CLOSED  # never reached: the last step branches


def _worth_of_cells(cells: int, problem: Problem, state: Search) -> None:
    """What each cell is worth by its unary part and the largest share of each of its lines."""
    unary, tie_ptr, tie, tie_cell, _, line = problem
    share, worth, alive, tied = state.share, state.worth, state.alive, state.tied
    for cell in range(cells):
        worth[cell] = unary[cell] if alive[cell] != 0 else 0.0
    for t in range(state.number[TIED]):
        cell = tied[t]
        if alive[cell] == 0:
            continue
        place = tie_ptr[cell]
        end = tie_ptr[cell + 1]
        total = 0.0
        while place < end:
            # The largest share of each line, 0 if none is positive.
            current = line[tie[place]]
            top = 0.0
            while place < end and line[tie[place]] == current:
                half = tie[place]
                if share[half] > top and alive[tie_cell[half ^ 1]] != 0:
                    top = share[half]
                place += 1
            total += top
        worth[cell] += total


def _try_assignment(
    n: int, m: int, bound: float, improve: bool, problem: Problem, state: Search, work: int
) -> None:
    """The assignment is a mapping: take its score."""
    mapping, swapped, row_of = state.mapping, state.swapped, state.assignment.row_of
    for i in range(n):
        mapping[i] = -1
    found = 0.0
    for a in range(m):
        if row_of[a + 1] != 0:
            i = row_of[a + 1] - 1
            found += gain(i * m + a, mapping, m, problem)
            mapping[i] = a
    if improve or found > state.score[BEST] + SMALL:
        for j in range(m + 1):
            swapped[j] = row_of[j]
        if found + SMALL < bound:
            found = climb(mapping, swapped, found, n, m, problem, state.number, work)
        keep(n, found, state)


def _rule_out(cells: int, m: int, bound: float, least: float, state: Search) -> None:
    """Cells whose use would push the bound below the least wanted need no more thought."""
    row_dual, column_dual = state.assignment.row_dual, state.assignment.column_dual
    worth, alive, trail, number = state.worth, state.alive, state.trail, state.number
    for cell in range(cells):
        if alive[cell] != 0:
            slack = -worth[cell] - row_dual[cell // m + 1] - column_dual[cell % m + 1]
            if bound - slack < least:
                _kill(cell, alive, trail, number)


def _kill(cell: int, alive: Any, trail: Any, number: Any) -> None:
    """Rule a cell out until the search is back above the present node."""
    alive[cell] = 0
    trail[number[DEAD]] = cell
    number[DEAD] += 1


def _use_shares(m: int, problem: Problem, state: Search) -> int:
    """List the shares that the assignment counts, in ``used_list``; how many."""
    _, tie_ptr, tie, tie_cell, _, line = problem
    share, alive, in_use = state.share, state.alive, state.in_use
    used, used_list, row_of = state.used, state.used_list, state.assignment.row_of
    for a in range(m):
        if row_of[a + 1] != 0:
            in_use[(row_of[a + 1] - 1) * m + a] = 1
    count = 0
    for a in range(m):
        if row_of[a + 1] == 0:
            continue
        cell = (row_of[a + 1] - 1) * m + a
        if alive[cell] == 0:
            continue
        place = tie_ptr[cell]
        end = tie_ptr[cell + 1]
        while place < end:
            half, place = _best_share(place, end, tie, tie_cell, line, share, alive, in_use)
            if half >= 0:
                used[half] = 1
                used_list[count] = half
                count += 1
    return count


def _best_share(
    place: int, stop: int, tie: Any, tie_cell: Any, line: Any, share: Any, alive: Any, in_use: Any
) -> tuple[int, int]:
    """The half of the largest share in the line that starts at place, or -1, and the line's end.

    Among equal shares one whose other cell is in use comes first.
    """
    best = 0.0
    chosen = -1
    current = line[tie[place]]
    while place < stop and line[tie[place]] == current:
        half = tie[place]
        other = tie_cell[half ^ 1]
        # Shares above 1e-12 only: a tie with the best, 0 at first, is no reason to choose.
        better = share[half] > best + 1e-12
        equal = chosen >= 0 and share[half] > best - 1e-12 and in_use[other] != 0
        if alive[other] != 0 and (better or equal):
            best = share[half]
            chosen = half
        place += 1
    return chosen, place


def _forget_use(m: int, count: int, state: Search) -> None:
    used, used_list, in_use = state.used, state.used_list, state.in_use
    row_of = state.assignment.row_of
    for t in range(count):
        used[used_list[t]] = 0
    for a in range(m):
        if row_of[a + 1] != 0:
            in_use[(row_of[a + 1] - 1) * m + a] = 0


def _branch(n: int, m: int, count: int, problem: Problem, state: Search) -> int:
    """The assigned cell that has a rival and the most shares in dispute, or ``_NO_RIVAL``."""
    tie_cell, row_of, dispute = problem.tie_cell, state.assignment.row_of, state.assignment.least
    used, used_list, worth, alive = state.used, state.used_list, state.worth, state.alive
    for i in range(n):
        dispute[i] = 0.0
    for t in range(count):
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
    """Whether another cell of its row or column is alive."""
    i, a = cell // m, cell % m
    for b in range(m):
        if b != a and alive[i * m + b] != 0:
            return True
    for k in range(n):  # noqa: SIM110 - numba knows no any()
        if k != i and alive[k * m + a] != 0:
            return True
    return False


def _map_the_rest(n: int, m: int, problem: Problem, state: Search) -> None:
    """Map all cells that are alive, none of which has a rival."""
    mapping, alive = state.mapping, state.alive
    for i in range(n):
        mapping[i] = -1
    found = 0.0
    for cell in range(n * m):
        if alive[cell] != 0:
            found += gain(cell, mapping, m, problem)
            mapping[cell // m] = cell % m
    keep(n, found, state)


def _descend(branch: int, n: int, m: int, depth: int, state: Search) -> None:
    """Go on with a cell, all its rivals ruled out."""
    alive, trail, number = state.alive, state.trail, state.number
    state.branch[depth] = branch
    state.branch_dead[depth] = number[DEAD]
    state.branch_second[depth] = 0
    i, a = branch // m, branch % m
    for b in range(m):
        if b != a and alive[i * m + b] != 0:
            _kill(i * m + b, alive, trail, number)
    for k in range(n):
        if k != i and alive[k * m + a] != 0:
            _kill(k * m + a, alive, trail, number)


def _back(depth: int, state: Search) -> int:
    """Go back to the last branch not yet tried without its cell; the new depth, 0 at the end."""
    alive, trail, number = state.alive, state.trail, state.number
    while depth > 0:
        depth -= 1
        while number[DEAD] > state.branch_dead[depth]:
            number[DEAD] -= 1
            alive[trail[number[DEAD]]] = 1
        if state.branch_second[depth] == 0:
            state.branch_second[depth] = 1
            _kill(state.branch[depth], alive, trail, number)
            return depth + 1
    return 0
