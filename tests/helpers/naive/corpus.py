"""The slow twins of a corpus: a dictionary, and a sum for each row."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from compsim import Reranker
from compsim.kernels.quantization import Coded, rounded_query


def most(part: Coded, query: npt.NDArray[np.float32]) -> list[float]:
    """The most that the cosine of each row can be."""
    if not query.any():
        return [float(scale == 0) for scale in part.scale]
    asked = rounded_query(query)
    results = []
    for row, scale, error in zip(part.code, part.scale, part.error, strict=True):
        if part.code.dtype == np.int8:
            total = sum(int(x) * int(y) for x, y in zip(row, asked.code, strict=True))
            results.append(scale * asked.scale * total + error * asked.length + asked.error)
        else:
            results.append(float(np.dot(row, query)) + error)
    return results


class PlainCorpus(dict[str, str]):
    """Texts by id, in the order in which they were added, all scored for each query.

    Scores of a query are kept as long as the texts and the reranker stay the same.
    """

    _scores: tuple[object, dict[str, list[float]]] = (None, {})

    def ranked(
        self, reranker: Reranker, query: str, candidates: Iterable[str] | None = None
    ) -> list[tuple[str, float]]:
        """Ids and scores, best first."""
        texts = list(self.values())
        if self._scores[0] != (reranker, texts):
            self._scores = ((reranker, texts), {})
        if query not in self._scores[1]:
            self._scores[1][query] = reranker.scores(query, texts).tolist() if texts else []
        scores = zip(self, self._scores[1][query], strict=True)
        chosen = set(self if candidates is None else candidates)
        return sorted((one for one in scores if one[0] in chosen), key=lambda pair: -pair[1])
