"""An explanation as HTML: for a notebook, or as a page that stands alone.

>>> from compsim.explanation import Explanation
>>> from compsim.explanation.html import page
>>> "&lt;b&gt;" in page(Explanation("verbnet-cn", ("<b>", "Cats sleep.")))
True
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from compsim.explanation.text import cells

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation, RoleRow
    from compsim.graph import Node

__all__ = ["fragment", "page"]

# Colours are half transparent and text takes the reader's own colour: good on light and dark.
_STYLE: Final = """
.compsim { font: 15px/1.5 system-ui, sans-serif; }
.compsim table { border-collapse: collapse; margin: 1em 0; }
.compsim th, .compsim td { padding: .25em .75em; text-align: left;
  border-bottom: 1px solid rgb(128 128 128 / .35); }
.compsim .number { text-align: right; font-variant-numeric: tabular-nums; }
.compsim .unmatched { opacity: .6; }
.compsim mark { color: inherit; border-radius: .2em; padding: .1em .15em; }
.compsim .sentence { margin: .3em 0; font-size: 1.15em; }
.compsim figure { margin: 1em 0; overflow-x: auto; }
.compsim figure svg { max-width: max(100%, 45em); height: auto; }
.compsim .score { font-size: 1.4em; font-weight: 600; }
"""

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 60em; margin: 2em auto; padding: 0 1em; background: Canvas; color: CanvasText; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def page(explanation: Explanation) -> str:
    """A whole HTML document with everything in it."""
    title = escape(f"{explanation.method}: {explanation.score:.4f}")
    return _PAGE.format(title=title, body=fragment(explanation))


def fragment(explanation: Explanation) -> str:
    """A ``div`` with its style, for a notebook or another page."""
    rows = explanation.rows
    hues = {row.role: round(360 * i / max(len(rows), 1)) for i, row in enumerate(rows)}
    first, second = explanation.sentences
    parts = [
        f"<style>{_STYLE}</style>",
        f'<p class="score">{escape(explanation.method)}: {explanation.score:.4f}</p>',
        _sentence(first, [(row, row.first) for row in rows], hues),
        _sentence(second, [(row, row.second) for row in rows], hues),
        _table(explanation, hues),
    ]
    if explanation.figure is not None:
        parts.append(f"<figure>{explanation.figure()}</figure>")
    parts += [
        f"<p>{escape(text)}</p>" for text in (explanation.details(), explanation.note) if text
    ]
    return '<div class="compsim">\n' + "\n".join(parts) + "\n</div>"


def _colour(hue: int) -> str:
    return f"background: hsl({hue} 75% 50% / .28)"


def _sentence(text: str, phrases: list[tuple[RoleRow, Node | None]], hues: dict[str, int]) -> str:
    """The sentence with the span of each phrase marked; where spans overlap the first one wins."""
    owner: list[str | None] = [None] * len(text)
    for row, node in phrases:
        if node is None:
            continue
        for start, stop in node.spans:
            for i in range(start, min(stop, len(text))):
                owner[i] = owner[i] or row.role
    pieces = []
    start = 0
    for i in range(1, len(text) + 1):
        if i < len(text) and owner[i] == owner[start]:
            continue
        piece = escape(text[start:i])
        role = owner[start]
        if role is not None:
            piece = f'<mark style="{_colour(hues[role])}" title="{escape(role)}">{piece}</mark>'
        pieces.append(piece)
        start = i
    return f'<p class="sentence">{"".join(pieces)}</p>'


def _table(explanation: Explanation, hues: dict[str, int]) -> str:
    names = ("role", "first", "second", "cosine", "weight", "contribution")
    kinds = ("", "", "", *[' class="number"'] * 3)
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in zip(names, kinds, strict=True))
    body = []
    for row, line in zip(explanation.rows, cells(explanation), strict=True):
        role, *rest = map(escape, line)
        words = "".join(f"<td>{cell}</td>" for cell in rest[:2])
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in rest[2:])
        unmatched = ' class="unmatched"' if row.cosine is None else ""
        mark = f'<mark style="{_colour(hues[row.role])}">{role}</mark>'
        body.append(f"<tr{unmatched}><td>{mark}</td>{words}{numbers}</tr>")
    total = f'<tr><th colspan="5">score</th><th class="number">{explanation.score:.4f}</th></tr>'
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"
        + "\n".join(body)
        + f"\n</tbody>\n<tfoot>{total}</tfoot>\n</table>"
    )
