"""Participants exchanged: the same words, and another did it.

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> she, dog = Phrase("she", "she", "PRP", "ARG0"), Phrase("the dogs", "dogs", "NNS", "ARG1")
>>> written(swapped(Clause(she, VerbGroup("see"), dog)))
'The dogs see her.'
"""

from __future__ import annotations

from dataclasses import replace

from compsim.benchmarks.rewriting.clause import Clause, Phrase
from compsim.benchmarks.rewriting.phrases import dangling, expression, movable, related
from compsim.benchmarks.rewriting.words import MEASURES, NO_EXCHANGE, SYMMETRIC

__all__ = ["swapped"]


def swapped(clause: Clause) -> Clause | None:
    """The clause with two participants in each other's place; None where none can be exchanged.

    Who gives and who gets; or else who acts and whom it is done to, in the active or in a passive
    that says who acts. Verbs that say the same either way are left alone.

    Args:
        clause: A clause.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog bit the man."])
        >>> written(swapped(clause))
        'The man bit the dog.'
    """
    if clause.focus or clause.group.lemma in SYMMETRIC:
        return None
    if any(map(dangling, (*clause.rest, *clause.front))):
        return None
    if clause.recipient is not None:
        if not _exchangeable(clause.subject, clause.recipient) or clause.group.passive:
            return None
        return replace(
            clause,
            subject=_with_label(clause.recipient, clause.subject),
            recipient=_with_label(clause.subject, clause.recipient),
        )
    if clause.group.lemma in NO_EXCHANGE or expression(clause):
        return None
    if clause.agent is not None:
        if not _exchangeable(clause.agent, clause.subject):
            return None
        return replace(
            clause,
            subject=_with_label(clause.agent, clause.subject),
            agent=_with_label(clause.subject, clause.agent),
        )
    if clause.object is None or not _exchangeable(clause.subject, clause.object):
        return None
    return replace(
        clause,
        subject=_with_label(clause.object, clause.subject),
        object=_with_label(clause.subject, clause.object),
    )


def _exchangeable(actor: Phrase, other: Phrase) -> bool:
    """Return whether each can stand where the other does."""
    if actor.label != "ARG0" or other.label[:4] not in ("ARG1", "ARG2", "ARGM-GOL"):
        return False
    if not movable(actor) or not movable(other) or related(actor, other):
        return False
    if actor.text.lower() == other.text.lower():
        return False
    return not {actor.head.lower(), other.head.lower()} & MEASURES


def _with_label(phrase: Phrase, place: Phrase) -> Phrase:
    """The phrase, with the role of the one in whose place it stands."""
    return replace(phrase, label=place.label)
