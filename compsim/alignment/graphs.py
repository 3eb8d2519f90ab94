"""The best one-to-one alignment of the nodes of two graphs, by nodes and edges.

Aligning node i of graph A to node a of graph B is worth ``unary[i * m + a]``, and 0 forbids it.
Edges of A and B whose ends are aligned are satisfied: worth ``compat[r, s]`` of the smaller weight
where both run the same way, ``turned[r, s]`` of it where they run against each other, and each edge
counts once. The sum is made as large as can be (``search``), and the result says whether that is
proven.

Of mappings with equal scores, one with more pairs is preferred, then one that aligns nodes at
nearer relative positions, (i + 1/2) / n and (a + 1/2) / m: each pair has a bonus, so small that it
decides between equals only, and no other column for one node and no exchange of two makes the sum
of score and bonuses larger. The graph with fewer nodes gives the rows of the problem; of two with
as many nodes, one is chosen by its edges and worths, so that exchanging the graphs changes neither
score nor bound. The order in which edges are listed changes nothing.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> import numpy as np
>>> from compsim.alignment.scratch import make_scratch
>>> same = np.eye(1)
>>> chain = [0, 1], [1, 2], [0, 0], [1.0, 1.0]  # 0 -> 1 -> 2
>>> scratch = make_scratch(3, 3, 2, 2, lists=True)
>>> score, bound, visited = align(
...     3, 3, [1.0] * 9, *chain, *chain, same, 0 * same, 100, 10_000, scratch
... )
>>> float(score), float(bound), visited
(5.0, 5.0, 0)
>>> scratch.mapping, scratch.partner
([0, 1, 2], [0, 1])
"""

from __future__ import annotations

import math
from typing import Any, Final

from compsim.alignment.edges import (
    CROSSED,
    LOOP,
    PARALLEL,
    Bundles,
    bundle_edges,
    edge_worth,
    match_bundles,
    runs_turned,
    trim,
)
from compsim.alignment.lines import sort_ties
from compsim.alignment.local_search import climb
from compsim.alignment.scratch import Scratch
from compsim.alignment.search import search
from compsim.alignment.state import SMALL, WORK
from compsim.kernels.assignment import assign

__all__ = ["align"]

#: Sums that differ by less are one.
_TOLD_APART: Final = 1e-9
#: The sum of the bonuses that decide between equals, at most.
_BONUS: Final = 4e-10

#: A step that gains less than this is a rounding error.
_ROUNDING: Final = 1e-14


def align(
    n: int,
    m: int,
    unary: Any,
    ea_source: Any,
    ea_target: Any,
    ea_role: Any,
    ea_weight: Any,
    eb_source: Any,
    eb_target: Any,
    eb_role: Any,
    eb_weight: Any,
    compat: Any,
    turned: Any,
    nodes: int,
    work: int,
    scratch: Scratch,
) -> tuple[float, float, int]:
    """Align the nodes of graph A (n) and graph B (m) one-to-one for the largest score.

    Args:
        n: Nodes of A.
        m: Nodes of B.
        unary: Worth of each pair of nodes, float64 (n * m), row by row; 0 forbids it. Worths should
            be of the order of 1: sums are told apart down to 1e-9.
        ea_source: The node that each edge of A leaves, integers (edges of A,).
        ea_target: The node that it leads to.
        ea_role: Its role, a row of the tables.
        ea_weight: Its weight, float64.
        eb_source: The same for the edges of B, whose roles are columns of the tables.
        eb_target: As above.
        eb_role: As above.
        eb_weight: As above.
        compat: Worth of two roles in edges that run the same way, float64 (roles, roles) in [0, 1].
        turned: Worth of two roles in edges that run against each other.
        nodes: How many nodes the search may visit.
        work: How many elementary steps it may take, about 1e9 a second.
        scratch: Arrays of ``make_scratch`` for graphs of at least this size.

    Returns:
        The score of the alignment; an upper bound of all scores, equal to the score where no
        alignment is better; and the nodes that the search visited, 0 where none was needed.
        ``scratch`` has the alignment: ``mapping`` and, for each edge of A, ``partner``,
        ``partner_turned`` and ``partner_worth``.
    """
    for i in range(n):
        scratch.mapping[i] = -1
    for e in range(len(ea_source)):
        scratch.partner[e] = -1
        scratch.partner_turned[e] = 0
        scratch.partner_worth[e] = 0.0
    if n == 0 or m == 0:
        return 0.0, 0.0, 0
    a, b = scratch.bundles_a, scratch.bundles_b
    count_a = bundle_edges(ea_source, ea_target, ea_role, ea_weight, a)
    count_b = bundle_edges(eb_source, eb_target, eb_role, eb_weight, b)
    swapped = n > m
    if n == m:
        swapped = _is_second(n, unary, a, count_a, b, count_b, compat, turned)
    if swapped:
        n, m = m, n
        a, b = b, a
        count_a, count_b = count_b, count_a
    bound, visited = _solve(
        n, m, unary, a, count_a, b, count_b, swapped, compat, turned, nodes, work, scratch
    )
    score = _write_answer(n, m, unary, a, count_a, b, count_b, swapped, compat, turned, scratch)
    # A bound cut short holds bonuses too: what they add says nothing of a better alignment.
    proven = bound <= score + _TOLD_APART
    return score, score if proven else bound, visited


