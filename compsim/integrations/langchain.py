"""compsim in LangChain: a cross-encoder, and a compressor of retrieved documents.

>>> compressor = CompsimCompressor(top_n=3)  # doctest: +SKIP
>>> ContextualCompressionRetriever(  # doctest: +SKIP
...     base_compressor=compressor, base_retriever=retriever
... )
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field, PrivateAttr, model_validator

from compsim.defaults import DEFAULT_METHOD
from compsim.integrations.options import Opened, all_options, gathered, open_reranker, reopened
from compsim.method import Method
from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.retrieval.queries import check_limits

try:
    from langchain_core.cross_encoders import BaseCrossEncoder
    from langchain_core.documents import BaseDocumentCompressor, Document
except ImportError as error:
    raise missing("langchain-core", "langchain", error) from error

__all__ = ["CompsimCompressor", "CompsimCrossEncoder"]


class CompsimCrossEncoder(BaseCrossEncoder):  # type: ignore[misc]  # of no known type without it
    """A cross-encoder that scores by a reranker.

    ``method`` is a name, or a reranker; options of ``compsim.Reranker`` and of the method stand
    beside it, or in ``options``. Each pair has its score, so there is no ``score_threshold``:
    ``CompsimCompressor`` leaves documents out.
    """

    def __init__(
        self,
        method: str | Method[Any] | Reranker = DEFAULT_METHOD,
        *,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        self.reranker = open_reranker(method, all_options(method, options, more))

    def score(self, text_pairs: list[tuple[str, str]]) -> list[float]:
        """The score of each pair of a query and a text."""
        scores: list[float] = self.reranker.predict(text_pairs, convert_to_numpy=False)
        return scores


class CompsimCompressor(BaseDocumentCompressor):  # type: ignore[misc]  # as above
    """Keeps the ``top_n`` best documents, all with None, best first.

    Each is a copy with its score as ``metadata["relevance_score"]``; those below
    ``score_threshold`` are left out. ``method`` is a name, or a reranker; options of
    ``compsim.Reranker`` and of the method stand beside it, or in ``options``. It is made when the
    first documents come, and again once these have changed.
    """

    method: Any = DEFAULT_METHOD
    top_n: int | None = None
    score_threshold: float | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    _opened: Opened | None = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, given: dict[str, Any]) -> dict[str, Any]:
        return gathered(cls.model_fields, given)

    @model_validator(mode="after")
    def _checked(self) -> CompsimCompressor:
        check_limits(self.top_n, self.score_threshold, "top_n")
        return self

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> list[Document]:
        """The best documents for a query."""
        self._opened = reopened(self._opened, self.method, self.options)
        texts = [document.page_content for document in documents]
        kept = []
        for item in self._opened.reranker.rank(
            query, texts, self.top_n, score_threshold=self.score_threshold
        ):
            document = documents[item["corpus_id"]]
            metadata = {**document.metadata, "relevance_score": item["score"]}
            kept.append(document.model_copy(update={"metadata": metadata}))
        return kept
