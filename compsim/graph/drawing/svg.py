"""Role graphs as pictures: SVG that stands alone, and DOT for Graphviz.

>>> from compsim.graph import RoleGraph
>>> graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> print(to_dot(graph))
digraph {
  graph [label="Cats sleep." labelloc=t]
  node [shape=box style=rounded]
  0 [label="sleep" tooltip="sleep&#10;characters 5-10" penwidth=2]
  1 [label="Cats" tooltip="Cats&#10;characters 0-4"]
  0 -> 1 [label="Agent" tooltip="Agent"]
}
>>> to_svg(graph).startswith("<svg")
True

A picture needs no script and no other file, and fits light and dark pages: text takes the page's
own colour, or the system's where the picture is a file of its own. Pointing at a node or an edge
shows what lies behind it: variable, sense, characters of the sentence, PropBank label.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from compsim.graph.drawing.layers import Point, Size, layered
from compsim.graph.drawing.pieces import (
    FORBIDDEN,
    about_edge,
    about_node,
    box_at,
    lines_of,
    moved,
    node_text,
    reason,
    svg,
    text_at,
    text_width,
    titled,
)
from compsim.graph.nodes import Node

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["to_dot", "to_svg"]

_STYLE: Final = """
.compsim-graph { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
.compsim-graph text { text-anchor: middle; }
.compsim-graph .root .box { stroke: currentColor; stroke-width: 2.2; }
.compsim-graph .constant .box { stroke: none; }
.compsim-graph .constant text { font-style: italic; }
.compsim-graph .head { fill: #888; }
.compsim-graph .role { font-size: 11px; }
.compsim-graph .caption { font-size: 14px; }
"""

_LINE: Final = 16.0  # height of a line of text
_ROLE_SIZE: Final = 11 / 13
_HEAD: Final = (7.0, 3.0)  # length and half width of an arrow's head
_LABEL_WIDTH: Final = 207.0
_CAPTION_WIDTH: Final = 530.0
_CAPTION_SIZE: Final = 1.2  # a bit more than 14 px


def to_svg(graph: RoleGraph) -> str:
    """Draw the graph, the root on top, below its sentence; a failed parse shows its reason."""
    body, size = _picture(graph)
    caption = lines_of(graph.text, _CAPTION_WIDTH, _CAPTION_SIZE) if graph.text.strip() else []
    top = len(caption) * (_LINE + 3) + (8 if caption else 0)
    width = max(size[0], *(_CAPTION_SIZE * text_width(line) for line in caption), 40)
    parts = [moved(body, (width - size[0]) / 2, top)]
    parts += [
        text_at(width / 2, 13 + i * (_LINE + 3), line, "caption") for i, line in enumerate(caption)
    ]
    return svg(parts, width, top + size[1], graph.text or "a role graph", _STYLE)


def to_dot(graph: RoleGraph) -> str:
    """Write the graph in Graphviz's DOT language; a failed parse has its reason as a label."""
    label = "\n".join(filter(None, [graph.text, "" if graph.nodes else reason(graph)]))
    lines = [f"  graph [label={_quoted(label)} labelloc=t]", "  node [shape=box style=rounded]"]
    for index, node in enumerate(graph.nodes):
        about = f"label={_quoted(node_text(node))} tooltip={_quoted(about_node(node))}"
        if index == graph.root:
            about += " penwidth=2"
        elif _is_constant(graph, node):
            about += " style=dashed"
        lines.append(f"  {index} [{about}]")
    for edge in graph.edges:
        about = f"label={_quoted(edge.role)} tooltip={_quoted(about_edge(edge))}"
        lines.append(f"  {edge.source} -> {edge.target} [{about}]")
    return "\n".join(["digraph {", *lines, "}"])


def _picture(graph: RoleGraph) -> tuple[str, Size]:
    """The inside of an SVG, nodes and edges, and its size."""
    texts = [lines_of(node_text(node), _LABEL_WIDTH) for node in graph.nodes]
    boxes = [(max(map(text_width, lines)) + 20, len(lines) * _LINE + 12) for lines in texts]
    roles = [(text_width(edge.role) * _ROLE_SIZE + 6, _LINE) for edge in graph.edges]
    if graph.root is None:
        why = reason(graph)
        width = text_width(why) + 10
        return text_at(width / 2, _LINE, why, "failed"), (width, 2 * _LINE)
    edges = [(edge.source, edge.target) for edge in graph.edges]
    placed = layered(boxes, edges, roles, graph.root)
    parts = []
    for edge, route in zip(graph.edges, placed.routes, strict=True):
        about = f"{about_edge(edge)}: {node_text(graph.nodes[edge.source])} \u2192 "
        about += node_text(graph.nodes[edge.target])
        *most, last = route.curves
        lines = "".join(f'<path class="line" d="{_path(curve)}"/>' for curve in most)
        x, y = route.label
        parts.append(titled(about, lines + _arrow(last) + text_at(x, y + 4, edge.role, "role")))
    for index, node in enumerate(graph.nodes):
        kinds = ["root"] if index == graph.root else []
        kinds += ["constant"] if _is_constant(graph, node) else []
        box = _box(placed.centres[index], boxes[index], texts[index])
        parts.append(titled(about_node(node), box, kinds))
    return "".join(parts), placed.size


def _box(centre: Point, size: Size, lines: Sequence[str]) -> str:
    x, y = centre
    width, height = size
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    written = [text_at(x, first + i * _LINE, line) for i, line in enumerate(lines)]
    return box_at(x - width / 2, y - height / 2, width, height, 7) + "".join(written)


def _arrow(curve: list[Point]) -> str:
    """A curve with a head at its end; the line stops where the head begins."""
    (x, y), (before_x, before_y) = curve[-1], curve[-2]
    length = math.hypot(x - before_x, y - before_y) or 1.0
    dx, dy = (x - before_x) / length, (y - before_y) / length
    reach, half = _HEAD
    back = (x - reach * dx, y - reach * dy)
    corners = [
        (x, y),
        (back[0] - half * dy, back[1] + half * dx),
        (back[0] + half * dy, back[1] - half * dx),
    ]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    line = _path([*curve[:-1], back])
    return f'<path class="line" d="{line}"/><polygon class="head" points="{points}"/>'


def _path(curve: Sequence[Point]) -> str:
    start, *rest = (f"{x:.1f},{y:.1f}" for x, y in curve)
    return f"M{start} C{' '.join(rest)}"


def _quoted(text: str) -> str:
    """Text for DOT, where a backslash and an ampersand would have a meaning of their own."""
    text = FORBIDDEN.sub("\ufffd", text).replace("\\", "\\\\").replace("&", "&amp;")
    return '"' + text.replace('"', '\\"').replace("\n", "&#10;") + '"'


def _is_constant(graph: RoleGraph, node: Node) -> bool:
    """An AMR's node without a variable; a graph of phrases has no variables at all."""
    return node.variable is None and any(other.variable is not None for other in graph.nodes)
