"""Smatch of graphs too large to search: a mapping by looks, and a bound by counting.

Variables are mapped one-to-one by how alike their surroundings are: first those whose concept,
attributes and neighbours up to a few steps away are the same (Weisfeiler-Leman colours), then those
alike in fewer steps, at last by their concept alone; in between, the mapping spreads from mapped
variables along relations of the same role. No mapping matches more triples of a kind than both
graphs have. Two graphs that differ in nothing but the order of their nodes reach that bound.

>>> from compsim.amr.smatch.large import solve_large
>>> from compsim.amr.smatch.problem import Options
>>> from compsim.amr.smatch.triples import encode
>>> from compsim.graph import RoleGraph
>>> dog = RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))")
>>> cat = RoleGraph.from_penman("(c / chase-01 :ARG1 (k / cat) :ARG0 (d / dog))")
>>> batch = encode([dog, cat])
>>> matched, bound, mapping = solve_large(
...     batch[:1], batch[1:], Options(True, True, True, 0.5), np.zeros((0, 0), np.float32)
... )
>>> matched, bound, mapping.tolist()
(6.0, 6.0, [0, 2, 1])
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.amr.smatch.problem import Options, Side, concept_worth
from compsim.amr.smatch.triples import TripleBatch

__all__ = ["solve_large"]

#: Steps of refinement: surroundings further off than this are not looked at.
_ROUNDS: Final = 4


class _Graph:
    """The triples of the one graph of a batch, as dicts."""

    def __init__(self, batch: TripleBatch, options: Options) -> None:
        side = Side(*(array.tolist() for array in batch.side))
        self.concept: list[int] = side.concept if options.senses else side.stem
        self.codes: list[tuple[int, int]] = list(zip(side.concept, side.stem, strict=True))
        rows = zip(side.role, side.source, side.target, side.relation_count, strict=True)
        self.relations: dict[tuple[int, int, int], int] = {
            (role, source, target): count for role, source, target, count in rows
        }
        self.attributes: list[Counter[int]] = [Counter() for _ in self.concept]
        if options.attributes:
            for key, holder, count in zip(side.key, side.holder, side.attribute_count, strict=True):
                self.attributes[holder][key] += count
        if options.top and side.top[0] >= 0:
            value = self.concept[side.top[0]] + 1 if options.top_concept else 0
            self.attributes[side.top[0]][-1 - value] += 1
        self.near: list[list[tuple[int, int, int]]] = [[] for _ in self.concept]
        for role, source, target in self.relations:
            self.near[source].append((role, 0, target))
            self.near[target].append((role, 1, source))

    def roles(self) -> Counter[int]:
        """Return the count of each role."""
        counts: Counter[int] = Counter()
        for (role, _, _), count in self.relations.items():
            counts[role] += count
        return counts

    def keys(self) -> Counter[int]:
        """Return the count of each attribute over all variables; that of TOP is negative."""
        counts: Counter[int] = Counter()
        for own in self.attributes:
            counts.update(own)
        return counts

    def colours(self, number: dict[Hashable, int]) -> list[list[int]]:
        """The colours of the variables, round by round; equal surroundings, equal colours."""
        colour = [
            number.setdefault((concept, tuple(sorted(own.items()))), len(number))
            for concept, own in zip(self.concept, self.attributes, strict=True)
        ]
        rounds = [[number.setdefault(("concept", c), len(number)) for c in self.concept], colour]
        for _ in range(_ROUNDS):
            colour = [
                number.setdefault(
                    (colour[i], tuple(sorted((r, way, colour[j]) for r, way, j in near))),
                    len(number),
                )
                for i, near in enumerate(self.near)
            ]
            rounds.append(colour)
        return rounds[::-1]


def solve_large(
    a: TripleBatch, b: TripleBatch, options: Options, vector: npt.NDArray[np.float32]
) -> tuple[float, float, npt.NDArray[np.int32]]:
    """Matched triples of a good mapping, an upper bound, and the mapping (variables of a,) int32.

    ``a`` and ``b`` hold one graph each, coded with one vocabulary; ``vector`` is as in
    ``solve_pairs``.
    """
    first, second = _Graph(a, options), _Graph(b, options)
    mapping = _mapped(first, second)
    matched = 0.0
    worth: Callable[..., float] = concept_worth
    if len(vector):
        from compsim.amr.smatch.kernel import graded_worth as worth

        bound = float(min(len(first.near), len(second.near)))
    else:
        bound = float((Counter(first.concept) & Counter(second.concept)).total())
    for i, j in enumerate(mapping):
        if j >= 0:
            (x, x_stem), (y, y_stem) = first.codes[i], second.codes[j]
            matched += worth(x, y, x_stem, y_stem, options, vector)
            matched += (first.attributes[i] & second.attributes[j]).total()
    for (role, source, target), count in first.relations.items():
        image = (role, mapping[source], mapping[target])
        matched += min(count, second.relations.get(image, 0))
    for count_kind in (_Graph.keys, _Graph.roles):
        bound += (count_kind(first) & count_kind(second)).total()
    return float(matched), max(float(matched), bound), np.array(mapping, dtype=np.int32)


def _mapped(first: _Graph, second: _Graph) -> list[int]:
    """The variable of the second graph, or -1, for each of the first."""
    mapping = [-1] * len(first.near)
    taken = [False] * len(second.near)
    number: dict[Hashable, int] = {}
    rounds = list(zip(first.colours(number), second.colours(number), strict=True))
    finest = rounds[0]
    open_pairs: deque[tuple[int, int]] = deque()

    def settle(i: int, j: int) -> None:
        mapping[i] = j
        taken[j] = True
        open_pairs.append((i, j))

    def spread(alike: tuple[list[int], list[int]] | None) -> None:
        """Map neighbours of mapped variables that the same relation leads to."""
        while open_pairs:
            i, j = open_pairs.popleft()
            places: dict[tuple[int, int, int], list[int]] = defaultdict(list)
            for role, way, k in reversed(second.near[j]):
                if not taken[k]:
                    places[role, way, alike[1][k] if alike else 0].append(k)
            for role, way, k in first.near[i]:
                if mapping[k] < 0:
                    entry = places.get((role, way, alike[0][k] if alike else 0), [])
                    while entry and taken[entry[-1]]:
                        entry.pop()
                    if entry:
                        settle(k, entry.pop())

    for mine, other in rounds:
        places: dict[int, list[int]] = defaultdict(list)
        for j in reversed(range(len(other))):
            if not taken[j]:
                places[other[j]].append(j)
        left = [i for i in range(len(mine)) if mapping[i] < 0 and mine[i] in places]
        # What looks like no other is the surest; from there the mapping spreads.
        often = Counter(mine[i] for i in left)
        for i in sorted(left, key=lambda i: often[mine[i]] * len(places[mine[i]])):
            entry = places[mine[i]]
            while entry and taken[entry[-1]]:
                entry.pop()
            if mapping[i] < 0 and entry:
                settle(i, entry.pop())
                spread(finest)
        open_pairs.extend((i, j) for i, j in enumerate(mapping) if j >= 0)
        spread(rounds[-1])
    open_pairs.extend((i, j) for i, j in enumerate(mapping) if j >= 0)
    spread(None)
    return mapping
