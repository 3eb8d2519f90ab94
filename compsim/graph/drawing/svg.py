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

import hashlib
import math
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.errors import InputError
from compsim.graph.drawing.layers import Point, Size, layered
from compsim.graph.nodes import Edge, Node

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["side_by_side", "to_dot", "to_svg"]

# Only what every renderer of SVG understands, and colours that are good on light and dark.
_STYLE: Final = """
.compsim-graph { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
svg.compsim-graph:root { color-scheme: light dark; color: CanvasText; background: Canvas; }
.compsim-graph text { fill: currentColor; text-anchor: middle; }
.compsim-graph .box { fill: #888; fill-opacity: .1; stroke: #888; }
.compsim-graph .root .box { stroke: currentColor; stroke-width: 2.2; }
.compsim-graph .root text { font-weight: 600; }
.compsim-graph .constant .box { stroke: none; }
.compsim-graph .constant text, .compsim-graph .failed { font-style: italic; }
.compsim-graph .line { fill: none; stroke: #888; stroke-width: 1.2; }
.compsim-graph .head { fill: #888; }
.compsim-graph .role { font-size: 11px; }
.compsim-graph .caption { font-size: 14px; }
.compsim-graph .pair { fill: none; stroke-width: 1.5; stroke-dasharray: 5 4; stroke-opacity: .9; }
.compsim-graph .unpaired { opacity: .55; }
"""

_MARGIN: Final = 12.0
_BETWEEN: Final = 90.0  # two graphs side by side
_LINE: Final = 16.0  # height of a line of text
_ROLE_SIZE: Final = 11 / 13
_HEAD: Final = (7.0, 3.0)  # length and half width of an arrow's head
_LABEL_COLUMNS: Final = 28
_CAPTION_COLUMNS: Final = 60
_GOLDEN: Final = 137.508  # degrees; hues that far apart are easily told from each other
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ \"`-")
# What XML can not hold.
_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def to_svg(graph: RoleGraph) -> str:
    """Draw the graph, the root on top, below its sentence; a failed parse shows its reason."""
    picture = _picture(graph)
    caption = _wrapped(graph.text, _CAPTION_COLUMNS)
    top = len(caption) * (_LINE + 3) + (8 if caption else 0)
    width = max(picture.size[0], *(1.2 * _text_width(line) for line in caption), 40)
    parts = [_moved(picture.body, (width - picture.size[0]) / 2, top)]
    parts += [
        f'<text class="caption" {_at(width / 2, 13 + i * (_LINE + 3))}>{_safe(line)}</text>'
        for i, line in enumerate(caption)
    ]
    return _svg(parts, width, top + picture.size[1], graph.text or "a role graph")


def side_by_side(
    first: RoleGraph,
    second: RoleGraph,
    mapping: Iterable[tuple[int, int]] = (),
) -> str:
    """Draw two graphs and, dashed, which node of the second stands for which of the first.

    ``mapping`` holds pairs of node indices. Mapped nodes share a colour, the others are pale.
    Raises InputError for an index out of range.
    """
    pairs = list(mapping)
    for i, j in pairs:
        if not (0 <= i < len(first.nodes) and 0 <= j < len(second.nodes)):
            raise InputError(
                f"the mapping pairs nodes {i} and {j}, but the graphs have {len(first.nodes)} and "
                f"{len(second.nodes)}: give indices into their nodes"
            )
    hues = [f"hsl({round(number * _GOLDEN) % 360},70%,50%)" for number in range(len(pairs))]
    left = _picture(first, {i: hue for (i, _), hue in zip(pairs, hues, strict=True)})
    right = _picture(second, {j: hue for (_, j), hue in zip(pairs, hues, strict=True)})
    shift = left.size[0] + _BETWEEN
    lines = []
    for (i, j), hue in zip(pairs, hues, strict=True):
        ((x, y), (width, _)), ((end_x, end_y), (end_width, _)) = left.nodes[i], right.nodes[j]
        start, end = (x + width / 2, y), (shift + end_x - end_width / 2, end_y)
        bend = (end[0] - start[0]) / 2
        curve = [start, (start[0] + bend, start[1]), (end[0] - bend, end[1]), end]
        about = f"{_told(first.nodes[i])} \u2194 {_told(second.nodes[j])}"
        lines.append(
            f'<path class="pair" stroke="{hue}" d="{_path(curve)}"><title>{_safe(about)}</title>'
            "</path>"
        )
    height = max(left.size[1], right.size[1])
    width = shift + right.size[0]
    # The lines run behind nodes and roles, which they would strike through.
    things = [*left.nodes, *left.roles]
    things += [((shift + x, y), size) for (x, y), size in (*right.nodes, *right.roles)]
    behind = _behind("".join(lines), things, (width, height))
    parts = [behind, left.body, _moved(right.body, shift, 0)]
    return _svg(parts, width, height, f"{first.text} \u2194 {second.text}")


