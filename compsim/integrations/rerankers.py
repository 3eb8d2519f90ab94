"""compsim as a model of the package rerankers.

Importing this module makes it known there:

>>> import compsim.integrations.rerankers  # doctest: +SKIP
>>> ranker = rerankers.Reranker("hybrid", model_type="CompsimRanker")  # doctest: +SKIP
>>> ranker.rank("Who bit the man?", documents).top_k(3)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from compsim.defaults import DEFAULT_METHOD
from compsim.integrations.options import all_options, open_reranker
from compsim.method import Method
from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.retrieval.queries import check_threshold

try:
    from rerankers.models import AVAILABLE_RANKERS
    from rerankers.models.ranker import BaseRanker
    from rerankers.results import RankedResults, Result
    from rerankers.utils import prep_docs
except ImportError as error:
    raise missing("rerankers", "rerankers", error) from error

__all__ = ["CompsimRanker"]


class CompsimRanker(BaseRanker):  # type: ignore[misc]  # of no known type without rerankers
    """Ranks by a method, a name or a reranker.

    Documents below ``score_threshold`` are left out. Options of ``compsim.Reranker`` and of the
    method stand beside these, or in ``options``.
    """

    def __init__(
        self,
        model_name_or_path: str | Method[Any] | Reranker = DEFAULT_METHOD,
        verbose: int = 1,
        score_threshold: float | None = None,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        check_threshold(score_threshold)
        result = all_options(model_name_or_path, options, more)
        self.verbose, self.score_threshold = verbose, score_threshold
        self.model = open_reranker(model_name_or_path, result)

    def score(self, query: str, doc: str) -> float:
        """The score of one document."""
        return float(self.model.scores(query, [doc])[0])

    def rank(self, query: str, docs: Any, doc_ids: Any = None, metadata: Any = None) -> Any:
        """Documents, texts or rerankers' own, best first, as ``RankedResults``."""
        documents = prep_docs(docs, doc_ids, metadata) if docs else []
        texts = [document.text for document in documents]
        ranking = self.model.rank(query, texts, score_threshold=self.score_threshold)
        results = [
            Result(documents[one["corpus_id"]], one["score"], rank)
            for rank, one in enumerate(ranking, 1)
        ]
        return RankedResults(results, query, has_scores=True)


AVAILABLE_RANKERS["CompsimRanker"] = CompsimRanker
