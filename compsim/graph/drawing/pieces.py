"""Shared pieces of drawings: text widths, titles of nodes and edges, the SVG element.

>>> safe("a < b"), lines_of("the dog that lives next door", 110)
('a &lt; b', ['the dog that', 'lives next door'])
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Final

from compsim.graph.nodes import Edge, Node

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = [
    "FORBIDDEN",
    "about_edge",
    "about_node",
    "box_at",
    "lines_of",
    "moved",
    "node_text",
    "reason",
    "safe",
    "shortened",
    "svg",
    "text_at",
    "text_width",
    "titled",
]

# Only what every renderer of SVG understands, and colours that are good on light and dark.
_STYLE: Final = """
svg.compsim-graph:root { color-scheme: light dark; color: CanvasText; background: Canvas; }
.compsim-graph text { fill: currentColor; }
.compsim-graph .box { fill: #888; fill-opacity: .1; stroke: #888; }
.compsim-graph .root text { font-weight: 600; }
.compsim-graph .failed { font-style: italic; }
.compsim-graph .line { fill: none; stroke: #888; stroke-width: 1.2; }
"""
_MARGIN: Final = 12.0
#: Characters of either end of a long phrase.
_END: Final = 100
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ \"`-")
#: What XML can not hold, and what would turn the direction of the words after it.
FORBIDDEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def moved(body: str, x: float, y: float) -> str:
    """The body at another place."""
    return f'<g transform="translate({x:.1f} {y:.1f})">{body}</g>'


def titled(about: str, body: str, kinds: Iterable[str] = ()) -> str:
    """Return the body as a group of these classes with a tooltip."""
    return f"<g{_classes(kinds)}><title>{safe(about)}</title>{body}</g>"


def text_at(x: float, y: float, line: str, kind: str = "") -> str:
    """A line of text."""
    return f"<text{_classes([kind] if kind else [])} {_place(x, y)}>{safe(line)}</text>"


def box_at(
    x: float, y: float, width: float, height: float, radius: int, attributes: str = ""
) -> str:
    """A box with round corners."""
    return (
        f'<rect class="box" {_place(x, y)} width="{width:.1f}" height="{height:.1f}" '
        f'rx="{radius}"{attributes}/>'
    )


def _place(x: float, y: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}"'


def _classes(kinds: Iterable[str]) -> str:
    names = " ".join(kinds)
    return f' class="{names}"' if names else ""


def svg(parts: Iterable[str], width: float, height: float, title: str, style: str) -> str:
    """The whole picture, on one line; ``style`` is what it adds to the rules of all drawings."""
    wide, high = math.ceil(width + 2 * _MARGIN), math.ceil(height + 2 * _MARGIN)
    body = moved("".join(parts), _MARGIN, _MARGIN)
    label = safe(" ".join(title.split()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="compsim-graph" role="img" '
        f'aria-label="{label}" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f"<style>{' '.join((_STYLE + style).split())}</style>{body}</svg>"
    )


def safe(text: str) -> str:
    """Text for SVG, on one line; what XML can not hold becomes U+FFFD."""
    return escape(FORBIDDEN.sub("\ufffd", text)).replace("\n", "&#10;")


def lines_of(text: str, width: float, scale: float = 1.0) -> list[str]:
    """The text in lines of about this width; a word that is wider is broken."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if scale * text_width(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            # What is put upon a letter, or joins two signs to one, stays with it.
            loose = unicodedata.category(character) in ("Mn", "Me", "Cf")
            fits = scale * text_width(lines[-1] + character) <= width
            if lines[-1] and not (fits or loose or lines[-1].endswith("\u200d")):
                lines.append("")
            lines[-1] += character
    return lines


def text_width(text: str) -> float:
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


def shortened(text: str, start: int, end: int) -> str:
    """A long text without its middle: about so many characters of its start and of its end.

    >>> shortened("that he said that she said that the dog that Mary fed barked", 14, 14)
    'that he said \u2026 fed barked'
    """
    if len(text) <= 2 * max(start, end) + min(start, end):
        return text
    # Whole words, where there are any.
    head, tail = text[:start], text[len(text) - end :]
    head = head.rpartition(" ")[0] or head
    tail = tail.partition(" ")[2] or tail
    return f"{head} \u2026 {tail}"


def node_text(node: Node) -> str:
    """Return the text of a node's box: only the two ends of a phrase with many clauses."""
    return shortened(node.label, _END, _END) or "(no label)"


def reason(graph: RoleGraph) -> str:
    """Return the text that replaces a graph without nodes."""
    return f"{graph.status.value}: {graph.reason}" if graph.reason else "an empty graph"


def about_node(node: Node) -> str:
    """Return the tooltip of a node."""
    lines = [node_text(node)]
    lines += [f"variable {node.variable}"] if node.variable else []
    lines += [f"sense {node.sense}"] if node.sense else []
    if node.spans:
        lines.append("characters " + ", ".join(f"{start}-{end}" for start, end in node.spans))
    return "\n".join(lines)


def about_edge(edge: Edge) -> str:
    """Return the tooltip of an edge."""
    label = edge.role + (f" ({edge.propbank})" if edge.propbank else "")
    return label if edge.confidence == 1 else f"{label}, confidence {edge.confidence:g}"