def to_dot(graph: RoleGraph) -> str:
    """Write the graph in Graphviz's DOT language; a failed parse has its reason as a label."""
    label = "\n".join(filter(None, [graph.text, "" if graph.nodes else _reason(graph)]))
    lines = [f"  graph [label={_quoted(label)} labelloc=t]", "  node [shape=box style=rounded]"]
    for index, node in enumerate(graph.nodes):
        about = f"label={_quoted(_told(node))} tooltip={_quoted(_about_node(node))}"
        if index == graph.root:
            about += " penwidth=2"
        elif _is_constant(graph, node):
            about += " style=dashed"
        lines.append(f"  {index} [{about}]")
    for edge in graph.edges:
        about = f"label={_quoted(edge.role)} tooltip={_quoted(_about_edge(edge))}"
        lines.append(f"  {edge.source} -> {edge.target} [{about}]")
    return "\n".join(["digraph {", *lines, "}"])


class _Picture(NamedTuple):
    """The inside of an SVG, its size, and the centre and size of its nodes and of its roles."""

    body: str
    size: Size
    nodes: list[tuple[Point, Size]]
    roles: list[tuple[Point, Size]]


def _picture(graph: RoleGraph, colours: Mapping[int, str] | None = None) -> _Picture:
    """Draw nodes and edges; with ``colours`` the nodes that have none are pale."""
    texts = [_wrapped(_told(node), _LABEL_COLUMNS) or [" "] for node in graph.nodes]
    boxes = [(max(map(_text_width, lines)) + 20, len(lines) * _LINE + 12) for lines in texts]
    roles = [(_text_width(edge.role) * _ROLE_SIZE + 6, _LINE) for edge in graph.edges]
    if graph.root is None:
        reason = _reason(graph)
        width = _text_width(reason) + 10
        text = f'<text class="failed" {_at(width / 2, _LINE)}>{_safe(reason)}</text>'
        return _Picture(text, (width, 2 * _LINE), [], [])
    edges = [(edge.source, edge.target) for edge in graph.edges]
    placed = layered(boxes, edges, roles, graph.root)
    parts = []
    for edge, route in zip(graph.edges, placed.routes, strict=True):
        about = f"{_about_edge(edge)}: {_told(graph.nodes[edge.source])} \u2192 "
        about += _told(graph.nodes[edge.target])
        *most, last = route.curves
        lines = "".join(f'<path class="line" d="{_path(curve)}"/>' for curve in most)
        x, y = route.label
        parts.append(
            f"<g><title>{_safe(about)}</title>{lines}{_arrow(last)}"
            f'<text class="role" {_at(x, y + 4)}>{_safe(edge.role)}</text></g>'
        )
    for index, node in enumerate(graph.nodes):
        kinds = ["root"] if index == graph.root else []
        kinds += ["constant"] if _is_constant(graph, node) else []
        fill = ""
        if colours is not None:
            colour = colours.get(index)
            kinds += [] if colour else ["unpaired"]
            fill = f' style="fill:{colour};fill-opacity:.28"' if colour else ""
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        parts.append(
            f"<g{kind}><title>{_safe(_about_node(node))}</title>"
            f"{_box(placed.centres[index], boxes[index], texts[index], fill)}</g>"
        )
    nodes = list(zip(placed.centres, boxes, strict=True))
    labels = [route.label for route in placed.routes]
    return _Picture("".join(parts), placed.size, nodes, list(zip(labels, roles, strict=True)))


