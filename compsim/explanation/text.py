"""An explanation as text: a plain table, or one that rich draws in a terminal.

>>> from compsim.explanation import Explanation, RoleRow
>>> from compsim.graph import Node
>>> row = RoleRow("Verb", Node("sleep"), Node("doze"), 0.5, 3.0, 0.5)
>>> cells(Explanation("verbnet-cn", ("Cats sleep", "Cats doze"), (row,)))
[('Verb', 'sleep', 'doze', '0.5000', '3.0', '0.5000')]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

    from compsim.explanation.rows import Explanation
    from compsim.graph import Node

__all__ = ["cells", "renderable", "text"]

_HEAD: Final = ("role", "1", "2", "cosine", "weight", "contribution")


def text(explanation: Explanation) -> str:
    """The score, the sentences, what the score rests on, and the rows as a table."""
    total = f"{explanation.score:.4f}"
    table = [_HEAD, *cells(explanation), ("score", "", "", "", "", total)]
    return "\n".join([*_lines(explanation), "", *_aligned(table)])


def renderable(explanation: Explanation) -> RenderableType:
    """The same for a console of the rich package; what only one sentence has is dim."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(show_footer=True)
    for i, name in enumerate(_HEAD):
        footer = {0: "score", len(_HEAD) - 1: f"{explanation.score:.4f}"}.get(i, "")
        table.add_column(name, footer=footer, justify="left" if i < 3 else "right")
    for row, line in zip(explanation.rows, cells(explanation), strict=True):
        # Text, since a phrase may hold what rich takes for markup.
        table.add_row(*map(Text, line), style="dim" if row.cosine is None else "")
    return Group(*map(Text, _lines(explanation)), table)


def cells(explanation: Explanation) -> list[tuple[str, ...]]:
    """The table's rows as strings, without head and total."""
    return [
        (
            row.role,
            _phrase(row.first),
            _phrase(row.second),
            "-" if row.cosine is None else f"{row.cosine:.4f}",
            f"{row.weight:.1f}" if row.weight == round(row.weight, 1) else f"{row.weight:g}",
            f"{row.contribution:.4f}",
        )
        for row in explanation.rows
    ]


def _lines(explanation: Explanation) -> list[str]:
    """What stands above the table."""
    lines = [f"{explanation.method}: {explanation.score:.4f}"]
    lines += [f"{i}: {_one_line(text)}" for i, text in enumerate(explanation.sentences, 1)]
    return lines + [text for text in (explanation.details(), explanation.note) if text]


def _phrase(node: Node | None) -> str:
    return "-" if node is None else _one_line(node.label)


def _one_line(text: str) -> str:
    """The text with line breaks and control characters as spaces, so that a table stays one."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)


def _width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equal columns: words to the left, numbers to the right."""
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - _width(cell))
            cells.append(cell + space if i < 3 else space + cell)
        lines.append("  ".join(cells).rstrip())
    return lines
