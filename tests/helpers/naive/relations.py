"""The relation of two words, by walking all that the table holds about the first."""

from __future__ import annotations

from compsim.vectors.relations import SISTER_LIMIT, Kind, RelationArrays

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
    common = [
        float(a * b) * float(arrays.specificity[group]) / 255
        for group, a in _classes(first, arrays).items()
        for other, b in _classes(second, arrays).items()
        if group == other
    ]
    strength = max(common, default=0.0)
    return (Kind.SISTER, strength) if strength >= SISTER_LIMIT else (Kind.NONE, 0.0)


def _classes(word: int, arrays: RelationArrays) -> dict[int, float]:
    rows = range(arrays.class_starts[word], arrays.class_starts[word + 1])
    return {int(arrays.classes[k]): float(arrays.shares[k]) / 255 for k in rows}
