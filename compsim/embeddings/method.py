"""Base of methods that give each sentence one vector.

A subclass says how sentences become vectors; the cosines, and what normalisation does to the
vectors first, are here.
"""

from __future__ import annotations

import copy
import os
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, get_args

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.chunks import pairwise_in_chunks
from compsim.embeddings.postprocess import Kind, Normalizer
from compsim.errors import InputError
from compsim.explanation import Explanation, RoleRow, WordMatrix
from compsim.kernels.cosine import cosine_matrix, cosines, unit_rows
from compsim.method import Method
from compsim.plain_text import plain
from compsim.sentences import check_sentences
from compsim.storage.reading import shortened

if TYPE_CHECKING:
    from compsim.vectors import WordVectors

__all__ = ["EmbeddingMethod", "rows_of"]

Vectors = npt.NDArray[np.float32]

#: What the sum over words may differ from the score by: more is half precision, or a model's doing.
_ROUNDING: Final = 1e-4


class EmbeddingMethod(Method[VectorBatch]):
    """A method that compares sentence vectors by their cosine.

    - ``normalize``: what is done to the vectors first, ``"none"``, ``"zscore"``, ``"abtt"``,
      ``"pcr"``, ``"whitening"`` or ``"flow"`` (see ``compsim.embeddings.postprocess``), a
      ``Normalizer``, or the path of a saved one. One that has not been fitted, by :meth:`fit`, is
      fitted to what is scored: the distinct sentences of the call.

    Where neither sentence has a vector (all zeros), equal texts that are not blank score 1, others
    0.
    """

    encoded = VectorBatch
    normalizations = ("none", *get_args(Kind))
    changing = ("normalize", "_normalizer")
    #: The word vectors, None where the method has none.
    vectors: WordVectors | None = None
    #: Whether the vector of a word depends on its sentence.
    contextual = True

    def __init__(self, normalize: str | Path | Normalizer = "none") -> None:
        self._normalizer: Normalizer | None = None
        if isinstance(normalize, Normalizer):
            self._normalizer = normalize
        elif not isinstance(normalize, str | Path):
            raise InputError(
                f"normalize is a {type(normalize).__name__}: give a name, a path or a Normalizer"
            )
        elif str(normalize) not in self.normalizations:
            if not os.path.isfile(normalize):  # which takes a path of any length
                raise InputError(
                    f"normalize={shortened(str(normalize))!r} is not known: use one of "
                    f"{', '.join(self.normalizations)}, or the path of a fitted one"
                )
            self._normalizer = Normalizer.load(normalize)
        self.normalize = str(normalize) if self._normalizer is None else self._normalizer.kind

    @property
    def normalizer(self) -> Normalizer:
        """The fitted normalisation. Raises ``InputError`` where there is none."""
        if self._normalizer is None:
            raise InputError(
                f"normalize={self.normalize!r} is not fitted: load {self.info.name!r} with a "
                "normalisation, and call fit() with the sentences that are scored"
            )
        return self._normalizer

    @property
    @abstractmethod
    def space(self) -> str:
        """Identifier of the vectors: the model, its version, its options."""

    @abstractmethod
    def embed(self, sentences: list[str]) -> Vectors:
        """The vector of each sentence, float32 (n, dim)."""

    def fit(self, sentences: VectorBatch | Iterable[str]) -> Self:
        """Fit the normalisation to the distinct sentences, once for all that is scored later.

        ``method.normalizer.save(path)`` keeps it, and ``normalize=path`` opens it again. Raises
        ``InputError`` for a method that does not normalise.
        """
        if self.normalize == "none":
            raise InputError(f'there is nothing to fit: load {self.info.name!r} with normalize="…"')
        batch = self._batch(sentences)
        first = {text: i for i, text in reversed(list(enumerate(batch.texts)))}
        distinct = batch.vector[sorted(first.values())]
        self._normalizer = Normalizer.fit(self.normalize, distinct)  # type: ignore[arg-type]
        return self

    def similarity_pairwise(
        self, a: VectorBatch | Iterable[str], b: VectorBatch | Iterable[str]
    ) -> npt.NDArray[np.float64]:
        """Score each sentence of a against the one at the same place in b: float64 (n,).

        Lists are encoded and scored some thousand pairs at a time, so that the vectors of all of
        them are never held at once; but not where the normalisation has yet to be fitted to them.
        Raises ``InputError`` where a and b are not equally long.
        """
        if isinstance(a, Encoded) or isinstance(b, Encoded) or not self._is_fitted:
            return super().similarity_pairwise(a, b)
        return pairwise_in_chunks(self, a, b)

    def top_k(
        self,
        query: VectorBatch | Iterable[str],
        documents: VectorBatch | Iterable[str],
        k: int,
        score_cutoff: float | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The k documents most like each query, best first; see ``Method.top_k``."""
        queries, docs = self._batch(query), self._batch(documents)
        normalizer = self._fitted(queries, docs)._normalizer
        if normalizer is None:
            return super().top_k(queries, docs, k, score_cutoff)
        # Here and not block by block, since each block is scored against all documents.
        plain = copy.copy(self)
        plain.normalize, plain._normalizer = "none", None
        queries, docs = (
            VectorBatch(normalizer(batch.vector), texts=batch.texts, space=batch.space)
            for batch in (queries, docs)
        )
        return Method.top_k(plain, queries, docs, k, score_cutoff)

    def _encode(self, sentences: list[str]) -> VectorBatch:
        vectors = self.embed(list(map(plain, sentences)))
        return VectorBatch(vectors, texts=sentences, space=self.space)

    def _pairwise(self, a: VectorBatch, b: VectorBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        x, y = self._unit(a, b)
        return cosines(x, y, a.texts, b.texts)

    def _matrix(self, a: VectorBatch, b: VectorBatch) -> Vectors:
        a.check(b)
        x, y = self._unit(a, b)
        return cosine_matrix(x, y, a.texts, b.texts)

    @property
    def _is_fitted(self) -> bool:
        return self.normalize == "none" or self._normalizer is not None

    def _fitted(self, a: VectorBatch, b: VectorBatch) -> Self:
        """This method, its normalisation fitted to both batches where it is not yet."""
        if self._is_fitted:
            return self
        return copy.copy(self).fit(a if b is a else VectorBatch.concat([a, b]))

    def normalized(self, a: VectorBatch, b: VectorBatch) -> tuple[Vectors, Vectors]:
        """The vectors of both batches as they are compared, float32 (n, out), before any metric.

        A normalisation that is not fitted yet is fitted to both.
        """
        normalizer = self._fitted(a, b)._normalizer
        if normalizer is None:
            return a.vector, b.vector
        x = normalizer(a.vector)
        return x, x if b is a else normalizer(b.vector)

    def _unit(self, a: VectorBatch, b: VectorBatch) -> tuple[Vectors, Vectors]:
        """The normalised vectors of both at unit length or zero."""
        if self.normalize == "none":
            return a.unit, b.unit
        first, second = self.normalized(a, b)
        x = unit_rows(first)
        return x, x if b is a else unit_rows(second)

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, in parts where the method has any.

        Raises ``InputError`` where the normalisation is not fitted: two sentences are too few.
        """
        if not self._is_fitted:
            raise InputError(
                f"normalize={self.normalize!r} is not fitted, and two sentences say nothing of how "
                "vectors are spread: call fit() with the sentences that are scored"
            )
        sentences = check_sentences([s1, s2])
        score = float(self.similarity_pairwise(sentences[:1], sentences[1:])[0])
        rows, note = self._rows(sentences, score)
        words, result = self._words(sentences)
        if words is not None and abs(words.total - score) > _ROUNDING:
            words = None
            result = "The score cannot be told word by word: the model rounds too coarsely."
        return Explanation(
            method=self.info.name,
            sentences=(sentences[0], sentences[1]),
            rows=tuple(rows),
            vectors="" if self.vectors is None else self.vectors.name,
            note=" ".join(filter(None, (note, result))),
            words=words,
        ).with_score(score)

    def _words(self, sentences: list[str]) -> tuple[WordMatrix | None, str]:
        """Return the contribution of each pair of words and a note: neither, here."""
        return None, ""

    def _rows(self, sentences: list[str], score: float) -> tuple[list[RoleRow], str]:
        """The rows of an explanation of a score and a note: here one row, the whole."""
        return [RoleRow.whole(sentences, score)], ""


def rows_of(texts: Sequence[str], vectors: Mapping[str, Vectors], dim: int) -> Vectors:
    """The vector of each text, float32 (n, dim); zeros where it has none."""
    rows = np.zeros((len(texts), dim), dtype=np.float32)
    for place, text in enumerate(texts):
        if text in vectors:
            rows[place] = vectors[text]
    return rows
