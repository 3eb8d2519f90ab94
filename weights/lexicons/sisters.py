"""Sisters: different members of one class, such as dog and cat.

Two words share a class as much as both belong to it, each step up leaving less, and as it is
specific: most nouns are things. That alone pairs words that have nothing to do with each other,
since each has rare senses; and near vectors alone do not tell sisters from synonyms. The product of
both is what counts.

>>> import numpy as np
>>> classes = {"dog": {("pet",): 1.0}, "cat": {("pet",): 1.0}, "sit": {("act",): 1.0}}
>>> vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8]])
>>> [(pair, round(both.strength, 2)) for pair, both in sisters(classes, {}, vectors).items()]
[(('cat', 'dog'), 1.0)]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled
from compsim.weights.lexicons.taxonomy import Ancestor, Class

__all__ = ["Shares", "Sisterhood", "class_shares", "inherit", "sisters", "specificity"]

Shares: TypeAlias = Mapping[str, Mapping[Class, float]]

#: Steps up to a common class, and what each after the first leaves of a share.
_STEPS: Final = 4
_STEP: Final = 0.85
#: Pairs further apart than this cosine are no sisters, whatever class they share.
_NEAR: Final = 0.2
#: The least product of class and cosine. Of 45 pairs of frequent words each, about half are sisters
#: between .06 and .08, three in four above.
_PRODUCT: Final = 0.06
#: What an adjective has of the classes of the noun that it derives from, and what marks them.
_INHERITED: Final = 0.8
_QUALITY: Final = "~"
_BLOCK: Final = 1000


class Sisterhood(NamedTuple):
    """Shared class of two words: its share from 0 to 1, and the certainty that they are two."""

    shared: float
    strength: float


def specificity(ancestors: Mapping[str, Mapping[Class, Ancestor]]) -> dict[Class, float]:
    """Return how much it means to be in each class: 1 - log(1 + n) / log(1 + N).

    n of all N words are below the class (Seco et al. 2004, "An intrinsic information content metric
    for semantic similarity in WordNet"), each as much as it belongs there.
    """
    below: Counter[Class] = Counter()
    for classes in ancestors.values():
        below.update({names: ancestor.share for names, ancestor in classes.items()})
    whole = math.log1p(len(ancestors))
    return {names: 1 - math.log1p(count) / whole for names, count in below.items()}


def class_shares(
    ancestors: Mapping[str, Mapping[Class, Ancestor]], specific: Mapping[Class, float]
) -> dict[str, dict[Class, float]]:
    """Return how much of each word counts for each of its classes when it meets another."""
    return {
        word: {
            names: share * _STEP ** (depth - 1) * math.sqrt(specific[names])
            for names, (share, depth) in classes.items()
            if depth <= _STEPS
        }
        for word, classes in ancestors.items()
    }


def inherit(
    shares: Shares, derived: Mapping[tuple[str, str], float]
) -> dict[str, dict[Class, float]]:
    """Give words without a class those of the words that they derive from: happy, happiness.

    Such classes are apart from those of nouns, so that happy and sad are sisters, happy and love
    are not.
    """
    inherited = {word: dict(classes) for word, classes in shares.items()}
    for (a, b), strength in sorted(derived.items()):
        for word, base in ((a, b), (b, a)):
            if word in shares and not shares[word]:
                for names, share in shares.get(base, {}).items():
                    quality = (_QUALITY, *names)
                    part = share * _INHERITED * strength
                    inherited[word][quality] = max(part, inherited[word].get(quality, 0.0))
    return inherited


def sisters(
    shares: Shares,
    ancestors: Mapping[str, Mapping[Class, Ancestor]],
    vectors: npt.NDArray[np.floating[Any]],
) -> dict[tuple[str, str], Sisterhood]:
    """Return the sisters among the words of ``shares``, of which ``vectors`` are the unit vectors.

    No word is the sister of one that names a class above it, by ``ancestors``.
    """
    words = sorted(shares)
    row = {word: i for i, word in enumerate(shares)}
    matrix = np.ascontiguousarray(vectors[[row[word] for word in words]], dtype=np.float32)
    starts, classes, parts = _lists(words, shares)
    above = {word: {name for names in ancestors.get(word, ()) for name in names} for word in words}
    pairs: dict[tuple[str, str], Sisterhood] = {}
    for base in range(0, len(words), _BLOCK):
        cosines = matrix[base : base + _BLOCK] @ matrix.T
        first, second, shared = _scan(base, cosines, starts, classes, parts)
        for i, j, share in zip(first.tolist(), second.tolist(), shared.tolist(), strict=True):
            a, b = words[i], words[j]
            if b not in above[a] and a not in above[b]:
                product = share * float(cosines[i - base, j])
                pairs[a, b] = Sisterhood(share, min(1.0, 1.8 * math.sqrt(product)))
    return pairs


def _lists(
    words: list[str], shares: Shares
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    number = {c: i for i, c in enumerate(sorted({c for each in shares.values() for c in each}))}
    rows = [sorted((number[names], part) for names, part in shares[word].items()) for word in words]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    classes = np.array([names for row in rows for names, _ in row], dtype=np.int64)
    return starts, classes, np.array([part for row in rows for _, part in row], dtype=np.float64)


@compiled()
def _scan(
    base: int,
    cosines: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    classes: npt.NDArray[np.int64],
    parts: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the pairs of a row from ``base`` on and a later one, and what they share."""
    first, second, shared = [0], [0], [0.0]
    for row in range(cosines.shape[0]):
        a = base + row
        for b in range(a + 1, cosines.shape[1]):
            cosine = cosines[row, b]
            if cosine < _NEAR:
                continue
            best = 0.0
            i, j = starts[a], starts[b]
            while i < starts[a + 1] and j < starts[b + 1]:
                if classes[i] < classes[j]:
                    i += 1
                elif classes[i] > classes[j]:
                    j += 1
                else:
                    best = max(best, parts[i] * parts[j])
                    i += 1
                    j += 1
            if best * cosine >= _PRODUCT:
                first.append(a)
                second.append(b)
                shared.append(best)
    return np.array(first[1:]), np.array(second[1:]), np.array(shared[1:])
