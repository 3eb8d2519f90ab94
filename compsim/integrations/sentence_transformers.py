"""Adapter with the interface of sentence-transformers' ``CrossEncoder``, for evaluators and BEIR.

>>> evaluator = CrossEncoderCorrelationEvaluator(pairs, ratings)  # doctest: +SKIP
>>> evaluator(CompsimCrossEncoder("hybrid", exclude=None))  # doctest: +SKIP

>>> Rerank(CompsimCrossEncoder()).rerank(corpus, queries, results, top_k=100)  # doctest: +SKIP

``exclude=None`` takes pairs of plain sentences as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from typing import Any

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.integrations.options import all_options
from compsim.method import Method
from compsim.retrieval import Documents, Question, Reranker
from compsim.retrieval.queries import check_threshold

__all__ = ["CompsimCrossEncoder"]


class _Card:
    """Takes what evaluators write into a model's card, by evaluator."""

    def __init__(self) -> None:
        self.metrics: list[dict[str, Any]] = []

    def set_evaluation_metrics(
        self, evaluator: Any, metrics: dict[str, Any], epoch: int = 0, step: int = 0
    ) -> None:
        self.metrics.append(metrics)


class CompsimCrossEncoder(Reranker):
    """A ``Reranker`` for evaluators and frameworks that are made for a ``CrossEncoder``.

    ``method`` is a name, or a reranker; options of ``compsim.Reranker`` and of the method stand
    beside it, or in ``options``. ``rank`` leaves out documents below ``score_threshold`` where it
    is given none itself; ``predict`` scores all pairs. ``model_card_data.metrics`` has what
    evaluators found.
    """

    #: One score for each pair.
    num_labels = 1

    def __init__(
        self,
        method: str | Method[Any] | Reranker = DEFAULT_METHOD,
        *,
        score_threshold: float | None = None,
        options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        check_threshold(score_threshold)
        result = all_options(method, options, more)
        if isinstance(method, Reranker):
            vars(self).update(vars(method))
        else:
            super().__init__(method, **result)
        self.score_threshold = score_threshold
        self.model_card_data = _Card()

    def predict(
        self,
        inputs: Iterable[Sequence[str]] | Sequence[str] | None = None,
        *args: Any,
        **given: Any,
    ) -> Any:
        """Score pairs, as ``Reranker.predict`` does; ``sentences`` is the older name of ``inputs``.

        Raises ``InputError`` as ``Reranker`` does.
        """
        pairs = given.pop("sentences", None) if inputs is None else inputs
        if pairs is None:
            raise InputError("there are no pairs: give inputs")
        return super().predict(pairs, *args, **given)

    def rank(
        self,
        query: str | Question,
        documents: Documents | Iterable[str],
        *args: Any,
        score_threshold: float | None = None,
        **given: Any,
    ) -> list[dict[str, Any]]:
        """The documents, best first, as ``Reranker.rank`` has them."""
        least = self.score_threshold if score_threshold is None else score_threshold
        return super().rank(query, documents, *args, score_threshold=least, **given)

    rank.__signature__ = signature(Reranker.rank)  # type: ignore[attr-defined]
