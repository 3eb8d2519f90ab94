"""What a concept is to the comparison: its kind, how much it says, and when two are the same.

>>> KINDS[kind_of("dog", "NOUN")], KINDS[kind_of("two", "NUM")], KINDS[kind_of("bite", "VERB")]
('entity', 'quantity', 'event')
>>> key_of("two") == key_of("2"), key_of("dog") == key_of("dogs")
(True, False)
>>> concept_weight("thing", "NOUN") < concept_weight("giraffe", "NOUN")
True
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import Final

from compsim.parsers.grammar.lexicon import Lexicon
from compsim.vectors.numbers import number
from compsim.vectors.rarity import rarity
from compsim.vectors.spelling import right_word

__all__ = [
    "BARE",
    "CONFLICTS",
    "KINDS",
    "NUMBERS",
    "PARTICLES",
    "SOUNDS",
    "TERMS",
    "UNKNOWN",
    "concept_weight",
    "key_of",
    "kind_of",
    "spelled_out",
    "spelt_right",
]

#: Kinds of concepts, by their number.
KINDS: Final = ("event", "attribute", "entity", "quantity", "name", "pronoun", "question")
#: The types of conflicts.
CONFLICTS: Final = (
    "roles", "binding", "direction", "attribute", "participant", "quantity", "name", "polarity",
    "modality", "time", "limit",
)  # fmt: skip
#: The terms of a pair of sentences, by their place in a row.
TERMS: Final = (
    "agreement", "gap", *CONFLICTS, "fillers", "coverage", "addition", "wording", "nearness",
    "rest",
)  # fmt: skip
#: Of classes of words that exclude each other, that of numbers, where those of names that sound
#: alike begin, and where those of a verb with its particles do, of which there are as many.
NUMBERS: Final = 1 << 29
SOUNDS: Final = NUMBERS + 1
PARTICLES: Final = 1 << 30
#: The member of a name that no list of words has, in the class of those that sound alike.
UNKNOWN: Final = 1
#: The member of a verb by itself in the class of that verb with its particles.
BARE: Final = 1 << 20
_OF_POS: Final = {
    "VERB": "event", "AUX": "event", "ADJ": "attribute", "ADV": "attribute", "NUM": "quantity",
    "PROPN": "name", "PRON": "pronoun",
}  # fmt: skip
#: What is left of the weight of a pronoun, of a verb or a measure that says little.
_PRONOUN: Final = 0.2
_LIGHT: Final = 0.35
#: What is left of the weight of a verb whose relation is told by an edge.
_CARRIER: Final = 0.5
#: What a word weighs at least.
_LEAST: Final = 0.02
#: Parts of speech of words that are put right, and of how many letters.
_SPELT: Final = ("NOUN", "PROPN", "VERB", "ADJ", "ADV")
_SHORTEST: Final = 4
#: Possessive pronouns that stand alone, and the determiner of the same person.
_POSSESSIVES: Final = {
    "mine": "my",
    "yours": "your",
    "hers": "her",
    "ours": "our",
    "theirs": "their",
}
#: Classes of the lexicon whose verbs and nouns say little.
_LIGHT_VERBS: Final = ("posture", "placement", "possession", "wearing", "existence")
_MEASURES: Final = "partitive"


def kind_of(lemma: str, pos: str, is_open: bool = False) -> int:
    """Return the number of a concept's kind; ``is_open``: it is asked for."""
    if is_open:
        return KINDS.index("question")
    if number(lemma) is not None:
        return KINDS.index("quantity")
    return KINDS.index("pronoun" if _is_pronoun(lemma, pos) else _OF_POS.get(pos, "entity"))


@lru_cache(maxsize=1 << 16)
def key_of(lemma: str) -> int:
    """Return a number of 63 bits that is the same for the same lemma, or the same value."""
    value = number(lemma)
    name = lemma if value is None else f"{value:.12g}"
    digest = hashlib.blake2b(name.encode("utf8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


@lru_cache(maxsize=1 << 16)
def concept_weight(lemma: str, pos: str, carrier: bool = False) -> float:
    """Return how much a concept counts, above 0 and up to 1: rare words much, pronouns little."""
    weight = max(_LEAST, max(map(rarity, spelled_out(lemma).split()), default=0.0))
    if _is_pronoun(lemma, pos):
        weight *= _PRONOUN
    elif (pos == "VERB" and lemma in _light_verbs()) or (pos != "VERB" and lemma in _measures()):
        weight *= _LIGHT
    return weight * _CARRIER if carrier else weight


def spelt_right(lemma: str, pos: str) -> str:
    """Return a lemma, what was meant by a misspelt one, or "my" for "mine".

    >>> spelt_right("kangroo", "NOUN"), spelt_right("hisn", "PRON"), spelt_right("ours", "PRON")
    ('kangaroo', 'hisn', 'our')
    """
    if pos == "PRON":
        return _POSSESSIVES.get(lemma, lemma)
    plain = pos in _SPELT and len(lemma) >= _SHORTEST and lemma.isalpha()
    return right_word(lemma) if plain else lemma


def spelled_out(lemma: str) -> str:
    """Return the words of a lemma: ``give_up`` is "give up"."""
    return lemma.replace("_", " ")


def _is_pronoun(lemma: str, pos: str) -> bool:
    """Return whether a lemma is a pronoun: "something" is one too, which taggers call a noun."""
    return pos == "PRON" or (pos == "NOUN" and lemma in _indefinite())


@cache
def _indefinite() -> frozenset[str]:
    """The pronouns that are a determiner and a noun in one word."""
    pronouns = Lexicon.open().members("pronoun")
    return frozenset(word for word in pronouns if word.startswith(("some", "any", "every")))


@cache
def _light_verbs() -> frozenset[str]:
    return frozenset().union(*(Lexicon.open().members(kind) for kind in _LIGHT_VERBS))


@cache
def _measures() -> frozenset[str]:
    return Lexicon.open().members(_MEASURES)
