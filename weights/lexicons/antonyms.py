"""Antonyms, and word vectors pushed apart where their words are antonyms.

"Hot" and "cold" stand in the same sentences, so their vectors are alike. Counter-fitting (Mrkšić et
al. 2016, "Counter-fitting word vectors to linguistic constraints") pushes the pairs of a list of
antonyms apart until they are, and holds every vector near its old place. There a pair counts as
apart when its cosine is 0, and an antonym is as far off as a word that has nothing to do with it.
Here it goes on to -0.3, so that opposites can be told from strangers.

>>> import numpy as np
>>> pushed = push_apart(np.array([[1.0, 0.2], [1.0, -0.2], [3.0, 0.0]]), np.array([[0, 1]]))
>>> bool(pushed[0] @ pushed[1] < 0), pushed[2].tolist()
(True, [3.0, 0.0])
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.weights.lexicons.wordnet import RELATIONS, relations

__all__ = ["ANTONYMS", "OPPOSITE_PARTICLES", "antonyms", "push_apart"]

#: Files of antonyms: two words on each line; word, relation, word.
ANTONYMS: Final = ("cf_wordnet_antonyms.txt.gz", RELATIONS)

#: Particles that turn a verb round. WordNet has the first two as antonyms, and no entry "in, not
#: out"; the others of its pairs (above, below; inside, outside) form no verbs.
OPPOSITE_PARTICLES: Final = (("on", "off"), ("up", "down"), ("in", "out"))

# Among 0 (-0.02), -0.3 and -0.5 the first lets the vectors say most of relatedness (MEN .774, .759,
# .744), and the sentences of SICK and STSb train are scored equally well with all three.
_TARGET = -0.3

Floats = npt.NDArray[np.floating[Any]]


def antonyms(
    words: Sequence[str],
    folder: Path,
    forms: Iterable[tuple[str, str]],
    synonyms: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Pairs of row numbers (n, 2), the lower one first, of words that are antonyms.

    A pair of the lexicons in ``folder`` holds for all ``forms`` (form, lemma) of its words: won and
    loses, as win and lose. A verb with opposite particles is a pair (turn_on, turn_off) unless the
    two are synonyms or share one (slow_up, slow_down), by the row numbers in ``synonyms`` (m, 2).
    """
    row = {word: i for i, word in enumerate(words)}
    near: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in synonyms.tolist():
        near[words[a]].add(words[b])
    of: defaultdict[str, list[str]] = defaultdict(list)
    for form, lemma in forms:
        of[lemma].append(form)
    listed = {pair for pair in _listed(folder) if pair[0] in row and pair[1] in row}
    result = {(x, y) for a, b in listed for x in (a, *of[a]) for y in (b, *of[b])}
    for verb, particle in (word.split("_") for word in words if word.count("_") == 1):
        for a, b in ((f"{verb}_{on}", f"{verb}_{off}") for on, off in OPPOSITE_PARTICLES):
            if a.endswith(particle) and b in row and not (near[a] | {a}) & (near[b] | {b}):
                result.add((a, b))
    rows = {(min(row[a], row[b]), max(row[a], row[b])) for a, b in result if a != b}
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    pairs, wordnet = (folder / name for name in ANTONYMS)
    with gzip.open(pairs, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, other = line.split()
            yield word, other
    for word, relation, other in relations(wordnet):
        if relation == "antonym":
            yield word, other


def push_apart(
    vectors: Floats,
    pairs: npt.NDArray[np.int64],
    *,
    rounds: int = 50,
    step: float = 0.5,
    pull: float = 0.02,
) -> Floats:
    """Vectors (n, d) turned until each of ``pairs`` (m, 2) has a cosine of at most -0.3, or nearly.

    In each round a vector moves away from the antonyms that it is too close to, by ``step`` times
    the mean excess of their cosines, and back by ``pull`` of the way to where it was; ``pull``
    fades, so that the last rounds only push. Lengths stay as they are, and so do words without an
    antonym.
    """
    from scipy.sparse import csr_matrix

    touched, local = np.unique(pairs, return_inverse=True)
    first, second = local.reshape(-1, 2).T
    length = np.linalg.norm(vectors[touched], axis=1, keepdims=True)
    old = vectors[touched] / length
    new = old
    for done in range(rounds):
        excess = (new[first] * new[second]).sum(axis=1) - _TARGET
        close = np.flatnonzero(excess > 0)
        a, b = first[close], second[close]
        rows, columns = np.append(a, b), np.append(b, a)
        share = np.tile(excess[close], 2) / np.bincount(rows, minlength=len(old))[rows]
        push = csr_matrix((share, (rows, columns)), shape=(len(old), len(old)))
        fading = pull * (1 - (done + 1) / rounds)
        new = new - step * (push @ new) + fading * (old - new)
        new /= np.linalg.norm(new, axis=1, keepdims=True)
    pushed = np.array(vectors)
    pushed[touched] = new * length
    return pushed
