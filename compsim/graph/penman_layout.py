"""From a role graph to the tree that PENMAN notation writes.

A graph becomes a tree by walking it from the root: each edge is written where the walk first meets
it, inverted (``-of``) where that is at its target, and a node met again is only named. A graph that
was read from a text keeps its order of edges when it is written; any other order is written depth
first, and :meth:`Layout.extras` notes the difference.

>>> from compsim.graph import RoleGraph
>>> for step in Layout(RoleGraph.star("", {"Verb": "chase", "Agent": "the dog"})).steps:
...     print(step)
Step(closed=0, role='', target='v0', concept='chase')
Step(closed=0, role=':Agent', target='v1', concept='"the dog"')
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from compsim.graph.nodes import Edge, Status

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["FRAGILE", "Layout", "Step", "quote"]

_SYMBOL = re.compile(r"[^\s\"()/:~#\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff]+")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
# What JSON leaves as it is but a line-based reader would break at, or UTF-8 can not hold.
FRAGILE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_FOREST = "multi-sentence"


class Step(NamedTuple):
    """One step of writing: brackets that close, a role, and what it leads to.

    ``target`` is a variable or, written as it will stand, a constant; ``concept`` is that of a node
    that opens here, None where nothing does.
    """

    closed: int
    role: str
    target: str
    concept: str | None


class Layout:
    """The steps of writing a graph, and the order in which it will be read back."""

    def __init__(self, graph: RoleGraph) -> None:
        self.graph = graph
        self.steps: list[Step] = []
        self.node_order: list[int] = []
        self.edge_order: list[int] = []
        self.forest = False
        self.unnamed: list[int] = []
        self._incident: list[list[int]] = [[] for _ in graph.nodes]
        for index, edge in enumerate(graph.edges):
            self._incident[edge.source].append(index)
            if edge.target != edge.source:
                self._incident[edge.target].append(index)
        self._constants = self._find_constants()
        self._names = self._name_nodes()
        # The stored order is a layout if it came from a text; else walk the graph anew.
        if not self._build(range(len(graph.edges))):
            built = self._build(self._depth_first())
            assert built, "every edge of a depth-first walk touches the open path"

    def extras(self) -> dict[str, Any]:
        """Return what only the comment can carry, without the text."""
        graph, extras = self.graph, dict[str, Any]()
        if graph.status is not Status.OK:
            extras["status"] = graph.status.value
        if graph.reason:
            extras["reason"] = graph.reason
        if graph.parser:
            extras["parser"] = graph.parser
        columns: dict[str, list[Any]] = {
            "spans": [node.span for node in graph.nodes],
            "parts": [node.parts or None for node in graph.nodes],
            "senses": [node.sense for node in graph.nodes],
            "features": [dict(node.features) or None for node in graph.nodes],
            "propbank": [edge.propbank for edge in graph.edges],
            "confidence": [e.confidence if e.confidence != 1.0 else None for e in graph.edges],
        }
        extras.update(
            {key: column for key, column in columns.items() if column.count(None) < len(column)}
        )
        if self.unnamed:
            extras["unnamed"] = "all" if len(self.unnamed) == len(graph.nodes) else self.unnamed
        if self.node_order != sorted(self.node_order):
            extras["nodes"] = self.node_order
        if self.edge_order != sorted(self.edge_order):
            extras["edges"] = self.edge_order
        if self.forest:
            extras["forest"] = True
        return extras

    def _find_constants(self) -> set[int]:
        """Return the nodes to write as bare values: unnamed leaves of a graph with variables."""
        nodes, edges = self.graph.nodes, self.graph.edges
        if all(node.variable is None for node in nodes):
            return set()
        return {
            index
            for index, node in enumerate(nodes)
            if node.variable is None
            and index != self.graph.root
            and len(self._incident[index]) == 1
            and edges[self._incident[index][0]].target == index
            and edges[self._incident[index][0]].source != index
        }

    def _name_nodes(self) -> list[str]:
        own = {node.variable for node in self.graph.nodes}
        names = []
        for index, node in enumerate(self.graph.nodes):
            name = node.variable
            if name is None and index not in self._constants:
                self.unnamed.append(index)
                name = f"v{index}"
                while name in own:
                    name += "_"
            names.append(name or "")
        return names

    def _depth_first(self) -> list[int]:
        """Return the edges in an order of walking that always can be laid out; no recursion."""
        graph, order = self.graph, list[int]()
        sources = {edge.source for edge in graph.edges}
        targets = {edge.target for edge in graph.edges if edge.target != edge.source}
        # A tree starts at the source of its first edge: sources before mere targets.
        starts = sorted(range(len(graph.nodes)), key=lambda i: (i in targets, i not in sources))
        visited, written = set[int](), set[int]()
        for top in (graph.root or 0, *starts):
            if top in visited:
                continue
            visited.add(top)
            outward = sorted(self._incident[top], key=lambda i: graph.edges[i].source != top)
            stack = [(top, iter(outward))]
            while stack:
                here, pending = stack[-1]
                index = next(pending, None)
                if index is None:
                    stack.pop()
                    continue
                edge = graph.edges[index]
                forward = edge.source == here
                other = edge.target if forward else edge.source
                # An edge from a node that is open is left to that node, which writes it forward.
                if index in written or (not forward and other in visited):
                    continue
                written.add(index)
                order.append(index)
                if other not in visited:
                    visited.add(other)
                    stack.append((other, iter(self._incident[other])))
        return order

    def _build(self, order: Iterable[int]) -> bool:
        """Lay out the edges in ``order``; False where one does not touch the path that is open."""
        graph = self.graph
        self.steps, self.node_order, self.edge_order = [], [], []
        visited, depth = set[int](), dict[int, int]()
        path: list[int] = []  # the nodes whose brackets are open
        closed = trees = 0

        def leave(node: int | None) -> None:
            nonlocal closed
            while path and path[-1] != node:
                del depth[path.pop()]
                closed += 1

        def visit(index: int, role: str) -> None:
            nonlocal closed
            visited.add(index)
            self.node_order.append(index)
            label = graph.nodes[index].label
            concept = label if _SYMBOL.fullmatch(label) else quote(label)
            self.steps.append(Step(closed, role, self._names[index], concept))
            closed = 0
            depth[index] = len(path)
            path.append(index)

        def start(index: int) -> None:
            nonlocal trees
            leave(None)
            trees += 1
            visit(index, f":snt{trees}")

        if graph.root is not None:
            start(graph.root)
        for index in order:
            edge = graph.edges[index]
            if edge.source not in depth and edge.target not in depth:
                if edge.source in visited or edge.target in visited:
                    return False
                start(edge.source)
            forward = depth.get(edge.source, -1) >= depth.get(edge.target, -1)
            here, other = (edge.source, edge.target) if forward else (edge.target, edge.source)
            leave(here)
            role = f":{edge.role}" if forward else f":{edge.role}-of"
            self.edge_order.append(index)
            if other not in self._constants and other not in visited:
                visit(other, role)
                continue
            target = self._names[other]
            if other in self._constants:
                self.node_order.append(other)
                visited.add(other)
                target = self._constant(edge)
            self.steps.append(Step(closed, role, target, None))
            closed = 0
        for index in range(len(graph.nodes)):
            if index not in visited:
                start(index)
        self._join(trees)
        return True

    def _join(self, trees: int) -> None:
        """Give several trees a top; a single one needs no role."""
        self.forest = trees > 1
        if self.forest:
            top = "m"
            while top in self._names:
                top += "_"
            self.steps.insert(0, Step(0, "", top, _FOREST))
        elif trees:
            self.steps[0] = self.steps[0]._replace(role="")

    def _constant(self, edge: Edge) -> str:
        """Write a constant as AMR does: numbers, signs and modes bare, all else quoted."""
        value = self.graph.nodes[edge.target].label
        is_number = _NUMBER.fullmatch(value) and self.graph.nodes[edge.source].label != "name"
        is_mode = edge.role == "mode" and _SYMBOL.fullmatch(value)
        is_bare = (value in ("-", "+") or is_number or is_mode) and value not in self._names
        return value if is_bare else quote(value)


def quote(value: Any) -> str:
    """Return ``value`` as JSON on one line that no reader of lines breaks."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return FRAGILE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
