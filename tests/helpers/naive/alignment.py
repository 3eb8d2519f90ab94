"""The slow, obvious twins of the matcher: all mappings tried, and an integer program."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

Table = Sequence[Sequence[float]]
Edge = tuple[int, int, int, float]  # source, target, role, weight


def mappings(n: int, m: int) -> Iterator[dict[int, int]]:
    """Yield every partial one-to-one mapping of n nodes to m."""
    for size in range(min(n, m) + 1):
        for rows in itertools.combinations(range(n), size):
            for columns in itertools.permutations(range(m), size):
                yield dict(zip(rows, columns, strict=True))


def score(
    mapping: dict[int, int],
    unary: Table,
    a: Sequence[Edge],
    b: Sequence[Edge],
    compat: Table,
    turned: Table,
) -> float:
    """Return the score of a mapping; -1 if it aligns nodes that may not be aligned."""
    if any(unary[i][j] == 0 for i, j in mapping.items()):
        return -1.0
    worth = [[edge_worth(mapping, e, f, compat, turned) for f in b] for e in a]
    return sum(unary[i][j] for i, j in mapping.items()) + best_matching(worth)


def edge_worth(mapping: dict[int, int], e: Edge, f: Edge, compat: Table, turned: Table) -> float:
    """Return the worth of two edges under a mapping."""
    ends = mapping.get(e[0]), mapping.get(e[1])
    straight = compat[e[2]][f[2]] if ends == (f[0], f[1]) else 0.0
    against = turned[e[2]][f[2]] if ends == (f[1], f[0]) else 0.0
    return max(straight, against) * min(e[3], f[3])


def best_matching(worth: list[list[float]]) -> float:
    """Return the largest sum of worths with at most one in each row and column, by recursion."""
    rows = [row for row in worth if any(row)]
    if not rows:
        return 0.0
    first, rest = rows[0], rows[1:]
    best = best_matching(rest)
    for j, value in enumerate(first):
        if value:
            others = [[*row[:j], 0.0, *row[j + 1 :]] for row in rest]
            best = max(best, value + best_matching(others))
    return best


def best_score(
    unary: Table, a: Sequence[Edge], b: Sequence[Edge], compat: Table, turned: Table
) -> float:
    """Return the largest score of all mappings."""
    n, m = len(unary), len(unary[0]) if unary else 0
    return max(score(mapping, unary, a, b, compat, turned) for mapping in mappings(n, m))


def best_by_program(
    unary: Table, a: Sequence[Edge], b: Sequence[Edge], compat: Table, turned: Table
) -> float:
    """Return the largest score as the optimum of an integer program; loops are left out."""
    n, m = len(unary), len(unary[0])
    cells = [(i, j) for i in range(n) for j in range(m) if unary[i][j]]
    index = {cell: number for number, cell in enumerate(cells)}
    worth = [unary[i][j] for i, j in cells]
    groups = [[index[c] for c in cells if c[0] == i] for i in range(n)]
    groups += [[index[c] for c in cells if c[1] == j] for j in range(m)]
    matches: list[tuple[int, int]] = []  # of edges
    needs: list[tuple[int, int]] = []  # a match and a cell that it needs
    for (x, e), (y, f) in itertools.product(enumerate(a), enumerate(b)):
        for table, ends in ((compat, (f[0], f[1])), (turned, (f[1], f[0]))):
            both = (e[0], ends[0]), (e[1], ends[1])
            if (
                table[e[2]][f[2]]
                and e[0] != e[1]
                and f[0] != f[1]
                and all(c in index for c in both)
            ):
                needs += [(len(worth), index[cell]) for cell in both]
                worth.append(table[e[2]][f[2]] * min(e[3], f[3]))
                matches.append((x, y))
    for side, edges in enumerate((a, b)):
        for x in range(len(edges)):
            groups.append([len(cells) + k for k, pair in enumerate(matches) if pair[side] == x])
    if not worth:
        return 0.0
    rows = np.zeros((len(groups) + len(needs), len(worth)))
    for row, group in enumerate(groups):
        rows[row, group] = 1.0
    for row, (match, cell) in enumerate(needs, len(groups)):
        rows[row, match], rows[row, cell] = 1.0, -1.0
    limits = np.r_[np.ones(len(groups)), np.zeros(len(needs))]
    result = milp(
        -np.array(worth),
        constraints=LinearConstraint(rows, -np.inf, limits),
        integrality=np.ones(len(worth)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0, result.message
    return float(-result.fun)
