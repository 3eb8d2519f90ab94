"""compsim in LangChain: a cross-encoder, and a compressor of retrieved documents.

>>> compressor = CompsimCompressor(top_n=3)  # doctest: +SKIP
>>> ContextualCompressionRetriever(  # doctest: +SKIP
...     base_compressor=compressor, base_retriever=retriever
... )
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compsim.missing import missing
from compsim.retrieval import Reranker

try:
    from langchain_core.cross_encoders import BaseCrossEncoder
    from langchain_core.documents import BaseDocumentCompressor, Document
except ImportError as error:
    raise missing("langchain-core", "langchain", error) from error

__all__ = ["CompsimCompressor", "CompsimCrossEncoder"]


class CompsimCrossEncoder(BaseCrossEncoder):  # type: ignore[misc]  # of no known type without it
    """A cross-encoder that scores by a reranker, by default ``Reranker()``."""

    def __init__(self, reranker: Reranker | None = None) -> None:
        self.reranker = reranker or Reranker()

    def score(self, text_pairs: list[tuple[str, str]]) -> list[float]:
        """The score of each pair of a query and a text."""
        scores = self.reranker.predict([(query, text) for query, text in text_pairs])
        return list(map(float, np.atleast_1d(scores)))


class CompsimCompressor(BaseDocumentCompressor):  # type: ignore[misc]  # as above
    """Keeps the ``top_n`` best documents, all with None, best first.

    Each is a copy with its score as ``metadata["relevance_score"]``. ``reranker`` is by default
    ``Reranker()``, made when the first documents come.
    """

    reranker: Any = None
    top_n: int | None = None

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> list[Document]:
        """The best documents for a query."""
        if self.reranker is None:
            self.reranker = Reranker()
        texts = [document.page_content for document in documents]
        kept = []
        for found in self.reranker.rank(query, texts, self.top_n):
            document = documents[found["corpus_id"]]
            metadata = {**document.metadata, "relevance_score": found["score"]}
            kept.append(document.model_copy(update={"metadata": metadata}))
        return kept
