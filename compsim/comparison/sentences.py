"""The conflicts of two sentences in plain words, for explanations and for the guard.

Several conflicts may stem from one exchange: of "The dog bit the man." and "The man bit the dog."
both the role of the dog and that of the man have changed. They are described once.

>>> from compsim import load
>>> why = load("verbnet-cn", vectors="builtin").explain(
...     "The dog bit the man.", "The man bit the dog."
... )
>>> [conflict.sentence for row in why.conflicts for conflict in row.conflicts]
['"dog" and "man" changed places']
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.comparison.features import FEATURES, FeatureTable
from compsim.comparison.roles import RoleTable
from compsim.comparison.trace import CAUSES
from compsim.explanation import Conflict
from compsim.explanation.verdict import quoted

if TYPE_CHECKING:
    from compsim.comparison.single import Compared
    from compsim.graph import Node, RoleGraph

__all__ = ["Side", "plain_conflicts"]

_SENTENCES: Final = ("first", "second")
#: Causes that are edges between two concepts.
_EDGES: Final = ("role", "contrary", "bound", "filled")
#: What a sentence asks for by its own name; of anything else it asks which.
_QUESTION_WORDS: Final = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how")


class _Found(NamedTuple):
    """A conflict of the trace: its cause, how strong it is, two concepts of each sentence."""

    cause: str
    strength: float
    first: tuple[Node | None, Node | None]
    second: tuple[Node | None, Node | None]


class _Edge(NamedTuple):
    role: str
    text: str


@dataclass(frozen=True)
class Side:
    """A graph with its edges in plain words, by the two nodes that they join, and by either."""

    graph: RoleGraph
    joining: dict[frozenset[int], list[_Edge]]
    starting: dict[int, list[_Edge]]
    ending: dict[int, list[_Edge]]

    @classmethod
    def of(cls, graph: RoleGraph) -> Side:
        """Return a graph with its edges in plain words."""
        plain = RoleTable.open().plain
        side = cls(graph, {}, {}, {})
        for edge in graph.edges:
            source, target = graph.nodes[edge.source], graph.nodes[edge.target]
            words = plain.get(edge.role, edge.role)
            told = _Edge(edge.role, f"{quoted(source.label)} {words} {quoted(target.label)}")
            side.joining.setdefault(frozenset((id(source), id(target))), []).append(told)
            side.starting.setdefault(id(source), []).append(told)
            side.ending.setdefault(id(target), []).append(told)
        return side

    def between(self, x: Node | None, y: Node | None) -> list[_Edge]:
        """The edges between two nodes, in either direction."""
        return self.joining.get(frozenset((id(x), id(y))), [])

    def with_role(self, node: Node | None, role: str, *, out: bool) -> list[_Edge]:
        """The edges of a role to a node, or out of it."""
        edges = self.starting if out else self.ending
        return [one for one in edges.get(id(node), []) if one.role == role]


def plain_conflicts(
    compared: Compared, kind: int, first: Side, second: Side
) -> tuple[Conflict, ...]:
    """Return the conflicts of a type in plain words, the strongest first.

    Args:
        compared: What the comparison of the two left.
        kind: The number of the type in ``CONFLICTS``.
        first: The first sentence.
        second: The second.

    Returns:
        The conflicts, those of one exchange once.
    """
    graphs = first.graph, second.graph
    result = sorted(_conflicts(compared, kind, *graphs), key=lambda one: -one.strength)
    exchanged = [one for one in result if one.cause == "exchanged"] or _swapped(
        result, first, second
    )
    moved = {id(node) for one in exchanged for node in (*one.first, *one.second)}
    told: dict[str, Conflict] = {}
    for one in (*exchanged, *(one for one in result if one.cause != "exchanged")):
        ends = {id(one.first[1]), id(one.second[1])}
        if one.cause in _EDGES and ends <= moved:
            continue
        sentence, detail = _plain(one, result, first, second)
        nodes = [tuple(node for node in side if node) for side in (one.first, one.second)]
        told.setdefault(sentence, Conflict(sentence, nodes[0], nodes[1], one.strength, detail))
    return tuple(sorted(told.values(), key=lambda one: -one.strength))


def _conflicts(compared: Compared, kind: int, first: RoleGraph, second: RoleGraph) -> list[_Found]:
    """The conflicts of a type as they were found."""
    trace = compared.trace
    result = []
    for k in range(int(trace.count[0])):
        if trace.kind[k] != kind:
            continue
        x, y, z, w = (int(place) for place in trace.nodes[k])
        if compared.turned:
            x, y, z, w = y, x, w, z
        if CAUSES[trace.cause[k]] == "exchanged" and z < x:
            x, y, z, w = z, w, x, y  # as they stand in the first sentence
        ends = [
            tuple(graph.nodes[place] if place >= 0 else None for place in places)
            for graph, places in ((first, (x, z)), (second, (y, w)))
        ]
        cause, strength = CAUSES[trace.cause[k]], float(trace.strength[k])
        result.append(_Found(cause, strength, (ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])))
    return result


def _swapped(result: list[_Found], first: Side, second: Side) -> list[_Found]:
    """An exchange behind two changes of role at one event, each concept in the other's role."""
    place = {id(node): number for number, node in enumerate(first.graph.nodes)}
    changed = [one for one in result if one.cause == "role"]
    changed.sort(key=lambda one: place.get(id(one.first[1]), -1))
    for one, other in combinations(changed, 2):
        if one.first[0] is not other.first[0]:
            continue
        x, z = (_roles(first, *each.first) for each in (one, other))
        y, w = (_roles(second, *each.second) for each in (one, other))
        if _compatible(x, w) and _compatible(z, y):
            ends = (one.first[1], other.first[1]), (one.second[1], other.second[1])
            return [_Found("exchanged", max(one.strength, other.strength), *ends)]
    return []


