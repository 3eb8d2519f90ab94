"""A document as sentences: spaCy's rule-based splitter, and what it does not do.

>>> text = "Mr. Lee slept.\\n\\nA heading\\n\\nDid he dream? Yes."
>>> [text[start:end] for start, end in sentences(text)]
['Mr. Lee slept.', 'A heading', 'Did he dream?', 'Yes.']

A blank line ends a sentence, since a heading has no full stop; so does the last of ``LONGEST``
tokens, since what has no full stop for long is a table or a list, and no method reads to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.pipeline.long_words import PieceTokenizer
from compsim.plain_text import plain

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["LONGEST", "sentences"]

#: Tokens of a sentence at most: transformers of sentences read 256 pieces of words.
LONGEST: Final = 160
#: Characters that are given to spaCy at a time; a paragraph that is longer is cut at a space.
_PARAGRAPH: Final = 50_000
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\n]*\r\n\s*")


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends, ``[start, end)``, without white space around.

    A stretch without a letter or digit belongs to the sentence before it. A text in which nothing
    is seen has none.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        first = len(found)
        for own in _cut(text[start:end]):
            span = start + own[0], start + own[1]
            worded = any(map(str.isalnum, text[span[0] : span[1]]))
            if not worded and len(found) > first:
                found[-1] = found[-1][0], span[1]
            else:
                found.append(span)
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in [match.span() for match in _BLANK_LINE.finditer(text)] + [(len(text), len(text))]:
        while gap[0] - start > _PARAGRAPH:
            space = text.rfind(" ", start + 1, start + _PARAGRAPH)
            end = space if space > start else start + _PARAGRAPH
            yield start, end
            start = end
        yield start, gap[0]
        start = gap[1]


def _cut(paragraph: str) -> Iterator[tuple[int, int]]:
    """The sentences of a stretch of text."""
    for sentence in _splitter.current()(paragraph).sents:
        for first in range(0, len(sentence), LONGEST):
            piece = sentence[first : first + LONGEST]
            start, end = piece.start_char, piece.end_char
            own = paragraph[start:end]
            if plain(own):
                left = len(own) - len(own.lstrip())
                yield start + left, end - (len(own) - len(own.rstrip()))


def _load() -> Language:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.tokenizer = PieceTokenizer(nlp.tokenizer, nlp.vocab)
    return nlp


_splitter: Final = LanguageSource(_load)
