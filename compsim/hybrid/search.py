"""Search by an upper bound: documents are compared in full only where that can change the answer.

The score of a hybrid is at most what the whole sentences allow, so documents are taken in that
order until no other can be among the best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.method import Method

if TYPE_CHECKING:
    from compsim.hybrid.batch import HybridBatch

__all__ = ["STEP", "bounded_top_k"]

#: Documents that are compared in full at a time.
STEP: Final = 256
#: What the bound of a score may be off by, rounded to float32.
_ROUNDING: Final = 1e-5

Places = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


def bounded_top_k(
    method: Any,
    queries: HybridBatch,
    docs: HybridBatch,
    k: int,
    score_cutoff: float | None,
    bound: Callable[[float], float],
) -> tuple[Places, Scores]:
    """Return what ``Method.top_k`` does; ``bound`` is the most that a whole similarity allows."""
    rows = [_best(method, queries[i], docs, k, score_cutoff, bound) for i in range(len(queries))]
    indices, scores = zip(*rows, strict=True)
    return np.stack(indices), np.stack(scores)


def _best(
    method: Any,
    query: HybridBatch,
    docs: HybridBatch,
    k: int,
    score_cutoff: float | None,
    bound: Callable[[float], float],
) -> tuple[Places, Scores]:
    """The places and scores of the best documents of one query, (min(k, documents),) each."""
    whole = method.whole.similarity(query.whole, docs.whole)[0]
    order = np.argsort(-whole, kind="stable")
    width = min(k, len(docs))
    indices, scores = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    floor = -np.inf if score_cutoff is None else score_cutoff
    for start in range(0, len(order), STEP):
        # Nothing from here on can score more than the next one's whole sentence allows.
        most = bound(float(whole[order[start]])) + _ROUNDING
        if most < (max(floor, scores[-1]) if len(scores) == width else floor):
            break
        chosen = np.sort(np.concatenate([indices, order[start : start + STEP]]))
        places, values = Method.top_k(method, query, docs[chosen], k, score_cutoff)
        known = places[0] >= 0
        indices, scores = chosen[places[0][known]], values[0][known]
    missing = width - len(indices)
    return (
        np.concatenate([indices, np.full(missing, -1, dtype=np.int64)]),
        np.concatenate([scores, np.full(missing, np.nan, dtype=np.float32)]),
    )