def _compatible(roles: set[str], others: set[str]) -> bool:
    table = RoleTable.open()
    pairs = product(map(table.number, roles), map(table.number, others))
    return any(table.arrays.compatible[pair] > 0.0 for pair in pairs)


def _roles(side: Side, x: Node | None, y: Node | None) -> set[str]:
    return {edge.role for edge in side.between(x, y)}


def _plain(one: _Found, all_found: list[_Found], first: Side, second: Side) -> tuple[str, str]:
    """The sentence of a conflict, and its detail."""
    x, y = one.first[0], one.second[0]
    names = [quoted(node.label) if node else "" for node in (x, y)]
    if one.cause == "exchanged":
        other = quoted(one.first[1].label) if one.first[1] else ""
        edges = [edge for edge in all_found if edge.cause in _EDGES and edge.first[1] is x]
        detail = _sides(edges[0], first, second) if edges else ""
        return f"{names[0]} and {other} changed places", detail
    if one.cause == "denied":
        place = 0 if x is not None and x.feature("negated") else 1
        return f"only the {_SENTENCES[place]} sentence denies {names[place]}", ""
    if one.cause in _EDGES:
        return _sides(one, first, second), ""
    if one.cause == "asked for":
        return _asked_for(x, y), ""
    if one.cause in FEATURES:
        table = FeatureTable.open()
        names = [
            table.describe(one.cause, node.feature(one.cause), name) if node else name
            for node, name in zip((x, y), names, strict=True)
        ]
    return f"{names[0]} in the first sentence, {names[1]} in the second", ""


def _asked_for(x: Node | None, y: Node | None) -> str:
    """Return what one sentence asks for, and whether the other one answers it."""
    place = 0 if x is not None and x.feature("open") else 1
    asks, tells = (x, y) if place == 0 else (y, x)
    label = asks.label if asks else ""
    which = "" if label.lower() in _QUESTION_WORDS else "which "
    question = f"the {_SENTENCES[place]} sentence asks {which}{quoted(label)}"
    other = _SENTENCES[1 - place]
    if tells is None:
        return f"{question}, which the {other} does not answer"
    return f"{question}, the {other} answers {quoted(tells.label)}"


def _sides(one: _Found, first: Side, second: Side) -> str:
    """What each sentence says of the ends of an edge that the other one has not."""
    ends = ((first, one.first), (second, one.second))
    said = [list(side.between(source, target)) for side, (source, target) in ends]
    for side in (0, 1):
        if not said[side]:
            # The other end of the relation there, else that it is not said.
            role = said[1 - side][0].role if said[1 - side] else ""
            filled = one.cause == "filled"
            node = ends[side][1][0 if filled else 1]
            said[side] = ends[side][0].with_role(node, role, out=filled)
    texts = [", ".join(edge.text for edge in edges) for edges in said]
    if not all(texts):
        side = 0 if texts[0] else 1
        return f"only the {_SENTENCES[side]} sentence says that {texts[side]}"
    return f"in the first sentence {texts[0]}, in the second {texts[1]}"
