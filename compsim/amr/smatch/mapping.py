"""A mapping of variables in the making: what a search remembers, and how a mapping is improved.

A mapping gives each row a column or -1; it is improved by moving one variable or swapping two,
until nothing helps. The functions run as they are, over lists, or compiled, over arrays
(``kernel``).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.amr.smatch.problem import Problem
from compsim.kernels.assignment import Assignment

__all__ = [
    "BEST",
    "BOUND",
    "DEAD",
    "GAIN",
    "SMALL",
    "TIED",
    "WORK",
    "Search",
    "climb",
    "gain",
    "keep",
]

#: Sums that differ by less are equal.
SMALL: Final = 1e-6

#: Places in ``Search.number``: elementary steps, cells ruled out, cells with ties.
WORK: Final = 0
DEAD: Final = 1
TIED: Final = 2

#: Places in ``Search.score``: the best mapping's, the bound of all, the least gain on the best.
BEST: Final = 0
BOUND: Final = 1
GAIN: Final = 2


class Search(NamedTuple):
    """What a search remembers.

    For each half: ``share`` float64, whether the assignment has ``used`` it uint8, ``used_list``
    int32. For each cell: ``worth`` float64; ``alive`` and ``in_use`` by the assignment uint8; int32
    those ``tied``, the ``trail`` of those ruled out, the ``branch`` at each depth, how long the
    trail was there (``branch_dead``) and whether the branch is the second (``branch_second``). For
    each row, int32: ``mapping``, the best one (``answer``), ``swapped`` (by column, from 1).
    ``number`` int64 (3) and ``score`` float64 (3) are totals.
    """

    share: Any
    used: Any
    used_list: Any
    worth: Any
    alive: Any
    in_use: Any
    tied: Any
    trail: Any
    branch: Any
    branch_dead: Any
    branch_second: Any
    mapping: Any
    answer: Any
    swapped: Any
    assignment: Assignment
    number: Any
    score: Any


def keep(n: int, found: float, state: Search) -> None:
    """Keep the mapping if it is the best so far."""
    if found > state.score[BEST] + SMALL:
        state.score[BEST] = found
        for i in range(n):
            state.answer[i] = state.mapping[i]


def gain(cell: int, mapping: Any, m: int, problem: Problem) -> float:
    """What a cell adds to the mapping (n,), which maps its row to nothing yet."""
    unary, tie_ptr, tie, tie_cell, tie_worth, _ = problem
    total: float = unary[cell]
    for place in range(tie_ptr[cell], tie_ptr[cell + 1]):
        other = tie_cell[tie[place] ^ 1]
        if mapping[other // m] == other % m:
            total += tie_worth[tie[place] >> 1]
    return total


def climb(
    mapping: Any,
    row_of: Any,
    score: float,
    n: int,
    m: int,
    problem: Problem,
    number: Any,
    work: int,
) -> float:
    """Improve a mapping by moving one variable or swapping two, until nothing helps."""
    unary, tie_ptr, _, _, _, _ = problem
    improved = True
    while improved and number[WORK] < work:
        improved = False
        number[WORK] += 4 * (n * m + tie_ptr[n * m])
        for i in range(n):
            for a in range(m):
                old = mapping[i]
                cell = i * m + a
                if a == old or (unary[cell] == 0.0 and tie_ptr[cell] == tie_ptr[cell + 1]):
                    continue
                k = row_of[a + 1] - 1
                new = score
                mapping[i] = -1
                if old >= 0:
                    new -= gain(i * m + old, mapping, m, problem)
                if k >= 0:
                    mapping[k] = -1
                    new -= gain(k * m + a, mapping, m, problem)
                new += gain(cell, mapping, m, problem)
                mapping[i] = a
                if k >= 0 and old >= 0:
                    new += gain(k * m + old, mapping, m, problem)
                    mapping[k] = old
                if new > score + SMALL:
                    score = new
                    row_of[a + 1] = i + 1
                    if old >= 0:
                        row_of[old + 1] = k + 1
                    improved = True
                else:
                    mapping[i] = old
                    if k >= 0:
                        mapping[k] = a
    return score
