"""Phrases of adjectives and nouns, and the texts that a method is given for them.

>>> from compsim.benchmarks.datasets.modifiers.words import word_lists
>>> rows = [("S-I", "red", ""), ("A", "old", ""), ("noun", "dog", "")]
>>> phrases = Phrases(word_lists(rows), Wording("It is {a phrase}."), double=True)
>>> phrases.texts[3:], phrases.count
(['It is a red dog.', 'It is an old dog.', ...], 4)
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.modifiers.words import WordLists
from compsim.errors import InputError

__all__ = ["Phrases", "Wording"]

_PHRASE: Final = "{phrase}"
_WITH_ARTICLE: Final = "{a phrase}"
_SEED: Final = 0

Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Wording:
    """The sentences that phrases and nouns, and adjectives alone, are put into.

    ``{phrase}`` is the phrase, ``{a phrase}`` the same after "a", or "an" before a vowel letter.
    Raises ``InputError`` for a sentence with neither.
    """

    phrase: str = _PHRASE
    adjective: str = _PHRASE

    def __post_init__(self) -> None:
        for text in (self.phrase, self.adjective):
            if _PHRASE not in text and _WITH_ARTICLE not in text:
                raise InputError(f"{text!r} has no {_PHRASE} and no {_WITH_ARTICLE}: put one in")

    def text(self, phrase: str, alone: bool = False) -> str:
        """A phrase in its sentence; ``alone``: it has adjectives only."""
        article = "an" if phrase[:1].lower() in set("aeiou") else "a"
        result = self.adjective if alone else self.phrase
        return result.replace(_WITH_ARTICLE, f"{article} {phrase}").replace(_PHRASE, phrase)


class Phrases:
    """Every text once, and where each phrase and word stands among the texts.

    For a adjectives and n nouns, int64 places in ``texts``: ``adjective`` and ``synonym`` (a,), -1
    where there is no synonym, ``noun`` (n,), ``single`` (a, n) phrases of one adjective.
    ``triples`` (t, 3) are the noun, the first and the second adjective of phrases of two different
    adjectives, ordered so; with ``sample`` so many of them, drawn at random. ``double`` (t,) are
    their texts, ``pair`` (t,) those of the two adjectives alone. ``words`` are the words of the
    lists that each text has.
    """

    def __init__(
        self,
        lists: WordLists,
        wording: Wording | None = None,
        double: bool = False,
        sample: int | None = None,
        synonyms: bool = False,
    ) -> None:
        self.lists, self._wording = lists, wording or Wording()
        self.texts: list[str] = []
        self.words: list[tuple[str, ...]] = []
        self._place: dict[str, int] = {}
        adjectives, nouns = [word for _, word in lists.adjectives], lists.nouns
        self.adjective = self._add(((word,) for word in adjectives), alone=True)
        self.noun = self._add((noun,) for noun in nouns)
        singles = ((word, noun) for word in adjectives for noun in nouns)
        self.single = self._add(singles).reshape(len(adjectives), len(nouns))
        known = lists.synonyms if synonyms else {}
        like = self._add(((known[word],) for word in adjectives if word in known), alone=True)
        self.synonym = np.full(len(adjectives), -1, np.int64)
        self.synonym[[word in known for word in adjectives]] = like
        self.triples = np.zeros((0, 3), np.int64)
        if double:
            self.triples = _triples(len(nouns), adjectives, sample)
        named = [(nouns[n], adjectives[i], adjectives[j]) for n, i, j in self.triples.tolist()]
        self.double = self._add((first, second, noun) for noun, first, second in named)
        self.pair = self._add(((first, second) for _, first, second in named), alone=True)

    @property
    def count(self) -> int:
        """Number of phrases of one or two adjectives and a noun."""
        return self.single.size + len(self.triples)

    def _add(self, phrases: Iterable[tuple[str, ...]], alone: bool = False) -> Places:
        """The places of the texts of phrases."""
        results = []
        for words in phrases:
            text = self._wording.text(" ".join(words), alone)
            if text not in self._place:
                self._place[text] = len(self.texts)
                self.texts.append(text)
                self.words.append(words)
            results.append(self._place[text])
        return np.array(results, dtype=np.int64)


def _triples(nouns: int, adjectives: list[str], sample: int | None) -> Places:
    """Nouns with ordered pairs of different adjectives (t, 3)."""
    size = len(adjectives)
    total = nouns * size * (size - 1)
    chosen = np.arange(total)
    if sample is not None and sample < total:
        chosen = np.array(random.Random(_SEED).sample(range(total), sample), dtype=np.int64)
    noun, rest = np.divmod(chosen, max(size * (size - 1), 1))
    first, second = np.divmod(rest, max(size - 1, 1))
    second += second >= first
    # A word may stand in two classes.
    number = {word: i for i, word in enumerate(dict.fromkeys(adjectives))}
    same = np.array([number[word] for word in adjectives])
    triples: Places = np.stack([noun, first, second], axis=1)[same[first] != same[second]]
    return triples
