"""compsim in PyTerrier: a stage that orders documents anew.

>>> pipeline = bm25 % 100 >> dataset.text_loader(["text"]) >> CompsimRanker()  # doctest: +SKIP
>>> pipeline.search("who bit the man")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compsim.missing import missing
from compsim.retrieval import Reranker

try:
    import pyterrier as pt
except ImportError as error:
    raise missing("pyterrier", "pyterrier", error) from error

__all__ = ["CompsimRanker"]


class CompsimRanker(pt.Transformer):  # type: ignore[misc]  # of no known type without pyterrier
    """Scores the texts of result frames by a reranker, by default ``Reranker()``.

    Frames need the columns query and text, which ``text`` may call otherwise. With ``blend`` their
    scores come in.
    """

    def __init__(
        self, reranker: Reranker | None = None, *, text: str = "text", blend: bool = False
    ) -> None:
        self.reranker = reranker or Reranker()
        self.text, self.blend = text, blend

    def transform(self, inp: Any) -> Any:
        """The frame with new scores and ranks, the best of each query first."""
        pt.validate.result_frame(inp, extra_columns=["query", self.text])
        scores = np.zeros(len(inp))
        for _, rows in inp.reset_index(drop=True).groupby("qid", sort=False):
            first = rows["score"].to_numpy() if self.blend else None
            scores[rows.index] = self.reranker.scores(
                str(rows["query"].iloc[0]), rows[self.text].tolist(), first
            )
        return pt.model.add_ranks(inp.assign(score=scores))
