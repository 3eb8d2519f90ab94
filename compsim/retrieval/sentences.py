"""A document as sentences, which end with a mark that ends sentences.

>>> text = "Mr. Lee slept.\\n\\nA heading\\n\\nDid he dream? Yes."
>>> [text[start:end] for start, end in sentences(text)]
['Mr. Lee slept.', 'A heading', 'Did he dream?', 'Yes.']

What tokens are says the tokenizer of the parsing pipeline, so "Mr." ends no sentence. A blank line
ends one, since a heading has no full stop; so does the last of ``LONGEST``
tokens, since what has no full stop for long is a table or a list, and no method reads to its end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from compsim.parsers.pipeline.tokens import Token, Tokenizer
from compsim.plain_text import plain
from compsim.storage.places import weights_folder

__all__ = ["LONGEST", "sentences"]

#: Tokens of a sentence at most: transformers of sentences read 256 pieces of words.
LONGEST: Final = 160
#: Tokens that end a sentence: Latin, Arabic, Indic and East Asian stops.
_STOPS: Final = frozenset(
    ".!?\u203c\u203d\u2047\u2048\u2049\u061f\u06d4\u0964\u0965\u3002\uff01\uff0e\uff1f\uff61"
)
#: Characters that are split at a time; a paragraph that is longer is cut at the last end
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
        sents = _ended(list(_tokenizer().tokens(text[start:stop])))
        after = stop
        if stop < end and len(sents) > 1:  # the last one may go on behind the cut
            after = start + sents.pop()[0].start
        for sentence in sents:
            for first in range(0, len(sentence), LONGEST):
                piece = sentence[first : first + LONGEST]
                own = text[start + piece[0].start : start + piece[-1].end]
                if plain(own):
                    left = start + piece[0].start + len(own) - len(own.lstrip())
                    yield left, left + len(own.strip())
        start = after


def _ended(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """Tokens by sentence: one begins with the first word after a stop."""
    results = []
    start, stopped = 0, False
    for i, token in enumerate(tokens):
        if token.text in _STOPS:
            stopped = True
        elif stopped and not all(unicodedata.category(c).startswith("P") for c in token.text):
            results.append(tokens[start:i])
            start, stopped = i, False
    return [*results, tokens[start:]] if tokens else []


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    return Tokenizer.read(weights_folder() / "pipeline" / "tokens.json")
