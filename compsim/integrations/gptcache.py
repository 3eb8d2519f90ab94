"""compsim in GPTCache: what decides whether a stored answer is served.

>>> cache.init(similarity_evaluation=CompsimEvaluation(max_false=0.02))  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from compsim.guard.guard import Guard
from compsim.missing import missing

try:
    from gptcache.similarity_evaluation import SimilarityEvaluation
except ImportError as error:
    raise missing("gptcache", "gptcache", error) from error

__all__ = ["CompsimEvaluation"]


class CompsimEvaluation(SimilarityEvaluation):  # type: ignore[misc]  # of no known type without it
    """Serves a stored answer where both questions say the same: 1, else 0.

    ``guard`` decides; None: one that is made of ``options``, those of ``Guard``.
    """

    def __init__(self, guard: Guard | None = None, **options: Any) -> None:
        self.guard = guard or Guard(**options)

    def evaluation(
        self, src_dict: dict[str, Any], cache_dict: dict[str, Any], **kwargs: Any
    ) -> float:
        """Return 1 where the question that is asked says what the stored one says, else 0."""
        return float(bool(self.guard.same(str(cache_dict["question"]), str(src_dict["question"]))))

    def range(self) -> tuple[float, float]:
        """Return the lowest and the highest value of ``evaluation``."""
        return 0.0, 1.0
