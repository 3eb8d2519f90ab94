"""Improving a mapping by aligning one row elsewhere or exchanging two, until nothing helps.

A mapping gives each row a column or -1. The functions run as they are, over lists, or compiled,
over arrays (``kernel``).

>>> from compsim.alignment.problem import Problem
>>> problem = Problem([1.0, 2.0, 2.0, 1.0], [0] * 5, [], [], [], [])  # rows (1, 2) and (2, 1)
>>> mapping = [0, 1]
>>> climb(mapping, [0, 1, 2], 2.0, 2, 2, 1e-9, problem, [0], 1_000), mapping
(4.0, [1, 0])
"""

from __future__ import annotations

from typing import Any

from compsim.alignment.problem import Problem
from compsim.alignment.state import BEST, SMALL, WORK, SearchState

__all__ = ["climb", "gain", "keep_best"]


def keep_best(n: int, score: float, state: SearchState) -> None:
    """Copy the mapping to the answer if it has the best score so far."""
    if score > state.score[BEST] + SMALL:
        state.score[BEST] = score
        for i in range(n):
            state.answer[i] = state.mapping[i]


def gain(cell: int, mapping: Any, m: int, problem: Problem) -> float:
    """Return the worth that a cell adds to the mapping (n,), in which its row has no column yet."""
    unary, tie_ptr, tie, tie_cell, tie_worth = (
        problem.unary,
        problem.tie_ptr,
        problem.tie,
        problem.tie_cell,
        problem.tie_worth,
    )
    total: float = unary[cell]
    for index in range(tie_ptr[cell], tie_ptr[cell + 1]):
        other = tie_cell[tie[index] ^ 1]
        if mapping[other // m] == other % m:
            total += tie_worth[tie[index] >> 1]
    return total


def climb(
    mapping: Any,
    row_of: Any,
    score: float,
    n: int,
    m: int,
    least: float,
    problem: Problem,
    count: Any,
    work: int,
) -> float:
    """Improve a mapping by steps that gain more than ``least``; return its score.

    ``row_of`` (1 + m) has the row of each column, both from 1, or 0. ``count[WORK]`` grows by the
    elementary steps, of which there are no more once it has reached ``work``.
    """
    unary, tie_ptr = problem.unary, problem.tie_ptr
    improved = True
    while improved and count[WORK] < work:
        improved = False
        count[WORK] += 4 * (n * m + tie_ptr[n * m])
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
                if new > score + least:
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
