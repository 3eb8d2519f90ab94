"""Names that are spelt in several ways: the same consonants, and vowels that vary.

Scripts such as the Arabic write no short vowels, so that a name from them has as many spellings in
English as there are ways to hear it. A spelling is told from another name by its consonants, its
first sound and its last vowel.

>>> consonants("Taliban") == consonants("Taleban"), consonants("Mursi") == consonants("Morsi")
(True, True)
>>> consonants("Martin") == consonants("Martina"), consonants("Maria")
(False, '')
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Final

__all__ = ["consonants"]

#: Fewer consonants than these, or letters, are those of many names.
_FEWEST: Final = 3
_SHORTEST: Final = 5
#: Letters that stand for the same sound.
_ONE_SOUND: Final = str.maketrans({"q": "k", "c": "k", "y": "i", "z": "s"})
_VOWELS: Final = re.compile(r"(?<=.)[aeiouw]+(?=.)")


def consonants(name: str) -> str:
    """Return the consonants of a word between its first and its last letter, and these.

    The vowels inside are left out, double letters single, and letters of one sound the same; empty
    for a word with fewer than five letters or three consonants.
    """
    plain = unicodedata.normalize("NFD", name.lower())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    if len(letters) < _SHORTEST or not letters.isascii() or not letters.isalpha():
        return ""
    sounds = letters.replace("ph", "f").translate(_ONE_SOUND)
    found = "".join(letter for letter, _ in groupby(_VOWELS.sub("", sounds)))
    return found if sum(letter not in "aeiou" for letter in found) >= _FEWEST else ""
