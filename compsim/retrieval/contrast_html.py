"""Comparison of two ranked documents as HTML: for a notebook, or as a page of its own.

The look is that of explanations, and so are the two that are folded away at the end.

>>> from compsim import Reranker
>>> reranker = Reranker("verbnet-cn", vectors="builtin")
>>> "&lt;b&gt;" in page(reranker.compare("Dogs <b>", "A dog barks.", "Cats sleep."))
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from compsim.explanation.html import document, safe
from compsim.explanation.html import fragment as explained
from compsim.explanation.style import STYLE
from compsim.retrieval.contrast_text import decisive, scored

if TYPE_CHECKING:
    from compsim.retrieval.contrast import Contrast, ContrastPart

__all__ = ["fragment", "page"]

_COLUMNS = ("what", "in A", "in B", "A", "B", "difference")


def page(contrast: Contrast) -> str:
    """A whole HTML document with everything in it."""
    return document(contrast.verdict, _body(contrast, "h1"))


def fragment(contrast: Contrast) -> str:
    """A ``div`` with its style, for a notebook or another page."""
    return _body(contrast, "p")


def _body(contrast: Contrast, heading: str) -> str:
    parts = [
        f"<style>{STYLE}</style>",
        f'<{heading} class="verdict">{safe(contrast.verdict)}</{heading}>',
        f'<p><b>Query</b> <span dir="auto">{safe(contrast.query)}</span></p>',
        *_documents(contrast),
        '<p class="head">What makes the difference</p>',
        _table(contrast),
        *_conflicts(contrast),
        *_explanations(contrast),
    ]
    return '<div class="compsim">\n' + "\n".join(parts) + "\n</div>"


def _documents(contrast: Contrast) -> Iterator[str]:
    for name, ranking in (("A", contrast.first), ("B", contrast.second)):
        result = " / ".join(decisive(ranking)) or "(nothing to compare)"
        words = f'<bdi dir="auto">{safe(result)}</bdi>'
        yield f"<p><b>{name}</b> {scored(ranking)}: {words}</p>"


def _table(contrast: Contrast) -> str:
    kinds = ("", "", "", *[' class="number"'] * 3)
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in zip(_COLUMNS, kinds, strict=True))
    body = "\n".join(_row(part) for part in contrast.parts)
    foot = (
        f'<th colspan="5">difference of the scores</th>'
        f'<th class="number">{contrast.difference:+.4f}</th>'
    )
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        f"<tfoot><tr>{foot}</tr></tfoot>\n</table>"
    )


def _row(part: ContrastPart) -> str:
    tone = "against" if part.kind in ("conflict", "exclusion") else "c1"
    phrases = (part.first, part.second) if part.kind == "agreement" else ("", "")
    cells = [f'<td class="wide"><mark class="{tone}">{safe(part.name)}</mark></td>']
    for name, phrase in zip(_COLUMNS[1:3], phrases, strict=True):
        shown = safe(phrase) or "-"
        cells.append(f'<td class="wide phrase" data-name="{name}"><bdi>{shown}</bdi></td>')
    numbers = (f"{part.in_first:.4f}", f"{part.in_second:.4f}", f"{part.difference:+.4f}")
    for name, number in zip(_COLUMNS[3:], numbers, strict=True):
        cells.append(f'<td class="number" data-name="{name}">{number}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _conflicts(contrast: Contrast) -> Iterator[str]:
    """Yield the conflicts of each document with the query."""
    parts = [part for part in contrast.parts if part.kind == "conflict"]
    if not parts:
        return
    yield '<p class="head">Said against the query (the first sentence is the query)</p>'
    yield '<ul class="conflicts">'
    for part in parts:
        for name, reason, adds in (
            ("A", part.first, part.in_first),
            ("B", part.second, part.in_second),
        ):
            if reason:
                cost = f'<span class="cost">costs {name} {-adds:.2f}</span>'
                result = f"<span>{safe(reason)}</span>"
                yield f"<li><strong>{safe(part.name)}</strong> {cost}{result}</li>"
    yield "</ul>"


def _explanations(contrast: Contrast) -> Iterator[str]:
    for name, ranking in (("A", contrast.first), ("B", contrast.second)):
        if ranking.best is not None:
            body = explained(ranking.best)
            yield f"<details>\n<summary>The score of {name}</summary>\n{body}\n</details>"
