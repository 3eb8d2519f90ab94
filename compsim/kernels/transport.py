"""The earth mover's distance between two small sets of places, with equal masses or any: exact.

Few places and whole numbers let it be found by shortest augmenting paths, many times faster than by
a general solver. Equal masses are whole numbers of the same unit; other masses are counted in
billionths of the whole.

>>> import numpy as np
>>> distance, flow = transport(np.array([[0.0, 1.0], [1.0, 0.5], [1.0, 0.0]]))  # thirds to halves
>>> distance
0.25
>>> (6 * flow).round().astype(int).tolist()
[[2, 0], [1, 1], [0, 2]]
>>> masses = np.array([0.5, 0.25, 0.25]), np.array([0.25, 0.75])
>>> transport(np.array([[0.0, 1.0], [1.0, 0.5], [1.0, 0.0]]), *masses)[0]
0.375
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled

__all__ = ["UNITS", "move", "move_units", "transport", "whole_units", "workspace"]

#: The units of all masses of one side together, where masses are not equal.
UNITS: Final = 10**9
_LARGE: Final = 1e300


@compiled(error_model="numpy")
def move(cost: Any, n: int, m: int, flow: Any, u: Any, v: Any, reach: Any, via: Any) -> float:
    """Least cost of moving 1/n at each of n places to 1/m at each of m: exact.

    Shortest augmenting paths (as in Jonker and Volgenant 1987) over places that hold several
    units: with g the greatest common divisor of n and m, a row has m / g units to give and a column
    takes n / g, so that amounts are whole numbers and the search ends. ``cost`` float64 (n, m) is
    not negative. ``flow`` int64 (>= n, >= m) gets the units moved; ``u``, ``v`` float64 hold dual
    prices of rows and columns, ``reach`` float64 and ``via`` int64 (2, >= max(n, m)) are scratch.
    """
    units = math.gcd(n, m)
    give = m // units
    for i in range(n):
        via[2, i] = give
    for j in range(m):
        via[3, j] = n // units
    return move_units(cost, n, m, flow, u, v, reach, via) / (give * n)


@compiled(error_model="numpy")
def move_units(cost: Any, n: int, m: int, flow: Any, u: Any, v: Any, reach: Any, via: Any) -> float:
    """Least cost of moving the units that rows give to the columns that take them: exact.

    ``via[2, :n]`` holds the units of each row, ``via[3, :m]`` those of each column, as many on
    either side, and both are used up. All else is as for :func:`move`.
    """
    _to_nearest(cost, n, m, flow, u, v, via)
    for start in range(n):
        while via[2, start] > 0:
            end = _path(cost, n, m, start, flow, u, v, reach, via)
            _push(start, end, flow, via)
    total = 0.0
    for i in range(n):
        for j in range(m):
            if flow[i, j] > 0:
                total += flow[i, j] * cost[i, j]
    return total


@compiled(error_model="numpy")
def _to_nearest(cost: Any, n: int, m: int, flow: Any, u: Any, v: Any, via: Any) -> None:
    """Each column takes what it can from its nearest row; what is left is in ``via[2:4]``."""
    supply, demand = via[2], via[3]
    for i in range(n):
        u[i] = 0.0
        for j in range(m):
            flow[i, j] = 0
    for j in range(m):
        nearest = 0
        for i in range(1, n):
            if cost[i, j] < cost[nearest, j]:
                nearest = i
        v[j] = cost[nearest, j]
        moved = min(supply[nearest], demand[j])
        flow[nearest, j] = moved
        supply[nearest] -= moved
        demand[j] -= moved


@compiled(error_model="numpy")
def _path(
    cost: Any, n: int, m: int, start: int, flow: Any, u: Any, v: Any, reach: Any, via: Any
) -> int:
    """The column that wants more at the end of the shortest path from a row; moves the prices.

    ``via[0:2]`` lead back to the row.
    """
    demand = via[3]
    for i in range(n):
        reach[0, i] = _LARGE
    for j in range(m):
        reach[1, j] = _LARGE
        via[4, j] = 0  # whether the way to the column is settled
    reach[0, start] = 0.0
    via[5, 0] = start  # rows whose columns are to be looked at
    pending = 1
    while True:
        for k in range(pending):
            i = via[5, k]
            base = reach[0, i] - u[i]
            for j in range(m):
                if via[4, j] == 0:
                    there = base + cost[i, j] - v[j]
                    if there < reach[1, j]:
                        reach[1, j] = there
                        via[1, j] = i
        best = -1
        for j in range(m):
            if via[4, j] == 0 and (best < 0 or reach[1, j] < reach[1, best]):
                best = j
        via[4, best] = 1
        length = reach[1, best]
        if demand[best] > 0:
            break
        pending = 0
        for i in range(n):  # what flows into the column may be taken back
            if flow[i, best] > 0 and reach[0, i] == _LARGE:
                reach[0, i] = length
                via[0, i] = best
                via[5, pending] = i
                pending += 1
    for i in range(n):
        if reach[0, i] < length:
            u[i] += length - reach[0, i]
    for j in range(m):
        if via[4, j] == 1 and reach[1, j] < length:
            v[j] -= length - reach[1, j]
    return best


@compiled(error_model="numpy")
def _push(start: int, end: int, flow: Any, via: Any) -> None:
    """Move as many units as can be along the path from a row to a column."""
    supply, demand = via[2], via[3]
    moved = min(supply[start], demand[end])
    j = end
    while via[1, j] != start:
        i = via[1, j]
        j = via[0, i]
        moved = min(moved, flow[i, j])
    supply[start] -= moved
    demand[end] -= moved
    j = end
    while True:
        i = via[1, j]
        flow[i, j] += moved
        if i == start:
            break
        j = via[0, i]
        flow[i, j] -= moved


@compiled()
def workspace(size: int) -> Any:
    """Scratch arrays of :func:`move` for up to size places on either side."""
    return (
        np.empty((size, size), dtype=np.float64),
        np.empty((size, size), dtype=np.int64),
        np.empty(size, dtype=np.float64),
        np.empty(size, dtype=np.float64),
        np.empty((2, size), dtype=np.float64),
        np.empty((6, size), dtype=np.int64),
    )


def whole_units(masses: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return masses (n,) as shares of ``UNITS`` in whole numbers, int64 (n,).

    Their sum is ``UNITS``; what rounding leaves goes to the largest. All are equal where all are 0.

    >>> whole_units(np.array([2.0, 1.0, 0.0])).tolist()
    [666666667, 333333333, 0]
    """
    if not len(masses):
        return np.zeros(0, dtype=np.int64)
    total = float(masses.sum())
    shares = masses / total if total > 0 else np.full(len(masses), 1 / len(masses))
    units = np.floor(shares * UNITS).astype(np.int64)
    units[np.argmax(units)] += UNITS - int(units.sum())
    return units


def transport(
    cost: npt.NDArray[Any],
    first: npt.NDArray[Any] | None = None,
    second: npt.NDArray[Any] | None = None,
) -> tuple[float, npt.NDArray[np.float64]]:
    """The earth mover's distance between two sets, and how much moves where.

    ``cost`` (n, m), not negative. ``first`` (n,) and ``second`` (m,) are the masses of rows and
    columns, not negative; None: all the same. The flow float64 (n, m) sums to the share of each
    mass in its side, in rows and in columns.
    """
    n, m = cost.shape
    size = max(n, m)
    _, flow, u, v, reach, via = workspace(size)
    wide = np.ascontiguousarray(cost, dtype=np.float64)
    if first is None and second is None:
        total = move(wide, n, m, flow, u, v, reach, via)
        return float(total), flow[:n, :m] / (m // math.gcd(n, m) * n)
    via[2, :n] = whole_units(np.ones(n) if first is None else first)
    via[3, :m] = whole_units(np.ones(m) if second is None else second)
    total = move_units(wide, n, m, flow, u, v, reach, via)
    return float(total) / UNITS, flow[:n, :m] / UNITS
