"""The value of cardinal numbers in words, digits or both.

>>> value_of(["two", "hundred", "and", "five"]), value_of(["half", "a", "million"])
(Decimal('205'), Decimal('500000.0'))
>>> value_of(["nineteen", "eighty", "seven"]), value_of(["five", "or", "six"])
(Decimal('1987'), None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from compsim.vectors.numbers import NUMBER_WORDS

__all__ = ["FIGURES", "SCALES", "TENS", "figures", "plain_decimal", "value_of"]

#: What multiplies the number before it.
SCALES: Final = {
    "dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9,
    "trillion": 10**12,
}  # fmt: skip
#: The words that a number below ten may follow.
TENS: Final = {word: value for word, value in NUMBER_WORDS.items() if value >= 20}
#: A pattern of digits, with commas or spaces between the thousands.
FIGURES: Final = (
    r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?: \d{3})+(?![\d,])|\d{1,15}(?!\d))(?:\.\d{1,9})?"
)
_FIGURES: Final = re.compile(FIGURES)
_MOST: Final = Decimal(10**16)


def value_of(words: Sequence[str]) -> Decimal | None:
    """The number that lower-case words make, None where they make none, or more than one.

    >>> value_of(["500", "thousand"]), value_of(["two", "and", "a", "half"])
    (Decimal('500000'), Decimal('2.5'))
    >>> value_of(["three", "five"]), value_of(["five", "and", "six"])
    (None, None)
    """
    total = Decimal(0)
    group: Decimal | None = None  # what the next scale multiplies
    room, last = _MOST, _MOST  # the next word is less than room, the next scale less than last
    before = ""
    for word in words:
        value = figures(word)
        if word in SCALES:
            scale = Decimal(SCALES[word])
            if scale >= last or before == "and" or (group or 0) >= scale:
                return None
            group = (Decimal(1) if group is None else group) * scale
            room = scale if scale > 12 else Decimal(1)
            if scale >= 1000:
                total, group, last = total + group, None, scale
        elif word == "half":
            if before not in ("", "a"):
                return None
            group, room = (group or Decimal(0)) + Decimal("0.5"), Decimal(1)
        elif value is not None:
            if group is not None and 13 <= group <= 20 and 10 <= value < 100 and before != "and":
                group, room = group * 100, Decimal(100)  # "nineteen eighty-seven"
            if value >= room or (before == "and" and (room < 100 or value >= 100)):
                return None
            group = (group or Decimal(0)) + value
            room = Decimal(10 if word in TENS else 1)
        elif word not in ("-", "and", "a"):
            return None
        before = before if word == "-" else word
    return None if before in ("", "and", "a") else total + (group or Decimal(0))


def figures(word: str) -> Decimal | None:
    """The value of digits, or of one number word below a hundred.

    >>> figures("1,200"), figures("forty"), figures("dozen")
    (Decimal('1200'), Decimal('40'), None)
    """
    if word in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[word])
    return Decimal(re.sub("[, ]", "", word)) if _FIGURES.fullmatch(word) else None


def plain_decimal(value: Decimal) -> str:
    """A number as plain decimal digits.

    >>> plain_decimal(Decimal("2.50")), plain_decimal(Decimal("1E+6"))
    ('2.5', '1000000')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
