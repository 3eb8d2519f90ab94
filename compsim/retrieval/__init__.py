"""Ranking documents for a query: by their sentences, with any method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.lazy import lazy_names

if TYPE_CHECKING:
    from compsim.retrieval.calibration import Calibration
    from compsim.retrieval.contrast import Contrast, ContrastPart
    from compsim.retrieval.documents import Documents
    from compsim.retrieval.queries import Question
    from compsim.retrieval.ranking import Ranking, SentenceScore
    from compsim.retrieval.reranker import Reranker
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "compsim.retrieval.calibration": ("Calibration",),
            "compsim.retrieval.contrast": ("Contrast", "ContrastPart"),
            "compsim.retrieval.documents": ("Documents",),
            "compsim.retrieval.queries": ("Question",),
            "compsim.retrieval.ranking": ("Ranking", "SentenceScore"),
            "compsim.retrieval.reranker": ("Reranker",),
        },
    )

__all__ = [
    "Calibration",
    "Contrast",
    "ContrastPart",
    "Documents",
    "Question",
    "Ranking",
    "Reranker",
    "SentenceScore",
]
