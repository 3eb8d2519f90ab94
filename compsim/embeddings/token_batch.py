"""Sentences as the vectors of their tokens, a stretch of rows for each sentence.

>>> import numpy as np
>>> tokens = Ragged(np.array([0, 1, 3]), {"vector": np.eye(3, dtype=np.float32),
...     "weight": np.ones(3), "span": np.array([[0, 4], [0, 4], [5, 9]])})
>>> batch = TokenBatch(tokens, texts=["cats", "dogs bark"])
>>> batch[1].words(0)
['dogs', 'bark']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from compsim.embeddings.batch import TextBatch
from compsim.errors import InputError
from compsim.kernels.layout import Field, check
from compsim.kernels.ragged import Ragged
from compsim.storage.batch_files import Stored

__all__ = ["TokenBatch"]

_COLUMNS = ("vector", "weight", "span")
_LAYOUT = {
    "token.vector": Field("float32", dimensions=2),
    "token.weight": Field("float64", 0),
    "token.span": Field("int64", 0, dimensions=2),
}


class TokenBatch(TextBatch):
    """Encoded sentences: the tokens of each, and the texts.

    ``tokens`` holds ``vector`` float32 (tokens, dim), of unit length or zero; ``weight`` float64
    (tokens,), how much a token counts; ``span`` int64 (tokens, 2), its characters in the text.
    ``space`` says which model made them: batches of different spaces are not compared.
    """

    def __init__(self, tokens: Ragged, *, texts: Sequence[str], space: str = "") -> None:
        if set(tokens.columns) != set(_COLUMNS) or len(tokens) != len(texts):
            raise InputError(
                "a batch of tokens has a vector, a weight and a span for each token, and a text "
                "for each sentence"
            )
        super().__init__(tokens, texts=texts, space=space)
        self.tokens = tokens
        self.vector: npt.NDArray[np.float32] = tokens.columns["vector"]
        self.weight: npt.NDArray[np.float64] = tokens.columns["weight"]

    def __repr__(self) -> str:
        return f"TokenBatch({len(self)} sentences, {self.tokens.indptr[-1]} tokens)"

    @property
    def indptr(self) -> npt.NDArray[np.int64]:
        """Sentence i has the tokens ``indptr[i]:indptr[i + 1]``; int64 (n + 1,)."""
        return self.tokens.indptr

    def words(self, i: int) -> list[str]:
        """The tokens of sentence i as they stand in its text."""
        text = self.texts[i]
        spans = self.tokens.columns["span"][self.indptr[i] : self.indptr[i + 1]]
        return [text[start:stop] for start, stop in spans.tolist()]

    def _joined(self, others: list[Self]) -> Ragged:
        return self.tokens.joined(other.tokens for other in others)

    def _to_stored(self) -> Stored:
        arrays = {"indptr": self.indptr, **self.tokens.columns}
        return Stored(arrays, {"space": self.space}, self.texts)

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        columns = {name: stored.arrays[name] for name in _COLUMNS}
        tokens = Ragged(stored.arrays["indptr"], columns)
        check({"token": tokens}, _LAYOUT, {}, finite=stored.verified)
        return cls(tokens, texts=stored.records, space=stored.details["space"])
