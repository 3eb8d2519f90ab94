"""Sentence vectors from a static table of token vectors: fast, and without a network of any kind.

>>> from compsim import load
>>> method = load("static")
>>> same, other = method.similarity_pairwise(
...     ["A man is playing a guitar."] * 2, ["Someone plays an instrument.", "It rains in Oslo."]
... )
>>> bool(same > 0.5 > other)
True
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.embeddings.static.model2vec import open_model2vec
from compsim.embeddings.static.table import shipped
from compsim.errors import DataError
from compsim.method import MethodInfo

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer
    from compsim.embeddings.word_matrix import TokenSum
    from compsim.explanation import WordMatrix
    from compsim.plain_text import PlainText

__all__ = ["StaticMethod"]


class StaticMethod(EmbeddingMethod):
    """The cosine of two sentence vectors, each a weighted mean of token vectors.

    - ``model``: a folder that model2vec has saved, for which the package tokenizers is needed; by
      default the table that comes with compsim, distilled from all-MiniLM-L6-v2;
    - ``normalize``: see ``EmbeddingMethod``.

    The order of words does not count. An explanation has ``words``, what each pair of words adds.
    Raises ``DataError`` for a model that is missing or damaged.
    """

    info = MethodInfo("static", "cosine of static sentence vectors, distilled from a transformer")
    contextual = False

    def __init__(
        self, model: str | Path | None = None, normalize: str | Path | Normalizer = "none"
    ) -> None:
        super().__init__(normalize)
        if model is None:
            self._table = shipped()
        else:
            from compsim.transformers import hub

            source = hub.find(model)
            if source.folder is None:
                raise DataError(
                    f"the model {source.name} is not on this machine: on one with a network run "
                    f"`hf download {source.name} --local-dir FOLDER`, then give model=FOLDER"
                )
            self._table = open_model2vec(source.folder)

    @property
    def space(self) -> str:
        """The table."""
        return self._table.space

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim)."""
        return self._table.vectors(sentences)

    def _words(self, sentences: list[str]) -> tuple[WordMatrix | None, str]:
        """Return the contribution of each pair of words to the score."""
        from compsim.embeddings.word_matrix import explain_by_words

        return explain_by_words(sentences, self._token_sum, "", self._normalizer)

    def _token_sum(self, read: PlainText) -> TokenSum:
        from compsim.embeddings.word_matrix import TokenSum
        from compsim.transformers.token_places import TokenPlaces

        table = self._table
        places = table.tokenizer.places(read.text)
        names = [table.tokenizer.name(place.row) for place in places]
        spans = [place.span if place.span[1] > place.span[0] else None for place in places]
        tokens = TokenPlaces(names, [False] * len(places), spans, True, False)
        return TokenSum(table.parts(places), tokens, range(len(places)), read)
