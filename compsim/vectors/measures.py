"""Normal form of measures in a text: digits, and the largest unit that gives a whole number.

>>> for text in ("An hour and a half.", "Ninety minutes.", "Half an hour.", "$20.", "2,500 g."):
...     print(measured(PlainText.of(text)).text)
1.5 hours.
1.5 hours.
30 minutes.
20 dollars.
2.5 kilograms.

Each number and unit stands for the words that it was made of:

>>> result = measured(PlainText.of("Wait an hour and a half here."))
>>> result.text, result.outside((5, 8)), result.original[slice(*result.outside((9, 14)))]
('Wait 1.5 hours here.', (5, 23), 'an hour and a half')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from compsim.plain_text import PlainText
from compsim.vectors.cardinals import FIGURES, SCALES, figures, plain_decimal
from compsim.vectors.numbers import NUMBER_WORDS
from compsim.vectors.numerals import PARTS, PERIODS, RULES

__all__ = ["measured"]

#: Units of one kind, each with how many of the first it is. Those that have no whole number of
#: another (days and months) or only nearly (miles and kilometres) are of different kinds.
_KINDS: Final = (
    (("second", 1), ("minute", 60), ("hour", 3600), ("day", 86400), ("week", 604800)),
    (("month", 1), ("year", 12)),
    (("milligram", 1), ("gram", 1000), ("kilogram", 10**6), ("tonne", 10**9)),
    (("millimeter", 1), ("centimeter", 10), ("meter", 1000), ("kilometer", 10**6)),
    (("milliliter", 1), ("centiliter", 10), ("liter", 1000)),
    (("inch", 1), ("foot", 12)),
    (("cent", 1), ("dollar", 100)),
)
#: Units that no amount is told in.
_RARE: Final = ("centiliter",)
_PLURALS: Final = {"inch": "inches", "foot": "feet"}
_BRITISH: Final = {"meter": "metre", "liter": "litre"}
#: An amount is even in a unit where it has at most so many decimals.
_DECIMALS: Final = 2
#: Parts of a unit: "a quarter of an hour".
_SHARES: Final = {
    "half": "0.5", "half of": "0.5", "quarter": "0.25", "a quarter of": "0.25",
    "three quarters of": "0.75", "three-quarters of": "0.75",
}  # fmt: skip
_BEHIND: Final = {"half": "0.5", "quarter": "0.25"}


def measured(text: PlainText) -> PlainText:
    """Return a text with numbers in digits, each in the largest unit that gives a whole number.

    Args:
        text: A text; its spans lead to the original as before.
    """
    if _TRACE.search(text.text) is None:
        return text
    for pattern, instead in _ALL:
        text = text.replaced(pattern, instead)
    return text


def _named() -> dict[str, tuple[int, int]]:
    """The kind of each name of a unit, and its place among those of its kind."""
    names = {}
    for kind, units in enumerate(_KINDS):
        for place, (unit, _) in enumerate(units):
            spellings = [unit]
            spellings += [unit.replace(a, b) for a, b in _BRITISH.items() if a in unit]
            for name in spellings:
                names[name] = names[_PLURALS.get(name, f"{name}s")] = kind, place
    return names


_UNITS: Final = _named()


def _part(match: re.Match[str]) -> str:
    """Half an hour, a quarter of an hour."""
    return f"{_SHARES[match['part'].lower()]}{match['between'] or ' '}{match['unit']}"


def _and_part(match: re.Match[str]) -> str:
    """An hour and a half, two years and a half."""
    amount = figures((match["amount"] or "1").lower()) or Decimal(1)
    unit = match["unit"].removesuffix("s")
    return f"{amount + Decimal(_BEHIND[match['part'].lower()])} {unit}s"


def _sum(match: re.Match[str]) -> str:
    """Two hours and ten minutes, twelve dollars and fifty cents: so many of the smaller unit."""
    amount, more = (figures((match[name] or "1").lower()) for name in ("amount", "more"))
    (kind, place), (other, below) = (_UNITS[match[name].lower()] for name in ("unit", "smaller"))
    if kind != other or place <= below or amount is None or more is None:
        return match[0]
    total = amount * _KINDS[kind][place][1] / _KINDS[kind][below][1] + more
    return f"{plain_decimal(total)} {match['smaller']}"


def _even(match: re.Match[str]) -> str:
    """Return an amount in the largest unit in which it is a whole number, at least one."""
    amount = figures(match["amount"].lower())
    kind, place = _UNITS[match["unit"].lower()]
    if amount is None:
        return match[0]
    units = _KINDS[kind]
    total = amount * units[place][1]
    best = place
    for k, (name, size) in reversed(list(enumerate(units))):
        value = total / size
        if name not in _RARE and value >= 1 and value == round(value, _DECIMALS):
            best = k
            break
    unit, size = units[best]
    value = total / size
    plural = _PLURALS.get(unit, f"{unit}s")
    if best == place and match["unit"].lower() in (unit, plural):
        return match[0]
    several = value != 1 and match["between"] != "-"
    return f"{plain_decimal(value)}{match['between']}{plural if several else unit}"


def _nothing(_: re.Match[str]) -> str:
    return ""


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_LASTING: Final = _either(name for name, (kind, _) in _UNITS.items() if kind < 2)
_COMPILED: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r" o'clock\b", _nothing),
        # Not "twice as large".
        (
            r"\btwice(?= (?:an?|per|each|every|daily|weekly|monthly|yearly)\b)",
            lambda _: "2 times",
        ),
        # Not "once a child is born".
        (
            rf"\bonce(?= (?:an?|per|each|every) "
            rf"(?:{_LASTING}|night|weekend|fortnight|decade|century)\b)",
            lambda _: "1 time",
        ),
        (
            r"\b(?:two|2) times\b"
            r"(?! (?:an?|per|each|every|more|less|the|daily|weekly|monthly|yearly|[a-z]+er)\b)",
            lambda _: "twice",
        ),
        (
            rf"\b(?:(?P<amount>{_either(NUMBER_WORDS)}|\d+)|an?) (?P<unit>{_LASTING})"
            rf" and a (?P<part>{_either(_BEHIND)})\b",
            _and_part,
        ),
        (
            rf"\b(?P<part>{_either(_SHARES)})(?:(?P<between>[ -])| an? )(?P<unit>{_LASTING})\b",
            _part,
        ),
    )
)
_EVEN: Final = re.compile(
    rf"\b(?P<amount>{FIGURES}|{_either(NUMBER_WORDS)})(?P<between>[ -])"
    rf"(?P<unit>{_either(_UNITS)})\b"
    # Not how often in a time, as in "five days a week".
    r"(?! (?:an?|per|each|every)\b)",
    re.IGNORECASE,
)
_AMOUNT: Final = rf"(?:{FIGURES}|(?:{_either(NUMBER_WORDS)})(?= ))"
_SUM: Final = re.compile(
    rf"\b(?:(?P<amount>{_AMOUNT})|an?) (?P<unit>{_either(_UNITS)})(?: and|,)? "
    rf"(?P<more>{_AMOUNT}) (?P<smaller>{_either(_UNITS)})\b",
    re.IGNORECASE,
)
#: What a text has that one of these patterns may match; a number word alone is as it should be.
_TRACE: Final = re.compile(
    rf"[\d%]|\b(?:{_either(('half', 'noon', 'midnight', 'once', 'twice', 'quarter', 'quarters'))}"
    rf"|{_either((*SCALES, *PARTS, *PERIODS))}|the [a-z]+ies|(?:{_either(NUMBER_WORDS)})"
    rf"(?:[- ](?:{_either((*NUMBER_WORDS, *PARTS, *_UNITS, 'and', 'o', 'in', 'at', 'times'))})|-))",
    re.IGNORECASE,
)
_ALL: Final = (*_COMPILED, *RULES, (_SUM, _sum), (_EVEN, _even))
