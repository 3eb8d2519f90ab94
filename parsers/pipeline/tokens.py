"""Splitting texts into words and marks, as the treebanks do that the pipeline learned from.

Between two spaces a word is split by rule: special cases ("can't", "U.S.", ":-)") are listed with
their parts; else marks are taken off its beginning and end, one after another, and what is left is
split at marks inside it ("red/white"), unless it is a web address. Patterns and special cases are
those of spaCy's English tokenizer, and so are the results; the patterns come from a file.

>>> from compsim.storage.places import weights_folder
>>> tokenizer = Tokenizer.read(weights_folder() / "pipeline" / "tokens.json")
>>> [token.text for token in tokenizer.tokens("She can't come (yet), he said.")]
['She', 'ca', "n't", 'come', '(', 'yet', ')', ',', 'he', 'said', '.']
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["LONG", "LONGEST_KEPT", "Part", "Token", "Tokenizer", "pieces", "unspaced"]

#: Marks in a row that are still a word, and the length of the pieces of more. Taking marks off one
#: by one takes a word of 20,000 of them half a minute.
_RUN: Final = 32
#: Characters of a word that is still read as one, and of its pieces at least.
_WORD, _PIECE = 1000, 250
#: A run of marks, or a word that is too long.
LONG: Final = re.compile(rf"([^\w\s]{{{_RUN + 1},}})|(?<!\S)\S{{{_WORD + 1},}}")
#: Pieces of a word that is too long: each ends with a mark, or where the word does.
_PIECES: Final = re.compile(rf"\S{{{_PIECE}}}[^\W_]*(?:[\W_]|\Z)|\S+")
#: Words whose parts are kept, and the characters of the longest.
_KEPT, LONGEST_KEPT = 20_000, 100
#: What stands between spaces, with the one that ends it; or further white space.
_UNSPACED: Final = re.compile(r"(\S+) ?|\s+")


class Part(NamedTuple):
    """A word or mark, and its normal form where a special case names one ("n't": "not")."""

    text: str
    norm: str | None = None


class Token(NamedTuple):
    """A word or mark with its place in the text."""

    text: str
    start: int
    end: int


class Tokenizer:
    """Splits texts by patterns and special cases.

    ``rules`` has the patterns ``prefix``, ``suffix``, ``infix`` and ``url``; the ``special`` cases,
    each a word with the texts and norms of its parts; and ``spread``, the special cases that are
    found where other splitting has torn them, each by its torn parts with spaces between them.
    """

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._prefix = re.compile(rules["prefix"]).search
        self._suffix = re.compile(rules["suffix"]).search
        self._infix = re.compile(rules["infix"]).finditer
        self._url = re.compile(rules["url"]).match
        self._special = {
            word: [Part(text, norm) for text, norm in parts]
            for word, parts in rules["special"].items()
        }
        self._spread = {tuple(torn.split(" ")): word for torn, word in rules["spread"].items()}
        self._longest = max(map(len, self._spread), default=0)
        self._kept: dict[str, list[Part]] = {}

    @classmethod
    def read(cls, path: Path) -> Tokenizer:
        """Return the tokenizer of a file. Raises OSError or ValueError where it has none."""
        return cls(json.loads(path.read_text(encoding="utf8")))

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the words and marks of a text, and white space beyond single spaces.

        Parts of short words are kept.
        """
        for start, word in unspaced(text):
            parts = self._kept.get(word)
            if parts is None:
                parts = self.split(word)
                if len(self._kept) >= _KEPT:
                    self._kept = {}
                if len(word) <= LONGEST_KEPT:
                    self._kept[word] = parts
            for part in parts:
                end = start + len(part.text)
                yield Token(part.text, start, end)
                start = end

    def split(self, word: str) -> list[Part]:
        """Return the parts of what stands between spaces, split anew."""
        if word in self._special:
            return self._special[word]
        if LONG.search(word) is None:
            return self._joined(self._split(word, self._special))
        parts = []
        for start, stop, marks in pieces(word):
            piece = word[start:stop]
            parts += [Part(piece)] if marks else self._joined(self._split(piece, self._special))
        return parts

    def torn(self, word: str) -> list[str]:
        """Return the parts that a word has where no special case is looked up."""
        return [part.text for part in self._split(word, {})]

    def _split(self, word: str, special: Mapping[str, list[Part]]) -> list[Part]:
        before: list[Part] = []
        after: list[Part] = []
        size = -1
        while word and len(word) != size and word not in special:
            size = len(word)
            prefix = self._prefix(word)
            first = prefix.end() - prefix.start() if prefix else 0
            if first and word[first:] in special:
                before.append(Part(word[:first]))
                word = word[first:]
                break
            suffix = self._suffix(word[first:])
            last = suffix.end() - suffix.start() if suffix else 0
            if last and word[:-last] in special:
                after.append(Part(word[-last:]))
                word = word[:-last]
                break
            if first:
                before.append(Part(word[:first]))
            if last:
                after.append(Part(word[size - last :]))
            word = word[first : size - last]
        return before + self._inner(word, special) + after[::-1]

    def _inner(self, word: str, special: Mapping[str, list[Part]]) -> list[Part]:
        """The parts of a word without marks before and after it."""
        if not word:
            return []
        if word in special:
            return special[word]
        if self._url(word):
            return [Part(word)]
        parts = []
        start = 0
        for mark in self._infix(word):
            if mark.start() == 0:
                continue
            parts += [Part(word[start : mark.start()]), Part(mark[0])]
            start = mark.end()
        return [part for part in (*parts, Part(word[start:])) if part.text]

    def _joined(self, parts: list[Part]) -> list[Part]:
        """The parts, where torn special cases, the longest first, are what their rule says."""
        if len(parts) == 1 and (parts[0].text,) not in self._spread:
            return parts
        texts = [part.text for part in parts]
        results: list[Part] = []
        is_covered = [False] * len(parts)
        rules: dict[int, tuple[int, str]] = {}
        for size in range(min(self._longest, len(parts)), 0, -1):
            for start in range(len(parts) - size + 1):
                word = self._spread.get(tuple(texts[start : start + size]))
                if word is None:
                    continue
                if not is_covered[start] and not is_covered[start + size - 1]:
                    rules[start] = size, word
                # Also where it gives way: what it shares words with is no special case either.
                is_covered[start : start + size] = [True] * size
        i = 0
        while i < len(parts):
            size, word = rules.get(i, (1, ""))
            results += self._special[word] if word else [parts[i]]
            i += size
        return results


def unspaced(text: str) -> Iterator[tuple[int, str]]:
    """Yield what stands between single spaces of a text, each with its place."""
    for match in _UNSPACED.finditer(text):
        yield match.start(), match[1] or match[0]


def pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each piece, and whether it is a part of a run of marks, so one token.

    A space belongs to the piece before it, as to a token.
    """
    done = 0
    for item in LONG.finditer(text):
        start, end = item.span()
        if done < start:
            yield done, start, False
        marks = item[1] is not None
        if marks:
            bounds = [*range(start, end, _RUN), end]
        else:
            bounds = [start, *(piece.end() for piece in _PIECES.finditer(text, start, end))]
        done = end + (text[end : end + 1] == " ")
        bounds[-1] = done
        for first, stop in pairwise(bounds):
            yield first, stop, marks
    if done < len(text):
        yield done, len(text), False
