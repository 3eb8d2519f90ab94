"""Texts in CAPITALS or In Title Case as they would be written inside a book.

A tagger takes words with a capital for names, and finds no verb among names. Where the capitals of
a text say nothing, since all its words have them, only those stay that English has: at the
beginning of a sentence, and in words that are mostly written so (``weights/names.txt``). A text
keeps its length, so that offsets hold.

>>> recased("THE DOG BIT ANNA IN NEW YORK. I SAW IT ON TV.")
'The dog bit Anna in New York. I saw it on TV.'
>>> recased("Police Question the Mayor of London")
'Police question the mayor of London'

Other texts stay as they are, those with several names too, or with a word that is shouted:

>>> recased("Anna Brown met Paul Smith in New York."), recased("I do NOT know.")
('Anna Brown met Paul Smith in New York.', 'I do NOT know.')
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["inner_spelling", "recased"]

_WORD: Final = re.compile(r"[^\W\d_]+")
#: The end of a sentence, after which a word has a capital.
_END: Final = re.compile(r"[.!?][\"')\]]* [\"'(\[]*\Z")
#: What headlines write without a capital: articles, conjunctions, prepositions (closed
#: classes), and what follows an apostrophe.
_SMALL: Final = frozenset((
    "a", "an", "the", "and", "but", "or", "nor", "as", "at", "by", "for", "from", "in", "into",
    "of", "off", "on", "onto", "out", "over", "per", "than", "to", "up", "via", "vs", "with",
    "about", "after", "against", "among", "before", "between", "down", "during", "near", "through",
    "under", "upon", "without", "s", "t", "m", "d", "re", "ve", "ll",
))  # fmt: skip
#: The letters of which most text has most.
_FREQUENT: Final = "etao"
#: So many words that are no names must have a capital before a text counts as one In Title Case.
_EVIDENCE: Final = 2


def recased(text: str) -> str:
    """The text with its usual capitals where all words have one, else as it is."""
    if not (_shouted(text) or _titled(text)):
        return text
    words = list(_WORD.finditer(text))
    return _rewritten(text, words) if len(words) > 1 else text


def inner_spelling(word: str) -> str:
    """The first word of a sentence as it is written inside one.

    >>> inner_spelling("The"), inner_spelling("German"), inner_spelling("I"), inner_spelling("USA")
    ('the', 'German', 'I', 'USA')
    """
    if word == "I" or word[:1] != word[:1].upper() or any(map(str.isupper, word[1:])):
        return word
    return _spellings().get(word.lower()) or _lower(word)


def _shouted(text: str) -> bool:
    """Return whether a text is in capitals, words that are no names among them."""
    small = sum(map(text.count, _FREQUENT))
    if small * 11 > len(text):  # then there are too few others to be capitals
        return False
    if sum(map(str.islower, text)) * 10 > sum(map(str.isupper, text)):
        return False
    return any(len(word[0]) > 1 and _ordinary(word[0]) for word in _WORD.finditer(text))


def _titled(text: str) -> bool:
    """Return whether a text is in title case: capitals but in small words, not all words names."""
    evidence = 0
    for place, result in enumerate(_WORD.finditer(text)):
        word = result[0]
        if place and word.lower() in _SMALL:
            continue
        if not word[0].isupper():  # as of most texts the second or third
            return False
        evidence += place > 0 and _ordinary(word)
    return evidence >= _EVIDENCE


def _ordinary(word: str) -> bool:
    return word[0].isupper() and word.lower() not in _spellings()


def _rewritten(text: str, words: list[re.Match[str]]) -> str:
    spelled = _spellings()
    pieces: list[str] = []
    done = 0
    for place, word in enumerate(words):
        start, end = word.span()
        if start < done:  # the second of a pair
            continue
        new = spelled.get(word[0].lower()) or _lower(word[0])
        if place + 1 < len(words) and words[place + 1].start() == end + 1:
            pair = text[start : words[place + 1].end()]
            if (known := spelled.get(pair.lower())) is not None:
                new, end = known, words[place + 1].end()
        initial = end - start == 1 and text[end : end + 1] == "."
        if len(new) != end - start or initial:
            new = text[start:end]
        elif place == 0 or _END.search(text[max(0, start - 6) : start]):
            new = new[0].upper() + new[1:]
        pieces += text[done:start], new
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _lower(word: str) -> str:
    """The word in lower case, letter by letter where that keeps its length."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in word)


@cache
def _spellings() -> dict[str, str]:
    """Words and pairs that are written with a capital, by their lower case."""
    lines = (files("compsim.weights") / "names.txt").read_text(encoding="utf8").splitlines()
    return {line.lower(): line for line in lines}
