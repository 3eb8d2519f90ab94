"""Sentences rewritten by rule: the same event told otherwise, or its participants exchanged.

A sentence of one plain clause is read into a ``Clause`` (who, the verb, whom, the circumstances);
voice, fronting, dative, cleft and swap are functions from a clause to another one, or to None where
English has no clean way to say it; ``written`` makes a sentence of a clause. They refuse more than
they must: what they do write should be what a speaker could have written.

>>> from compsim.benchmarks.rewriting import Rewriter, passive, swapped, written
>>> clause, = Rewriter().clauses(["The dog has bitten two men."])  # doctest: +SKIP
>>> written(passive(clause)), written(swapped(clause))  # doctest: +SKIP
('Two men have been bitten by the dog.', 'Two men have bitten the dog.')
"""

from __future__ import annotations

from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
from compsim.benchmarks.rewriting.cleft import cleft
from compsim.benchmarks.rewriting.dative import dative
from compsim.benchmarks.rewriting.fronting import fronted
from compsim.benchmarks.rewriting.generator import Rewriter, Rewriting, exchanges, retellings
from compsim.benchmarks.rewriting.swap import swapped
from compsim.benchmarks.rewriting.voice import active, passive

__all__ = [
    "Clause",
    "Phrase",
    "Rewriter",
    "Rewriting",
    "active",
    "cleft",
    "dative",
    "exchanges",
    "fronted",
    "passive",
    "retellings",
    "swapped",
    "written",
]
