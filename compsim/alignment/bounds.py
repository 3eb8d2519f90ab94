"""Upper bounds of the alignment problem by Lagrangian decomposition.

The worth of each tie is split into two shares, one for each of its cells. A cell then has a worth
by itself: its unary worth, and of each of its lines the largest share. An assignment problem over
these worths bounds the score of all mappings from above, however the ties are split. A subgradient
step moves shares from cells that the assignment uses to cells that it does not, which lowers the
bound towards that of a linear program. The dual values of the assignment exclude cells that no
better mapping uses.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).
"""

from __future__ import annotations

from typing import Any

from compsim.alignment.problem import Problem
from compsim.alignment.state import EXCLUDED, TIED, SearchState

__all__ = [
    "clear_used_shares",
    "exclude",
    "exclude_cells",
    "list_used_shares",
    "split_ties",
    "weigh_cells",
]


def split_ties(ties: int, problem: Problem, state: SearchState) -> None:
    """Split each tie into two equal shares."""
    share, used, tie_worth = state.share, state.used, problem.tie_worth
    for half in range(2 * ties):
        share[half] = tie_worth[half >> 1] / 2
        used[half] = 0


def weigh_cells(cells: int, problem: Problem, state: SearchState) -> None:
    """Compute the worth of each cell: its unary worth and the largest share of each line."""
    unary, tie_ptr, tie, tie_cell, line = (
        problem.unary,
        problem.tie_ptr,
        problem.tie,
        problem.tie_cell,
        problem.line,
    )
    share, worth, alive, tied = state.share, state.worth, state.alive, state.tied
    for cell in range(cells):
        worth[cell] = unary[cell] if alive[cell] != 0 else 0.0
    for t in range(state.count[TIED]):
        cell = tied[t]
        if alive[cell] == 0:
            continue
        index = tie_ptr[cell]
        end = tie_ptr[cell + 1]
        total = 0.0
        while index < end:
            current = line[tie[index]]
            largest = 0.0
            while index < end and line[tie[index]] == current:
                half = tie[index]
                if share[half] > largest and alive[tie_cell[half ^ 1]] != 0:
                    largest = share[half]
                index += 1
            total += largest
        worth[cell] += total


def exclude(cell: int, alive: Any, trail: Any, count: Any) -> None:
    """Exclude a cell until the search is back above the present node."""
    alive[cell] = 0
    trail[count[EXCLUDED]] = cell
    count[EXCLUDED] += 1


def exclude_cells(cells: int, m: int, bound: float, least: float, state: SearchState) -> None:
    """Exclude each cell whose use would push the bound below ``least``."""
    row_dual, column_dual = state.assignment.row_dual, state.assignment.column_dual
    worth, alive, trail, count = state.worth, state.alive, state.trail, state.count
    for cell in range(cells):
        if alive[cell] != 0:
            slack = -worth[cell] - row_dual[cell // m + 1] - column_dual[cell % m + 1]
            if bound - slack < least:
                exclude(cell, alive, trail, count)


def list_used_shares(m: int, problem: Problem, state: SearchState) -> int:
    """List the shares that the assignment counts, in ``used_list``; return how many."""
    tie_ptr, tie, tie_cell, line = problem.tie_ptr, problem.tie, problem.tie_cell, problem.line
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
        index = tie_ptr[cell]
        end = tie_ptr[cell + 1]
        while index < end:
            half, index = _best_share(index, end, tie, tie_cell, line, share, alive, in_use)
            if half >= 0:
                used[half] = 1
                used_list[count] = half
                count += 1
    return count


def _best_share(
    index: int, end: int, tie: Any, tie_cell: Any, line: Any, share: Any, alive: Any, in_use: Any
) -> tuple[int, int]:
    """Return the half of the largest share of the line at index, or -1, and the line's end.

    Among equal shares one whose other cell is in use comes first.
    """
    best = 0.0
    chosen = -1
    current = line[tie[index]]
    while index < end and line[tie[index]] == current:
        half = tie[index]
        other = tie_cell[half ^ 1]
        # Shares above 1e-12 only: a tie with the best, 0 at first, is no reason to choose.
        better = share[half] > best + 1e-12
        equal = chosen >= 0 and share[half] > best - 1e-12 and in_use[other] != 0
        if alive[other] != 0 and (better or equal):
            best = share[half]
            chosen = half
        index += 1
    return chosen, index


def clear_used_shares(m: int, count: int, state: SearchState) -> None:
    """Clear ``used`` and ``in_use`` after ``list_used_shares``."""
    used, used_list, in_use = state.used, state.used_list, state.in_use
    row_of = state.assignment.row_of
    for t in range(count):
        used[used_list[t]] = 0
    for a in range(m):
        if row_of[a + 1] != 0:
            in_use[(row_of[a + 1] - 1) * m + a] = 0
