"""Judgements of two readers on the paraphrases of Sentence Smith.

Sentence Smith takes its paraphrases from PAWS, and in many the facts of the sentence are exchanged:
two names, two dates, the halves of two places. Two readers, who saw neither foils nor scores, were
asked of each of the 436 pairs of sentence and paraphrase in the development part whether both state
the same facts. Of 186 both said so, of 227 neither (Cohen's kappa .94; the remaining 23 are
unclear). ``judgements.tsv`` holds a digest of each pair and the judgement, no text.

>>> judgement("A sentence that nobody judged .", "Another .") is None
True
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.tables import read_table

__all__ = ["judgement"]

_DIGITS: Final = 16


def judgement(text: str, paraphrase: str) -> str | None:
    """Return the judgement of a sentence and its paraphrase; None where the readers were not asked.

    It is "same" or "different" where both readers said so, else "unclear".
    """
    digest = hashlib.sha256(f"{text}\t{paraphrase}".encode()).hexdigest()
    return _judgements().get(digest[:_DIGITS])


@cache
def _judgements() -> dict[str, str]:
    """Return the judgements by the digest of a pair."""
    rows = read_table(Path(__file__).parents[1] / "judgements.tsv", "\t", quoted=False)
    return {digest: said for _, (digest, said) in rows[1:]}