def _is_second(
    n: int,
    unary: Any,
    a: Bundles,
    count_a: int,
    b: Bundles,
    count_b: int,
    compat: Any,
    turned: Any,
) -> bool:
    """Return whether B gives the rows, of two graphs of n nodes; it does not after an exchange."""
    if count_a != count_b:
        return count_a > count_b
    edges, others = a.start[count_a], b.start[count_b]
    if edges != others:
        return bool(edges > others)
    for x in range(count_a):
        if a.start[x] != b.start[x]:
            return bool(a.start[x] > b.start[x])
        if a.low[x] != b.low[x]:
            return bool(a.low[x] > b.low[x])
        if a.high[x] != b.high[x]:
            return bool(a.high[x] > b.high[x])
    for e in range(edges):
        if a.role[e] != b.role[e]:
            return bool(a.role[e] > b.role[e])
        if a.down[e] != b.down[e]:
            return bool(a.down[e] > b.down[e])
        if a.weight[e] != b.weight[e]:
            return bool(a.weight[e] > b.weight[e])
    for i in range(n):
        for j in range(i):
            if unary[i * n + j] != unary[j * n + i]:
                return bool(unary[i * n + j] > unary[j * n + i])
    # The same roles on both sides: only their order in the tables is left.
    for e in range(edges):
        for f in range(e):
            r, s = a.role[e], a.role[f]
            if compat[r, s] != compat[s, r]:
                return bool(compat[r, s] > compat[s, r])
            if turned[r, s] != turned[s, r]:
                return bool(turned[r, s] > turned[s, r])
    return False


def _solve(
    n: int,
    m: int,
    unary: Any,
    rows: Bundles,
    row_count: int,
    columns: Bundles,
    column_count: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    nodes: int,
    work: int,
    scratch: Scratch,
) -> tuple[float, int]:
    """Find the answer; return an upper bound, -1 where the answer reaches it, and nodes visited."""
    problem, state = scratch.problem, scratch.state
    answer = state.answer
    searchable = n * m <= len(problem.unary)
    whole = False
    if searchable:
        whole = _weigh_nodes(
            n, m, unary, rows, row_count, columns, column_count, swapped, compat, turned, scratch
        )
        state.count[WORK] = 0
        worth = assign(problem.unary, n, m, state.assignment, state.count)
        for i in range(n):
            answer[i] = -1
        for j in range(m):
            i = state.assignment.row_of[j + 1] - 1
            if i >= 0 and problem.unary[i * m + j] > 0.0:
                answer[i] = j
    else:
        worth = _align_greedily(n, m, unary, swapped, scratch)
        worth += _bound_loops(rows, row_count, columns, column_count)
    ties, satisfied, potential, whole_ties = _tie_cells(
        n, m, unary, rows, row_count, columns, column_count, swapped, compat, turned, scratch
    )
    if searchable and satisfied >= potential - SMALL:
        return -1.0, 0
    if not searchable or ties > len(problem.tie_worth):
        return worth + potential, 0
    sort_ties(n * m, ties, column_count, problem, state.used_list, scratch.column_best)
    score, bound, visited = search(
        n, m, ties, problem, state, whole and whole_ties, nodes, work, scratch.stop
    )
    _improve_answer(n, m, ties, scratch)
    if bound <= score:
        return -1.0, visited
    return min(bound, worth + potential), visited


