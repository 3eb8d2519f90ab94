"""Normal form of a text: without white space, case, final stop, contractions, national spelling.

Two texts with a normal form in common say the same, whatever a method makes of them. A contraction
that may stand for several words gives several forms.

>>> same_wording("I'd like  a colour TV.", "I would like a color tv")
True
>>> same_wording("He'd cut it.", "He had cut it."), same_wording("He would cut it", "He had cut it")
(True, False)
>>> same_wording("Isn't it open?", "Is it not open?"), same_wording("It is open.", "Is it open?")
(True, False)
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product
from typing import Final

from compsim.plain_text import PlainText
from compsim.storage.places import weights_folder
from compsim.storage.reading import read_text

__all__ = ["american", "normal_forms", "reading", "same_wording"]

_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)+(?!\w)|[^\W_]+(?:'[^\W_]+)*'?|\S")
_NUMBER: Final = re.compile(r"\d")
#: Contractions with one reading.
_WHOLE: Final = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not",
    "ain't": "is not", "let's": "let us", "y'all": "you all", "'tis": "it is", "'twas": "it was",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "gimme": "give me",
    "lemme": "let me", "dunno": "do not know", "'em": "them", "ma'am": "madam",
    **{f"{verb}nt": f"{verb} not" for verb in (
        "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "would",
        "should", "must", "need",
    )},
}  # fmt: skip
#: What an ending may stand for; the ending itself is a possessive.
_ENDINGS: Final = {
    "n't": (" not",), "'re": (" are",), "'ll": (" will",), "'ve": (" have",), "'m": (" am",),
    "'d": (" would", " had", " did"), "'s": (" is", " has", " does", "'s"),
}  # fmt: skip
_PRONOUNS: Final = "i|you|he|she|it|we|they"
#: "Is not it" and "is it not" are one question, however it was written.
_MOVED: Final = re.compile(rf"\b(\w+) not ({_PRONOUNS})\b")
#: A text with more ambiguous contractions is read with each of them in its first sense.
_MOST: Final = 4
#: Verbs in -ll- whose last syllable is not stressed keep one l in American spelling.
_DOUBLED: Final = re.compile(r"^(.*[aeiouy].*[^aeiouy](?:el|al))l(ed|ing|ings|er|ers|or|ors)$")
#: Endings of words whose stem is in the table of spellings.
_SUFFIXES: Final = (
    "s", "es", "d", "ed", "ing", "ings", "er", "ers", "r", "rs", "ful", "less", "able", "ation",
    "ations", "ly", "ment", "ments",
)  # fmt: skip


def same_wording(first: str, second: str) -> bool:
    """Return whether two texts differ in nothing that changes what they say."""
    return bool(normal_forms(first) & normal_forms(second))


@lru_cache(maxsize=1 << 14)
def normal_forms(text: str) -> frozenset[str]:
    """Return the normal forms of a text, none for one without a word."""
    words = _WORD.findall(PlainText.typed(text).text.lower())
    while words and words[-1] == ".":
        words.pop()
    if not any(map(str.isalnum, "".join(words))):
        return frozenset()
    readings = [_readings(word) for word in words]
    if sum(len(each) > 1 for each in readings) > _MOST:
        readings = [each[:1] for each in readings]
    return frozenset(_MOVED.sub(r"\1 \2 not", " ".join(each)) for each in product(*readings))


def reading(word: str) -> str:
    """Return a word in lower case in American spelling, a contraction in its first sense.

    >>> reading("can't"), reading("she'd"), reading("colour")
    ('can not', 'she would', 'color')
    """
    return _readings(word)[0]


@lru_cache(maxsize=1 << 14)
def _readings(word: str) -> tuple[str, ...]:
    if word in _WHOLE:
        return (_WHOLE[word],)
    for ending, senses in _ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem and stem != word:
            return tuple(american(stem) + sense for sense in senses)
    if _NUMBER.match(word):
        return (word.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+", word) else word,)
    return (american(word),)


def american(word: str) -> str:
    """Return the American spelling of a word in lower case.

    >>> american("colours"), american("travelled"), american("organising"), american("called")
    ('colors', 'traveled', 'organizing', 'called')
    """
    table = _spellings()
    if word in table:
        return table[word]
    for suffix in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem == word:
            continue
        if stem in table:
            return table[stem] + suffix
        if suffix[0] in "aei" and f"{stem}e" in table:
            changed = table[f"{stem}e"]
            # "Organise" loses its e, "centre" has lost it: "centred" is "centered".
            return changed.removesuffix("e") + suffix
    double = _DOUBLED.match(word)
    return double[1] + double[2] if double else word


@cache
def _spellings() -> dict[str, str]:
    """American spellings by British ones."""
    lines = read_text(weights_folder() / "spellings.txt").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))
