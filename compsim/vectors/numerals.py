"""One way of writing for each number: digits, and its unit as a word.

>>> in_digits("half a million dollars"), in_digits("US$500 000"), in_digits("$0.5m")
('500000 dollars', '500000 dollars', '500000 dollars')
>>> in_digits("by 5%"), in_digits("by 5 per cent"), in_digits("twenty-one km")
('by 5 percent', 'by 5 percent', '21 kilometres')
>>> in_digits("at 15:30"), in_digits("at half past three"), in_digits("in the nineties")
('at 3.5 pm', 'at 3.5', 'in the 1990 decade')
>>> in_digits("a decade ago"), in_digits("for two fortnights"), in_digits("this century")
('10 years ago', 'for 4 weeks', 'this century')
>>> in_digits("two thirds of us"), in_digits("five or six cats"), in_digits("the cat")
('66.67 percent of us', 'five or six cats', 'the cat')

The words are those of Quirk et al., *A Comprehensive Grammar of the English Language* (1985), 6.63
to 6.69 (numerals); the symbols of units those of the SI Brochure (2019, tables 2 to 8), those of
currencies and of other units of the Unicode CLDR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from compsim.vectors.cardinals import FIGURES, SCALES, TENS, figures, plain_decimal, value_of
from compsim.vectors.numbers import NUMBER_WORDS

__all__ = ["PARTS", "PERIODS", "RULES", "in_digits"]

_SHORT_SCALES: Final = {
    "k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion",
    "bil": "billion", "tn": "trillion",
}  # fmt: skip
_CURRENCIES: Final = {
    "$": "dollars", "\u20ac": "euros", "\u00a3": "pounds", "\u00a5": "yen", "\u20b9": "rupees",
}  # fmt: skip
#: Symbols of units, which stand after digits.
_UNITS: Final = {
    "\u00b0c": "degrees celsius", "\u00b0f": "degrees fahrenheit", "\u00b0": "degrees",
    "mm": "millimetres", "cm": "centimetres", "m": "metres", "km": "kilometres",
    "mg": "milligrams", "g": "grams", "kg": "kilograms", "ml": "millilitres", "l": "litres",
    "kw": "kilowatts", "km/h": "kilometres per hour", "mph": "miles per hour", "ft": "feet",
    "lb": "pounds", "lbs": "pounds", "oz": "ounces", "h": "hours", "hr": "hours", "hrs": "hours",
    "min": "minutes", "mins": "minutes", "sec": "seconds", "secs": "seconds",
}  # fmt: skip
#: Lengths of time that have a number in them.
PERIODS: Final = {
    "fortnight": (2, "weeks"), "fortnights": (2, "weeks"), "decade": (10, "years"),
    "decades": (10, "years"), "century": (100, "years"), "centuries": (100, "years"),
}  # fmt: skip
#: Parts of a whole, by which number they are of it: from "third" on.
PARTS: Final = (
    "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"
)  # fmt: skip
_FIRST: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
)
_CLOCK: Final = {word: value for word, value in NUMBER_WORDS.items() if 0 < value < 13}
#: Hours of the night before this one belong to the next day.
_NIGHT: Final = 5
_PAST: Final = {"half past": "0.5", "quarter past": "0.25", "quarter to": "-0.25"}


def in_digits(text: str) -> str:
    """The text with its numbers in digits and their units as words, other texts as they are.

    A number of one word stays a word, which has a value too.
    """
    if not any(map(_numeric, text.split())):
        return text
    for pattern, instead in RULES:
        text = pattern.sub(instead, text)
    return text


@lru_cache(maxsize=1 << 16)
def _numeric(token: str) -> bool:
    """Return whether a word may belong to a number: those of most phrases do not."""
    return _NUMERIC.search(token) is not None


def _money(match: re.Match[str]) -> str:
    scale = (match["scale"] or "").lower()
    words = match["amount"], _SHORT_SCALES.get(scale, scale), _CURRENCIES[match["sign"]]
    return " ".join(filter(None, words))


def _unit(match: re.Match[str]) -> str:
    return f"{match['amount']} {_UNITS[match['unit'].lower()]}"


def _ordinal(match: re.Match[str]) -> str:
    """Ordinals of one word as words, which tables hold, longer ones as digits."""
    if match["figures"]:
        place = int(match["figures"])
        return _FIRST[place - 1] if 0 < place <= len(_FIRST) else match[0]
    place = _FIRST.index(match["one"].lower()) + 1
    return f"{TENS[match['tens'].lower()] + place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _decade(match: re.Match[str]) -> str:
    years = match["figures"] or str(TENS[match["tens"].lower()[:-3] + "y"])
    return f"the {years if len(years) == 4 else '19' + years} decade"


def _hour(match: re.Match[str]) -> str:
    """A time of day as hours from midnight or noon."""
    hour, half = int(match["hour"]), (match["half"] or "").lower().replace(".", "")
    half = half or ("pm" if hour > 12 else "")
    time = Decimal(hour % 12 or 12) + Decimal(match["minute"] or 0) / 60
    return f"{plain_decimal(round(time, 2))} {half}".rstrip()


def _past(match: re.Match[str]) -> str:
    return plain_decimal(_CLOCK[match["hour"].lower()] + Decimal(_PAST[match["part"].lower()]))


def _hour_of_part(match: re.Match[str]) -> str:
    """Eight in the morning: an hour before noon."""
    hour = figures(match["hour"].lower()) or Decimal(0)
    part = (match["part"] or "night").lower()
    early = part == "morning" or (part == "night" and hour < _NIGHT)
    return f"{match['when']} {plain_decimal(hour)} {'am' if early else 'pm'}"


def _fraction(match: re.Match[str]) -> str:
    part = match["part"].lower().rstrip("s")
    below = PARTS.index(part) + 3 if part in PARTS else 2
    return _percent(figures((match["above"] or "1").lower()) or Decimal(1), Decimal(below))


def _slashed(match: re.Match[str]) -> str:
    above, below = Decimal(match["above"]), Decimal(match["below"])
    return _percent(above, below) if above < below else match[0]


def _period(match: re.Match[str]) -> str:
    count, unit = PERIODS[match["period"].lower()]
    amount = figures((match["amount"] or "1").lower()) or Decimal(1)
    return f"{plain_decimal(count * amount)} {unit}"


def _percent(above: Decimal, below: Decimal) -> str:
    return plain_decimal(round(100 * above / below, 2)) + " percent"


def _cardinal(match: re.Match[str]) -> str:
    words = re.findall(rf"{FIGURES}|[a-z]+", match[0].lower())
    # "2-4" is from two to four.
    several = sum(word[0].isdigit() for word in words) > 1
    value = None if several else value_of(words)
    return match[0] if value is None else plain_decimal(value)


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_DECADES: Final = _either(word[:-1] + "ies" for word in TENS)
_NUMERIC: Final = re.compile(
    rf"\d|\b(?:{_either(('half', 'noon', 'midnight', *PARTS, *PERIODS, *NUMBER_WORDS, *SCALES))}"
    rf"|{_DECADES})\b",
    re.IGNORECASE,
)
_PART: Final = rf"(?P<part>{_either(PARTS)})s?"
_WORD: Final = rf"(?:(?:{_either(('half', *NUMBER_WORDS, *SCALES))})\b|{FIGURES}(?![\w:/]|\.\d))"
_PATTERNS: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        rf"(?:\bUS(?=\$))?(?P<sign>[{''.join(_CURRENCIES)}]) ?(?P<amount>{FIGURES})"
        rf"(?: ?(?P<scale>{_either((*_SHORT_SCALES, *SCALES))})\b)?(?![a-z])",
        _money,
    ),
    (r" ?%| per ?cent\b", lambda _: " percent"),
    (r"\b(?P<hour>\d\d?)(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap](?:m\b|\.m\.?))", _hour),
    (r"(?<![\d:])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?P<half>)(?![\d:])", _hour),
    (rf"\b(?:a )?(?P<part>{_either(_PAST)}) (?P<hour>{_either(_CLOCK)})\b", _past),
    (
        rf"\b(?P<when>at|by|before|after|from|until|till|to|around|about|since)"
        rf" (?P<hour>{_either(_CLOCK)}|\d(?:\.\d+)?|1[0-2](?:\.\d+)?)(?: o'clock)?"
        rf" (?:in the (?P<part>morning|afternoon|evening)|at night)\b",
        _hour_of_part,
    ),
    (r"\bnoon\b", lambda _: "12 pm"),
    (r"\bmidnight\b", lambda _: "12 am"),
    (rf"\bthe (?:'?(?P<figures>(?:1\d|20)?[1-9]0)'?s|(?P<tens>{_DECADES}))\b", _decade),
    (rf"\b(?P<tens>{_either(TENS)})[- ](?P<one>{_either(_FIRST)})\b(?P<figures>)", _ordinal),
    (r"\b(?P<figures>[1-9])(?:st|nd|rd|th)\b", _ordinal),
    (r"\b(?P<above>\d\d?)/(?P<below>\d\d?)(?= of| major)", _slashed),
    (rf"\b(?P<above>{_either(_CLOCK)}|\d)[- ]{_PART}\b(?= of| major)", _fraction),
    (rf"\ba(?P<above>) {_PART}\b(?= of)", _fraction),
    (rf"\b{_WORD}(?:(?:-| and | and a | a | ){_WORD})+", _cardinal),
    (rf"\b(?P<amount>{FIGURES}) ?(?P<unit>{_either(_UNITS)})(?![\w/])", _unit),
    (
        # Not the decade of a year, which has four figures.
        rf"(?<!half )\b(?:a|(?P<amount>\d{{1,3}}(?:\.\d+)?|{_either(NUMBER_WORDS)}))"
        rf" (?P<period>{_either(PERIODS)})\b",
        _period,
    ),
)
#: Patterns in the order in which they are looked for, and what makes of each the way of writing.
RULES: Final = tuple((re.compile(rule, re.IGNORECASE), instead) for rule, instead in _PATTERNS)
