"""A word matrix as a table of coloured cells, for the HTML of an explanation.

>>> from compsim.explanation.word_matrix import MatrixWord, WordMatrix
>>> cats = (MatrixWord("Cats", (0, 4)),)
>>> '<td style="--part:1.00">0.5000</td>' in heat_map(WordMatrix(cats, cats, ((0.5,),)), str)
True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from compsim.explanation.word_matrix import figure
from compsim.graph.drawing.colours import COLOURS

if TYPE_CHECKING:
    from compsim.explanation.word_matrix import MatrixWord, WordMatrix

__all__ = ["STYLE", "heat_map"]

_TITLES: Final = {
    "word": "",
    "special": ' class="added" title="a token that the model adds"',
    "prompt": ' class="added" title="of the prompt before the sentence"',
}
#: A word of more characters may be wider than its cell.
_LONG: Final = 12
_ADDING, _TAKING = (" ".join(map(str, COLOURS[place])) for place in (1, 2))

# A ground of .6 of a tone leaves words legible; the first column stays where the rest is moved, on
# a ground of its own, since a notebook's may be any.
STYLE: Final = f"""
.compsim .heat {{ margin: 1.2em 0; }}
.compsim .heat .scroll {{ overflow-x: auto; }}
.compsim .heat table {{ display: table; width: auto; table-layout: auto; margin: .3em 0;
  border-collapse: separate; border-spacing: 1px; overflow-wrap: normal; }}
.compsim .heat thead {{ display: table-header-group; }}
.compsim .heat tbody {{ display: table-row-group; }}
.compsim .heat tfoot {{ display: table-footer-group; }}
.compsim .heat tr {{ display: table-row; border: 0; }}
.compsim .heat thead th:nth-child(n) {{ width: auto; }}
.compsim .heat th, .compsim .heat td {{ display: table-cell; padding: .3em .5em; text-align: end;
  white-space: nowrap; font-size: .85em; font-variant-numeric: tabular-nums; }}
.compsim .heat th:first-child {{ position: sticky; inset-inline-start: 0; text-align: start;
  background: Canvas; color: CanvasText; }}
.compsim .heat bdi {{ display: inline-block; max-width: 9em; overflow: hidden;
  text-overflow: ellipsis; vertical-align: bottom; }}
.compsim .heat .added {{ font-style: italic; font-weight: 400; }}
.compsim .heat .sum {{ font-weight: 600; }}
.compsim .heat td, .compsim .heat .legend span {{ --tone: {_ADDING};
  background: rgb(var(--tone) / calc(.6 * var(--part, 0)));
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
.compsim .heat td.minus, .compsim .heat .legend .minus {{ --tone: {_TAKING}; }}
.compsim .heat .legend {{ font-size: .85em; }}
.compsim .heat .legend span {{ padding: .15em .5em; white-space: nowrap;
  font-variant-numeric: tabular-nums; }}
@media print {{
  .compsim .heat .scroll {{ overflow: visible; }}
  .compsim .heat th:first-child {{ position: static; }}
}}
"""


def heat_map(words: WordMatrix, safe: Callable[[str], str]) -> str:
    """The table with its sums at the margins and a legend, in a box that scrolls sideways.

    ``safe`` makes a text fit for HTML.
    """
    most = max((abs(value) for row in words.values for value in row), default=0.0)
    rows, columns = words.sums
    head = "".join(f'<th scope="col"{_word(word, safe)}</th>' for word in words.second)
    body = "\n".join(
        f'<tr><th scope="row"{_word(word, safe)}</th>'
        f"{''.join(_cell(value, most) for value in row)}{_sum(total)}</tr>"
        for word, row, total in zip(words.first, words.values, rows, strict=True)
    )
    foot = "".join(map(_sum, columns)) + _sum(words.total)
    return (
        '<div class="heat">\n'
        f"<p>What each pair of words adds: the cells sum to {words.total:.4f}.</p>\n"
        f"{_legend(words, most)}\n"
        '<div class="scroll" tabindex="0" role="group" aria-label="what each pair of words adds">'
        f'\n<table>\n<thead><tr><th>1 \\ 2</th>{head}<th scope="col">sum</th></tr></thead>\n'
        f'<tbody>\n{body}\n</tbody>\n<tfoot><tr><th scope="row">sum</th>{foot}</tr></tfoot>\n'
        "</table>\n</div>\n</div>"
    )


def _word(word: MatrixWord, safe: Callable[[str], str]) -> str:
    """Return the rest of a header cell after its start: its kind, then the word."""
    text = safe(word.text)
    # A long word is cut where it is shown, and whole where it is pointed at.
    title = f' title="{text}"' if len(word.text) > _LONG else ""
    return f"{_TITLES[word.kind]}><bdi{title}>{text}</bdi>"


def _cell(value: float, most: float, tag: str = "td") -> str:
    minus = ' class="minus"' if value < 0 else ""
    # The root, since one pair is often far above all others.
    part = math.sqrt(abs(value) / most) if most else 0.0
    return f'<{tag}{minus} style="--part:{part:.2f}">{figure(value)}</{tag}>'


def _sum(value: float) -> str:
    return f'<td class="sum">{figure(value)}</td>'


def _legend(words: WordMatrix, most: float) -> str:
    """From what takes off most, if anything does, to what adds most."""
    least = min((value for row in words.values for value in row), default=0.0)
    highest = max((value for row in words.values for value in row), default=0.0)
    values = [*([least] if least < 0 else []), 0.0]
    values += [highest / 4, highest] if highest > 0 else []
    shown = "".join(_cell(value, most, "span") for value in values)
    before, after = "takes off " * (least < 0), " adds" * (highest > 0)
    return f'<p class="legend">{before}{shown}{after}</p>'
