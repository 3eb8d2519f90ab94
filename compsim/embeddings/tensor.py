"""Sentences as the outer product of their word vectors, which is compared but never built.

The cosine of two outer products is the product of the cosines of their factors, word by word in
order. Products of unlike numbers of words lie in spaces of their own, whose vectors are orthogonal,
so sentences of unlike length score 0 (Smolensky 1990; the STS3k paper, Table 2).

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["cats", "mice", "chase"], [[1, 0], [0.6, 0.8], [0, 1]])
>>> tensor = TensorMethod(vectors)
>>> scores = tensor.similarity(["cats chase mice"], ["mice chase cats", "cats chase", "cats"])
>>> scores.round(2)
array([[0.36, 0.  , 0.  ]], dtype=float32)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from compsim.embeddings.arithmetic import known_words
from compsim.embeddings.token_batch import TokenBatch
from compsim.explanation import Explanation, RoleRow
from compsim.kernels.cosine import same_text, unit_rows
from compsim.kernels.ragged import Ragged
from compsim.method import Method, MethodInfo
from compsim.sentences import check_sentences
from compsim.vectors import KeyedVectors, WordVectors

__all__ = ["TensorMethod"]


class TensorMethod(Method[TokenBatch]):
    """The cosine of the outer products of the word vectors, content words only.

    - ``vectors``: what ``WordVectors.open`` takes.

    A word without a vector is left out. Where neither sentence has a known word, equal texts that
    are not blank score 1, others 0.
    """

    info = MethodInfo("tensor-cn", "cosine of the outer products of word vectors, word by word")
    encoded = TokenBatch

    def __init__(self, vectors: str | Path | WordVectors | KeyedVectors | None = None) -> None:
        self.vectors = WordVectors.open(vectors)

    def _encode(self, sentences: list[str]) -> TokenBatch:
        words = known_words(sentences, self.vectors)
        distinct, place = np.unique(words.rows, return_inverse=True)
        tokens = Ragged(
            np.concatenate([[0], np.cumsum(words.counts)]),
            {
                "vector": unit_rows(self.vectors.take(distinct))[place],
                "weight": np.ones(len(words.rows)),
                "span": words.spans,
            },
        )
        return TokenBatch(tokens, texts=sentences, space=self.vectors.space)

    def _pairwise(self, a: TokenBatch, b: TokenBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        length = np.diff(a.indptr)
        scores = np.zeros(len(a))
        like = length == np.diff(b.indptr)
        for i in np.flatnonzero(like & (length == 0)).tolist():
            scores[i] = float(same_text(a.texts[i], b.texts[i]))
        for count in np.unique(length[like & (length > 0)]).tolist():
            rows = np.flatnonzero(like & (length == count))
            values = np.ones(len(rows))
            for place in range(count):
                x, y = (part.vector[part.indptr[rows] + place] for part in (a, b))
                values *= np.einsum("ij,ij->i", x, y, dtype=np.float64)
            scores[rows] = values
        return np.clip(scores, -1.0, 1.0)

    def _matrix(self, a: TokenBatch, b: TokenBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        lengths = np.diff(a.indptr), np.diff(b.indptr)
        scores = np.zeros((len(a), len(b)), dtype=np.float32)
        for i in np.flatnonzero(lengths[0] == 0).tolist():
            for j in np.flatnonzero(lengths[1] == 0).tolist():
                scores[i, j] = float(same_text(a.texts[i], b.texts[j]))
        for count in np.intersect1d(*lengths).tolist():
            if not count:
                continue
            rows, columns = (np.flatnonzero(length == count) for length in lengths)
            values = np.ones((len(rows), len(columns)), dtype=np.float32)
            for place in range(count):
                x = a.vector[a.indptr[rows] + place]
                values *= x @ b.vector[b.indptr[columns] + place].T
            scores[np.ix_(rows, columns)] = values
        return np.clip(scores, -1.0, 1.0)

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences; a product has no parts that add up, the note lists them."""
        batch = self._encode(check_sentences([s1, s2]))
        first, second = batch[:1], batch[1:]
        score = float(self._pairwise(first, second)[0])
        words = batch.words(0), batch.words(1)
        note = (
            f"The sentences have {len(words[0])} and {len(words[1])} known content words, and "
            "products of unlike numbers of words are orthogonal."
        )
        if len(words[0]) == len(words[1]):
            cosines = np.einsum("ij,ij->i", first.vector, second.vector)
            parts = (f"{x}~{y} {c:.4f}" for x, y, c in zip(*words, cosines, strict=True))
            note = f"The product of {', '.join(parts) or 'nothing'}."
        return Explanation(
            method=self.info.name,
            sentences=(batch.texts[0], batch.texts[1]),
            rows=(RoleRow.whole(batch.texts, score),),
            vectors=self.vectors.name,
            note=note,
        )
