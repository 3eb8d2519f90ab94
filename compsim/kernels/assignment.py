"""The linear assignment problem, for the bound of the Smatch search.

>>> import numpy as np
>>> from compsim.kernels.assignment import assign
>>> worth = np.array([3.0, 2.0, 2.0, 0.0])  # rows (3, 2) and (2, 0)
>>> ints, duals = np.zeros((4, 3), np.int32), np.zeros((3, 3))
>>> assign(worth, 2, 2, duals[0], duals[1], duals[2], ints, np.zeros(1, np.int64))
4.0
>>> ints[0, 1:].tolist()  # the row of each column
[2, 1]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compsim.kernels.compilation import compiled

__all__ = ["assign"]


@compiled()
def assign(
    worth: Any, n: int, m: int, row_dual: Any, column_dual: Any, work: Any, ints: Any, tally: Any
) -> float:
    """Solve the assignment problem: the largest sum of worth (n * m, n <= m), all >= 0.

    ints[0, 1..m] receives the row (from 1) of each column or 0; the duals are those of the costs
    -worth, so that row_dual[i] + column_dual[j] <= -worth with equality in the solution. Shortest
    augmenting paths (Jonker and Volgenant 1987), after a greedy start. tally[0] grows by the steps.
    """
    row_of = ints[0]
    way = ints[1]
    used = ints[2]
    least = work
    for j in range(m + 1):
        row_of[j] = 0
        column_dual[j] = 0.0
    tally[0] += n * m
    total: float = 0.0
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
            ints[3][i] = place
        else:
            ints[3][i] = 0
    for start in range(1, n + 1):
        if ints[3][start] != 0:
            continue
        row_of[0] = start
        j0 = 0
        for j in range(m + 1):
            least[j] = np.inf
            used[j] = 0
        while True:
            tally[0] += 4 * m
            used[j0] = 1
            i0 = row_of[j0]
            base = (i0 - 1) * m - 1
            delta = np.inf
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
    for j in range(1, m + 1):
        if row_of[j] != 0:
            total += worth[(row_of[j] - 1) * m + j - 1]
    return total
