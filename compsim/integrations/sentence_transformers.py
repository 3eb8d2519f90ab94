"""compsim where a ``CrossEncoder`` of sentence-transformers is expected: its evaluators, and BEIR.

>>> evaluator = CrossEncoderCorrelationEvaluator(pairs, ratings)  # doctest: +SKIP
>>> evaluator(CompsimCrossEncoder("hybrid", exclude=None))  # doctest: +SKIP

>>> Rerank(CompsimCrossEncoder()).rerank(corpus, queries, results, top_k=100)  # doctest: +SKIP

``exclude=None`` takes pairs of plain sentences as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.retrieval import Documents, Question, Reranker
from compsim.retrieval.queries import check_limits

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
    """A ``Reranker`` that takes the options of ``CrossEncoder.rank`` too, and the older names.

    ``model_card_data.metrics`` has what evaluators found.
    """

    #: One score for each pair.
    num_labels = 1

    def __init__(self, method: Any = DEFAULT_METHOD, **options: Any) -> None:
        super().__init__(method, **options)
        self.model_card_data = _Card()

    def predict(
        self,
        inputs: Sequence[Sequence[str]] | Sequence[str] | None = None,
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
        top_k: int | None = None,
        return_documents: bool = False,
        prompt_name: str | None = None,
        prompt: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        activation_fn: Callable[[Any], Any] | None = None,
        device: Any = None,
        pool: Any = None,
        chunk_size: int | None = None,
        *,
        first: npt.ArrayLike | None = None,
        score_threshold: float | None = None,
    ) -> list[dict[str, Any]]:
        """The documents, best first, as ``Reranker.rank`` has them; scores are Python's floats.

        ``activation_fn`` is applied to the scores, a float32 tensor of PyTorch, before the
        threshold; what else a neural model needs changes nothing. Raises ``InputError``.
        """
        if activation_fn is None:
            return super().rank(
                query, documents, top_k, return_documents, first=first,
                score_threshold=score_threshold,
            )  # fmt: skip
        check_limits(top_k, score_threshold)
        import torch

        found = super().rank(query, documents, None, return_documents, first=first)
        scores = torch.from_numpy(np.array([one["score"] for one in found], dtype=np.float32))
        ranked = [
            {**one, "score": score}
            for one, score in zip(found, activation_fn(scores).tolist(), strict=True)
            if score_threshold is None or score >= score_threshold
        ]
        return sorted(ranked, key=lambda one: -one["score"])[:top_k]
