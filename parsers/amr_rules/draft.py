"""A graph in the making: concepts and edges in any order, and at the end a well-formed AMR.

Whatever the rules have drawn, the finished graph has one root, hangs together, repeats no edge, has
no directed cycle, and is not nested too deeply to be written down.

>>> draft = Draft()
>>> chase, dog = draft.concept("chase-01", (1,)), draft.concept("dog", (0,))
>>> draft.edge(chase, "ARG0", dog)
>>> graph = draft.graph([chase], "Dogs chase", [(0, 4), (5, 10)], "amr")
>>> [node.variable for node in graph.nodes]
['c', 'd']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from compsim.graph import Edge, Node, RoleGraph, Span, Status

__all__ = ["Draft"]

#: Beyond this nesting a piece becomes a sentence of its own: recursive writers must manage.
MAX_DEPTH: Final = 60
#: The source of an edge to the top of a sentence.
_ABOVE: Final = -1

_Edge = tuple[int, str, int]


class Draft:
    """Nodes are numbers; ``labels``, ``tokens``, ``senses`` and ``variable`` tell of each."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.tokens: list[tuple[int, ...]] = []
        self.senses: list[str | None] = []
        self.variable: list[bool] = []
        self._edges: dict[_Edge, None] = {}
        self._roles: set[tuple[int, str]] = set()
        self._above: dict[int, list[tuple[int, str]]] = {}
        self._values: set[tuple[int, str, str]] = set()

    def concept(self, label: str, tokens: tuple[int, ...] = (), sense: str | None = None) -> int:
        """Add a concept that the given tokens (their numbers, in order) express."""
        return self._add(label, tokens, sense, True)

    def constant(self, source: int, role: str, value: str, tokens: tuple[int, ...] = ()) -> None:
        """Add an attribute, such as ``:polarity -``, once."""
        if (source, role, value) not in self._values:
            self._values.add((source, role, value))
            self.edge(source, role, self._add(value, tokens, None, False))

    def _add(self, label: str, tokens: tuple[int, ...], sense: str | None, variable: bool) -> int:
        self.labels.append(label)
        self.tokens.append(tokens)
        self.senses.append(sense)
        self.variable.append(variable)
        return len(self.labels) - 1

    def relabel(self, node: int, label: str, sense: str | None = None) -> None:
        """Give a concept another name."""
        self.labels[node], self.senses[node] = label, sense

    def edge(self, source: int, role: str, target: int) -> None:
        """Draw an edge between two different nodes; the same one twice counts once."""
        if source != target and source >= 0 and target >= 0:
            self._edges.setdefault((source, role, target))
            self._roles.add((source, role))
            self._above.setdefault(target, []).append((source, role))

    def move(self, source: int, old: int, new: int) -> None:
        """Let the edges from ``source`` to ``old`` lead to ``new``."""
        for role in [role for start, role in self._above.get(old, ()) if start == source]:
            self._edges.pop((source, role, old), None)
            self.edge(source, role, new)

    def has(self, source: int, role: str) -> bool:
        """Return whether a node has a role already."""
        return (source, role) in self._roles

    def above(self, target: int) -> list[tuple[int, str]]:
        """Sources and roles of the edges to a node."""
        return self._above.get(target, [])

    def graph(
        self, roots: Sequence[int], text: str, spans: Sequence[Span], parser: str
    ) -> RoleGraph:
        """Finish: ``roots`` are the tops of the sentences, ``spans`` the characters of tokens."""
        order, kept, loose = self._walk(roots, self._acyclic())
        names = _Names()
        nodes: list[Node] = []
        several = sum(source == _ABOVE for source, _, _ in kept) > 1
        if several:
            nodes.append(Node("multi-sentence", variable=names.new("multi-sentence")))
        place = {node: index for index, node in enumerate(order, start=len(nodes))}
        nodes += [self._node(node, names, spans) for node in order]
        edges: list[Edge] = []
        number = 0
        for source, role, target in kept:
            if source != _ABOVE:
                edges.append(Edge(place[source], role, place[target]))
            elif several:
                number += 1
                edges.append(Edge(0, f"{role}{number}", place[target]))
        status = Status.PARTIAL if loose else Status.OK
        reason = "some phrases could not be attached and stand alone" if loose else ""
        return RoleGraph(tuple(nodes), tuple(edges), 0, text, status, reason, parser)

    def _acyclic(self) -> list[_Edge]:
        """The edges in order, without those that would close a directed cycle."""
        kept: list[_Edge] = []
        out: dict[int, list[int]] = {}
        targets: set[int] = set()
        for source, role, target in self._edges:
            # Most edges lead to a node that none has left yet, or leave one that none leads to.
            if target in out and source in targets:
                below: set[int] = set()
                _spread(out, target, below)
                if source in below:
                    continue
            targets.add(target)
            out.setdefault(source, []).append(target)
            kept.append((source, role, target))
        return kept

    def _walk(
        self, roots: Sequence[int], edges: list[_Edge]
    ) -> tuple[list[int], list[_Edge], bool]:
        """Nodes and edges in order of reading, and whether some pieces stand alone.

        Depth first without recursion. A piece that no root reaches, or that lies too deep, has a
        top of its own. An edge from ``_ABOVE`` leads to each top.
        """
        incident: list[list[int]] = [[] for _ in self.labels]
        for index, (source, _, target) in enumerate(edges):
            incident[source].append(index)
            incident[target].append(index)
        out: dict[int, list[int]] = {}
        for source, _, target in edges:
            out.setdefault(source, []).append(target)
        ahead: set[int] = set()
        for top in roots:
            _spread(out, top, ahead)
        targets = {target for _, _, target in edges}
        spare = [node for node, named in enumerate(self.variable) if named]
        spare.sort(key=targets.__contains__)
        order: list[int] = []
        kept: list[_Edge] = []
        seen: set[int] = set()
        written: set[int] = set()
        loose = False
        for number, top in enumerate([*roots, *spare]):
            if top in seen:
                continue
            loose |= number >= len(roots)
            _spread(out, top, ahead)
            kept.append((_ABOVE, "snt", top))
            seen.add(top)
            order.append(top)
            path = {top}
            stack = [(top, iter(self._outward(top, incident, edges)))]
            while stack:
                here, pending = stack[-1]
                index = next(pending, -1)
                if index < 0:
                    path.remove(stack.pop()[0])
                    continue
                source, _, target = edges[index]
                other = target if source == here else source
                # What leads here from the open path is written there, forward.
                if index in written or (other in path and source != here):
                    continue
                if other not in seen:
                    if source != here and other in ahead:
                        continue  # it will be met on the way forward
                    _spread(out, other, ahead)
                    if len(stack) >= MAX_DEPTH and self.variable[other]:
                        continue
                    seen.add(other)
                    order.append(other)
                    if self.variable[other]:
                        path.add(other)
                        stack.append((other, iter(self._outward(other, incident, edges))))
                written.add(index)
                kept.append(edges[index])
        return order, kept, loose

    def _outward(self, node: int, incident: list[list[int]], edges: list[_Edge]) -> list[int]:
        """Edges of a node, those from it first."""
        return sorted(incident[node], key=lambda index: edges[index][0] != node)

    def _node(self, node: int, names: _Names, spans: Sequence[Span]) -> Node:
        label = self.labels[node]
        parts: list[Span] = []
        last = -2
        for token in sorted(self.tokens[node]):
            start, end = spans[token]
            if token == last + 1:
                start = parts.pop()[0]
            parts.append((start, end))
            last = token
        span = (parts[0][0], parts[-1][1]) if parts else None
        return Node(
            label,
            span,
            self.senses[node],
            names.new(label) if self.variable[node] else None,
            tuple(parts) if len(parts) > 1 else (),
        )


class _Names:
    """Variables as AMR names them: the concept's first letter, and a number from the second on."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def new(self, label: str) -> str:
        first = label[:1].lower()
        letter = first if "a" <= first <= "z" else "x"
        count = self._used[letter] = self._used.get(letter, 0) + 1
        return letter if count == 1 else f"{letter}{count}"


def _spread(out: dict[int, list[int]], start: int, reached: set[int]) -> None:
    """Add to ``reached`` what edges lead to from ``start``, and itself."""
    stack = [start]
    while stack:
        here = stack.pop()
        if here not in reached:
            reached.add(here)
            stack += out.get(here, ())
