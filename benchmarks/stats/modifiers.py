"""The three tests of adjectives with nouns, by distances of a method: ``tasks.vectors.modifiers``.

Hits and counts are kept for each adjective, or ordered pair of adjectives, so that classes can be
cut, drawn and exchanged.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.modifiers.phrases import Phrases
from compsim.embeddings.arithmetic import known_words
from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.vectors import WordVectors

__all__ = [
    "DISTANCES",
    "Distances",
    "Hits",
    "beside_a_mean",
    "intersective",
    "intersective_pairs",
    "nearer",
    "nearer_nouns",
    "noun_pairs",
    "parts",
]

#: What may stand for how far texts are apart.
DISTANCES: Final = ("cos", "l2", "dot")
#: Pairs that are scored at a time.
_CHUNK: Final = 16_384

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
#: The distances float64 of texts at places, int64 of shapes that broadcast.
Distance = Callable[[npt.ArrayLike, npt.ArrayLike], Array]


class Hits(NamedTuple):
    """Counts of successes and trials, for each adjective (a,) or pair (a, a)."""

    hits: Array
    counts: Array


@dataclass
class Distances:
    """Distances of encoded texts; NaN where a text has no vector or a score is NaN.

    ``kind``: "cos", 1 less the similarity; "l2", the Euclidean distance of the vectors; "dot",
    their negated product. ``batch`` holds the texts of ``phrases``. With ``drop`` a text with a
    word that the table of word vectors lacks, or with a vector of zeros, has no distance;
    ``unknown`` are such words. ``vectors`` (texts, dim) are those that are compared, None for a
    method without. Raises ``InputError`` for such a method and another kind than "cos".
    """

    method: Any
    batch: Any
    phrases: Phrases
    drop: bool = True
    kind: str = "cos"

    def __post_init__(self) -> None:
        if self.kind != "cos" and not isinstance(self.method, EmbeddingMethod):
            raise InputError(
                f"{self.method.info.name} has no vectors, which distance={self.kind} is of: use "
                "distance=cos, which is 1 less the score"
            )
        self._bad: npt.NDArray[np.bool_] = np.zeros(len(self.phrases.texts), dtype=bool)
        self.vectors: npt.NDArray[Any] | None = None
        if isinstance(self.method, EmbeddingMethod):
            vectors = np.asarray(self.batch.vector)
            self._bad[:] = ~np.isfinite(vectors).all(axis=1)
            if self._bad.any():
                # What is no number would stop all others.
                whole = np.where(self._bad[:, None], 0.0, vectors)
                self.batch = VectorBatch(whole, texts=self.batch.texts, space=self.batch.space)
        self.method = _fitted(self.method, self.batch)
        self.unknown = _unknown(self.method, self.phrases)
        if isinstance(self.method, EmbeddingMethod):
            own = np.asarray(self.batch.vector)
            none = np.asarray(~own.any(axis=1))
            if self.method.normalize != "none":
                own = self.method.normalizer(own)
            self.vectors = np.where(none[:, None], 0.0, own)
            self._bad |= none & self.drop
        if self.drop:
            lacking = set(self.unknown)
            self._bad |= [not lacking.isdisjoint(words) for words in self.phrases.words]

    def __call__(self, first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
        """The distances of texts at places."""
        x, y = np.broadcast_arrays(first, second)
        flat_x, flat_y = x.ravel(), y.ravel()
        values = np.empty(len(flat_x))
        for start in range(0, len(values), _CHUNK):
            own = slice(start, start + _CHUNK)
            values[own] = self._apart(flat_x[own], flat_y[own])
        values[self._bad[flat_x] | self._bad[flat_y]] = np.nan
        return values.reshape(x.shape)

    def _apart(self, first: Places, second: Places) -> Array:
        """The distances of some texts at places (n,)."""
        if self.kind == "cos" or self.vectors is None:
            sides = self.batch[first], self.batch[second]
            result: Array = 1 - self.method.similarity_pairwise(*sides)
            return result
        x, y = (self.vectors[places].astype(np.float64) for places in (first, second))
        apart: Array = np.linalg.norm(x - y, axis=1) if self.kind == "l2" else -(x * y).sum(axis=1)
        return apart


def parts(distance: Distance, phrases: Phrases) -> Array:
    """Return distances phrase-adjective, phrase-noun and adjective-noun (3, a, n)."""
    adjective, noun = phrases.adjective[:, None], phrases.noun[None, :]
    return np.array(
        [
            distance(phrases.single, adjective),
            distance(phrases.single, noun),
            distance(adjective, noun),
        ]
    )


def beside_a_mean(distances: Distances, measured: Array) -> Array:
    """Return by how much phrases are nearer to the adjective than the mean of both words (a, n).

    ``measured`` is what ``parts`` gives. A mean is nearer to the word with the longer vector: what
    is left tells of the model. NaN for a method without vectors, and for other distances.
    """
    phrases = distances.phrases
    if distances.vectors is None or distances.kind != "cos":
        return np.full(phrases.single.shape, np.nan)
    words = [
        distances.vectors[places].astype(np.float64) for places in (phrases.adjective, phrases.noun)
    ]
    a, n = (np.linalg.norm(of, axis=1) for of in words)
    product = words[0] @ words[1].T
    with np.errstate(invalid="ignore", divide="ignore"):
        length = np.sqrt(a[:, None] ** 2 + n[None, :] ** 2 + 2 * product)
        to_a = (a[:, None] ** 2 + product) / (a[:, None] * length)
        to_n = (n[None, :] ** 2 + product) / (n[None, :] * length)
        left: Array = measured[1] - measured[0] - (to_a - to_n)
    return left


def intersective(distance: Distance, phrases: Phrases) -> Hits:
    """Test 1 on one adjective and a noun: arrays (a,)."""
    adjective, noun = phrases.adjective[:, None], phrases.noun[None, :]
    apart = distance(adjective, noun)
    words = (distance(phrases.single, adjective), distance(phrases.single, noun))
    held = (words[0] <= apart) & (words[1] <= apart)
    missing = np.isnan(apart) | np.isnan(words[0]) | np.isnan(words[1])
    return Hits((held & ~missing).sum(axis=1) * 1.0, (~missing).sum(axis=1) * 1.0)


def intersective_pairs(distance: Distance, phrases: Phrases) -> Hits:
    """Test 1 on two adjectives and a noun: arrays (a, a), the first adjective in rows."""
    noun, first, second = phrases.triples.T
    texts = phrases.adjective[first], phrases.adjective[second], phrases.noun[noun]
    # The rest of the phrase without the first adjective, the second, the noun.
    rests = phrases.single[second, noun], phrases.single[first, noun], phrases.pair
    furthest = np.maximum.reduce([distance(phrases.double, text) for text in texts])
    nearest = np.minimum.reduce(
        [distance(text, rest) for text, rest in zip(texts, rests, strict=True)]
    )
    missing = np.isnan(furthest) | np.isnan(nearest)
    size = len(phrases.adjective)
    hits = Hits(np.zeros((size, size)), np.zeros((size, size)))
    np.add.at(hits.hits, (first, second), (furthest <= nearest) & ~missing)
    np.add.at(hits.counts, (first, second), ~missing)
    return hits


def noun_pairs(distance: Distance, phrases: Phrases) -> Array:
    """The distances of each adjective's phrases of two nouns (a, pairs), nouns in their order."""
    first, second = np.triu_indices(len(phrases.noun), 1)
    return distance(phrases.single[:, first], phrases.single[:, second])


