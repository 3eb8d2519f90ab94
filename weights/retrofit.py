"""Retrofitting: word vectors drawn towards those of their synonyms.

Vectors of words by themselves confuse what is alike with what is merely related. Faruqui et al.
2015 ("Retrofitting word vectors to semantic lexicons") move each vector to the mean of its old
place and the mean of its synonyms' places, over and over; ConceptNet Numberbatch is made so. The
settings are those of that paper: old place and synonyms count alike, ten rounds, unit vectors to
begin with; lexicons PPDB-XL and WordNet's synonyms.

>>> import numpy as np
>>> retrofit(np.eye(2), np.array([[0, 1], [1, 0]]), rounds=1)
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

__all__ = ["LEXICONS", "retrofit", "synonyms"]

#: Files of synonyms: a word and its paraphrases on each line; word, relation, word.
LEXICONS = ("ppdb-xl.txt.gz", "oewn-relations.tsv.gz")


def synonyms(words: Sequence[str], folder: Path) -> npt.NDArray[np.int64]:
    """Pairs of row numbers (n, 2) of words that a lexicon gives as synonyms, in both directions."""
    row = {word: i for i, word in enumerate(words)}
    pairs = {(row[a], row[b]) for a, b in _listed(folder) if a != b and a in row and b in row}
    return np.array(sorted(pairs | {(b, a) for a, b in pairs}), dtype=np.int64).reshape(-1, 2)


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    ppdb, oewn = (folder / name for name in LEXICONS)
    with gzip.open(ppdb, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *others = line.split()
            yield from ((word, other) for other in others)
    with gzip.open(oewn, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, relation, other = line.rstrip("\n").split("\t")
            if relation == "synonym":
                yield word, other


def retrofit(
    vectors: npt.NDArray[np.floating[Any]], pairs: npt.NDArray[np.int64], rounds: int = 10
) -> npt.NDArray[np.floating[Any]]:
    """Vectors (n, d) drawn towards their neighbours; those without one stay as unit vectors.

    ``pairs`` (m, 2) are the row numbers of each word and a neighbour.
    """
    from scipy.sparse import csr_matrix

    old = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    count = np.bincount(pairs[:, 0], minlength=len(old))
    share = (1 / np.maximum(count, 1))[pairs[:, 0]].astype(old.dtype)
    mean = csr_matrix((share, (pairs[:, 0], pairs[:, 1])), shape=(len(old), len(old)))
    new = old
    for _ in range(rounds):
        new = np.where(count[:, None] > 0, (old + mean @ new) / 2, old)
    return np.asarray(new)
