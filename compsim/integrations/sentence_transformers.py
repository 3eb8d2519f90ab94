"""compsim where a ``CrossEncoder`` of sentence-transformers is expected: its evaluators, and BEIR.

>>> evaluator = CrossEncoderCorrelationEvaluator(pairs, ratings)  # doctest: +SKIP
>>> evaluator(CompsimCrossEncoder("hybrid", exclude=None))  # doctest: +SKIP

>>> Rerank(CompsimCrossEncoder()).rerank(corpus, queries, results, top_k=100)  # doctest: +SKIP

``exclude=None`` takes pairs of plain sentences as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.retrieval import Reranker

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
    """A ``Reranker`` that takes those options of ``CrossEncoder.predict`` too that change nothing.

    ``model_card_data.metrics`` has what evaluators found.
    """

    #: One score for each pair.
    num_labels = 1

    def __init__(self, method: Any = "hybrid", **options: Any) -> None:
        super().__init__(method, **options)
        self.model_card_data = _Card()

    def predict(  # type: ignore[override]  # the names are CrossEncoder's
        self,
        inputs: Sequence[Sequence[str]] | Sequence[str] | None = None,
        prompt_name: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        convert_to_numpy: bool = True,
        *,
        sentences: Sequence[Sequence[str]] | Sequence[str] | None = None,
    ) -> npt.NDArray[np.float32] | np.float32 | list[np.float32]:
        """Score pairs; ``sentences`` is the older name of ``inputs``.

        Batches, progress bars and prompts are for neural models, and change nothing. Without
        ``convert_to_numpy`` the answer is a list. Raises ``InputError`` as ``Reranker`` does.
        """
        pairs = sentences if inputs is None else inputs
        if pairs is None:
            raise InputError("there are no pairs: give inputs")
        found = super().predict(pairs)
        return list(found) if isinstance(found, np.ndarray) and not convert_to_numpy else found
