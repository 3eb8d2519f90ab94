"""Words and pieces of words as the rows of a table.

A text is read in small letters without accents; letters and digits that stand together are a word,
every other character one by itself. A word that the vocabulary lacks is cut from the left into the
longest pieces that it has, ``##`` before all but the first (WordPiece, Schuster and Nakajima 2012).
Two tokens with a space between them are a row that neighbours have beside their own.

>>> pieces = WordPieces(["un", "##knowable", "know", "?", "know un"])
>>> rows, ends = pieces.rows(["Know?", "Know \u00dcnknowable"])
>>> [pieces.name(row) for row in rows], ends.tolist()
(['know', '?', 'know', 'un', '##knowable', 'know un'], [0, 2, 6])
>>> [(place.row, place.span, place.share) for place in pieces.places("Know?")]
[(2, (0, 4), 1.0), (3, (4, 5), 1.0)]
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.graph import Span

__all__ = ["Place", "WordPieces"]

_WORD: Final = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_APOSTROPHES: Final = dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
_QUOTES: Final = dict.fromkeys("\u201c\u201d\u201e\u201f\uff02", '"')
#: Words cut into pieces that are remembered, and the longest word that is cut at all.
_REMEMBERED: Final = 1 << 16
_LONGEST: Final = 100


class Place(NamedTuple):
    """A row of a table, the characters it covers, and their share of it."""

    row: int
    span: Span
    share: float = 1.0


class WordPieces:
    """The tokens ``words`` of a table: row i is the token, or pair of tokens, in place i."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._row = {word: row for row, word in enumerate(self._words) if " " not in word}
        self._known = {word: (row,) for word, row in self._row.items() if not word.startswith("##")}
        self._pair = {
            (self._row[first], self._row[second]): row
            for row, word in enumerate(self._words)
            for first, space, second in [word.partition(" ")]
            if space
        }
        self._most = max(map(len, self._row), default=0)
        self._cut: dict[str, tuple[int, ...]] = {}

    def name(self, row: int) -> str:
        """Return the token of a row."""
        return self._words[row]

    def rows(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the rows of all tokens, and where those of each text end: (n + 1,) from 0."""
        known, cut, words = self._known.get, self._pieces, _WORD.findall
        pair = self._pair
        results: list[int] = []
        ends = [0]
        for text in texts:
            read = text.lower() if text.isascii() else "".join(map(_letters, text))
            for word in words(read):
                results += known(word) or cut(word)
            if pair:
                results += [pair[two] for two in pairwise(results[ends[-1] :]) if two in pair]
            ends.append(len(results))
        return np.array(results, dtype=np.int64), np.array(ends, dtype=np.int64)

    def places(self, text: str) -> list[Place]:
        """Return the rows of a text and the characters that each stands for.

        A pair stands half for its first and half for its second token.
        """
        letters = list(map(_letters, text))
        origin = [place for place, read in enumerate(letters) for _ in read]
        results: list[Place] = []
        for match in _WORD.finditer("".join(letters)):
            start = match.start()
            rows = self._known.get(match[0]) or self._pieces(match[0])
            for row in rows:
                length = len(self._words[row]) - 2 * (row != rows[0])
                results.append(Place(row, (origin[start], origin[start + length - 1] + 1)))
                start += length
        for first, second in list(pairwise(results)):
            row = self._pair.get((first.row, second.row), -1)
            if row >= 0:
                results += Place(row, first.span, 0.5), Place(row, second.span, 0.5)
        return results

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Return the rows of the pieces of a word that is no row; none where they do not fit."""
        rows = self._cut.get(word)
        if rows is None:
            rows = self._split_word(word) if len(word) <= _LONGEST else ()
            if len(self._cut) >= _REMEMBERED:
                self._cut.clear()
            self._cut[word] = rows
        return rows

    def _split_word(self, word: str) -> tuple[int, ...]:
        rows: list[int] = []
        start = 0
        while start < len(word):
            lead = "##" if start else ""
            for stop in range(min(len(word), start + self._most), start, -1):
                row = self._row.get(lead + word[start:stop])
                if row is not None:
                    rows.append(row)
                    start = stop
                    break
            else:
                return ()
        return tuple(rows)


@lru_cache(maxsize=1 << 12)
def _letters(character: str) -> str:
    """Return a character in lower case, without accents."""
    character = _APOSTROPHES.get(character) or _QUOTES.get(character) or character
    parts = unicodedata.normalize("NFD", character.lower())
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")
