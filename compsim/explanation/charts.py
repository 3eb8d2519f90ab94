"""The drawings of an explanation: which words stand for which, and how the score adds up.

>>> from compsim.explanation import Explanation, RoleRow
>>> from compsim.graph import Node
>>> rows = [RoleRow("Agent", Node("Ann", (0, 3)), Node("Ann", (10, 13)), 1.0, 1.0, 0.5),
...         RoleRow("Verb", Node("ran", (4, 7)), Node("ran", (0, 3)), 1.0, 1.0, 0.5)]
>>> explanation = Explanation("verbnet-cn", ("Ann ran.", "ran it was Ann."), tuple(rows))
>>> crossings(explanation).count('class="pair"'), waterfall(explanation).count("<rect")
(2, 3)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from compsim.explanation.columns import clean, cut
from compsim.explanation.plain_names import WHOLES
from compsim.explanation.steps import steps
from compsim.graph.drawing.colours import hex_of
from compsim.graph.drawing.pieces import (
    box_at,
    lines_of,
    moved,
    node_text,
    safe,
    svg,
    text_at,
    text_width,
    titled,
)

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation
    from compsim.graph import Node

__all__ = ["AGAINST", "crossings", "waterfall"]

#: The colour of what is said against each other; roles have none like it.
AGAINST: Final = "#d32f2f"
_COLUMN, _GUTTER = 126.0, 70.0
_LINE, _PADDING, _BETWEEN = 18.0, 9.0, 8.0
_SIZE: Final = 1.12 * 14 / 13  # what a line may take of the width that is reckoned
_STYLE: Final = """
.compsim-graph { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
.compsim-graph .pair { fill: none; stroke-width: 2.2; }
.compsim-graph .alone .box { stroke-dasharray: 4 3; }
"""
_WIDE, _STEP, _BAR = 340, 44, 12
_ADDS, _TOTAL = hex_of("Agent"), "#767676"


def crossings(explanation: Explanation) -> str:
    """Return the phrases of both sentences in their order, a line between those of a pair.

    What is said against each other is red, with a broken line where the two are no pair.
    """
    pairs: dict[tuple[Node, Node], tuple[str, bool]] = {}
    for row in explanation.agreements:
        if row.role not in WHOLES and row.first and row.second:
            pairs.setdefault((row.first, row.second), (hex_of(row.role), False))
    for row in explanation.conflicts:
        for one in row.conflicts:
            for pair in zip(one.first, one.second, strict=False):
                pairs[pair] = (AGAINST, pairs[pair][1] if pair in pairs else True)
    named = [node for pair in pairs for node in pair]
    named += [node for row in explanation.gaps if (node := row.first or row.second)]
    if not pairs or not all(node.span for node in named):
        return ""
    sides: list[list[Node]] = []
    for side in (0, 1):
        nodes = [pair[side] for pair in pairs]
        nodes += [node for row in explanation.gaps if (node := (row.first, row.second)[side])]
        sides.append(sorted(dict.fromkeys(nodes), key=lambda node: node.span or (0, 0)))
    colours: dict[tuple[int, Node], str] = {}
    for pair, (colour, _) in sorted(pairs.items(), key=lambda item: item[1][0] == AGAINST):
        colours |= {(side, pair[side]): colour for side in (0, 1)}
    boxes: list[str] = []
    middles: list[dict[Node, float]] = []
    height = 0.0
    for side, nodes in enumerate(sides):
        body, places, end = _column(side, nodes, colours)
        boxes.append(moved(body, side * (_COLUMN + _GUTTER), 0))
        middles.append(places)
        height = max(height, end)
    lines = []
    for (first, second), (colour, broken) in pairs.items():
        y, z = middles[0][first], middles[1][second]
        about = safe(f"{node_text(first)} \u2194 {node_text(second)}")
        dashes = ' stroke-dasharray="5 4"' if broken else ""
        lines.append(
            f'<path class="pair" stroke="{colour}"{dashes} d="M{_COLUMN:.0f},{y:.1f} '
            f"C{_COLUMN + _GUTTER / 2:.0f},{y:.1f} {_COLUMN + _GUTTER / 2:.0f},{z:.1f} "
            f'{_COLUMN + _GUTTER:.0f},{z:.1f}">'
            f"<title>{about}</title></path>"
        )
    title = "which words of the two sentences stand for each other"
    return svg([*lines, *boxes], 2 * _COLUMN + _GUTTER, height, title, _STYLE)


def _column(
    side: int, nodes: list[Node], colours: dict[tuple[int, Node], str]
) -> tuple[str, dict[Node, float], float]:
    """The boxes of a sentence, the middle of each, and where the last one ends."""
    parts, middles = [text_at(0, 12, f"sentence {side + 1}")], {}
    top = _LINE + _BETWEEN / 2
    for node in nodes:
        lines = lines_of(node_text(node), _COLUMN - 2 * _PADDING, _SIZE)
        height = len(lines) * _LINE + _PADDING
        colour = colours.get((side, node), "")
        fill = f' style="fill:{colour};fill-opacity:.2;stroke:{colour}"' if colour else ""
        box = box_at(0, top, _COLUMN, height, 6, fill)
        texts = [
            text_at(_PADDING, top + _PADDING / 2 + 13.5 + i * _LINE, line)
            for i, line in enumerate(lines)
        ]
        parts.append(titled(node_text(node), box + "".join(texts), [] if colour else ["alone"]))
        middles[node] = top + height / 2
        top += height + _BETWEEN
    return "".join(parts), middles, top


def waterfall(explanation: Explanation) -> str:
    """Return the steps of the score as bars from 0, each beginning where the last one ends."""
    result = steps(explanation)
    if not result:
        return ""
    ends = [end for step in result for end in (step.start, step.end)]
    low, high = min(0.0, *ends), max(1.0, *ends)
    if not math.isfinite(_WIDE / (high - low)) or high - low == math.inf:
        return ""

    def x(value: float) -> float:
        return _WIDE * (value - low) / (high - low)

    parts = []
    for place, step in enumerate(result):
        top = place * _STEP
        colour = _TOTAL if step.total else AGAINST if step.conflicts else _ADDS
        left, right = sorted((x(step.start), x(step.end)))
        name = cut(clean(step.name), 34)
        while text_width(name) * 1.2 > _WIDE - 60:
            name = cut(name, len(name) * 3 // 4)
        weight = ' font-weight="600"' if step.total else ""
        parts.append(
            f'<text x="0" y="{top + 15}"{weight}>{safe(name)}</text>'
            f'<text x="{_WIDE}" y="{top + 15}" text-anchor="end"{weight}>{step.figure}</text>'
            f'<rect x="{left:.2f}" y="{top + 22}" width="{right - left:.2f}" height="{_BAR}" '
            f'fill="{colour}"/>'
        )
        # Where it begins and ends, between the words above and below.
        parts += [
            f'<path class="join" d="M{at:.2f},{top + 18} V{top + 26 + _BAR}"/>'
            for at in (left, right)
        ]
    height = len(result) * _STEP
    label = safe(", ".join(f"{step.name} {step.figure}" for step in result))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="{label}" '
        f'width="{_WIDE + 4}" height="{height}" viewBox="-2 0 {_WIDE + 4} {height}">'
        f"{''.join(parts)}</svg>"
    )
