"""Sentence vectors by word arithmetic: mean, weighted mean, product and circular convolution.

Mitchell and Lapata 2010; the STS3k paper, Table 2. Content words only; a word without a vector is
left out, and a sentence without a word that has one is the zero vector.

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["cats", "mice", "chase"], [[1, 0], [0, 1], [1, 1]])
>>> mean = MeanMethod(vectors)
>>> mean.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."]).round(6).tolist()
[1.0]
>>> [(row.first.label, round(row.contribution, 2)) for row in mean.explain("cats", "cats chase")]
[('cats', 0.89)]
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import MissingExtraError
from compsim.explanation import RoleRow
from compsim.graph import Node
from compsim.kernels.cosine import unit_rows
from compsim.method import MethodInfo
from compsim.missing import install_command
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = [
    "ConvMethod",
    "KnownWords",
    "MeanMethod",
    "MultMethod",
    "WeightedMeanMethod",
    "WordVectorMethod",
    "known_words",
]

_TOKEN: Final = re.compile(r"\S+")
#: Sentences that are composed at a time.
_BLOCK: Final = 8192

Floats = npt.NDArray[np.float64]


class KnownWords(NamedTuple):
    """The content words of some texts that have a vector, one text behind another.

    ``rows`` int64 (words,) in the table, ``spans`` int64 (words, 2) in the texts, and ``counts``
    int64 (n,), how many of them each text has.
    """

    rows: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


def known_words(texts: Sequence[str], vectors: WordVectors) -> KnownWords:
    """Find the known content words of texts and where they stand."""
    tokens = [list(_TOKEN.finditer(text)) for text in texts]
    flat = [token for of_text in tokens for token in of_text]
    rows, ends = vectors.content_rows([token[0] for token in flat])
    indices = np.flatnonzero(np.diff(ends))
    spans = [flat[i].span() for i in indices.tolist()]
    bounds = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    counts = np.diff(np.searchsorted(indices, bounds))
    return KnownWords(rows, np.array(spans, dtype=np.int64).reshape(-1, 2), counts)


class WordVectorMethod(EmbeddingMethod):
    """A composition of the word vectors of a sentence."""

    vectors: WordVectors
    contextual = False

    def __init__(
        self,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        self.vectors = WordVectors.open(vectors)

    @property
    def space(self) -> str:
        """The method and the word vectors."""
        return f"{self.info.name} {self.vectors.space}"


class MeanMethod(WordVectorMethod):
    """The cosine of the mean word vectors.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``normalize``: see ``EmbeddingMethod``.

    An explanation has a row for each known word of the first sentence: its cosine with the mean of
    the second, and what it adds to the score.
    """

    info = MethodInfo("mean-cn", "cosine of the mean word vectors of two sentences")

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The mean word vector of each sentence, float32 (n, dim)."""
        return self.vectors.texts(sentences)

    def _rows(self, sentences: list[str], score: float) -> tuple[list[RoleRow], str]:
        words = known_words(sentences[:1], self.vectors)
        mean = self.embed(sentences).astype(np.float64)
        lengths = np.linalg.norm(mean, axis=1)
        if self._normalizer is not None or not lengths.all():
            return super()._rows(sentences, score)
        weights = self._weights(words.rows)
        parts = self.vectors.take(words.rows).astype(np.float64)
        to = unit_rows(mean[1:].astype(np.float32))[0].astype(np.float64)
        second = Node(sentences[1], (0, len(sentences[1])))
        results = []
        shares = weights / weights.sum()
        for (start, end), weight, part in zip(words.spans.tolist(), shares, parts, strict=True):
            length = float(np.linalg.norm(part)) or 1.0
            cosine = float(np.clip(part @ to / length, -1.0, 1.0))
            share = float(weight) * length / float(lengths[0])
            first = Node(sentences[0][start:end], (start, end))
            results.append(RoleRow("word", first, second, cosine, share, share * cosine))
        return results, "A row's weight is the length of its word's part in the mean of the first."

    def _weights(self, rows: npt.NDArray[np.int64]) -> Floats:
        """Return the weight of each word of the table, float64 (n,)."""
        return np.ones(len(rows))


