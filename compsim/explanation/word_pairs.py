"""A word matrix as lines of text: the pairs that add most and take off most, then the rest.

>>> from compsim.explanation.word_matrix import MatrixWord, WordMatrix
>>> first, second = ([MatrixWord(word, None) for word in "ab"], [MatrixWord("c", None)])
>>> for line, kind in word_pairs(WordMatrix(tuple(first), tuple(second), ((0.75,), (-0.5,))), 40):
...     print(line)
pairs of words  1  2     adds
adds most       a  c   0.7500
takes off most  b  c  -0.5000
sum                    0.2500
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from compsim.explanation.columns import clean, columns, filled, shared_out
from compsim.explanation.word_matrix import figure

if TYPE_CHECKING:
    from compsim.explanation.word_matrix import WordMatrix

__all__ = ["word_pairs"]

_MOST: Final = 10
_HEAD: Final = ("pairs of words", "1", "2", "adds")
_GAP: Final = "  "


def word_pairs(words: WordMatrix, width: int) -> Iterator[tuple[str, str]]:
    """The lines, each with its kind: ``"head"``, ``"row"`` or ``"title"``.

    Ten pairs each way at most; what is left of the cells is one line, so that all add up.
    """
    adding, taking = words.strongest(_MOST)
    table: list[tuple[str, ...]] = [_HEAD]
    for title, pairs in (("adds most", adding), ("takes off most", taking)):
        for place, (i, j, value) in enumerate(pairs):
            pair = (clean(words.first[i].text), clean(words.second[j].text))
            table.append(("" if place else title, *pair, figure(value)))
    left = len(words.first) * len(words.second) - len(adding) - len(taking)
    if left:
        rest = words.total - math.fsum(pair.value for pair in (*adding, *taking))
        table.append(("1 other pair" if left == 1 else f"{left} other pairs", "", "", figure(rest)))
    table.append(("sum", "", "", figure(words.total)))
    name, first, second, last = (max(map(columns, column)) for column in zip(*table, strict=True))
    room = width - name - last - 3 * len(_GAP)
    widths = (name, *shared_out((first, second), max(room, 2)))
    for place, (*result, number) in enumerate(table):
        cells = [filled(cell, own) for cell, own in zip(result, widths, strict=True)]
        kind = "head" if not place else "title" if place == len(table) - 1 else "row"
        yield _GAP.join([*cells, number.rjust(last)]), kind
