"""Evaluator for LangChain: whether a prediction says the same as its reference.

>>> evaluator = CompsimStringEvaluator()  # doctest: +SKIP
>>> evaluator.evaluate_strings(prediction="...", reference="...")["score"]  # doctest: +SKIP
1
"""

from __future__ import annotations

from typing import Any

from compsim.guard.guard import Guard
from compsim.missing import missing

try:
    from langchain_classic.evaluation.schema import StringEvaluator
except ImportError as error:
    raise missing("langchain-classic", "langchain-evaluation", error) from error

__all__ = ["CompsimStringEvaluator"]


class CompsimStringEvaluator(StringEvaluator):  # type: ignore[misc]  # of no known type without it
    """Scores 1 where the prediction says the same as the reference, else 0.

    ``guard`` decides; None: one that is made of ``options``, those of ``Guard``. The result has the
    answer as ``value``, the probability, and what differs as ``reasoning``.
    """

    def __init__(self, guard: Guard | None = None, **options: Any) -> None:
        self.guard = guard or Guard(**options)

    @property
    def evaluation_name(self) -> str:
        """The name of the evaluation."""
        return "compsim_same"

    @property
    def requires_reference(self) -> bool:
        """A prediction is compared with a reference."""
        return True

    def _evaluate_strings(
        self, *, prediction: str, reference: str | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        verdict = self.guard.same(prediction, reference or "")
        return {
            "score": int(bool(verdict)),
            "value": verdict.answer,
            "probability": verdict.probability,
            "reasoning": str(verdict),
        }
