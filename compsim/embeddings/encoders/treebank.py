"""Words the way the Penn Treebank cuts them: what older encoders were trained on.

>>> words('They don\\'t sell "T-shirts", do they?')
['They', 'do', "n't", 'sell', '``', 'T-shirts', "''", ',', 'do', 'they', '?']
>>> words("Mr. Smith's 2,000 dogs cannot bark... Cats can.")
['Mr.', 'Smith', "'s", '2,000', 'dogs', 'can', 'not', 'bark', '...', 'Cats', 'can', '.']
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["words"]

_TITLES: Final = "Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Rep|Gov|Lt|Col|Capt|Sgt|Jr|Sr|vs|etc|No|Inc|Co|Corp"

#: Applied in this order to the text with a space at either end.
_RULES: Final = tuple(
    (re.compile(pattern, flags), replacement)
    for pattern, replacement, flags in (
        (r"[\u201c\u201d]", '"', 0),
        (r"[\u2018\u2019]", "'", 0),
        (r'(?<=[\s(\[{<])"', "`` ", 0),
        (r'"', " '' ", 0),
        (r"\.\.\.+", " ... ", 0),
        (r"--+", " -- ", 0),
        # Within a number they stay: 2,000 and 12:30.
        (r"([,:])(?!\d)", r" \1 ", 0),
        (r"(?<!\d)([,:])", r" \1 ", 0),
        (r"[;@#$%&?!()\[\]{}<>]", r" \g<0> ", 0),
        # A full stop ends a sentence at the end of the text, or before a capital where the word is
        # no title, no initial, and has no other full stop.
        (r"(?<=[^\s.])\.(?=[\s'\])}>]*$)", " . ", 0),
        (rf"(?<![\w.])(?!(?:{_TITLES}|[A-Z])\.)(\w+)\.(?=[\s']+[A-Z`])", r"\1 . ", 0),
        (r"(?<=[^\s'])'(?=\s)", " ' ", 0),
        (r"(?<=[^\s'])('(?:s|m|d|ll|re|ve))(?=\s)", r" \1", re.IGNORECASE),
        (r"(?<=[^\s'])(n't)(?=\s)", r" \1", re.IGNORECASE),
        (r"\b(can)(not)\b", r"\1 \2", re.IGNORECASE),
        (r"\b(gon|wan)(na)\b", r"\1 \2", re.IGNORECASE),
        (r"\b(got)(ta)\b", r"\1 \2", re.IGNORECASE),
        (r"\b(gim|lem)(me)\b", r"\1 \2", re.IGNORECASE),
        (r"\s('t)(is|was)\b", r" \1 \2", re.IGNORECASE),
    )
)


def words(text: str) -> list[str]:
    """The words and marks of a text, as they stand: nothing is lower-cased or dropped."""
    text = f" {text} "
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.split()
