"""Clauses within clauses: which phrase holds a frame, and which noun a relative word stands for.

>>> from compsim.graph import Edge, Node, RoleGraph
>>> text = "She said that the dog barked."
>>> nodes = [Node("said", (4, 8)), Node("She", (0, 3)), Node("that the dog barked", (9, 28))]
>>> nodes += [Node("barked", (22, 28)), Node("the dog", (14, 21))]
>>> edges = [Edge(0, "Agent", 1), Edge(0, "Theme", 2), Edge(3, "Agent", 4)]
>>> for frame in RoleGraph(tuple(nodes), tuple(edges), 0, text).frames():
...     print(frame.relation or "main", frame.parent, frame.predicate.label, list(frame.roles))
main None said ['Agent', 'Theme']
Theme 0 barked ['Agent']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from compsim.graph.nodes import Edge, Node
from compsim.plain_text import PlainText

if TYPE_CHECKING:
    from compsim.graph.role_graph import Frame

__all__ = ["embedded"]

#: How PropBank marks the role of a relative word.
_RELATIVE: Final = "R-"
#: The words that stand for a noun of the clause above (a closed class).
_RELATIVE_WORDS: Final = frozenset(["that", "which", "who", "whom", "where", "when", "why"])


def embedded(
    text: str, found: Sequence[Frame], heads: Sequence[int], outgoing: Mapping[int, Sequence[Edge]]
) -> list[Frame]:
    """The frames with their parents, and with nouns for relative words.

    ``heads`` are the predicates' places among the nodes of the graph, ``outgoing`` their edges.
    """
    by_edge: dict[int, tuple[int, str]] = {}
    for number, head in enumerate(heads):
        for edge in outgoing.get(head, ()):
            if edge.target != head:
                by_edge.setdefault(edge.target, (number, edge.role))
    plain = PlainText.of(text)
    by_span = _by_span(found, plain)
    placed = [found[0]]
    for place in range(1, len(found)):
        frame = found[place]
        parent, relation = by_edge.get(heads[place]) or by_span.get(place) or (None, "")
        holder = found[parent].roles.get(relation) if parent is not None else None
        roles = _resolved(plain, frame.roles, holder)
        placed.append(replace(frame, roles=roles, parent=parent, relation=relation))
    return _without_circles(placed)


def _by_span(found: Sequence[Frame], plain: PlainText) -> dict[int, tuple[int, str]]:
    """The frame, and its role, with the shortest phrase around each predicate that has one."""
    phrases = sorted(
        (start, _width(plain.inside(node.span)), number, role, end)
        for number, frame in enumerate(found)
        for role, node in frame.roles.items()
        if node.span is not None
        for start, end in node.spans
    )
    predicates = sorted(
        (*frame.predicate.span, place)
        for place, frame in enumerate(found)
        if frame.predicate.span is not None
    )
    holders: dict[int, tuple[int, str]] = {}
    opened: list[tuple[int, int, str, int]] = []
    following = 0
    # From left to right, so that only phrases that are open at a predicate are looked at, the
    # shortest first.
    for start, end, place in predicates:
        while following < len(phrases) and phrases[following][0] <= start:
            heappush(opened, phrases[following][1:])
            following += 1
        passed = []
        while opened:
            _, number, role, stop = opened[0]
            if stop >= end and number != place:
                holders[place] = number, role
                break
            phrase = heappop(opened)
            if stop > start:
                passed.append(phrase)
        for phrase in passed:
            heappush(opened, phrase)
    return holders


def _width(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def _holds(node: Node, span: tuple[int, int] | None) -> bool:
    return span is not None and any(a <= span[0] and span[1] <= b for a, b in node.spans)


def _resolved(plain: PlainText, roles: Mapping[str, Node], holder: Node | None) -> dict[str, Node]:
    """The roles with the noun of the phrase that holds the clause for a relative word.

    A word in a role of its own, ``R-Agent``, counts as an Agent unless the frame has an Agent, or
    the noun in another role, already.
    """
    resolved = {
        role: _noun(plain, node, holder) or node
        for role, node in roles.items()
        if not role.startswith(_RELATIVE)
    }
    known = [node.span for node in resolved.values() if node.span is not None]
    for role, node in roles.items():
        noun = _noun(plain, node, holder) if role.startswith(_RELATIVE) else None
        if noun is None or noun.span is None:
            continue
        start, end = noun.span
        if not any(a < end and start < b for a, b in known):
            resolved.setdefault(role.removeprefix(_RELATIVE), noun)
    return resolved


def _noun(plain: PlainText, word: Node, holder: Node | None) -> Node | None:
    """What stands before a relative word in the phrase that holds its clause, None if nothing."""
    if holder is None or holder.span is None or word.span is None:
        return None
    if word.label.lower() not in _RELATIVE_WORDS or not _holds(holder, word.span):
        return None
    start, end = plain.inside((holder.span[0], word.span[0]))
    before = plain.text[start:end].rstrip(" ,;:(-")
    return Node(before, plain.outside((start, start + len(before)))) if before else None


def _without_circles(placed: list[Frame]) -> list[Frame]:
    """The frames, of which none is above itself: the first link of a circle is cut."""
    walked: set[int] = set()
    for place in range(len(placed)):
        path: dict[int, int] = {}
        here: int | None = place
        while here is not None and here not in walked:
            walked.add(here)
            path[here] = len(path)
            here = placed[here].parent
        if here in path:
            first = min(list(path)[path[here] :])
            placed[first] = replace(placed[first], parent=None, relation="")
    return placed
