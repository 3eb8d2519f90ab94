"""Tokenizing with spaCy in linear time, whatever stands between two spaces.

A run of marks is cut into pieces that are tokens themselves, and any other word of excessive length
at one of its marks, before spaCy's tokenizer reads the pieces. Other texts are read as they are.

>>> import spacy
>>> language = spacy.blank("en")
>>> doc = PieceTokenizer(language.tokenizer, language.vocab)("Dogs bark " + "!" * 80 + " twice.")
>>> [token.text if len(token) < 10 else len(token) for token in doc]
['Dogs', 'bark', 32, 32, 16, 'twice', '.']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from compsim.parsers.pipeline.tokens import LONG, pieces

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

__all__ = ["PieceTokenizer"]


class PieceTokenizer:
    """The tokenizer of a spaCy pipeline, which is given the pieces of words that are too long."""

    def __init__(self, tokenizer: Callable[[str], Doc], vocab: Vocab) -> None:
        self.tokenizer = tokenizer
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of a text."""
        if LONG.search(text) is None:
            return self.tokenizer(text)
        from spacy.tokens import Doc

        docs = []
        for start, stop, marks in pieces(text):
            piece = text[start:stop]
            if marks:
                words, spaces = [piece.removesuffix(" ")], [piece.endswith(" ")]
                docs.append(Doc(self.vocab, words=words, spaces=spaces))
            else:
                docs.append(self.tokenizer(piece))
        return Doc.from_docs(docs, ensure_whitespace=False) or self.tokenizer(text)
