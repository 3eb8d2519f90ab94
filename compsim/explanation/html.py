"""An explanation as HTML: for a notebook, or as a page that stands alone.

>>> from compsim.explanation import Explanation
>>> from compsim.explanation.html import page
>>> "&lt;b&gt;" in page(Explanation("verbnet-cn", ("<b>", "Cats sleep.")))
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation import heat_map
from compsim.explanation.sections import Section, named, sections
from compsim.explanation.style import STYLE
from compsim.explanation.text import cells, places
from compsim.graph.drawing.colours import colour
from compsim.graph.drawing.pieces import shortened

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation, RoleRow
    from compsim.graph import Node

__all__ = ["fragment", "page"]

_PREDICATE: Final = "Verb"

#: Characters around a mark that are shown of a sentence whose whole stands elsewhere, and those of
#: either end of a phrase there.
_CONTEXT: Final = 28
_ENDS: Final = 100

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
    title = _safe(f"{explanation.method}: {explanation.score:.4f}")
    return _PAGE.format(title=title, body=_body(explanation, "h1"))


def fragment(explanation: Explanation) -> str:
    """A ``div`` with its style, for a notebook or another page."""
    return _body(explanation, "p")


def _body(explanation: Explanation, heading: str) -> str:
    """The same; the score stands in a ``heading``, which is the first one of a page of its own."""
    found = sections(explanation)
    title = f"{explanation.method}: {explanation.score:.4f}"
    parts = [f"<style>{STYLE}</style>", f'<{heading} class="score">{_safe(title)}</{heading}>']
    # Several frames share words, so each has the sentences to itself, below what they all are.
    several = len(found) > 1
    if several:
        parts += _overview(explanation.sentences, found)
    decimals = places(explanation.rows)
    most = max((abs(row.contribution) for row in explanation.rows), default=0.0)
    number = 0
    for section in found:
        body = _section(section, explanation.sentences, most, several, decimals)
        if section.title:
            number += 1
            head = _head(section, f"{number}. " if several else "")
            body = f"<section>{head}{body}</section>"
        parts.append(body)
    if several:
        total = f"score: {explanation.score:.4f}, the sum of the contributions"
        parts.append(f'<p class="total">{total}</p>')
    if explanation.words is not None:
        parts.append(f"<style>{heat_map.STYLE}</style>")
        parts.append(heat_map.heat_map(explanation.words, _safe))
    if explanation.figure is not None:
        parts.append(f"<figure>{explanation.figure()}</figure>")
    parts += [
        f'<p class="about">{_safe(text)}</p>'
        for text in (explanation.details(), explanation.note)
        if text
    ]
    return '<div class="compsim">\n' + "\n".join(parts) + "\n</div>"


class _Mark(NamedTuple):
    """What is to be marked in a sentence: its role, what is written at its end, and how."""

    node: Node | None
    role: str
    label: str
    kind: str = ""


def _overview(sentences: Sequence[str], found: Sequence[Section]) -> Iterable[str]:
    """Both sentences with the predicate of each frame, numbered as the sections are."""
    for side, text in enumerate(sentences):
        marks = []
        titled = (section for section in found if section.frame is not None)
        for number, section in enumerate(titled, 1):
            assert section.frame is not None
            node = (section.frame.first, section.frame.second)[side]
            kind = " left" if section.left_in is not None else ""
            marks.append(_Mark(node, _PREDICATE, str(number), kind))
        yield _sentence(side, text, marks)


def _head(section: Section, number: str) -> str:
    """The predicates of a section, its figures and what is noted of it."""
    assert section.frame is not None
    if section.left_in is None:
        nodes = (section.frame.first, section.frame.second)
        title = " / ".join(f"<bdi>{_safe(named(node))}</bdi>" for node in nodes)
        told = f"alike {section.frame.score:.2f}, counts {section.frame.share:.2f} of the whole"
    else:
        title = f"<bdi>{_safe(section.title)}</bdi>"
        told = section.figures.replace("only in", "left over: only in sentence")
    head = f'<h2>{number}{title} <span class="figures">{_safe(told)}</span></h2>'
    return head + (f'<p class="remark">{_safe(section.remark)}</p>' if section.remark else "")


def _section(
    section: Section, sentences: Sequence[str], most: float, several: bool, decimals: int
) -> str:
    """The sentences with the phrases of a section, one of several or the only one, and its table.

    ``most`` is the largest contribution of all, ``decimals`` those of a weight.
    """
    parts = []
    # A name that all phrases share tells nothing.
    telling = section.frame is not None or len({row.role for row in section.rows}) > 1
    for side, text in enumerate(sentences):
        if section.left_in is not None and section.left_in != side + 1:
            continue
        if several and section.frame is None:  # its rows are about both sentences as a whole
            continue
        marks = [
            _Mark((row.first, row.second)[side], row.role, row.role if telling else "")
            for row in section.rows
        ]
        if section.frame is not None:
            predicate = (section.frame.first, section.frame.second)[side]
            marks.append(_Mark(predicate, _PREDICATE, _PREDICATE))
        parts.append(_sentence(side, text, marks, brief=several))
    if section.left_in is None and section.rows:
        parts.append(_table(section, most, several, decimals))
    return "\n".join(parts)


def _sentence(side: int, text: str, marks: Iterable[_Mark], brief: bool = False) -> str:
    """The sentence with the words of each mark; where two overlap the first one has them.

    A ``brief`` one, whose whole stands elsewhere, leaves out what is far from all marks.
    """
    owner: list[_Mark | None] = [None] * len(text)
    for mark in reversed(list(marks)):
        for start, stop in () if mark.node is None else mark.node.spans:
            owner[start:stop] = [mark] * len(owner[start:stop])
    stretches = _stretches(owner)
    last = {id(mark): stop for _, stop, mark in stretches}
    pieces = []
    for start, stop, found in stretches:
        piece = text[start:stop]
        if brief and found is None:
            before, after = start > 0, stop < len(text)
            piece = shortened(piece, _CONTEXT * before, _CONTEXT * after)
        elif brief:
            piece = shortened(piece, _ENDS, _ENDS)
        piece = _safe(piece)
        if found is not None:
            # A phrase in pieces is named once, at its end.
            named = found.label and last[id(found)] == stop
            label = f' data-role="{_safe(found.label)}"' if named else ""
            kind = f"c{colour(found.role)}{found.kind}"
            piece = f'<mark class="{kind}" title="{_safe(found.role)}"{label}>{piece}</mark>'
        pieces.append(piece)
    words = f'<span dir="auto">{"".join(pieces)}</span>'
    return f'<p class="sentence" data-number="{side + 1}">{words}</p>'


def _stretches(owner: Sequence[_Mark | None]) -> list[tuple[int, int, _Mark | None]]:
    """Start and end of each stretch of characters that one mark has, or none."""
    found = []
    start = 0
    for _, characters in groupby(owner, key=id):
        stop = start + len(list(characters))
        found.append((start, stop, owner[start]))
        start = stop
    return found


def _table(section: Section, most: float, several: bool, decimals: int) -> str:
    names = ("role", "1", "2", "cosine", "weight", "contribution")
    kinds = ("", "", "", *[' class="number"'] * 3)
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in zip(names, kinds, strict=True))
    body = "\n".join(_row(row, cells(row, decimals), names, most, several) for row in section.rows)
    total = sum(row.contribution for row in section.rows)
    total_name = "together" if several else "score"
    foot = f'<th colspan="5">{total_name}</th><th class="number">{total:.4f}</th>'
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        f"<tfoot><tr>{foot}</tr></tfoot>\n</table>"
    )


def _row(row: RoleRow, told: Sequence[str], names: Sequence[str], most: float, brief: bool) -> str:
    """A role, and below it how its phrases were compared, where that is told.

    Long phrases lose their middle in a ``brief`` one, since the sentences stand above.
    """
    shown = [shortened(cell, _ENDS, _ENDS) if brief else cell for cell in told]
    role, first, second, *numbers = map(_safe, shown)
    tone = f"c{colour(row.role)}"
    role = role.replace("~", "~<wbr>").replace(".", ".<wbr>")
    parts = [f'<td class="wide"><mark class="{tone}">{role}</mark></td>']
    for name, phrase in zip(names[1:3], (first, second), strict=True):
        parts.append(f'<td class="wide phrase" data-name="{name}"><bdi>{phrase}</bdi></td>')
    for name, number in zip(names[3:], numbers, strict=True):
        bar = _bar(row, tone, most) if name == "contribution" else ""
        parts.append(f'<td class="number" data-name="{name}">{number}{bar}</td>')
    kinds = ["unmatched"] * (row.cosine is None) + ["reasoned"] * bool(row.reason)
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    line = f"<tr{kind}>{''.join(parts)}</tr>"
    if row.reason:
        reason = f'<td></td><td class="wide" colspan="5">{_safe(row.reason)}</td>'
        line += f'\n<tr class="reason">{reason}</tr>'
    return line


def _bar(row: RoleRow, tone: str, most: float) -> str:
    """The contribution as a bar, the largest of all being the whole width."""
    if not row.contribution or not most < float("inf"):
        return ""
    minus = ' class="minus"' if row.contribution < 0 else ""
    width = 100 * abs(row.contribution) / most
    return f'<span class="bar {tone}"><i{minus} style="width:{width:.1f}%"></i></span>'


def _safe(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))
