"""Marked orders of English: the object in front, or the verb with all that follows it.

The SR paper (Zhang et al. 2023, section 2.2) calls them partially inverted and inverted sentences.
Few would say them, so they are made only where they are asked for.

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> team, title = Phrase("the team", "team", "NN"), Phrase("the title", "title", "NN")
>>> clause = Clause(team, VerbGroup("win", perfect=True), title)
>>> written(object_fronted(clause)), written(inverted(clause))
('The title, the team has won.', 'Won the title has the team.')
"""

from __future__ import annotations

from dataclasses import replace

from compsim.benchmarks.rewriting.clause import Clause
from compsim.benchmarks.rewriting.phrases import expression, movable

__all__ = ["inverted", "object_fronted"]


def object_fronted(clause: Clause) -> Clause | None:
    """Return the clause with its object in front; None where it has none that can stand there.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman."])
        >>> written(object_fronted(clause))
        'The postman, the dog bit.'
    """
    thing = clause.object
    if not _plain(clause) or thing is None or not movable(thing) or expression(clause):
        return None
    if thing.pronoun or (clause.recipient is not None and not clause.to):
        return None
    return replace(clause, order="object")


def inverted(clause: Clause) -> Clause | None:
    """Return the clause with its verb and what follows in front, auxiliaries and subject behind.

    None for a clause without an auxiliary, which English would have to add.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog has bitten the postman."])
        >>> written(inverted(clause))
        'Bitten the postman has the dog.'
    """
    words = clause.group.words(clause.subject.plural, clause.subject.first)
    if not _plain(clause) or clause.middle or len(words) < 2 or clause.subject.pronoun:
        return None
    return replace(clause, order="verb")


def _plain(clause: Clause) -> bool:
    """Return whether nothing else of the clause stands in front, and nothing is denied."""
    commas = any(phrase.comma for phrase in clause.rest)
    return not (clause.order or clause.focus or clause.front or clause.group.negated or commas)
