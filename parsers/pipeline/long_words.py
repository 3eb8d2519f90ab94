"""Tokenizing in linear time, whatever stands between two spaces.

spaCy's tokenizer takes prefixes and suffixes off a word one by one and reads the rest anew each
time: a word of 20,000 quotation marks, brackets or pictographs takes it half a minute. Here a run
of marks is cut into pieces that are tokens themselves, and any other word of excessive length at
one of its marks, before the tokenizer reads the pieces. Other texts are read as they are.

>>> import spacy
>>> language = spacy.blank("en")
>>> doc = PieceTokenizer(language.tokenizer, language.vocab)("Dogs bark " + "!" * 80 + " twice.")
>>> [token.text if len(token) < 10 else len(token) for token in doc]
['Dogs', 'bark', 32, 32, 16, 'twice', '.']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

__all__ = ["PieceTokenizer"]

#: Marks in a row that are still a word to the tokenizer, and the length of the pieces of more.
_RUN: Final = 32
#: Characters of a word that the tokenizer still reads as one, and of its pieces at least.
_WORD, _PIECE = 1000, 250
#: A run of marks, or a word that is too long.
_LONG: Final = re.compile(rf"([^\w\s]{{{_RUN + 1},}})|(?<!\S)\S{{{_WORD + 1},}}")
#: Pieces of a word that is too long: each ends with a mark, or where the word does.
_PIECES: Final = re.compile(rf"\S{{{_PIECE}}}[^\W_]*(?:[\W_]|\Z)|\S+")


class PieceTokenizer:
    """The tokenizer of a spaCy pipeline, which is given the pieces of words that are too long."""

    def __init__(self, tokenizer: Callable[[str], Doc], vocab: Vocab) -> None:
        self.tokenizer = tokenizer
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of a text."""
        if _LONG.search(text) is None:
            return self.tokenizer(text)
        from spacy.tokens import Doc

        docs = []
        for start, stop, marks in _pieces(text):
            piece = text[start:stop]
            if marks:
                words, spaces = [piece.removesuffix(" ")], [piece.endswith(" ")]
                docs.append(Doc(self.vocab, words=words, spaces=spaces))
            else:
                docs.append(self.tokenizer(piece))
        return Doc.from_docs(docs, ensure_whitespace=False) or self.tokenizer(text)


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each piece, and whether it is a part of a run of marks, so one token.

    A space belongs to the piece before it, as to a token.
    """
    done = 0
    for item in _LONG.finditer(text):
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
