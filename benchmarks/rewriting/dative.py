"""The dative alternation: "gave Mary a book" and "gave a book to Mary".

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> he, her = Phrase("he", "he", "PRP", "ARG0"), Phrase("her", "her", "PRP", "ARG2")
>>> book = Phrase("a book", "book", "NN", "ARG1")
>>> rewriting = dative(Clause(he, VerbGroup("give", past=True), book, her))
>>> written(rewriting), written(dative(rewriting))
('He gave a book to her.', 'He gave her a book.')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from compsim.benchmarks.rewriting.clause import Clause
from compsim.benchmarks.rewriting.inflection import nominative
from compsim.benchmarks.rewriting.words import DATIVE_FOR, DATIVE_TO

__all__ = ["dative"]

#: Things that are given in one way only: "gave him a call".
_FIXED: Final = frozenset(
    ("call", "try", "look", "hug", "kiss", "ring", "hand", "break", "ride", "lift", "headache",
     "kick", "push", "shot", "go", "smile", "glance", "time", "way", "lesson", "attention", "wave",
     "bath", "squeeze", "pat", "nod", "wink", "slap", "punch", "tap", "shake", "hint", "chance",
     "rest", "start", "visit", "truth", "lot")
)  # fmt: skip
#: Verbs whose "to" can be a mere place; only persons come before the thing then.
_SENT: Final = frozenset(
    ("send", "throw", "pass", "bring", "mail", "email", "ship", "toss", "take")
)
_PERSONS: Final = frozenset(("i", "you", "he", "she", "we", "they"))
_LONGEST: Final = 4


def dative(clause: Clause) -> Clause | None:
    """The other order of who gets something and what; None where there is no such order.

    Args:
        clause: A clause.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["Mary gave the boy a book."])
        >>> written(dative(clause))
        'Mary gave a book to the boy.'
    """
    thing, person, lemma = clause.object, clause.recipient, clause.group.lemma
    if thing is None or person is None or clause.group.passive or clause.focus:
        return None
    if clause.particle or thing.head.lower() in _FIXED or thing.head.lower().rstrip("s") in _FIXED:
        return None
    if not clause.to:
        # A clause about the thing would be torn from it.
        if not thing.inner.isdisjoint(("relcl", "acl", "prep")) or len(person.words) > 2 * _LONGEST:
            return None
        if clause.rest and clause.rest[0].words[0] in ("of", "for"):
            return None  # it may belong to the thing
        to = "to" if lemma in DATIVE_TO else "for" if lemma in DATIVE_FOR else ""
        return replace(clause, to=to) if to else None
    pronoun = nominative(person.text).lower() in _PERSONS
    if thing.pronoun or len(person.words) > _LONGEST or (lemma in _SENT and not pronoun):
        return None
    known = DATIVE_TO if clause.to == "to" else DATIVE_FOR
    return replace(clause, to="") if lemma in known else None
