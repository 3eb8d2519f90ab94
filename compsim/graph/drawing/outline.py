"""Two graphs as outlines that face each other: where boxes stand, and the lines between them.

Each graph is written as a tree, a row for each node, below its parent and further in; what is
reached again gets a row that refers to the first. The left tree grows to the right, the right one
to the left, and between them lies a gutter that belongs to the lines alone, so that no line can
cross a word.

>>> from compsim.graph import RoleGraph
>>> graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> [(item.role, item.depth, item.parent) for item in outline(graph)]
[('', 0, None), ('Agent', 1, 0)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from compsim.graph.nodes import Edge
    from compsim.graph.role_graph import RoleGraph

__all__ = ["ROW_GAP", "Item", "outline", "tops", "trees"]

#: Between two rows of a tree.
ROW_GAP: Final = 7.0
_TREE_GAP: Final = 20.0


class Item(NamedTuple):
    """A row: its node, the role in which it hangs at its parent, and what edge that is.

    ``again`` is set where the node has a row of its own elsewhere; ``parent`` is a place in the
    list of rows.
    """

    node: int
    role: str = ""
    depth: int = 0
    parent: int | None = None
    edge: Edge | None = None
    again: bool = False


def outline(graph: RoleGraph, ranks: Mapping[int, float] | None = None) -> list[Item]:
    """The rows of a graph from top to bottom, the root's tree first.

    In a graph with variables, which hangs together as a whole, what no edge leads to is found
    backwards, as ``ARG0-of``. Siblings stand in the order of the lowest of the ``ranks`` of what is
    below them, and so do trees; those without a rank come last.
    """
    if graph.root is None:
        return []
    items = _walk(graph)
    ranks = ranks or {}
    rank = [float("inf") if item.again else ranks.get(item.node, float("inf")) for item in items]
    children: dict[int | None, list[int]] = {}
    for place in range(len(items) - 1, -1, -1):
        parent = items[place].parent
        children.setdefault(parent, []).insert(0, place)
        if parent is not None:
            rank[parent] = min(rank[parent], rank[place])
    ordered: list[Item] = []
    new_place: dict[int, int] = {}
    stack = sorted(children[None], key=rank.__getitem__)[::-1]
    while stack:
        place = stack.pop()
        new_place[place] = len(ordered)
        parent = items[place].parent
        ordered.append(items[place]._replace(parent=None if parent is None else new_place[parent]))
        stack += sorted(children.get(place, ()), key=rank.__getitem__)[::-1]
    return ordered


def _walk(graph: RoleGraph) -> list[Item]:
    """The rows depth first, as the graph has its edges."""
    assert graph.root is not None
    steps: list[list[tuple[str, int, Edge]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        steps[edge.source].append((edge.role, edge.target, edge))
    reached = {edge.target for edge in graph.edges}
    starts = [graph.root, *sorted(range(len(graph.nodes)), key=lambda node: node in reached)]
    if any(node.variable is not None for node in graph.nodes):
        below = _below(steps, graph.root)
        for edge in graph.edges:
            if edge.source not in below:
                steps[edge.target].append((f"{edge.role}-of", edge.source, edge))
    items: list[Item] = []
    seen: set[int] = set()
    result: set[int] = set()
    for start in starts:
        if start in seen:
            continue
        stack = [Item(start)]
        while stack:
            item = stack.pop()
            # An edge is told once, at whichever end comes first.
            if item.edge is not None and id(item.edge) in result:
                continue
            result.add(id(item.edge))
            item = item._replace(again=item.node in seen)
            items.append(item)
            if item.again:
                continue
            seen.add(item.node)
            place = len(items) - 1
            stack += [
                Item(node, role, item.depth + 1, place, edge)
                for role, node, edge in reversed(steps[item.node])
            ]
    return items


def _below(steps: Sequence[Sequence[tuple[str, int, Edge]]], root: int) -> set[int]:
    """The nodes that edges lead to from the root, itself among them."""
    result, stack = {root}, [root]
    while stack:
        fresh = {node for _, node, _ in steps[stack.pop()]} - result
        result |= fresh
        stack += fresh
    return result


def trees(items: Sequence[Item]) -> list[list[int]]:
    """The places of the rows, a list for each tree."""
    results: list[list[int]] = []
    for place, item in enumerate(items):
        if item.parent is None:
            results.append([])
        results[-1].append(place)
    return results


def tops(
    left: tuple[Sequence[Item], Sequence[float]],
    right: tuple[Sequence[Item], Sequence[float]],
    pairs: Iterable[tuple[int, int]],
) -> tuple[list[float], list[float], float]:
    """The upper edge of each row on either side, and the height of the whole.

    A side is its rows and their heights, ``pairs`` are places of rows. Trees that face each other
    begin at the same height, in the order of those on the left; the others follow them.
    """
    trees_of = trees(left[0]), trees(right[0])
    tree_at = [{row: i for i, tree in enumerate(item) for row in tree} for item in trees_of]
    partner: dict[int, int] = {}
    for i, j in pairs:
        one, other = tree_at[0][i], tree_at[1][j]
        if other not in partner.values():
            partner.setdefault(one, other)
    tops: tuple[list[float], list[float]] = ([0.0] * len(left[0]), [0.0] * len(right[0]))
    ends = [0.0, 0.0]

    def put(side: int, tree: int, start: float) -> None:
        heights = (left, right)[side][1]
        for row in trees_of[side][tree]:
            tops[side][row] = start
            start += heights[row] + ROW_GAP
        ends[side] = start - ROW_GAP + _TREE_GAP

    for one, other in sorted(partner.items()):
        start = max(ends)
        put(0, one, start)
        put(1, other, start)
    for side, taken in enumerate((set(partner), set(partner.values()))):
        for tree in range(len(trees_of[side])):
            if tree not in taken:
                put(side, tree, ends[side])
    return tops[0], tops[1], max(max(ends) - _TREE_GAP, 0.0)
