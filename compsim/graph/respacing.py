"""A graph of one text as that of another that differs in white space only: its spans move.

>>> from compsim.graph import RoleGraph
>>> graph = RoleGraph.star("Dogs bark.", {"Verb": "bark", "Agent": "Dogs"})
>>> moved = respaced(graph, " Dogs\\nbark.")
>>> moved.roles()["Verb"]
Node(label='bark', span=(6, 10), sense=None, variable=None, parts=(), features=())
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from compsim.plain_text import PlainText, plain

if TYPE_CHECKING:
    from compsim.graph.nodes import Node, Span
    from compsim.graph.role_graph import RoleGraph

    Move: TypeAlias = Callable[[Span], Span]

__all__ = ["respaced", "restored"]


def respaced(graph: RoleGraph, text: str) -> RoleGraph:
    """The graph over ``text``, unchanged where that has other words than the graph's own text."""
    if text == graph.text:
        return graph
    here, there = PlainText.of(graph.text), PlainText.of(text)
    if here.text != there.text:
        return graph
    return _moved(graph, text, lambda span: there.outside(here.inside(span)))


def restored(graph: RoleGraph, plain: PlainText) -> RoleGraph:
    """The graph of a plain text over the original; unchanged where it is of another text."""
    if graph.text == plain.original or graph.text != plain.text:
        return graph
    return _moved(graph, plain.original, plain.outside)


def _moved(graph: RoleGraph, text: str, move: Move) -> RoleGraph:
    nodes = tuple(_moved_node(node, graph.text, text, move) for node in graph.nodes)
    return replace(graph, nodes=nodes, text=text)


def _moved_node(node: Node, before: str, text: str, move: Move) -> Node:
    """A node over another text; where its label is words that are others there, it is those."""
    if node.span is None:
        return node
    moved = replace(node, span=move(node.span), parts=tuple(map(move, node.parts)))
    here, there = _under(node, before), _under(moved, text)
    if node.label != here or PlainText.typed(there).text == PlainText.typed(here).text:
        return moved
    return replace(moved, label=there)


def _under(node: Node, text: str) -> str:
    return " ".join(plain(text[start:end]) for start, end in node.spans)
