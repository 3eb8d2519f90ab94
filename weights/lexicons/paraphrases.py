"""Pairs of lemmas that PPDB gives as paraphrases, and those that it gives as excluding each other.

PPDB lists forms: "exams examinations". A form counts for its lemma, and a pair for its best rank in
the two lists: PPDB has the likeliest paraphrases first.

>>> lemmas = {"exams": "exam", "examinations": "examination"}
>>> ranks([("exams", ["tests", "examinations"])], lemmas, {"exam", "examination"})
{('exam', 'examination'): 1}
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from compsim.vectors.relations import lexical_key

__all__ = ["EXCLUSIONS", "PARAPHRASES", "SURE", "pairs", "ranks", "rows"]

#: A word and its paraphrases on each line.
PARAPHRASES: Final = "ppdb-xl.txt.gz"
#: Pairs of words, one a line: those that PPDB holds to be equivalent, and exclusive.
SURE: Final = "cf_ppdb_synonyms.txt.gz"
EXCLUSIONS: Final = "cf_ppdb_antonyms.txt.gz"


def rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of :data:`PARAPHRASES`: a word and its paraphrases, the likeliest first."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *others = map(lexical_key, line.split())
            yield word, others


def ranks(
    listed: Iterable[tuple[str, Sequence[str]]],
    lemmas: Mapping[str, str],
    vocabulary: Collection[str],
) -> dict[tuple[str, str], int]:
    """Return the best rank, from 0, of each pair of words in ``vocabulary``, sorted in the pair.

    A word that is not in ``vocabulary`` counts for its lemma in ``lemmas``.
    """
    best: dict[tuple[str, str], int] = {}
    for word, others in listed:
        first = word if word in vocabulary else lemmas.get(word, "")
        for rank, other in enumerate(others):
            second = other if other in vocabulary else lemmas.get(other, "")
            if first and second and first != second:
                pair = (min(first, second), max(first, second))
                best[pair] = min(rank, best.get(pair, rank))
    return {pair: rank for pair, rank in best.items() if all(w in vocabulary for w in pair)}


def pairs(
    path: Path, lemmas: Mapping[str, str], vocabulary: Collection[str]
) -> set[tuple[str, str]]:
    """Return the pairs of a file with two words a line, as :func:`ranks` has them."""
    return set(ranks(rows(path), lemmas, vocabulary))
