"""The slow, obvious twin of Smatch: triples by definition, the best by an integer program."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from compsim.amr.smatch.triples import Triples


def matched(a: Triples, b: Triples, mapping: dict[int, int]) -> int:
    """Return the number of triples that match once the variables of a are mapped."""
    image: Counter[tuple[object, ...]] = Counter()
    for node, concept in a.concepts.items():
        if node in mapping:
            image["instance", mapping[node], concept] += 1
    for (role, source, target), count in a.relations.items():
        if source in mapping and target in mapping:
            image["relation", role, mapping[source], mapping[target]] += count
    for (role, holder, value), count in a.attributes.items():
        if holder in mapping:
            image["attribute", role, mapping[holder], value] += count
    if a.top in mapping:
        image["top", mapping[a.top]] += 1
    return (image & all_triples(b)).total()


def all_triples(b: Triples) -> Counter[tuple[object, ...]]:
    triples: Counter[tuple[object, ...]] = Counter()
    triples.update({("instance", node, concept): 1 for node, concept in b.concepts.items()})
    triples.update({("relation", *relation): count for relation, count in b.relations.items()})
    triples.update({("attribute", *attribute): count for attribute, count in b.attributes.items()})
    if b.top is not None:
        triples["top", b.top] += 1
    return triples


def by_enumeration(a: Triples, b: Triples) -> int:
    """The most triples that any mapping matches, all mappings tried: for a handful of variables."""
    first, second = list(a.concepts), [*b.concepts, *[-1] * len(a.concepts)]
    best = 0
    for choice in itertools.permutations(second, len(first)):
        mapping = {i: j for i, j in zip(first, choice, strict=True) if j >= 0}
        best = max(best, matched(a, b, mapping))
    return best


def by_program(a: Triples, b: Triples) -> float:
    """The most triples that any mapping matches, as the optimum of an integer program."""
    first, second = list(a.concepts), list(b.concepts)
    column = {pair: number for number, pair in enumerate(itertools.product(first, second))}
    worth = [0.0] * len(column)
    for (i, j), number in column.items():
        worth[number] += a.concepts[i] == b.concepts[j]
        worth[number] += i == a.top and j == b.top
        for (role, holder, value), count in a.attributes.items():
            if holder == i:
                worth[number] += min(count, b.attributes.get((role, j, value), 0))
    rows: list[tuple[int, int, float]] = []  # of the constraints: row, column, coefficient
    limits: list[float] = []
    for i in first:
        rows += [(len(limits), column[i, j], 1.0) for j in second]
        limits.append(1.0)
    for j in second:
        rows += [(len(limits), column[i, j], 1.0) for i in first]
        limits.append(1.0)
    for (role, source, target), count in a.relations.items():
        for (other, start, end), times in b.relations.items():
            if role == other:
                tie = len(worth)
                worth.append(min(count, times))
                for pair in ((source, start), (target, end)):
                    rows += [(len(limits), tie, 1.0), (len(limits), column[pair], -1.0)]
                    limits.append(0.0)
    if not worth:
        return 0.0
    places = np.array([(row, place) for row, place, _ in rows]).T
    matrix = coo_array(
        ([value for *_, value in rows], (places[0], places[1])), shape=(len(limits), len(worth))
    )
    result = milp(
        -np.array(worth),
        constraints=LinearConstraint(matrix.tocsr(), -np.inf, np.array(limits)),
        integrality=np.ones(len(worth)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0, result.message
    return float(-result.fun)
