"""What differs between two texts, from the comparison that made the score.

>>> from compsim import load
>>> from compsim.guard.names import LIGHT_METHOD
>>> method = load(LIGHT_METHOD, vectors="builtin")
>>> first, second = method.encode(["The dog bit the man."]), method.encode(["The man bit the dog."])
>>> found = differences(method, first, second)[0]
>>> found.kind, found.sure, found.first
('roles', 1.0, ((4, 7), (16, 19)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final

from compsim.comparison.clauses import compare_pair
from compsim.comparison.parts import CONFLICT, parts
from compsim.explanation import RoleRow
from compsim.explanation.verdict import only_in, quoted
from compsim.graph import RoleGraph
from compsim.graph.nodes import Node, Span
from compsim.guard.contrast import contrast, words_of
from compsim.guard.features import SCORE, graphs_of, kind_of
from compsim.guard.verdict import Difference

__all__ = ["differences"]

#: What a concept without a partner must weigh, as a share of all, to be told.
_HEAVY: Final = 0.04
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
    made = parts(both, method.scheme, compare_pair(both, 0, both, 1))
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
    found = [*conflicts, *_missing(made.rows)]
    place = len(conflicts)
    found[place:place] = _wording(one.graphs[0], two.graphs[0], found)
    return tuple(found[:_MOST])


def _wording(first: RoleGraph, second: RoleGraph, found: list[Difference]) -> list[Difference]:
    """The wording in which alone the texts differ, unless a difference tells of its place."""
    one = contrast(words_of(first), words_of(second))
    told = any(_meet(each.first, one.first) and _meet(each.second, one.second) for each in found)
    if one.strength < _CLEAR or told:
        return []
    names = [
        quoted(graph.text[spans[0][0] : spans[-1][1]])
        for graph, spans in ((first, one.first), (second, one.second))
    ]
    sentence = f"{names[0]} in the first sentence, {names[1]} in the second"
    return [Difference("wording", one.first, one.second, one.strength, sentence)]


def _meet(spans: Iterable[Span], others: Sequence[Span]) -> bool:
    return any(a < d and c < b for (a, b), (c, d) in product(spans, others))


def _missing(rows: list[RoleRow]) -> list[Difference]:
    """The concepts of one text that have no partner in the other, the heaviest first."""
    found = []
    for row in rows:
        node = row.first or row.second
        if node is None or (row.first and row.second) or row.weight < _HEAVY:
            continue
        side = 0 if row.first else 1
        first, second = (node.spans, ()) if row.first else ((), node.spans)
        sure = min(1.0, 2.0 * row.weight)
        found.append(Difference("missing", first, second, sure, only_in(side, [node.label])))
    return sorted(found, key=lambda each: -each.sure)


def _spans(nodes: Iterable[Node]) -> tuple[Span, ...]:
    return tuple(span for node in nodes for span in node.spans)
