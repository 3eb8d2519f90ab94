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
#: Characters that are given to spaCy at a time; a paragraph that is longer is cut at the last end
#: of a sentence in them, at a space where there is none.
_PARAGRAPH: Final = 50_000
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\n]*\r\n\s*")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence, ``[start, end)``, without surrounding white space.

    A stretch without a letter or digit belongs to the sentence before it. A text in which nothing
    is seen has none.
    """
    results: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        first = len(results)
        for span in _cut(text, start, end):
            worded = any(map(str.isalnum, text[span[0] : span[1]]))
            if not worded and len(results) > first:
                results[-1] = results[-1][0], span[1]
            else:
                results.append(span)
    return results


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _BLANK_LINE.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a paragraph, and what is left of those that are too long."""
    while start < end:
        stop = end
        if end - start > _PARAGRAPH:
            space = text.rfind(" ", start + 1, start + _PARAGRAPH)
            stop = space if space > start else start + _PARAGRAPH
        sents = list(_splitter.current()(text[start:stop]).sents)
        after = stop
        if stop < end and len(sents) > 1:  # the last one may go on behind the cut
            after = start + sents.pop().start_char
        for sentence in sents:
            for first in range(0, len(sentence), LONGEST):
                piece = sentence[first : first + LONGEST]
                own = text[start + piece.start_char : start + piece.end_char]
                if plain(own):
                    left = start + piece.start_char + len(own) - len(own.lstrip())
                    yield left, left + len(own.strip())
        start = after


def _load() -> Language:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.tokenizer = PieceTokenizer(nlp.tokenizer, nlp.vocab)
    return nlp


_splitter: Final = LanguageSource(_load)
