"""Positions in which a phrase of a clause can stand.

>>> from compsim.benchmarks.rewriting.clause import Phrase
>>> movable(Phrase("the old dog", "dog", "NN")), movable(Phrase("nobody", "nobody", "NN"))
(True, False)
"""

from __future__ import annotations

from typing import Final

from compsim.benchmarks.rewriting.clause import Clause, Phrase
from compsim.benchmarks.rewriting.inflection import PRONOUNS, nominative
from compsim.benchmarks.rewriting.words import BOUND, LIGHT, MEASURES, QUANTIFIERS, VAGUE

__all__ = ["dangling", "expression", "movable"]

#: Words of a phrase that is not too heavy for another place.
_LONGEST: Final = 10
_POSSESSORS: Final = {"my": "i", "our": "we", "your": "you"}


def movable(phrase: Phrase | None, vague: bool = False) -> bool:
    """Return whether a noun phrase may change its place; with ``vague`` also "it"."""
    if phrase is None:
        return False
    if phrase.pronoun:
        return vague or phrase.head.lower() not in VAGUE
    words = phrase.words
    return not (
        len(words) > _LONGEST
        or not BOUND.isdisjoint(words)
        or not QUANTIFIERS.isdisjoint(words)
        or phrase.head.lower() in VAGUE
        or phrase.head.lower().rstrip("s") in MEASURES
        or phrase.tag == "PRP"
        or ("conj" in phrase.inner and not PRONOUNS.isdisjoint(words))
        or not phrase.head.replace("-", "").replace(".", "").isalpha()
        or "or" in phrase.inner
        or (phrase.head.endswith("ing") and phrase.inner.isdisjoint(("det", "poss", "amod")))
        or ("conj" in phrase.inner and not phrase.coordinated)
    )


def expression(clause: Clause) -> bool:
    """Return whether verb and object are one expression ("take place", "pay attention")."""
    thing = clause.object
    if thing is None or clause.group.lemma not in LIGHT or thing.pronoun:
        return False
    return thing.tag == "NN" and thing.inner.isdisjoint(("det", "poss", "nummod"))


def dangling(phrase: Phrase) -> bool:
    """Return whether it tells of the subject of the main clause ("using a knife", "as a child")."""
    if phrase.words[0] == "as" and not phrase.tag.startswith("VB"):
        return True
    return phrase.tag in ("VBG", "VBN") and phrase.inner.isdisjoint(("nsubj", "nsubjpass"))


def related(first: Phrase, second: Phrase) -> bool:
    """Return whether one phrase is about the person of the other: "I" and "my car"."""
    return any(
        one.pronoun and nominative(one.text).lower() == _POSSESSORS.get(word)
        for one, other in ((first, second), (second, first))
        for word in other.words
    )
