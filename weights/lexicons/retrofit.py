"""Retrofitting: word vectors drawn towards those of their synonyms, and away from antonyms.

Vectors of words by themselves confuse what is alike with what is merely related. Faruqui et al.
2015 ("Retrofitting word vectors to semantic lexicons") move each vector to the mean of its old
place and the mean of its neighbours' places, over and over; ConceptNet Numberbatch is made so. The
neighbours here are the synonyms of PPDB-XL and WordNet, and the forms of a word. After each round
antonyms are pushed apart (:mod:`.antonyms`), so that in the next their synonyms follow them: what
is like "hot" moves away from "cold" too.

>>> import numpy as np
>>> retrofit(np.eye(2), np.array([[0, 1], [1, 0]]), share=0.5, rounds=1)
array([[0.5, 0.5],
       [0.5, 0.5]])
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.weights.lexicons.antonyms import push_apart
from compsim.weights.lexicons.wordnet import RELATIONS, relations

__all__ = ["LEXICONS", "neighbours", "retrofit", "synonyms"]

#: Files of synonyms: a word and its paraphrases on each line; word, relation, word.
LEXICONS = ("ppdb-xl.txt.gz", RELATIONS)

# The pushes between two rounds: just enough to turn the synonyms' direction.
_PUSHES = 2


def synonyms(words: Sequence[str], folder: Path) -> npt.NDArray[np.int64]:
    """Pairs of row numbers (n, 2) of words that a lexicon gives as synonyms, in both directions."""
    row = {word: i for i, word in enumerate(words)}
    pairs = [(row[a], row[b]) for a, b in _listed(folder) if a != b and a in row and b in row]
    both = _both_ways(np.array(pairs, dtype=np.int64).reshape(-1, 2))
    return np.array(both, dtype=np.int64).reshape(-1, 2)


def neighbours(
    synonyms: npt.NDArray[np.int64],
    forms: npt.NDArray[np.int64],
    antonyms: npt.NDArray[np.int64],
    weight: float,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Pairs (n, 2) of each word and a neighbour, in both directions, and how much each counts.

    A synonym counts 1 and a form of the same word ``weight``. A lexicon of paraphrases has
    antonyms among them (able, unable): those are left out.
    """
    apart = set(_both_ways(antonyms))
    near = [(a, b) for a, b in synonyms.tolist() if (a, b) not in apart]
    same = _both_ways(forms)
    weights = np.repeat(np.array([1, weight], dtype=np.float32), [len(near), len(same)])
    return np.array(near + same, dtype=np.int64).reshape(-1, 2), weights


def _both_ways(pairs: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    return sorted({pair for a, b in pairs.tolist() for pair in ((a, b), (b, a))})


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    ppdb, wordnet = (folder / name for name in LEXICONS)
    with gzip.open(ppdb, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *others = line.split()
            yield from ((word, other) for other in others)
    for word, relation, other in relations(wordnet):
        if relation == "synonym":
            yield word, other


def retrofit(
    vectors: npt.NDArray[np.floating[Any]],
    pairs: npt.NDArray[np.int64],
    weights: npt.NDArray[np.floating[Any]] | None = None,
    antonyms: npt.NDArray[np.int64] | None = None,
    *,
    share: float,
    rounds: int = 10,
) -> npt.NDArray[np.floating[Any]]:
    """Vectors (n, d) drawn towards their neighbours; those without one stay as unit vectors.

    ``pairs`` (m, 2) are the row numbers of each word and a neighbour, ``weights`` (m,) how much
    each neighbour counts (all alike if None); together they count ``share``, the word's old place
    the rest. ``antonyms`` (k, 2) are pushed apart after each round.
    """
    from scipy.sparse import csr_matrix

    old = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    counted = np.ones(len(pairs)) if weights is None else weights
    total = np.bincount(pairs[:, 0], counted, minlength=len(old))
    part = (counted / total[pairs[:, 0]]).astype(old.dtype)
    mean = csr_matrix((part, (pairs[:, 0], pairs[:, 1])), shape=(len(old), len(old)))
    new = old
    for _ in range(rounds):
        new = np.where(total[:, None] > 0, (1 - share) * old + share * (mean @ new), old)
        if antonyms is not None and len(antonyms):
            new = push_apart(new, antonyms, rounds=_PUSHES, pull=0)
    return np.asarray(new)
