"""compsim in PyTerrier: a stage that orders documents anew.

>>> pipeline = bm25 % 100 >> dataset.text_loader(["text"]) >> CompsimRanker()  # doctest: +SKIP
>>> pipeline.search("who bit the man")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compsim.defaults import DEFAULT_METHOD
from compsim.integrations.options import all_options, open_reranker
from compsim.method import Method
from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.retrieval.queries import check_threshold

try:
    import pyterrier as pt
except ImportError as error:
    raise missing("pyterrier", "pyterrier", error) from error

__all__ = ["CompsimRanker"]


class CompsimRanker(pt.Transformer):  # type: ignore[misc]  # of no known type without pyterrier
    """Scores the texts of result frames by a reranker.

    Frames need the columns query and text, which ``text`` may call otherwise. With ``blend`` their
    scores come in. Rows below ``score_threshold`` are left out. ``method`` is a name, or a
    reranker; options of ``compsim.Reranker`` and of the method stand beside it, or in ``options``.
    """

    def __init__(
        self,
        method: str | Method[Any] | Reranker = DEFAULT_METHOD,
        *,
        text: str = "text",
        blend: bool = False,
        score_threshold: float | None = None,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        check_threshold(score_threshold)
        self.reranker = open_reranker(method, all_options(method, options, more))
        self.text, self.blend, self.score_threshold = text, blend, score_threshold

    def transform(self, inp: Any) -> Any:
        """The frame with new scores and ranks, the best of each query first."""
        pt.validate.result_frame(inp, extra_columns=["query", self.text])
        scores = np.zeros(len(inp))
        for _, rows in inp.reset_index(drop=True).groupby("qid", sort=False):
            first = rows["score"].to_numpy() if self.blend else None
            scores[rows.index] = self.reranker.scores(
                str(rows["query"].iloc[0]), rows[self.text].tolist(), first
            )
        result = inp.assign(score=scores)
        if self.score_threshold is not None:
            result = result[scores >= self.score_threshold]
        return pt.model.add_ranks(result)
