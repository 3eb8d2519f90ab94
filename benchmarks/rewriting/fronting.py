"""A circumstance moved to the front, or from there to the end.

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> dogs, cats = Phrase("dogs", "dogs", "NNS"), Phrase("cats", "cats", "NNS")
>>> here = Phrase("in the garden", "in", "IN", "ARGM-LOC")
>>> moved = fronted(Clause(dogs, VerbGroup("chase"), cats, rest=(here,)))
>>> written(moved), written(fronted(moved))
('In the garden, dogs chase cats.', 'Dogs chase cats in the garden.')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from compsim.benchmarks.rewriting.clause import Clause, Phrase
from compsim.benchmarks.rewriting.inflection import nominative
from compsim.benchmarks.rewriting.words import MEASURES, POLARITY, QUANTIFIERS

__all__ = ["fronted"]

_TIMES_AND_PLACES: Final = ("ARGM-TMP", "ARGM-LOC")
#: Conjunctions of clauses that may begin a sentence, and PropBank's labels of such clauses.
_MARKS: Final = frozenset(
    ("when", "while", "after", "before", "because", "since", "if", "although", "though", "unless",
     "once", "whenever")
)  # fmt: skip
_CLAUSES: Final = ("ARGM-TMP", "ARGM-CAU", "ARGM-ADV")
#: Single adverbs of time that stand in front as well as behind.
_ADVERBS: Final = frozenset(
    ("yesterday", "today", "tomorrow", "tonight", "recently", "now", "later", "sometimes",
     "eventually", "currently")
)  # fmt: skip
_VERBS: Final = frozenset(("acl", "relcl", "advcl", "ccomp", "xcomp", "pcomp"))
_LONGEST: Final = 12
#: Adverbs of time with more words before them.
_HEADS: Final = _ADVERBS | {"ago", "earlier", "before", "after"}
#: What belongs to the verb or to what was said before.
_BOUND: Final = frozenset(
    ("so", "as", "than", "like", "then", "there", "from", "to", "into", "onto", "of", "that")
)


def fronted(clause: Clause) -> Clause | None:
    """The clause with another place for a time, a place or a subordinate clause; None without one.

    What stands in front goes to the end; else the last of the circumstances that can goes in front.

    Args:
        clause: A clause.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman in the garden."])
        >>> written(fronted(clause))
        'In the garden, the dog bit the postman.'
    """
    if clause.focus or clause.group.negated:
        return None
    if clause.front:
        (phrase,) = clause.front[:1]
        if len(clause.front) > 1 or not _fits(clause, phrase) or _branching(clause):
            return None
        rest = (*clause.rest, replace(phrase, comma=False))
        return replace(clause, front=(), rest=rest)
    for place in reversed(range(len(clause.rest))):
        phrase = clause.rest[place]
        if _fits(clause, phrase) and _free(clause, place):
            rest = clause.rest[:place] + clause.rest[place + 1 :]
            before = clause.before_agent - (place < clause.before_agent)
            return replace(clause, front=(phrase,), rest=rest, before_agent=before)
    return None


def _fits(clause: Clause, phrase: Phrase) -> bool:
    """Return whether it can stand in front as well as at the end."""
    words = phrase.words
    if len(words) > _LONGEST or not POLARITY.isdisjoint(words) or "not" in words:
        return False
    if "never" in words or words[0] in _BOUND:
        return False
    if phrase.tag.startswith("VB"):
        return phrase.label in _CLAUSES and words[0] in _MARKS and not _resolved(clause, phrase)
    if len(words) == 1:
        return phrase.label == "ARGM-TMP" and words[0] in _ADVERBS
    if not QUANTIFIERS.isdisjoint(words):
        return False
    adverb = phrase.tag.startswith("RB") and phrase.head.lower() not in _HEADS
    if len(words) == 2 and words[1].rstrip("s") in MEASURES:
        return False  # "day after day" is one expression
    return phrase.label in _TIMES_AND_PLACES and not adverb and "relcl" not in phrase.inner


def _free(clause: Clause, place: int) -> bool:
    """Return whether the verb can do without the phrase: beside an object, a time or others."""
    phrase = clause.rest[place]
    if any(other.comma for other in clause.rest):
        return False
    if phrase.label == "ARGM-TMP" or phrase.tag.startswith("VB"):
        return True
    return clause.object is not None or clause.agent is not None


def _branching(clause: Clause) -> bool:
    """Return whether what is put at the end could belong to another verb there."""
    last = [*clause.phrases()[1:], *clause.rest]
    return any(
        phrase.tag.startswith("VB")
        or phrase.comma
        or "," in phrase.text
        or not phrase.inner.isdisjoint(_VERBS)
        for phrase in last
    )


def _resolved(clause: Clause, phrase: Phrase) -> bool:
    """Return whether a pronoun of the main clause could refer into the moved clause."""
    subject = nominative(clause.subject.text).lower()
    return subject in ("he", "she", "it", "they") and subject not in phrase.words
