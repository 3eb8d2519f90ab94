"""Edges of a graph in bundles: those between the same two nodes are matched together.

A bundle of one graph may be laid on a bundle of the other in two ways, *parallel* (low node to low
node) or *crossed*. Its edges are then matched one-to-one so that the sum of their worths is
largest. Two edges that run the same way are worth ``compat[r, s]`` of the smaller weight, two that
run against each other ``turned[r, s]``.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> bundles = make_bundles(3, lists=True)
>>> bundle_edges([0, 2, 0], [1, 0, 1], [5, 6, 7], [1.0, 1.0, 1.0], bundles)  # two from 0 to 1
2
>>> bundles.edge, bundles.start[:3], bundles.low[:2], bundles.high[:2]
([0, 2, 1], [0, 2, 3], [0, 0], [1, 2])
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.alignment.state import flags, floats, integers, make_assignment, totals
from compsim.kernels.assignment import Assignment, assign

__all__ = [
    "CROSSED",
    "LOOP",
    "PARALLEL",
    "Bundles",
    "Matching",
    "bundle_edges",
    "edge_worth",
    "make_bundles",
    "make_matching",
    "match_bundles",
    "runs_turned",
    "trim",
]

#: How a bundle is laid on another: low node on low node, low node on high node, loop on loop.
PARALLEL: Final = 0
CROSSED: Final = 1
LOOP: Final = 2


class Bundles(NamedTuple):
    """The edges of one graph, sorted by their ends.

    For each edge, in this order: its number in the graph (``edge`` int32), its ``role`` int32 and
    ``weight`` float64, and whether it runs from the high to the low node (``down`` uint8). For each
    bundle: its first edge (``start`` int32, one more at the end) and its nodes ``low`` and
    ``high`` int32, the same for loops.
    """

    edge: Any
    role: Any
    weight: Any
    down: Any
    start: Any
    low: Any
    high: Any


class Matching(NamedTuple):
    """Arrays for the assignment problem of two bundles: ``worth`` float64 of pairs of edges."""

    worth: Any
    assignment: Assignment
    count: Any


def make_bundles(edges: int, lists: bool) -> Bundles:
    """Return the arrays for at most this many edges."""
    return Bundles(
        integers(edges, lists),
        integers(edges, lists),
        floats(edges, lists),
        flags(edges, lists),
        integers(edges + 1, lists),
        integers(edges, lists),
        integers(edges, lists),
    )


def make_matching(edges: int, most: int, lists: bool) -> Matching:
    """Return the arrays for bundles of so many edges, but at most ``most`` pairs of edges."""
    return Matching(
        floats(min(edges * edges, most), lists), make_assignment(edges, lists), totals(1, lists)
    )


def bundle_edges(source: Any, target: Any, role: Any, weight: Any, bundles: Bundles) -> int:
    """Sort edges into bundles; return the number of bundles.

    The result does not depend on the order of edges that differ in an end, a role or a weight.
    """
    edge, start, low, high = bundles.edge, bundles.start, bundles.low, bundles.high
    for e in range(len(source)):
        index = e
        while index > 0 and _before(e, edge[index - 1], source, target, role, weight):
            edge[index] = edge[index - 1]
            index -= 1
        edge[index] = e
    count = 0
    for index in range(len(source)):
        e = edge[index]
        first, second = min(source[e], target[e]), max(source[e], target[e])
        if count == 0 or low[count - 1] != first or high[count - 1] != second:
            low[count] = first
            high[count] = second
            start[count] = index
            count += 1
        bundles.role[index] = role[e]
        bundles.weight[index] = weight[e]
        bundles.down[index] = 1 if source[e] > target[e] else 0
    start[count] = len(source)
    return count


def _before(e: int, f: int, source: Any, target: Any, role: Any, weight: Any) -> bool:
    """Return whether edge e is sorted before edge f."""
    x, y = min(source[e], target[e]), min(source[f], target[f])
    if x != y:
        return bool(x < y)
    x, y = max(source[e], target[e]), max(source[f], target[f])
    if x != y:
        return bool(x < y)
    if role[e] != role[f]:
        return bool(role[e] < role[f])
    if source[e] != source[f]:
        return bool(source[e] < source[f])
    return bool(weight[e] < weight[f])


def runs_turned(rows: Bundles, e: int, columns: Bundles, f: int, way: int) -> bool:
    """Return whether edges e and f run against each other where their bundles lie so."""
    return bool((rows.down[e] == columns.down[f]) == (way == CROSSED))


def edge_worth(
    rows: Bundles,
    e: int,
    columns: Bundles,
    f: int,
    way: int,
    swapped: bool,
    compat: Any,
    turned: Any,
) -> float:
    """Return the worth of edges e and f where their bundles lie on each other in this way.

    ``swapped`` says that the rows are the nodes of graph B, whose roles the tables have second.
    """
    r, s = rows.role[e], columns.role[f]
    if swapped:
        r, s = s, r
    worth: float
    if way == LOOP:
        worth = max(compat[r, s], turned[r, s])
    elif runs_turned(rows, e, columns, f, way):
        worth = turned[r, s]
    else:
        worth = compat[r, s]
    worth *= min(rows.weight[e], columns.weight[f])
    return worth


def trim(p: int, q: int, matching: Matching) -> tuple[int, int]:
    """Return how many edges of two bundles are looked at: all, if there is room for their pairs."""
    room = len(matching.worth)
    if p * q > room:
        if p > q:
            p = max(1, room // q)
        q = min(q, room // p)
    return p, q


def match_bundles(
    rows: Bundles,
    x: int,
    columns: Bundles,
    y: int,
    way: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    matching: Matching,
) -> float:
    """Match the edges of two bundles one-to-one; return the largest sum of their worths.

    With several edges on both sides or either, ``matching.assignment.row_of`` has the edges of the
    smaller bundle, from 1, for those of the larger one.
    """
    first, second = rows.start[x], columns.start[y]
    if rows.start[x + 1] - first == 1 and columns.start[y + 1] - second == 1:
        return edge_worth(rows, first, columns, second, way, swapped, compat, turned)
    return _match_several(rows, x, columns, y, way, swapped, compat, turned, matching)


def _match_several(
    rows: Bundles,
    x: int,
    columns: Bundles,
    y: int,
    way: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    matching: Matching,
) -> float:
    """Match the edges of two bundles of which one at least has several."""
    first, second = rows.start[x], columns.start[y]
    p, q = rows.start[x + 1] - first, columns.start[y + 1] - second
    p, q = trim(p, q, matching)
    for e in range(p):
        for f in range(q):
            index = e * q + f if p <= q else f * p + e
            matching.worth[index] = edge_worth(
                rows, first + e, columns, second + f, way, swapped, compat, turned
            )
    return assign(matching.worth, min(p, q), max(p, q), matching.assignment, matching.count)
