"""Methods that read two sentences together: nothing is encoded, a batch is the sentences.

>>> SentenceBatch(["Cats sleep.", "It rained."])[1:].texts
['It rained.']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded, Index, items_at, parts_of
from compsim.explanation import Explanation, RoleRow
from compsim.method import Method
from compsim.sentences import check_sentences
from compsim.storage.batch_files import Stored

__all__ = ["PairMethod", "SentenceBatch"]

#: Pairs that are compared at a time where every sentence meets every other.
_PAIRS: Final = 4096


class SentenceBatch(Encoded):
    """Sentences as they are."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Index) -> Self:
        return type(self)(items_at(self.texts, self._places(index)))

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, in order."""
        return cls([text for part in parts_of(batches) for text in part.texts])

    def _to_stored(self) -> Stored:
        return Stored({}, {}, list(self.texts))

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        return cls(stored.records)


class PairMethod(Method[SentenceBatch]):
    """A method of which only ``_pairwise`` is to be written."""

    encoded = SentenceBatch

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, which has no parts."""
        sentences = check_sentences([s1, s2])
        score = float(self.similarity_pairwise(sentences[:1], sentences[1:])[0])
        rows = (RoleRow.whole(sentences, score),)
        explanation = Explanation(self.info.name, (sentences[0], sentences[1]), rows=rows)
        return explanation.with_score(score)

    def _encode(self, sentences: list[str]) -> SentenceBatch:
        return SentenceBatch(sentences)

    def _matrix(self, a: SentenceBatch, b: SentenceBatch) -> npt.NDArray[np.float32]:
        values = np.empty(len(a) * len(b), dtype=np.float32)
        for start in range(0, len(values), _PAIRS):
            place = np.arange(start, min(start + _PAIRS, len(values)))
            i, j = np.divmod(place, len(b))
            values[place] = self._pairwise(a[i], b[j])
        return values.reshape(len(a), len(b))
