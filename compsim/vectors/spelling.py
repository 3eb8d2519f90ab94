"""Misspelt words put right: what no lexicon has, and a far more frequent word a letter away.

One letter too many, missing, wrong, or two exchanged (Damerau 1964), but not the first or the last,
which are seldom wrong and often another form; of a rare word that is known only letters exchanged
or doubled, and vowels.

>>> right_word("kangroo"), right_word("recieve"), right_word("tern")
('kangaroo', 'receive', 'tern')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase
from typing import Final

from compsim.vectors.rarity import probability
from compsim.vectors.words import lemma_candidates

__all__ = ["right_word"]

#: How much more frequent the word must be.
_RATIO: Final = 30.0
#: Words so frequent in English text are words; slips are rarer, what was meant is not.
_USUAL: Final = 2e-6
#: A long word is like few others, so that it may be rarer.
_LONG: Final = 7
_RARE: Final = 2e-7
_VOWELS: Final = "aeiou"


@lru_cache(maxsize=1 << 14)
def right_word(word: str) -> str:
    """Return the word in lower case that was meant by one as it is written."""
    from compsim.vectors.relations import Relations  # compiled, and not needed by every method

    here = probability(word)
    if here >= _USUAL or (Relations.open().ids([word, *lemma_candidates(word)]) >= 0).any():
        return word
    least = max(_RARE if len(word) >= _LONG else _USUAL, _RATIO * here)
    best = max(_slips(word), key=probability)
    if probability(best) < least and not here:
        best = max(_near(word), key=probability)
    return best if probability(best) >= least else word


def _slips(word: str) -> Iterator[str]:
    """Yield misspellings: two letters exchanged, a letter doubled or not, or another vowel."""
    yield word
    for place in range(1, len(word)):
        head, letter, tail = word[:place], word[place], word[place + 1 :]
        if tail:
            yield head + tail[0] + letter + tail[1:]
            yield head + letter + letter + tail
            yield from (head + other + tail for other in _VOWELS if letter in _VOWELS)
            if letter == head[-1]:
                yield head + tail


def _near(word: str) -> Iterator[str]:
    """Yield misspellings: a letter inserted, deleted or replaced inside the word."""
    for place in range(1, len(word)):
        head, tail = word[:place], word[place:]
        yield from (head + other + tail for other in ascii_lowercase)
        if len(tail) > 1:
            yield head + tail[1:]
            yield from (head + other + tail[1:] for other in ascii_lowercase)