def _unary(i: int, a: int, n: int, m: int, unary: Any, swapped: bool) -> float:
    """Return the worth of row i and column a."""
    worth: float = unary[a * n + i] if swapped else unary[i * m + a]
    return worth


def _weigh_nodes(
    n: int,
    m: int,
    unary: Any,
    rows: Bundles,
    row_count: int,
    columns: Bundles,
    column_count: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    scratch: Scratch,
) -> bool:
    """Fill in the worth of each cell, with loops and bonus; return whether worths are whole."""
    cells = scratch.problem.unary
    whole = True
    for i in range(n):
        for a in range(m):
            worth = _unary(i, a, n, m, unary, swapped)
            cells[i * m + a] = worth
            whole = whole and worth == math.floor(worth)
    for x in range(row_count):
        if rows.low[x] != rows.high[x]:
            continue
        for y in range(column_count):
            cell = rows.low[x] * m + columns.low[y]
            if columns.low[y] == columns.high[y] and cells[cell] > 0.0:
                worth = match_bundles(
                    rows, x, columns, y, LOOP, swapped, compat, turned, scratch.matching
                )
                cells[cell] += worth
                whole = whole and worth == math.floor(worth)
    # One half for the pair, up to one half for its nearness.
    bonus = 0.5 * _BONUS / n
    unit = 1.0 / (2 * n * m)
    for i in range(n):
        for a in range(m):
            if cells[i * m + a] > 0.0:
                apart = abs((2 * i + 1) * m - (2 * a + 1) * n) * unit
                cells[i * m + a] += bonus * (2.0 - apart)
    return whole


def _align_greedily(n: int, m: int, unary: Any, swapped: bool, scratch: Scratch) -> float:
    """Give each row its best free column, in the answer; return a bound of all unary sums."""
    answer, row_of = scratch.state.answer, scratch.state.row_of
    for a in range(m):
        row_of[a] = -1
    bound = 0.0
    for i in range(n):
        most = 0.0
        best = 0.0
        chosen = -1
        for a in range(m):
            worth = _unary(i, a, n, m, unary, swapped)
            most = max(most, worth)
            if worth > best and row_of[a] < 0:
                best = worth
                chosen = a
        bound += most
        answer[i] = chosen
        if chosen >= 0:
            row_of[chosen] = i
    return bound


def _bound_loops(rows: Bundles, row_count: int, columns: Bundles, column_count: int) -> float:
    """Return a bound of the worth of all loops: the smaller of the sums of their weights."""
    first = 0.0
    for x in range(row_count):
        if rows.low[x] == rows.high[x]:
            for e in range(rows.start[x], rows.start[x + 1]):
                first += rows.weight[e]
    second = 0.0
    for y in range(column_count):
        if columns.low[y] == columns.high[y]:
            for f in range(columns.start[y], columns.start[y + 1]):
                second += columns.weight[f]
    return min(first, second)


def _tie_cells(
    n: int,
    m: int,
    unary: Any,
    rows: Bundles,
    row_count: int,
    columns: Bundles,
    column_count: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    scratch: Scratch,
) -> tuple[int, float, float, bool]:
    """Tie the cells between which edges are satisfied, as long as there is room.

    A half is in the line of its row's bundle, ``line``; the line of its column's bundle is in
    ``used_list``.

    Returns:
        The number of ties, the worth of those that the answer satisfies, a bound of the worth that
        any mapping satisfies, and whether all worths are whole.
    """
    problem, answer = scratch.problem, scratch.state.answer
    tie_cell, tie_worth, line = problem.tie_cell, problem.tie_worth, problem.line
    other_line, row_best, column_best = (
        scratch.state.used_list,
        scratch.row_best,
        scratch.column_best,
    )
    for y in range(column_count):
        column_best[y] = 0.0
    ties = 0
    satisfied = 0.0
    whole = True
    potential = 0.0
    for x in range(row_count):
        u, v = rows.low[x], rows.high[x]
        row_best[x] = 0.0
        if u == v:
            continue
        for y in range(column_count):
            if columns.low[y] == columns.high[y]:
                continue
            for way in (PARALLEL, CROSSED):
                a = columns.low[y] if way == PARALLEL else columns.high[y]
                b = columns.high[y] if way == PARALLEL else columns.low[y]
                if (
                    _unary(u, a, n, m, unary, swapped) == 0.0
                    or _unary(v, b, n, m, unary, swapped) == 0.0
                ):
                    continue
                worth = match_bundles(
                    rows, x, columns, y, way, swapped, compat, turned, scratch.matching
                )
                if worth <= 0.0:
                    continue
                row_best[x] = max(row_best[x], worth)
                column_best[y] = max(column_best[y], worth)
                whole = whole and worth == math.floor(worth)
                if answer[u] == a and answer[v] == b:
                    satisfied += worth
                if ties < len(tie_worth):
                    tie_worth[ties] = worth
                    tie_cell[2 * ties] = u * m + a
                    tie_cell[2 * ties + 1] = v * m + b
                    for half in (2 * ties, 2 * ties + 1):
                        line[half] = x
                        other_line[half] = y
                ties += 1
        potential += row_best[x]
    other = 0.0
    for y in range(column_count):
        other += column_best[y]
    return ties, satisfied, min(potential, other), whole