class WeightedMeanMethod(MeanMethod):
    """The cosine of the means of word vectors weighted by rarity: a / (a + p) of each word.

    p is the frequency of a word in English (wordfreq), a is 0.001: the smooth inverse frequency of
    Arora, Liang and Ma 2017. The common direction that they remove too is ``normalize="abtt"``.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``normalize``: see ``EmbeddingMethod``.
    """

    info = MethodInfo(
        "weighted-mean-cn",
        "cosine of the mean word vectors, rare words counting more",
        needs=("bench",),
    )

    #: A word of this frequency counts half.
    smoothing: Final = 1e-3

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The weighted mean word vector of each sentence, float32 (n, dim)."""
        rows, ends = self.vectors.content_rows(sentences)
        return self.vectors.means(rows, ends, self._weights(rows).astype(np.float32))

    def _weights(self, rows: npt.NDArray[np.int64]) -> Floats:
        # Once for each word of the table, since wordfreq reads every word as a text.
        known = self._known_weights
        for row in np.unique(rows[np.isnan(known[rows])]).tolist():
            word = self.vectors.words[row].replace("_", " ")
            known[row] = self.smoothing / (self.smoothing + self._frequency(word, "en"))
        weights: Floats = known[rows]
        return weights

    @cached_property
    def _known_weights(self) -> Floats:
        """The weight of each row of the table, NaN until it is asked for."""
        return np.full(len(self.vectors), np.nan)

    @cached_property
    def _frequency(self):  # type: ignore[no-untyped-def]  # a function of an untyped package
        try:
            from wordfreq import word_frequency
        except ImportError as error:
            raise MissingExtraError(
                "the weights of words need wordfreq, which is not installed: run "
                f"{install_command('bench')}",
                name="wordfreq",
            ) from error
        return word_frequency


class _Product(WordVectorMethod):
    """One operation after another over the words of a sentence, from left to right.

    Only the direction of a result matters to a cosine, so each step is brought back to unit length:
    products of many words neither vanish nor overflow.
    """

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The product of the word vectors of each sentence, float32 (n, dim)."""
        rows, ends = self.vectors.content_rows(sentences)
        out = np.zeros((len(sentences), self.vectors.dim), dtype=np.float32)
        for start in range(0, len(sentences), _BLOCK):
            stop = min(start + _BLOCK, len(sentences))
            out[start:stop] = self._products(rows, ends[start : stop + 1])
        return out

    def _products(
        self, rows: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        length = np.diff(ends)
        # The longest first: those that have a word in place p are then the first ones.
        order = np.argsort(-length, kind="stable")
        starts, length = ends[:-1][order], length[order]
        done = self._forth(np.zeros((len(order), self.vectors.dim)))
        for place in range(int(length[0]) if len(length) else 0):
            active = int(np.searchsorted(-length, -place))
            words = self._forth(self.vectors.take(rows[starts[:active] + place]).astype(np.float64))
            product = words if place == 0 else done[:active] * words
            size = np.linalg.norm(product, axis=1, keepdims=True)
            done[:active] = product / np.where(size > 0, size, 1.0)
        out = np.empty((len(order), self.vectors.dim), dtype=np.float32)
        out[order] = self._back(done)
        return out

    @abstractmethod
    def _forth(self, vectors: Floats) -> npt.NDArray[Any]:
        """Vectors (n, dim) as what is multiplied."""

    @abstractmethod
    def _back(self, product: npt.NDArray[Any]) -> Floats:
        """A product as vectors (n, dim)."""


class MultMethod(_Product):
    """The cosine of the elementwise products of the word vectors.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``normalize``: see ``EmbeddingMethod``.
    """

    info = MethodInfo("mult-cn", "cosine of the elementwise products of word vectors")

    def _forth(self, vectors: Floats) -> Floats:
        return vectors

    def _back(self, product: npt.NDArray[Any]) -> Floats:
        result: Floats = product
        return result


class ConvMethod(_Product):
    """The cosine of the circular convolutions of the word vectors.

    A convolution is a product of Fourier transforms (Plate 1995). The values that the authors of
    the STS3k paper publish go with this where both sentences have as many words; each of their
    convolutions seems also to have moved the result on by dim / 2 + 1 places, as
    ``scipy.signal.convolve2d(mode="same", boundary="wrap")`` does, so that sentences of unlike
    length are compared out of step.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``normalize``: see ``EmbeddingMethod``.
    """

    info = MethodInfo("conv-cn", "cosine of the circular convolutions of word vectors")

    def _forth(self, vectors: Floats) -> npt.NDArray[np.complex128]:
        return np.fft.rfft(vectors, axis=1)

    def _back(self, product: npt.NDArray[Any]) -> Floats:
        result: Floats = np.fft.irfft(product, self.vectors.dim, axis=1)
        return result
