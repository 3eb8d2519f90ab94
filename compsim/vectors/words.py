"""From a phrase to the words that carry its content.

Words are lower-cased, the 179 stop words of the NLTK English list are dropped, punctuation inside
a token is stripped, and a possessive 's goes:

>>> from compsim.vectors.words import content_words, lemma_candidates
>>> content_words("The dog's T-shirt, under a chair")
['dog', 'tshirt', 'chair']
>>> lemma_candidates("stopping")
('stop', 'stoppe', 'stopp')

Nothing here knows which words exist: :func:`lemma_candidates` lists every base form that English
spelling allows, the likeliest first, and whoever holds a vocabulary takes the first one in it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from compsim.plain_text import INVISIBLE

__all__ = ["content_words", "lemma_candidates", "normalize", "spellings", "stop_words"]

_PUNCTUATION = re.compile(r"[\W_]+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_SEEN = str.maketrans("", "", INVISIBLE)
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc\uff07\u00b4`", "''''''")
_VOWEL_GROUPS = re.compile(r"[aeiouy]+")
_VOWELS = frozenset("aeiouy")


@cache
def stop_words() -> frozenset[str]:
    """Return the 179 English stop words of NLTK, read once from the weights folder."""
    return frozenset(
        (files("compsim.weights") / "stopwords.txt").read_text(encoding="utf-8").split()
    )


def content_words(text: str) -> list[str]:
    """Return the content words of ``text`` in order, each as a table of word vectors spells it."""
    return [word for token in text.split() if (word := normalize(token))]


@lru_cache(maxsize=1 << 16)
def normalize(token: str) -> str:
    """Return one raw token as a content word, or "" for a stop word or bare punctuation."""
    word = _EDGES.sub("", _lower(token))
    if word in stop_words():
        return ""
    if word.endswith("'s"):
        word = word[:-2]
        if word in stop_words():
            return ""
    return _PUNCTUATION.sub("", word)


def spellings(token: str) -> tuple[str, ...]:
    """Return the spellings under which a table may hold a raw token, the preferred one first.

    Stop words are not dropped here. A hyphen or underscore is first stripped, then read as the
    joint of a multi-word entry; an entry that is already joined comes first as it stands.

    >>> spellings("T-shirt"), spellings("take_off")
    (('tshirt', 't_shirt'), ('take_off', 'takeoff'))
    """
    word = _EDGES.sub("", _lower(token)).removesuffix("'s")
    stripped = _PUNCTUATION.sub("", word)
    forms: tuple[str, ...]
    if "_" in word:
        forms = (word, stripped)
    elif "-" in word:
        forms = (stripped, "_".join(_PUNCTUATION.sub("", part) for part in word.split("-")))
    else:
        forms = (stripped,)
    return tuple(form for form in forms if form)


def lemma_candidates(word: str) -> tuple[str, ...]:
    """Return the base forms that ``word`` may have: as a verb, then as a noun, then an adjective.

    Detachment rules in the manner of WordNet's morphology, ordered by how English spells: after a
    doubled consonant the single one comes first (stopping: stop), after a single consonant the form
    with -e (hoping: hope). The word itself is never among them.
    """
    result = dict.fromkeys((*_verb_bases(word), *_noun_bases(word), *_adjective_bases(word)))
    return tuple(base for base in result if len(base) > 1 and base != word)


def _lower(token: str) -> str:
    if token.isascii():
        return token.lower()
    return unicodedata.normalize("NFC", token.translate(_SEEN)).translate(_APOSTROPHES).lower()


def _verb_bases(word: str) -> list[str]:
    if word.endswith("ying") and not _has_vowel(word[:-4]):
        return [word[:-3], word[:-4] + "ie"]  # trying, tying
    if word.endswith("ing") and _has_vowel(word[:-3]):
        return _stem_bases(word[:-3])
    if word.endswith("ied") and len(word) > 4:
        return [word[:-3] + "y", word[:-1]]
    if word.endswith("ed") and _has_vowel(word[:-2]):
        return _stem_bases(word[:-2])
    return _without_s(word)


def _noun_bases(word: str) -> list[str]:
    if word.endswith("men") and len(word) > 3:
        return [word[:-2] + "an"]
    if word.endswith("ves") and len(word) > 4:
        return [word[:-3] + "f", word[:-3] + "fe"]
    if word.endswith("zzes"):
        return [word[:-3]]
    return _without_s(word)


def _adjective_bases(word: str) -> list[str]:
    for ending in ("er", "est"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            stem = word[: -len(ending)]
            return [stem[:-1] + "y", *_stem_bases(stem)] if stem[-1] == "i" else _stem_bases(stem)
    return []


def _without_s(word: str) -> list[str]:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")) or len(word) < 4:
        return []
    if word.endswith("ies") and len(word) > 4:
        return [word[:-3] + "y", word[:-1]]
    if word.endswith("es"):
        bare = word[:-2]
        # "watches" has the bare stem first, "makes" the stem with its e.
        sibilant = bare.endswith(("ss", "x", "zz", "ch", "sh", "o"))
        return [bare, word[:-1]] if sibilant else [word[:-1], bare]
    return [word[:-1]]


def _stem_bases(stem: str) -> list[str]:
    """Undo what a suffix with an initial vowel does to a stem: doubling, a lost e, or -ck."""
    bare, with_e = stem, stem + "e"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        # "fall", "miss", "buzz" end in two already; elsewhere, as in the British "travelled", two
        # come from one.
        single = stem[:-1]
        keeps = stem[-1] in "sfz" or (stem[-1] == "l" and _syllables(stem) == 1)
        return [bare, single, with_e] if keeps else [single, with_e, bare]
    if stem.endswith("ck"):
        return [bare, stem[:-1], with_e]
    if stem.endswith(("ing", "ong")) or not _loses_e(stem):
        return [bare, with_e]
    return [with_e, bare]


def _loses_e(stem: str) -> bool:
    """Tell whether ``stem`` more probably ended in a silent e ("hop", "danc", "judg")."""
    if stem[-1] in "cgsuvz":
        return True
    if stem.endswith(("el", "en", "er", "om", "on", "or")) and _syllables(stem) > 1:
        return False
    one_vowel = len(stem) > 1 and stem[-2] in _VOWELS and (len(stem) < 3 or stem[-3] not in _VOWELS)
    return stem[-1] not in _VOWELS and stem[-1] not in "wxy" and one_vowel


def _syllables(stem: str) -> int:
    return len(_VOWEL_GROUPS.findall(stem))


def _has_vowel(stem: str) -> bool:
    return any(letter in _VOWELS for letter in stem)
