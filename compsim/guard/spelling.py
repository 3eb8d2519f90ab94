"""Texts with their misspelt words put right, and where these stood before.

Names, numbers and words of three letters stay as they are.

>>> corrected("How do I recieve my passwrod?").text
'How do I receive my password?'
>>> corrected("Kubectl and the adress of Zorblat.").text
'Kubectl and the address of Zorblat.'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from compsim.graph.nodes import Span
from compsim.vectors.spelling import right_word

__all__ = ["Corrected", "corrected"]

_WORD: Final = re.compile(r"(?<![\w'\u2019@/.-])[a-z]{4,}(?![\w'\u2019@/-]|\.\w)")


class Corrected(NamedTuple):
    """A text and what was changed in it: where a word stands now, and where it stood."""

    text: str
    changes: tuple[tuple[Span, Span], ...]

    def before(self, span: Span) -> Span:
        """Return where a stretch of the text stood before."""
        start, end = (self._before(place, side) for side, place in enumerate(span))
        return start, end

    def _before(self, place: int, side: int) -> int:
        moved = place
        for now, then in self.changes:
            if now[0] < place < now[1]:
                return then[side]
            if now[1] <= place:
                moved = place + then[1] - now[1]
        return moved


@lru_cache(maxsize=1 << 14)
def corrected(text: str) -> Corrected:
    """Return a text with its misspelt words put right."""
    pieces, changes, start, length = [], [], 0, 0
    for match in _WORD.finditer(text):
        word = right_word(match[0])
        if word != match[0]:
            pieces += [text[start : match.start()], word]
            length += match.start() - start
            changes.append(((length, length + len(word)), match.span()))
            length += len(word)
            start = match.end()
    return Corrected("".join([*pieces, text[start:]]), tuple(changes))
