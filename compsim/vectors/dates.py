"""Days, months and lengths of time by which of them they are: Monday is no Tuesday, no day a year.

Word vectors have the days nearly at one place, for people write the same things about each. Here a
name keeps what its vector says, a day or a month, and has as much again that is its own.

>>> calendar_name("Monday's"), calendar_name("Sept."), calendar_name("May"), calendar_name("may")
('monday', 'september', 'may', '')
>>> calendar_name("Tomorrow"), calendar_name("years"), calendar_name("second")
('tomorrow', 'year', '')
>>> import numpy as np
>>> day = np.eye(300, dtype=np.float32)[0]
>>> monday, tuesday = (date_vector(name, day) for name in ("monday", "tuesday"))
>>> bool(monday @ monday > 0.999 and 0.4 < monday @ tuesday < 0.6)
True
"""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.vectors.axes import axis

__all__ = ["MONTHS", "WEEKDAYS", "calendar_name", "date_vector"]

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
#: Days as seen from the day on which something is said.
_DAYS: Final = ("yesterday", "today", "tomorrow")
#: Lengths of time. A "second" is as often what comes after the first.
_PERIODS: Final = ("minute", "hour", "day", "week", "month", "year", "decade", "century")
_NAMES: Final = frozenset((*WEEKDAYS, *MONTHS, *_DAYS, *_PERIODS))
_ABBREVIATED: Final = {f"{name[:3]}.": name for name in MONTHS} | {"sept.": "september"}
#: Verbs unless they are written as names are.
_VERBS: Final = ("march", "may")
_AROUND: Final = re.compile(r"^\W+|(?:['\u2019]?s)?[^\w.]*$|(?<=\w{4})\.$")
#: What two names share for being days or months (squared), as two numbers do at most.
_KIND: Final = 0.5


def calendar_name(token: str) -> str:
    """The day, month or length of time that a word names, in lower case; else empty."""
    word = token.lower()
    if word in _ABBREVIATED:
        return "" if token == word else _ABBREVIATED[word]
    word = _AROUND.sub("", word)
    if word not in _NAMES:
        return ""
    return "" if word in _VERBS and token[0].islower() else word


def date_vector(name: str, kind: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The unit vector float32 (dim,) of what a name names, given the unit vector of its word."""
    total = math.sqrt(_KIND) * kind + math.sqrt(1 - _KIND) * axis(f"date:{name}", len(kind))
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32)
