"""Active to passive and back: whoever acts stays who acts.

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> dogs, cat = Phrase("dogs", "dogs", "NNS", "ARG0"), Phrase("a cat", "cat", "NN", "ARG1")
>>> rewriting = passive(Clause(dogs, VerbGroup("chase", modal="will", negated=True), cat))
>>> written(rewriting), written(active(rewriting))
('A cat will not be chased by dogs.', 'Dogs will not chase a cat.')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from compsim.benchmarks.rewriting.clause import Clause, Phrase
from compsim.benchmarks.rewriting.inflection import nominative
from compsim.benchmarks.rewriting.phrases import dangling, expression, movable, related
from compsim.benchmarks.rewriting.words import BOUND, NO_PASSIVE

__all__ = ["active", "passive"]

#: Pronouns that sound well behind "by".
_AGENTS: Final = frozenset(("he", "she", "we", "they"))
#: So many words of circumstances may stand between the verb and who does it.
_NEAR: Final = 4


def passive(clause: Clause) -> Clause | None:
    """The clause in the passive, with whoever acts behind "by"; None where there is no good one.

    Args:
        clause: A clause.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog bit the man."])
        >>> written(passive(clause))
        'The man was bitten by the dog.'
    """
    group, subject, thing = clause.group, clause.subject, clause.object
    if thing is None or group.passive or clause.focus or not _acts(clause, subject.label):
        return None
    other = group.with_voice(passive=True)
    if group.negated and clause.middle:
        return None  # "would still not" and "would not still" are two things
    if group.lemma in NO_PASSIVE or not other.speakable or expression(clause):
        return None
    if clause.recipient is not None and not clause.to:
        return None
    if not movable(subject) or not movable(thing, vague=True) or related(subject, thing):
        return None
    if subject.pronoun and nominative(subject.text).lower() not in _AGENTS:
        return None
    if any(phrase.words[0] == "by" for phrase in clause.rest):
        return None
    if not _circumstances_stay(clause) or not thing.label.startswith("ARG1"):
        return None
    near = _before_agent(clause)
    return replace(
        clause, subject=thing, group=other, object=None, agent=subject, before_agent=near
    )


def active(clause: Clause) -> Clause | None:
    """A passive clause that says who acts, in the active; None for any other.

    Args:
        clause: A clause.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The man was bitten by the dog."])
        >>> written(active(clause))
        'The dog bit the man.'
    """
    subject, agent = clause.subject, clause.agent
    if agent is None or clause.object is not None or clause.recipient is not None or clause.focus:
        return None
    if not _acts(clause, agent.label) or not movable(subject) or not movable(agent):
        return None
    if related(subject, agent) or not _circumstances_stay(clause):
        return None
    if clause.group.negated and clause.middle:
        return None
    group = clause.group.with_voice(passive=False)
    return replace(clause, subject=agent, group=group, object=subject, agent=None, before_agent=0)


def _before_agent(clause: Clause) -> int:
    """Return the number of adjuncts before the agent: a few words, or a time."""

    def light(phrase: Phrase) -> bool:
        words = phrase.words
        whole = not (phrase.comma or phrase.tag.startswith("VB"))
        return whole and len(words) <= _NEAR and BOUND.isdisjoint(words)

    rest = clause.rest
    if all(map(light, rest)) and sum(len(phrase.words) for phrase in rest) <= _NEAR:
        return len(rest)
    return int(light(rest[0]) and rest[0].label == "ARGM-TMP")


def _acts(clause: Clause, label: str) -> bool:
    return label == "ARG0"


def _circumstances_stay(clause: Clause) -> bool:
    """Return whether none of them is told of the subject only."""
    return not any(map(dangling, (*clause.rest, *clause.front))) and "only" not in clause.middle
