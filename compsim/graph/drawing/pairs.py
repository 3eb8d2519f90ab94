"""Two graphs side by side, and which node of the one was compared with which of the other.

>>> from compsim.graph import RoleGraph
>>> first = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> second = RoleGraph.star("Dogs doze.", {"Verb": "doze", "Agent": "Dogs"})
>>> side_by_side(first, second, [(0, 0), (1, 1)]).count('class="pair"')
2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from compsim.errors import InputError
from compsim.graph.drawing.colours import hex_of
from compsim.graph.drawing.names import role_name
from compsim.graph.drawing.outline import Item, outline, tops
from compsim.graph.drawing.pieces import (
    about_edge,
    about_node,
    box_at,
    lines_of,
    moved,
    node_text,
    reason,
    safe,
    svg,
    text_at,
    text_width,
    titled,
)

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["side_by_side"]

_STYLE: Final = """
.compsim-graph { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
.compsim-graph .root .role, .compsim-graph .role { font-size: 12px; font-weight: 400; }
.compsim-graph .again { font-style: italic; }
.compsim-graph .pair { fill: none; stroke-width: 2.2; }
.compsim-graph .unpaired { opacity: .65; }
"""

_COLUMN: Final = 190.0  # at most: two of them and the gutter are to be legible on a phone
_GUTTER: Final = 52.0
_INDENT: Final = 14.0
_PADDING: Final = 9.0
_MOST: Final = 500  # rows of a side; nobody reads thousands
_LINE: Final = 18.0  # height of a line of text
_ROLE_LINE: Final = 15.0
# What a line may take of the width that is reckoned: fonts differ, and predicates are bold.
_SIZE: Final = 1.12 * 14 / 13
_BOLD: Final = 1.1
_ROLE_SIZE: Final = 1.12 * 12 / 13


def side_by_side(
    first: RoleGraph,
    second: RoleGraph,
    mapping: Iterable[tuple[int, int]] = (),
    roles: Sequence[str] = (),
) -> str:
    """Draw two graphs with a line from each node of the first to the one that stands for it.

    ``mapping`` holds pairs of node indices, ``roles`` the role that gives each pair its colour;
    without them that is the role of the first one's node. Other nodes are pale. Of a graph of more
    than 500 rows the first are drawn, and a line says how many are not. Raises InputError for an
    index out of range.
    """
    pairs = list(mapping)
    for i, j in pairs:
        if not (0 <= i < len(first.nodes) and 0 <= j < len(second.nodes)):
            raise InputError(
                f"the mapping pairs nodes {i} and {j}, but the graphs have {len(first.nodes)} and "
                f"{len(second.nodes)}: give indices into their nodes"
            )
    items = outline(first)
    row = {item.node: place for place, item in enumerate(items) if not item.again}
    ranks: dict[int, float] = {}
    for i, j in pairs:
        ranks[j] = min(row[i], ranks.get(j, row[i]))
    others = outline(second, ranks)
    other_row = {item.node: place for place, item in enumerate(others) if not item.again}
    names = list(roles) or [items[row[i]].role or "Verb" for i, _ in pairs]
    colours = [hex_of(name) for name in names]
    mine = {i: result for (i, _), result in zip(pairs[::-1], colours[::-1], strict=True)}
    theirs = {j: result for (_, j), result in zip(pairs[::-1], colours[::-1], strict=True)}
    hidden = len(items[_MOST:]) + len(others[_MOST:])
    items, others = items[:_MOST], others[:_MOST]
    left, right = _Side(first, items, mine, False), _Side(second, others, theirs, True)
    paired = [(i, j, colour) for (i, j), colour in zip(pairs, colours, strict=True)]
    paired = [(i, j, c) for i, j, c in paired if row[i] < _MOST and other_row[j] < _MOST]
    rows = [(row[i], other_row[j]) for i, j, _ in paired]
    top, other_top, height = tops((items, left.heights), (others, right.heights), rows)
    lines = []
    start, end = left.width, left.width + _GUTTER
    for (i, j, result), (one, other) in zip(paired, rows, strict=True):
        y, end_y = top[one] + left.heights[one] / 2, other_top[other] + right.heights[other] / 2
        middle = (start + end) / 2
        about = safe(f"{node_text(first.nodes[i])} \u2194 {node_text(second.nodes[j])}")
        lines.append(
            f'<path class="pair" stroke="{result}" d="M{start:.1f},{y:.1f} C{middle:.1f},{y:.1f} '
            f'{middle:.1f},{end_y:.1f} {end:.1f},{end_y:.1f}"><title>{about}</title></path>'
        )
    parts = [*lines, left.body(top), moved(right.body(other_top), end, 0)]
    width, height = end + right.width, max(height, left.least, right.least)
    if hidden:
        height += _LINE
        parts.append(text_at(0, height - _LINE / 4, f"{hidden:,} rows more are not drawn", "role"))
    return svg(parts, width, height, f"{first.text} \u2194 {second.text}", _STYLE)


class _Side:
    """One of the two outlines: boxes that reach to the gutter, at the left of a mirrored one."""

    def __init__(
        self, graph: RoleGraph, items: Sequence[Item], colours: Mapping[int, str], mirrored: bool
    ) -> None:
        self._graph, self._items = graph, items
        self._colours, self._mirrored = colours, mirrored
        deepest = max((item.depth for item in items), default=0)
        self._indent = min(_INDENT, _COLUMN / 3 / max(deepest, 1))
        words = [node_text(graph.nodes[item.node]) for item in items]
        self._failed = [] if items else lines_of(reason(graph), _COLUMN, _SIZE)
        room = [self._indent * item.depth + 2 * _PADDING for item in items]
        self.width = max((_SIZE * text_width(line) for line in self._failed), default=60.0)
        self._texts = []
        for item, word, taken in zip(items, words, room, strict=True):
            size = _SIZE * (1.0 if item.depth else _BOLD)
            lines = lines_of(f"\u2191 {word}" if item.again else word, _COLUMN - taken, size)
            name = role_name(item.role)
            role = lines_of(name, _COLUMN - taken, _ROLE_SIZE) if name else []
            self._texts.append((role, lines))
            widest = max(size * text_width(line) for line in lines)
            widest = max([widest, *(_ROLE_SIZE * text_width(line) for line in role)])
            self.width = max(self.width, taken + widest)
        self.heights = [
            len(role) * _ROLE_LINE + len(lines) * _LINE + _PADDING for role, lines in self._texts
        ]
        self.least = len(self._failed) * _LINE

    def body(self, tops: Sequence[float]) -> str:
        """The inside of the SVG, its rows at these heights."""
        parts = [
            text_at(0, (i + 0.8) * _LINE, line, "failed") for i, line in enumerate(self._failed)
        ]
        parts += [self._branch(place, tops) for place in range(len(self._items))]
        parts += [self._row(place, tops[place]) for place in range(len(self._items))]
        return "".join(parts)

    def _branch(self, place: int, tops: Sequence[float]) -> str:
        """The line from a row's parent, in the space that the row leaves by standing further in."""
        item = self._items[place]
        if item.parent is None:
            return ""
        inner, outer = (item.depth * self._indent, (item.depth - 0.5) * self._indent)
        if self._mirrored:
            inner, outer = self.width - inner, self.width - outer
        start = tops[item.parent] + self.heights[item.parent]
        y = tops[place] + self.heights[place] / 2
        return f'<path class="line" d="M{outer:.1f},{start:.1f} V{y:.1f} H{inner:.1f}"/>'

    def _row(self, place: int, top: float) -> str:
        item, (role, lines) = self._items[place], self._texts[place]
        graph, colour = self._graph, self._colours.get(item.node)
        x = 0.0 if self._mirrored else item.depth * self._indent
        width = self.width - item.depth * self._indent
        kinds = [] if item.depth else ["root"]
        kinds += ["again"] if item.again else [] if colour else ["unpaired"]
        about = about_node(graph.nodes[item.node])
        about += f"\n{about_edge(item.edge)}" if item.edge is not None else ""
        box = ""
        if not item.again:
            fill = f' style="fill:{colour};fill-opacity:.22;stroke:{colour}"' if colour else ""
            box = box_at(x, top, width, self.heights[place], 6, fill)
        texts = []
        y = top + _PADDING / 2
        for line in role:
            texts.append(text_at(x + _PADDING, y + 11, line, "role"))
            y += _ROLE_LINE
        for line in lines:
            texts.append(text_at(x + _PADDING, y + 13.5, line))
            y += _LINE
        return titled(about, box + "".join(texts), kinds)
