"""How alike the concepts in the same roles are: who does it, to whom, and what is done.

Agreement aligns concepts wherever they stand. Here an edge of a core role is compared with the
edges of compatible roles alone: "The man hit the dog" and "The boy kicked the cat" are as alike as
man and boy, dog and cat are, each together with the verbs. The functions run as they are or
compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["compare_fillers"]

#: From this compatibility on two relations are one role.
_ONE_ROLE: Final = 0.7


def compare_fillers(
    a: Any, i: int, b: Any, j: int, like: Any, roles: Any, sure_a: Any, sure_b: Any
) -> tuple[float, float]:
    """Return how alike the edges of the same roles are, and the share of weight at such edges.

    ``like`` (n * m) is that of ``fill_likeness``; ``sure_a`` and ``sure_b`` are room for a float
    for each edge. Both values are from 0 to 1, and 0 where no core role is in both sentences.
    """
    m = b.node[j + 1] - b.node[j]
    alike, covered = _compare_half(a, i, b, j, like, roles, m, 1, sure_a)
    other_alike, other_covered = _compare_half(b, j, a, i, like, roles, 1, m, sure_b)
    if covered <= 0.0 or other_covered <= 0.0:
        return 0.0, 0.0
    return 0.5 * (alike + other_alike), min(1.0, 0.5 * (covered + other_covered))


def _compare_half(
    x: Any, i: int, y: Any, j: int, like: Any, roles: Any, step: int, across: int, sure: Any
) -> tuple[float, float]:
    """The weighted mean for the edges of x, each with the best of y, and the share of weight.

    ``like[p * step + q * across]`` is the likeness of node p of x and q of y.
    """
    first, edge = x.node[i], x.edge[i]
    total, alike = 0.0, 0.0
    for e in range(edge, x.edge[i + 1]):
        sure[e - edge] = 0.0
        if not roles.core[x.role[e]]:
            continue
        best = _best_edge(x.role[e], x.source[e], x.target[e], y, j, like, roles, step, across)
        if best < 0.0:
            continue
        confidence = float(x.confidence[e])
        sure[e - edge] = confidence
        ends = float(x.weight[first + x.source[e]] + x.weight[first + x.target[e]])
        total += 0.5 * confidence * ends
        alike += 0.5 * confidence * ends * best
    if total <= 0.0:
        return 0.0, 0.0
    covered, everything = 0.0, 0.0
    for p in range(x.node[i + 1] - first):
        weight, most = float(x.weight[first + p]), 0.0
        for e in range(edge, x.edge[i + 1]):
            if x.source[e] == p or x.target[e] == p:
                most = max(most, sure[e - edge])
        everything += weight
        covered += weight * most
    return min(1.0, alike / total), covered / everything


def _best_edge(
    role: int, source: int, target: int, y: Any, j: int, like: Any, roles: Any, step: int,
    across: int,
) -> float:  # fmt: skip
    """How alike the ends of an edge and of the best one in its role are; -1 without such an edge.

    That is the geometric mean of both ends, so that a role counts where the events are alike.
    """
    best = -1.0
    for f in range(y.edge[j], y.edge[j + 1]):
        u, v = y.source[f], y.target[f]
        fits = roles.compatible[role, y.role[f]]
        if fits >= _ONE_ROLE:
            ends = like[source * step + u * across] * like[target * step + v * across]
            best = max(best, fits * ends**0.5)
        fits = roles.turned[role, y.role[f]]
        if fits >= _ONE_ROLE:
            ends = like[source * step + v * across] * like[target * step + u * across]
            best = max(best, fits * ends**0.5)
    return best
