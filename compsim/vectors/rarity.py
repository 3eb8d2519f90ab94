"""Weight of words by rarity: rare words weigh much, "the" next to nothing.

Smooth inverse frequency (Arora, Liang and Ma 2017, "A simple but tough-to-beat baseline for
sentence embeddings"): a / (a + p), with p the probability of the word in English text and a = .001.
The probabilities are those of the built-in table of word vectors, whatever vectors are used.

>>> rarity("the") < rarity("say") < rarity("violinist") < rarity("zorblat") == 1.0
True
>>> round(information("The violinist") - information("violinist"), 3) == round(rarity("the"), 3)
True
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from compsim.vectors.numerals import in_digits
from compsim.vectors.words import spellings

__all__ = ["information", "probability", "rarity"]

#: Where a word counts half; the value of the paper.
_HALF: Final = 1e-3
#: What a phrase says at least, so that none drops out of a score.
_LEAST: Final = 0.02


@lru_cache(maxsize=1 << 16)
def rarity(token: str) -> float:
    """Return the weight of a raw token, above 0 and up to 1; 0 for bare punctuation."""
    forms = spellings(token)
    if not forms:
        return 0.0
    known = _probabilities()
    probability = next((known[form] for form in forms if form in known), 0.0)
    return _HALF / (_HALF + probability)


def information(text: str) -> float:
    """Return the total weight of a phrase's words, never quite 0."""
    return max(_LEAST, sum(map(rarity, in_digits(text).split())))


def probability(word: str) -> float:
    """Return how probable a word in lower case is in English text, 0 for an unknown one."""
    return _probabilities().get(word, 0.0)


@cache
def _probabilities() -> dict[str, float]:
    from compsim.vectors.word_vectors import WordVectors

    table = WordVectors.open("builtin")
    assert table.frequencies is not None, "the built-in table has frequencies"
    return dict(zip(table.words, table.frequencies.tolist(), strict=True))
