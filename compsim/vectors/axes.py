"""Directions that mean nothing but themselves: for what a table of word vectors does not hold.

A direction is drawn at random from its name alone, so that it is the same in every process, and in
so many dimensions nearly at a right angle to everything else.

>>> import numpy as np
>>> a, b = axis("person:1", 300), axis("person:2", 300)
>>> bool(abs(np.dot(a, b)) < 0.2), round(float(np.dot(a, a)), 5)
(True, 1.0)
>>> round(float(spelled("Zorblat", 300) @ spelled("Zorblat's", 300)), 1)
1.0
>>> bool(abs(spelled("Zorblat", 300) @ spelled("Quixley", 300)) < 0.2)
True
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

__all__ = ["axis", "spelled"]

Floats = npt.NDArray[np.float32]

#: Directions that pieces of spelling share; more would not make two of them meet much more rarely.
_PIECES: Final = 4096
#: Lengths of the pieces; the edges of the word are a character of their own.
_LENGTHS: Final = (2, 3, 4)
_POSSESSIVE: Final = re.compile(r"['\u2019]s$|['\u2019]$")


@lru_cache(maxsize=1024)
def axis(name: str, dim: int) -> Floats:
    """The unit vector float32 (dim,) that a name has."""
    # Of numpy's generators only this one promises the same numbers in every version.
    drawn = np.random.RandomState(crc32(name.encode("utf-8", "surrogatepass"))).standard_normal(dim)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)


def spelled(word: str, dim: int) -> Floats:
    """A word as the sum of its pieces of two to four characters, a unit vector float32 (dim,).

    Two words are as alike as they share pieces, case and a possessive ending aside. After the
    subword vectors of fastText (Bojanowski et al. 2017), but for the learning.
    """
    whole = f"<{_POSSESSIVE.sub('', word.lower()) or word}>"
    pieces = [whole[i : i + n] for n in _LENGTHS for i in range(len(whole) - n + 1)] or [whole]
    places = [crc32(piece.encode("utf-8", "surrogatepass")) % _PIECES for piece in pieces]
    total = _directions(dim)[places].sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, dtype=np.float32) if length > 0 else axis(whole, dim)


@lru_cache(maxsize=4)
def _directions(dim: int) -> Floats:
    return np.random.RandomState(0).standard_normal((_PIECES, dim)).astype(np.float32)
