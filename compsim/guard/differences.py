"""Differences of two texts, from the comparison that made the score.

>>> from compsim import load
>>> from compsim.guard.names import LIGHT_METHOD
>>> method = load(LIGHT_METHOD, vectors="builtin")
>>> first, second = method.encode(["The dog bit the man."]), method.encode(["The man bit the dog."])
>>> result = differences(method, first, second)[0]
>>> result.kind, result.sure, result.first
('roles', 1.0, ((4, 7), (16, 19)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from compsim.comparison.clauses import compare_pair
from compsim.comparison.parts import CONFLICT, WORDING, parts
from compsim.explanation.verdict import only_in
from compsim.graph.nodes import Node, Span
from compsim.guard.features import SCORE, graphs_of, kind_of
from compsim.guard.verdict import Difference

if TYPE_CHECKING:
    from compsim.comparison.batch import ConceptBatch

__all__ = ["differences"]

#: What a concept without a partner must weigh, as a share of the mean of its text, to be told.
_HEAVY: Final = 0.5
#: Conflicts of who stands where: of those about the same concepts one is told.
_PLACES: Final = frozenset(("roles", "binding", "direction"))
_MOST: Final = 20
#: How strong the contrast of two wordings must be, to be told.
_CLEAR: Final = 0.1


def differences(method: Any, first: Any, second: Any) -> tuple[Difference, ...]:
    """Return the differences of two texts, encoded one by one.

    Conflicts come first, then a wording that stands for another, then what is missing.
    """
    if kind_of(method) == SCORE:
        return ()
    one, two = graphs_of(first), graphs_of(second)
    if one.failed.any() or two.failed.any():
        return ()
    both = type(one).concat([one, two])
    compared = compare_pair(both, 0, both, 1)
    made = parts(both, method.scheme, compared)
    conflicts = [
        Difference(
            row.role.removeprefix(CONFLICT),
            _spans(one.first),
            _spans(one.second),
            min(1.0, one.strength),
            one.reason,
        )
        for row in made.rows
        for one in row.conflicts
    ]
    conflicts.sort(key=lambda each: -each.sure)
    result = _once([each for each in conflicts if each.kind != WORDING])
    result += [each for each in conflicts if each.kind == WORDING and _is_news(each, result)]
    result += _missing(both, compared.pairs if compared is not None else (), result)
    return tuple(result[:_MOST])


def _is_news(wording: Difference, results: Iterable[Difference]) -> bool:
    """Return whether a difference of wordings is clear, and no other one tells of its place."""
    return wording.sure >= _CLEAR and not any(_in_one_place(each, wording) for each in results)


def _in_one_place(one: Difference, other: Difference) -> bool:
    """Return whether two differences are about the same characters in both texts."""
    return _meet(one.first, other.first) and _meet(one.second, other.second)


def _meet(spans: Iterable[Span], others: Sequence[Span]) -> bool:
    return any(a < d and c < b for (a, b), (c, d) in product(spans, others))


def _once(conflicts: Sequence[Difference]) -> list[Difference]:
    """The conflicts without those of places that an earlier one tells of in both texts."""
    results: list[Difference] = []
    for one in conflicts:
        result = one.kind in _PLACES and any(
            other.kind in _PLACES and _in_one_place(one, other) for other in results
        )
        if not result:
            results.append(one)
    return results


def _missing(
    both: ConceptBatch, pairs: Sequence[tuple[int, int]], differences: Sequence[Difference]
) -> list[Difference]:
    """The concepts of one text without a partner in the other, nor told of, the heaviest first."""
    results = []
    node = both.parts["node"]
    for side, graph in enumerate(both.graphs):
        weight = node.columns["weight"][node.indptr[side] : node.indptr[side + 1]]
        paired = {pair[side] for pair in pairs}
        for p, concept in enumerate(graph.nodes):
            if p in paired or weight[p] < _HEAVY * weight.mean():
                continue
            first, second = ((), concept.spans) if side else (concept.spans, ())
            if any(_meet(first, one.first) or _meet(second, one.second) for one in differences):
                continue
            sure = min(1.0, 2.0 * float(weight[p] / weight.sum()))
            results.append(
                Difference("missing", first, second, sure, only_in(side, [concept.label]))
            )
    return sorted(results, key=lambda each: -each.sure)


def _spans(nodes: Iterable[Node]) -> tuple[Span, ...]:
    return tuple(span for node in nodes for span in node.spans)
