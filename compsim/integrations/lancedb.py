"""compsim in LanceDB: a reranker of what its searches find.

>>> reranker = CompsimReranker(column="text")  # doctest: +SKIP
>>> table.search(query_type="hybrid").vector(vector).text(query).rerank(reranker)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Final

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.integrations.options import all_options, open_reranker
from compsim.method import Method
from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.retrieval.queries import check_threshold

try:
    import pyarrow as pa
    from lancedb.rerankers.base import Reranker as LanceReranker
except ImportError as error:
    raise missing("lancedb", "lancedb", error) from error

__all__ = ["CompsimReranker"]

#: The column of scores, as LanceDB calls it.
_SCORE: Final = "_relevance_score"


class CompsimReranker(LanceReranker):  # type: ignore[misc]  # of no known type without it
    """Orders the rows of a search by the texts in a column.

    Rows get the score as ``_relevance_score``; with ``return_score="all"`` they keep those of the
    searches. Rows below ``score_threshold`` are left out. ``method`` is a name, or a reranker;
    options of ``compsim.Reranker`` and of the method stand beside it, or in ``options``.
    """

    def __init__(
        self,
        method: str | Method[Any] | Reranker = DEFAULT_METHOD,
        column: str = "text",
        return_score: str = "relevance",
        *,
        score_threshold: float | None = None,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(return_score)
        check_threshold(score_threshold)
        self.column, self.score_threshold = column, score_threshold
        self._method, self._options = method, all_options(method, options, more)
        self._reranker: Reranker | None = None

    def rerank_hybrid(
        self, query: str, vector_results: pa.Table, fts_results: pa.Table
    ) -> pa.Table:
        """The rows that either search has found, best first."""
        if self.score == "all":
            result = self._merge_and_keep_scores(vector_results, fts_results)
        else:
            result = self.merge_results(vector_results, fts_results)
        return self._ordered(query, result)

    def rerank_vector(self, query: str, vector_results: pa.Table) -> pa.Table:
        """The rows of a search by vectors, best first."""
        return self._ordered(query, vector_results)

    def rerank_fts(self, query: str, fts_results: pa.Table) -> pa.Table:
        """The rows of a search by words, best first."""
        return self._ordered(query, fts_results)

    def _ordered(self, query: str, results: pa.Table) -> pa.Table:
        if self._reranker is None:
            self._reranker = open_reranker(self._method, self._options)
        if self.column not in results.column_names:
            raise InputError(
                f"the search gives no column {self.column!r}, only "
                f"{', '.join(results.column_names)}: name the column of the texts by column=, and "
                "select it too"
            )
        ranked: list[dict[str, Any]] = []
        if len(results):
            texts = [text or "" for text in results[self.column].to_pylist()]
            ranked = self._reranker.rank(query, texts, score_threshold=self.score_threshold)
        if _SCORE in results.column_names:  # of the table, or of another reranker
            results = results.drop_columns([_SCORE])
        rows = results.take(pa.array([one["corpus_id"] for one in ranked], pa.int64()))
        scores = pa.array([one["score"] for one in ranked], pa.float32())
        return self._keep_relevance_score(rows.append_column(_SCORE, scores))