def _box(centre: Point, size: Size, lines: Sequence[str], fill: str) -> str:
    x, y = centre
    width, height = size
    box = (
        f'<rect class="box" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="7"{fill}/>'
    )
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    return box + "".join(
        f"<text {_at(x, first + i * _LINE)}>{_safe(line)}</text>" for i, line in enumerate(lines)
    )


def _behind(lines: str, things: Iterable[tuple[Point, Size]], size: Size) -> str:
    """The lines, hidden where one of the things is that stand at a centre with a size."""
    width, height = size
    area = f'x="0" y="0" width="{width:.1f}" height="{height:.1f}"'
    holes = "".join(
        f'<rect x="{x - w / 2:.1f}" y="{y - h / 2:.1f}" width="{w:.1f}" height="{h:.1f}"/>'
        for (x, y), (w, h) in things
    )
    # A page may hold several pictures, so the name has to be this one's own.
    name = "compsim-" + hashlib.blake2b((lines + holes).encode(), digest_size=8).hexdigest()
    return (
        f'<mask id="{name}" maskUnits="userSpaceOnUse" {area}><rect {area} fill="#fff"/>{holes}'
        f'</mask><g mask="url(#{name})">{lines}</g>'
    )


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


def _moved(body: str, x: float, y: float) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{body}</g>'


def _at(x: float, y: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}"'


def _svg(parts: Iterable[str], width: float, height: float, title: str) -> str:
    """The whole picture, on one line."""
    wide, high = math.ceil(width + 2 * _MARGIN), math.ceil(height + 2 * _MARGIN)
    style = " ".join(_STYLE.split())
    body = _moved("".join(parts), _MARGIN, _MARGIN)
    label = _safe(" ".join(title.split()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="compsim-graph" role="img" '
        f'aria-label="{label}" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f"<style>{style}</style>{body}</svg>"
    )


def _safe(text: str) -> str:
    """Text for SVG, on one line; what XML can not hold becomes U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", text)).replace("\n", "&#10;")


def _quoted(text: str) -> str:
    """Text for DOT, where a backslash and an ampersand would have a meaning of their own."""
    text = _FORBIDDEN.sub("\ufffd", text).replace("\\", "\\\\").replace("&", "&amp;")
    return '"' + text.replace('"', '\\"').replace("\n", "&#10;") + '"'


def _wrapped(text: str, columns: int) -> list[str]:
    return textwrap.wrap(text, columns, break_on_hyphens=False)


def _text_width(text: str) -> float:
    """About the width of 13-pixel text without serifs: no font need be at hand."""
    width = 0.0
    for character in text:
        if character in _NARROW:
            width += 4.6
        elif unicodedata.east_asian_width(character) in "WF":
            width += 13.5
        elif unicodedata.combining(character):
            continue
        else:
            width += 9.4 if character.isupper() or character in "mw" else 7.4
    return width


def _is_constant(graph: RoleGraph, node: Node) -> bool:
    """An AMR's node without a variable; a graph of phrases has no variables at all."""
    return node.variable is None and any(other.variable is not None for other in graph.nodes)


def _told(node: Node) -> str:
    return node.label or "(no label)"


def _reason(graph: RoleGraph) -> str:
    return f"{graph.status.value}: {graph.reason}" if graph.reason else "an empty graph"


def _about_node(node: Node) -> str:
    lines = [_told(node)]
    lines += [f"variable {node.variable}"] if node.variable else []
    lines += [f"sense {node.sense}"] if node.sense else []
    if node.spans:
        lines.append("characters " + ", ".join(f"{start}-{end}" for start, end in node.spans))
    return "\n".join(lines)


def _about_edge(edge: Edge) -> str:
    return edge.role + (f" ({edge.propbank})" if edge.propbank else "")
