"""The measure of two DRSs written out condition by condition, without arrays of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from compsim.graph import RoleGraph

Alike = Callable[[int, int], float]


def score(a: RoleGraph, b: RoleGraph, alike: Alike, shares: Sequence[float]) -> float:
    """The score of two graphs; ``alike(i, j)`` is the cosine of node i of a and node j of b."""

    def s(i: int, j: int) -> float:
        return max(0.0, alike(i, j))

    n, m = len(a.nodes), len(b.nodes)
    words = sum(max(s(i, j) for j in range(m)) for i in range(n)) / n
    words += sum(max(s(i, j) for i in range(n)) for j in range(m)) / m

    def condition(i: int, j: int) -> float:
        x, y = a.edges[i], b.edges[j]
        boxes = [g.nodes[e.source].feature("negated") for g, e in ((a, x), (b, y))]
        if x.role != y.role or boxes[0] != boxes[1]:
            return 0.0
        return (s(x.source, y.source) + s(x.target, y.target)) / 2

    k, m2 = len(a.edges), len(b.edges)
    structure = 0.0
    if k and m2:
        structure = sum(max(condition(i, j) for j in range(m2)) for i in range(k)) / k
        structure += sum(max(condition(i, j) for i in range(k)) for j in range(m2)) / m2
    p = [i + 1 for i in range(n)] + [_place([s(i, j) for i in range(n)], j) for j in range(m)]
    q = [_place([s(i, j) for j in range(m)], i) for i in range(n)] + [j + 1 for j in range(m)]
    apart = math.sqrt(sum((x - y) ** 2 for x, y in zip(p, q, strict=True)))
    together = math.sqrt(sum((x + y) ** 2 for x, y in zip(p, q, strict=True)))
    parts = [words / 2, structure / 2, 1 - apart / together]
    counted = list(shares)
    if not k and not m2:
        counted[1] = 0.0
    if not sum(counted):
        counted = [1.0, 0.0, 0.0]
    return sum(x * y for x, y in zip(counted, parts, strict=True)) / sum(counted)


def _place(values: list[float], own: int) -> int:
    best = max(values)
    like = [i for i, value in enumerate(values) if value > best - 1e-6]
    return min(like, key=lambda i: abs(i - own)) + 1 if best >= 0.4 else 0
