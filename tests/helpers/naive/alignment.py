"""The slow, obvious twin of the matcher: all partial one-to-one mappings tried."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

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
