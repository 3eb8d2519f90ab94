"""Relations looked up by walking the whole table, and sisters by comparing all pairs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from compsim.vectors.relations import Kind, RelationArrays

MIRROR = {Kind.NARROWER: Kind.WIDER, Kind.WIDER: Kind.NARROWER}


def naive_relation(first: int, second: int, arrays: RelationArrays) -> tuple[Kind, float]:
    if -1 in (first, second):
        return Kind.NONE, 0.0
    if first == second:
        return Kind.SAME, 1.0
    for word in range(len(arrays.starts) - 1):
        for k in range(arrays.starts[word], arrays.starts[word + 1]):
            kind, strength = Kind(int(arrays.kinds[k])), float(arrays.strengths[k]) / 255
            if (word, arrays.others[k]) == (first, second):
                return kind, strength
            if (word, arrays.others[k]) == (second, first):
                return MIRROR.get(kind, kind), strength
    return Kind.NONE, 0.0


def naive_sisters(
    shares: Mapping[str, Mapping[tuple[str, ...], float]],
    vectors: Mapping[str, np.ndarray],
    near: float,
    product: float,
) -> dict[tuple[str, str], float]:
    """Return the overlap in classes of two words that share enough and are near enough."""
    sisters = {}
    for a in shares:
        for b in shares:
            common = shares[a].keys() & shares[b].keys()
            shared = max((shares[a][c] * shares[b][c] for c in common), default=0.0)
            cosine = float(vectors[a] @ vectors[b])
            if a < b and cosine >= near and shared * cosine >= product:
                sisters[a, b] = shared
    return sisters
