"""It-clefts: "It was the dog that chased the cat."

>>> from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
>>> from compsim.benchmarks.rewriting.verb_group import VerbGroup
>>> dog, cat = Phrase("the dog", "dog", "NN", "ARG0"), Phrase("the cat", "cat", "NN", "ARG1")
>>> clause = Clause(dog, VerbGroup("chase", past=True), cat)
>>> written(cleft(clause, "subject")), written(cleft(clause, "object"))
('It was the dog that chased the cat.', 'It was the cat that the dog chased.')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from compsim.benchmarks.rewriting.clause import Clause, Phrase
from compsim.benchmarks.rewriting.inflection import PRONOUNS
from compsim.benchmarks.rewriting.phrases import movable
from compsim.benchmarks.rewriting.words import BOUND, QUANTIFIERS

__all__ = ["cleft"]

_LONGEST: Final = 7
_STATES: Final = frozenset(("be", "have", "do", "become", "remain"))
#: What begins a phrase that one can point at.
_DEFINITE: Final = frozenset(
    ("the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its", "their")
)
#: What would be torn from its noun, or make two "that" of one.
_CLAUSES: Final = frozenset(("relcl", "acl", "ccomp", "advcl", "appos", "pcomp"))
#: Prepositions of a time or place that can be pointed at.
_PLACED: Final = frozenset(
    ("in", "on", "at", "during", "after", "before", "near", "inside", "outside", "under", "behind")
)


def cleft(
    clause: Clause, focus: Literal["subject", "object", "circumstance"] = "subject"
) -> Clause | None:
    """The clause with one part set in front; None where that part is missing or cannot be.

    Args:
        clause: A clause.
        focus: The part.

    Returns:
        Another clause, or None.

    Examples:
        >>> from compsim.benchmarks.rewriting import Rewriter, written
        >>> (clause,) = Rewriter().clauses(["The dog bit the man."])
        >>> written(cleft(clause, "object"))
        'It was the man that the dog bit.'
    """
    if clause.focus or clause.group.negated or clause.front or clause.agent is not None:
        return None
    # "It was a storm that came" tells less of who did what than of what there was.
    if clause.object is None or clause.group.passive or clause.group.lemma in _STATES:
        return None
    if clause.group.modal or any(word in QUANTIFIERS for word in clause.middle):
        return None
    if focus == "circumstance":
        for phrase in reversed(clause.rest):
            words = phrase.words
            fits = phrase.label in ("ARGM-TMP", "ARGM-LOC") and not phrase.comma
            fits &= phrase.tag != "IN" or words[0] in _PLACED
            if fits and 1 < len(words) <= _LONGEST and phrase.tag in ("IN", "NN", "NNP"):
                plain = (BOUND | QUANTIFIERS | PRONOUNS).isdisjoint(words)
                if plain and _CLAUSES.isdisjoint(phrase.inner):
                    return replace(clause, focus=phrase)
        return None
    phrase_or_none = clause.subject if focus == "subject" else clause.object
    if phrase_or_none is None or phrase_or_none.pronoun or not movable(phrase_or_none):
        return None
    if len(phrase_or_none.words) > _LONGEST or not _CLAUSES.isdisjoint(phrase_or_none.inner):
        return None
    if not _definite(phrase_or_none):
        return None
    if focus == "object" and (clause.recipient is not None and not clause.to):
        return None
    return replace(clause, focus=focus)


def _definite(phrase: Phrase) -> bool:
    """Return whether a phrase names somebody or something that is known."""
    named = phrase.tag in ("NNP", "NNPS") and "det" not in phrase.inner
    return named or "poss" in phrase.inner or phrase.words[0] in _DEFINITE