def _improve_answer(n: int, m: int, ties: int, scratch: Scratch) -> None:
    """Break ties between equal scores by the bonuses, as far as single steps do."""
    problem, state = scratch.problem, scratch.state
    answer, row_of, count = state.answer, state.row_of, state.count
    for j in range(m + 1):
        row_of[j] = 0
    _drop_forbidden(n, m, scratch)
    for i in range(n):
        if answer[i] >= 0:
            row_of[answer[i] + 1] = i + 1
    limit = count[WORK] + 64 * (n * m + 2 * ties)
    climb(answer, row_of, 0.0, n, m, _ROUNDING, problem, count, limit)
    _drop_forbidden(n, m, scratch)


def _drop_forbidden(n: int, m: int, scratch: Scratch) -> None:
    """Leave rows unaligned that the answer aligns to a column where nothing is worth anything."""
    answer, cells = scratch.state.answer, scratch.problem.unary
    for i in range(n):
        if answer[i] >= 0 and cells[i * m + answer[i]] == 0.0:
            answer[i] = -1


def _write_answer(
    n: int,
    m: int,
    unary: Any,
    rows: Bundles,
    row_count: int,
    columns: Bundles,
    column_count: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    scratch: Scratch,
) -> float:
    """Write the answer as mapping and partners of A; return its score."""
    answer = scratch.state.answer
    score = 0.0
    for i in range(n):
        if answer[i] >= 0:
            score += _unary(i, answer[i], n, m, unary, swapped)
            if swapped:
                scratch.mapping[answer[i]] = i
            else:
                scratch.mapping[i] = answer[i]
    for x in range(row_count):
        a, b = answer[rows.low[x]], answer[rows.high[x]]
        if a < 0 or b < 0:
            continue
        low, high = min(a, b), max(a, b)
        way = LOOP if rows.low[x] == rows.high[x] else PARALLEL if a < b else CROSSED
        for y in range(column_count):
            if columns.low[y] == low and columns.high[y] == high:
                score += match_bundles(
                    rows, x, columns, y, way, swapped, compat, turned, scratch.matching
                )
                _write_partners(rows, x, columns, y, way, swapped, compat, turned, scratch)
    return score


def _write_partners(
    rows: Bundles,
    x: int,
    columns: Bundles,
    y: int,
    way: int,
    swapped: bool,
    compat: Any,
    turned: Any,
    scratch: Scratch,
) -> None:
    """Write which edges of two bundles are partners, after ``match_bundles``."""
    first, second = rows.start[x], columns.start[y]
    p, q = rows.start[x + 1] - first, columns.start[y + 1] - second
    single = p == 1 and q == 1
    p, q = trim(p, q, scratch.matching)
    for larger in range(max(p, q)):
        smaller = 0 if single else scratch.matching.assignment.row_of[larger + 1] - 1
        if smaller < 0:
            continue
        e = first + (smaller if p <= q else larger)
        f = second + (larger if p <= q else smaller)
        worth = edge_worth(rows, e, columns, f, way, swapped, compat, turned)
        if worth <= 0.0:
            continue
        edge, partner = rows.edge[e], columns.edge[f]
        against = runs_turned(rows, e, columns, f, way)
        if swapped:
            edge, partner = partner, edge
        if way == LOOP:
            r, s = rows.role[e], columns.role[f]
            if swapped:
                r, s = s, r
            against = turned[r, s] > compat[r, s]
        scratch.partner[edge] = partner
        scratch.partner_turned[edge] = 1 if against else 0
        scratch.partner_worth[edge] = worth
