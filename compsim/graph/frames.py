"""The frames of a role graph: each predicate with what fills its roles, and the clause it is in.

>>> from compsim.graph import RoleGraph, Node, Edge
>>> text = "She said that the dog barked."
>>> nodes = [Node("said", (4, 8)), Node("She", (0, 3)), Node("that the dog barked", (9, 28))]
>>> nodes += [Node("barked", (22, 28)), Node("the dog", (14, 21))]
>>> edges = [Edge(0, "Agent", 1), Edge(0, "Theme", 2), Edge(3, "Agent", 4)]
>>> for frame in frames(RoleGraph(tuple(nodes), tuple(edges), 0, text)):
...     print(frame.predicate.label, sorted(frame.roles), frame.parent, frame.relation)
said ['Agent', 'Theme'] None
barked ['Agent'] 0 Theme
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from compsim.graph.nodes import Edge, Node
from compsim.roles import VERBNET

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph
    from compsim.roles import Inventory

__all__ = ["Frame", "frames", "main_frame"]

#: How PropBank marks the role of a relative word, and what it calls a negation.
_RELATIVE: Final = "R-"
_NEGATION: Final = "ARGM-NEG"
#: The words that stand for a noun of the clause above (a closed class).
_RELATIVE_WORDS: Final = frozenset(["that", "which", "who", "whom", "where", "when", "why"])


@dataclass(frozen=True)
class Frame:
    """A predicate, the phrases in its roles, and its place among the other frames.

    ``predicate`` has an empty label where the parser found none. ``parent`` is the place, in
    ``RoleGraph.frames()``, of the frame that holds this clause in its role ``relation``; None and
    ``""`` for a clause that none holds. ``polarity`` is -1 for a negated predicate, else 1.
    """

    predicate: Node
    roles: Mapping[str, Node] = field(default_factory=dict)
    parent: int | None = None
    relation: str = ""
    polarity: int = 1

    def phrases(self, name: str = VERBNET.predicate) -> dict[str, Node]:
        """The predicate under this name, where it has a label, and its phrases by role."""
        return {name: self.predicate, **self.roles} if self.predicate.label else dict(self.roles)


def main_frame(graph: RoleGraph, inventory: Inventory | None = None) -> Frame | None:
    """The frame of the root, roles named as in :func:`frames`; None for a failed parse."""
    if graph.root is None:
        return None
    edges = [edge for edge in graph.edges if edge.source == graph.root]
    return _frame(graph, graph.root, edges, inventory)


def frames(graph: RoleGraph, inventory: Inventory | None = None) -> tuple[Frame, ...]:
    """The frames of a graph, the main one first, the others in node order.

    A predicate is the root, a node with outgoing edges, a node with a sense, or one that stands
    alone. Roles are named as the parser names them; where an ``inventory`` is given, by its names:
    the role of an edge, or else the PropBank label behind it. Where a role is filled twice, the
    first filler counts. In the frames of embedded clauses a relative word gives way to the noun
    that it stands for. Empty for a failed parse.
    """
    if graph.root is None:
        return ()
    outgoing: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    filled = {edge.target for edge in graph.edges}
    heads = [graph.root]
    for index, node in enumerate(graph.nodes):
        is_predicate = index in outgoing or node.sense is not None or index not in filled
        if is_predicate and index != graph.root:
            heads.append(index)
    found = [_frame(graph, head, outgoing.get(head, ()), inventory) for head in heads]
    if len(found) > 1:
        found = _placed(graph, heads, found, outgoing)
    return tuple(found)


def _frame(
    graph: RoleGraph, head: int, edges: Sequence[Edge], inventory: Inventory | None
) -> Frame:
    roles: dict[str, Node] = {}
    polarity = 1
    for edge in edges:
        filler = graph.nodes[edge.target]
        if _NEGATION in (edge.role, edge.propbank) or (edge.role, filler.label) == (
            "polarity",
            "-",
        ):
            polarity = -1
        roles.setdefault(_name(edge, inventory), filler)
    return Frame(graph.nodes[head], roles, polarity=polarity)


def _name(edge: Edge, inventory: Inventory | None) -> str:
    """The role of an edge in an inventory, the parser's own name where that has none for it."""
    if inventory is None or edge.role in inventory.roles:
        return edge.role
    labels = (edge.propbank or "").split("+")
    return next((label for label in labels if label in inventory.roles), edge.role)


def _placed(
    graph: RoleGraph, heads: list[int], found: list[Frame], outgoing: dict[int, list[Edge]]
) -> list[Frame]:
    """The frames with their parents, and with nouns for relative words."""
    placed = [found[0]]
    for place in range(1, len(found)):
        frame = found[place]
        parent, relation = _parent(heads, found, outgoing, place)
        holder = found[parent].roles.get(relation) if parent is not None else None
        roles = _resolved(graph.text, frame.roles, holder)
        placed.append(replace(frame, roles=roles, parent=parent, relation=relation))
    return _without_circles(placed)


def _parent(
    heads: list[int], found: list[Frame], outgoing: dict[int, list[Edge]], place: int
) -> tuple[int | None, str]:
    """The frame, and its role, that holds the predicate: by an edge, else by the smallest span."""
    for number, head in enumerate(heads):
        for edge in outgoing.get(head, ()):
            if edge.target == heads[place] and number != place:
                return number, edge.role
    inner = found[place].predicate.span
    best: tuple[int, int, str] | None = None
    for number, frame in enumerate(found):
        for role, node in frame.roles.items() if inner is not None and number != place else ():
            if node.span is None or not _holds(node, inner):
                continue
            width = node.span[1] - node.span[0]
            if best is None or width < best[0]:
                best = width, number, role
    return (None, "") if best is None else best[1:]


def _holds(node: Node, span: tuple[int, int] | None) -> bool:
    parts = node.parts or ((node.span,) if node.span is not None else ())
    return span is not None and any(a <= span[0] and span[1] <= b for a, b in parts)


def _resolved(text: str, roles: Mapping[str, Node], holder: Node | None) -> dict[str, Node]:
    """The roles with the noun of the phrase that holds the clause for a relative word.

    A word in a role of its own, ``R-Agent``, counts as an Agent unless the frame has an Agent, or
    the noun in another role, already.
    """
    resolved = {
        role: _noun(text, node, holder) or node
        for role, node in roles.items()
        if not role.startswith(_RELATIVE)
    }
    known = {node.span for node in resolved.values()}
    for role, node in roles.items():
        noun = _noun(text, node, holder) if role.startswith(_RELATIVE) else None
        if noun is not None and noun.span not in known:
            resolved.setdefault(role.removeprefix(_RELATIVE), noun)
    return resolved


def _noun(text: str, word: Node, holder: Node | None) -> Node | None:
    """What stands before a relative word in the phrase that holds its clause, None if nothing."""
    if holder is None or holder.span is None or word.span is None:
        return None
    if word.label.lower() not in _RELATIVE_WORDS or not _holds(holder, word.span):
        return None
    start = holder.span[0]
    before = text[start : word.span[0]].rstrip(" ,;:(-\n\t")
    return Node(before, (start, start + len(before))) if before else None


def _without_circles(placed: list[Frame]) -> list[Frame]:
    """The frames, of which none is above itself: the first link of a circle is cut."""
    for place, frame in enumerate(placed):
        above, seen = frame.parent, {place}
        while above is not None and above not in seen:
            seen.add(above)
            above = placed[above].parent
        if above == place:
            placed[place] = replace(frame, parent=None, relation="")
    return placed
