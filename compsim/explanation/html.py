"""An explanation as HTML: for a notebook, or as a page that stands alone.

The verdict comes first, then the sentences, which words stand for which, what is said against each
other, and the sum; the table of all rows is folded away.

>>> from compsim.explanation import Explanation
>>> from compsim.explanation.html import page
>>> "&lt;b&gt;" in page(Explanation("verbnet-cn", ("<b>", "Cats sleep.")))
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation import heat_map
from compsim.explanation.charts import crossings, waterfall
from compsim.explanation.plain_names import CONCEPT, WHOLES, plain_name
from compsim.explanation.steps import steps
from compsim.explanation.style import STYLE
from compsim.explanation.text import cells, phrases, places
from compsim.explanation.verdict import LEVELS
from compsim.graph.drawing.colours import colour

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation, RoleRow
    from compsim.graph import Node

__all__ = ["document", "fragment", "page", "safe"]

# What no document may hold, and what would turn the direction of the words after it.
_FORBIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 60em; margin: 1.5em auto; padding: 0 1em; background: Canvas;
  color: CanvasText; }}
@media print {{ body {{ max-width: none; margin: 0; padding: 0; }} }}
</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def page(explanation: Explanation) -> str:
    """A whole HTML document with everything in it."""
    return document(explanation.verdict, _body(explanation, "h1"))


def document(title: str, body: str) -> str:
    """A whole HTML document with this title, a text, and this body, which is HTML already."""
    return _PAGE.format(title=safe(title), body=body)


def fragment(explanation: Explanation) -> str:
    """A ``div`` with its style, for a notebook or another page."""
    return _body(explanation, "p")


def _body(explanation: Explanation, heading: str) -> str:
    """The same; the verdict stands in a ``heading``, the first one of a page of its own."""
    parts = [
        f"<style>{STYLE}</style>",
        f'<{heading} class="verdict">{safe(explanation.verdict)}</{heading}>',
        *_scale(explanation),
        *(
            _sentence(side, text, _marks(explanation, side))
            for side, text in enumerate(explanation.sentences)
        ),
    ]
    drawing = crossings(explanation)
    lists = "\n".join([*_conflicts(explanation), *_lists(explanation)])
    if drawing:
        drawing = f'<figure class="crossings">{drawing}</figure>\n'
    parts.append(f'<div class="beside">\n{drawing}<div class="lists">{lists}</div>\n</div>')
    if bars := waterfall(explanation):
        parts += ['<p class="head">How the score adds up</p>', f"<figure>{bars}</figure>"]
    parts.append(_computed(explanation))
    return '<div class="compsim">\n' + "\n".join(parts) + "\n</div>"


def _scale(explanation: Explanation) -> Iterator[str]:
    """The score, and where it stands among the words of the scale."""
    method = safe(explanation.method)
    if not explanation.level:
        yield f'<p class="score">No score <span class="by">{method}</span></p>'
        return
    yield f'<p class="score">{explanation.score:.2f} of 1 <span class="by">{method}</span></p>'
    words = [
        f'<b class="on">{word}</b>' if word == explanation.level else f"<span>{word}</span>"
        for _, word in reversed(LEVELS)
    ]
    yield f'<p class="levels">{"".join(words)}</p>'


class _Mark(NamedTuple):
    """Mark in a sentence: the node, its class, its title, and its label."""

    node: Node | None
    kind: str
    title: str
    label: str = ""


def _marks(explanation: Explanation, side: int) -> Iterator[_Mark]:
    """The marks of a sentence, those that matter most first."""
    for row in explanation.conflicts:
        for one in row.conflicts:
            for node in (one.first, one.second)[side]:
                yield _Mark(node, "against", one.reason)
    for row in explanation.gaps:
        title = f"only in sentence {side + 1}"
        yield _Mark((row.first, row.second)[side], "alone", title, _label(row))
    for row in explanation.agreements:
        if row.role not in WHOLES:
            name = plain_name(row.role)
            yield _Mark((row.first, row.second)[side], f"c{colour(row.role)}", name, _label(row))


def _label(row: RoleRow) -> str:
    """Return the label of a phrase: its role, if it has one."""
    return "" if row.role in (CONCEPT, "word") else plain_name(row.role)


def _conflicts(explanation: Explanation) -> Iterator[str]:
    """Yield the conflicts and their costs."""
    results = [step for step in steps(explanation) if step.conflicts]
    if not results:
        return
    yield '<p class="head">Said against each other</p>\n<ul class="conflicts">'
    for step in results:
        reasons = "".join(f"<span>{safe(one.reason)}</span>" for one in step.conflicts)
        cost = f'<span class="cost">costs {step.figure.removeprefix("-")}</span>'
        yield f"<li><strong>{safe(step.name)}</strong> {cost}{reasons}</li>"
    yield "</ul>"


def _lists(explanation: Explanation) -> Iterator[str]:
    """Yield lists of the shared phrases and of those of one sentence alone."""
    for name, result in phrases(explanation):
        if result:
            kind = "only" if name.startswith("only") else "both"
            words = " ".join(f"<bdi>{safe(phrase)}</bdi>" for phrase in dict.fromkeys(result))
            yield f'<p class="head">{name.capitalize()}</p>\n<p class="{kind}">{words}</p>'


def _computed(explanation: Explanation) -> str:
    """All rows in a table, what they rest on, the words and the graphs, folded away."""
    parts = [_table(explanation)] if explanation.rows else []
    if explanation.words is not None:
        parts.append(f"<style>{heat_map.STYLE}</style>")
        parts.append(heat_map.heat_map(explanation.words, safe))
    if explanation.figure is not None:
        parts.append(f"<figure>{explanation.figure()}</figure>")
    parts += [
        f'<p class="about">{safe(text)}</p>'
        for text in (explanation.details(), explanation.note)
        if text
    ]
    body = "\n".join(parts)
    return f"<details>\n<summary>How was this computed?</summary>\n{body}\n</details>"


def _sentence(side: int, text: str, marks: Iterable[_Mark]) -> str:
    """The sentence with the words of each mark; where two overlap the first one has them."""
    owner: list[_Mark | None] = [None] * len(text)
    for mark in reversed(list(marks)):
        for start, stop in () if mark.node is None else mark.node.spans:
            owner[start:stop] = [mark] * len(owner[start:stop])
    stretches = _stretches(owner)
    last = {id(mark): stop for _, stop, mark in stretches}
    pieces = []
    for start, stop, result in stretches:
        piece = safe(text[start:stop])
        if result is not None:
            # A phrase in pieces is named once, at its end.
            named = result.label and last[id(result)] == stop
            label = f' data-role="{safe(result.label)}"' if named else ""
            piece = (
                f'<mark class="{result.kind}" title="{safe(result.title)}"{label}>{piece}</mark>'
            )
        pieces.append(piece)
    words = f'<span dir="auto">{"".join(pieces)}</span>'
    return f'<p class="sentence" data-number="{side + 1}">{words}</p>'


def _stretches(owner: Sequence[_Mark | None]) -> list[tuple[int, int, _Mark | None]]:
    """Start and end of each stretch of characters that one mark has, or none."""
    stretches = []
    start = 0
    for _, characters in groupby(owner, key=id):
        stop = start + len(list(characters))
        stretches.append((start, stop, owner[start]))
        start = stop
    return stretches


def _table(explanation: Explanation) -> str:
    names = ("role", "1", "2", "cosine", "weight", "contribution")
    kinds = ("", "", "", *[' class="number"'] * 3)
    decimals = places(explanation.rows)
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in zip(names, kinds, strict=True))
    body = "\n".join(_row(row, cells(row, decimals), names) for row in explanation.rows)
    foot = f'<th colspan="5">score</th><th class="number">{explanation.score:.4f}</th>'
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        f"<tfoot><tr>{foot}</tr></tfoot>\n</table>"
    )


def _row(row: RoleRow, cells: Sequence[str], names: Sequence[str]) -> str:
    """A row, and below it how its phrases were compared, where that is told."""
    role, first, second, *numbers = map(safe, cells)
    tone = "against" if row.conflicts else f"c{colour(row.role)}"
    role = role.replace("~", "~<wbr>").replace(".", ".<wbr>")
    parts = [f'<td class="wide"><mark class="{tone}">{role}</mark></td>']
    for name, phrase in zip(names[1:3], (first, second), strict=True):
        parts.append(f'<td class="wide phrase" data-name="{name}"><bdi>{phrase}</bdi></td>')
    for name, number in zip(names[3:], numbers, strict=True):
        parts.append(f'<td class="number" data-name="{name}">{number}</td>')
    kinds = ["unmatched"] * (row.cosine is None) + ["reasoned"] * bool(row.reason)
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    line = f"<tr{kind}>{''.join(parts)}</tr>"
    if row.reason:
        reason = f'<td></td><td class="wide" colspan="5">{safe(row.reason)}</td>'
        line += f'\n<tr class="reason">{reason}</tr>'
    return line


def safe(text: str) -> str:
    """A text as HTML, without what no document may hold."""
    return escape(_FORBIDDEN.sub("\ufffd", text))
