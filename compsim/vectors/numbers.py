"""Numbers by their value: "5" is "five", 100 is nearer to 105 than to 4,000.

>>> number("1,200"), number("twelve"), number("3.5%"), number("cat")
(1200.0, 12.0, 3.5, None)
>>> import numpy as np
>>> five, six, year = (value_vector(x, 300) for x in (5.0, 6.0, 1987.0))
>>> bool(five @ five > 0.999 and five @ year < five @ six < 0.9)
True
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.vectors.axes import axis

__all__ = ["NUMBER_WORDS", "number", "value_vector"]

_DIGITS: Final = re.compile(
    r"[$\u20ac\u00a3#+-]?(\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:%|st|nd|rd|th)?"
)
# fmt: off
_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
# fmt: on
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_POWERS: Final = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0}
#: The number words up to twenty, and those of the tens.
NUMBER_WORDS: Final = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
}
_WORDS: Final = {**{word: float(value) for word, value in NUMBER_WORDS.items()}, **_POWERS}
#: What two numbers share for being numbers, for being near, and for being the same (squared).
_KIND, _NEAR, _SAME = 0.25, 0.25, 0.5
#: Near is by ratio: waves over the logarithm, so that those of 5 and 6 are still alike.
_WAVES: Final = (0.5, 1.0, 2.0, 4.0)


def number(word: str) -> float | None:
    """The value of a number in digits or of one number word, None for any other word."""
    match = _DIGITS.fullmatch(word)
    if match is None:
        return _WORDS.get(word)
    value = float(match.group(1).replace(",", ""))
    return value if math.isfinite(value) else None


@lru_cache(maxsize=4096)
def value_vector(value: float, dim: int) -> npt.NDArray[np.float32]:
    """A unit vector, float32 (dim,), that is alike for numbers of about the same size."""
    scale = math.log1p(abs(value))
    total = math.sqrt(_KIND) * axis("number", dim) + math.sqrt(_SAME) * axis(f"={value!r}", dim)
    for wave in _WAVES:
        height = math.sqrt(_NEAR / len(_WAVES))
        total = total + height * math.cos(wave * scale) * axis(f"cos {wave}", dim)
        total = total + height * math.sin(wave * scale) * axis(f"sin {wave}", dim)
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32)