def nearer_nouns(distances: Array, words: list[str], authors_mean: bool = False) -> Hits:
    """Test 2 of what ``noun_pairs`` gives: how often row i is below row j, arrays (a, a).

    Rows of the same word are not compared. All pairs of nouns weigh the same; with
    ``authors_mean`` all first nouns do, however many nouns come after them.
    """
    pairs = distances.shape[1]
    nouns = round((1 + (1 + 8 * pairs) ** 0.5) / 2)
    partners = np.arange(nouns - 1, 0, -1)
    weights = np.repeat(1 / partners, partners) if authors_mean else np.ones(pairs)
    there = (~np.isnan(distances)).astype(np.float64)
    counts = (there * weights) @ there.T
    hits = np.array([(row < distances) @ weights for row in distances])
    apart = np.array(words)[:, None] != np.array(words)[None, :]
    return Hits(np.where(apart, hits, 0.0), np.where(apart, counts, 0.0))


def nearer(distance: Distance, phrases: Phrases, adjective: Places) -> tuple[Hits, Array]:
    """Test 3: how often a phrase is nearer to its adjective than to its noun, arrays (a,).

    ``adjective`` (a,) are the adjectives' places, or others in their stead, -1 for none. Also the
    mean of how much nearer it is (a,).
    """
    there = (adjective >= 0)[:, None]
    to_noun = distance(phrases.single, phrases.noun[None, :])
    gain = to_noun - distance(phrases.single, np.maximum(adjective, 0)[:, None])
    gain = np.where(there, gain, np.nan)
    known = ~np.isnan(gain)
    counts = known.sum(axis=1)
    mean = np.where(known, gain, 0.0).sum(axis=1) / np.maximum(counts, 1)
    return Hits((gain > 0).sum(axis=1) * 1.0, counts * 1.0), np.where(counts > 0, mean, np.nan)


def _fitted(method: Any, batch: Any) -> Any:
    """The method, its normalisation fitted to all texts at once where it is not yet."""
    if not isinstance(method, EmbeddingMethod) or method.normalize == "none":
        return method
    try:
        method.normalizer  # noqa: B018  # raises where there is none
    except InputError:
        return copy.copy(method).fit(batch)
    return method


def _unknown(method: Any, phrases: Phrases) -> list[str]:
    """The words of the lists that have a part without a word vector."""
    vectors = getattr(method, "vectors", None)
    if not isinstance(method, EmbeddingMethod) or not isinstance(vectors, WordVectors):
        return []
    words = list(dict.fromkeys(word for of in phrases.words for word in of))
    parts = [(word, part) for word in words for part in word.split()]
    counts = known_words([part for _, part in parts], vectors).counts
    lacking = {word for (word, _), count in zip(parts, counts.tolist(), strict=True) if not count}
    return [word for word in words if word in lacking]
