"""The linear assignment problem, for the bound of the Smatch search.

The function runs as it is, over lists, or compiled, over arrays.

>>> from compsim.kernels.assignment import Assignment, assign
>>> room = Assignment([0.0] * 3, [0.0] * 3, [0.0] * 3, [0] * 3, [0] * 3, [0] * 3, [0] * 3)
>>> assign([3.0, 2.0, 2.0, 0.0], 2, 2, room, [0])  # rows (3, 2) and (2, 0)
4.0
>>> room.row_of[1:]  # the row of each column
[2, 1]
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

__all__ = ["Assignment", "assign"]


class Assignment(NamedTuple):
    """A solution and its scratch, each (1 + the larger side); rows and columns count from 1.

    ``row_of`` int32 has the row of each column or 0. The duals, float64, are those of the costs
    -worth: ``row_dual[i] + column_dual[j] <= -worth``, with equality in the solution.
    """

    row_dual: Any
    column_dual: Any
    least: Any
    row_of: Any
    way: Any
    used: Any
    column_of: Any


def assign(worth: Any, n: int, m: int, results: Assignment, tally: Any) -> float:
    """Solve the assignment problem: the largest sum of worth (n * m, n <= m), all >= 0.

    Shortest augmenting paths (Jonker and Volgenant 1987), after a greedy start. tally[0] grows by
    the steps.
    """
    row_of = results.row_of
    tally[0] += n * m
    _start(worth, n, m, results)
    for start in range(1, n + 1):
        if results.column_of[start] == 0:
            _augment(worth, start, m, results, tally)
    total: float = 0.0
    for j in range(1, m + 1):
        if row_of[j] != 0:
            total += worth[(row_of[j] - 1) * m + j - 1]
    return total


def _start(worth: Any, n: int, m: int, results: Assignment) -> None:
    """Give each row its best column where that is free; ``column_of`` is 0 for those left over."""
    row_dual, column_dual, row_of, way, column_of = (
        results.row_dual,
        results.column_dual,
        results.row_of,
        results.way,
        results.column_of,
    )
    for j in range(m + 1):
        row_of[j] = 0
        column_dual[j] = 0.0
    for i in range(1, n + 1):
        base = (i - 1) * m
        best = -1.0
        place = 0
        for j in range(m):
            w = worth[base + j]
            # Among equals one that is free.
            if w > best or (w == best and row_of[place] != 0 and row_of[j + 1] == 0):
                best = w
                place = j + 1
        row_dual[i] = -best
        if row_of[place] == 0:
            row_of[place] = i
            way[place] = 0
            column_of[i] = place
        else:
            column_of[i] = 0


def _augment(worth: Any, start: int, m: int, results: Assignment, tally: Any) -> None:
    """Give a row a column, by the shortest path through those that are taken."""
    row_dual, column_dual, least, row_of, way, used = (
        results.row_dual,
        results.column_dual,
        results.least,
        results.row_of,
        results.way,
        results.used,
    )
    row_of[0] = start
    j0 = 0
    for j in range(m + 1):
        least[j] = math.inf
        used[j] = 0
    while True:
        tally[0] += 4 * m
        used[j0] = 1
        i0 = row_of[j0]
        base = (i0 - 1) * m - 1
        delta = math.inf
        j1 = 0
        for j in range(1, m + 1):
            if used[j] == 0:
                cost = -worth[base + j] - row_dual[i0] - column_dual[j]
                if cost < least[j]:
                    least[j] = cost
                    way[j] = j0
                if least[j] < delta:
                    delta = least[j]
                    j1 = j
        for j in range(m + 1):
            if used[j] != 0:
                row_dual[row_of[j]] += delta
                column_dual[j] -= delta
            else:
                least[j] -= delta
        j0 = j1
        if row_of[j0] == 0:
            break
    while j0 != 0:
        j1 = way[j0]
        row_of[j0] = row_of[j1]
        j0 = j1
