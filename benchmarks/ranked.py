"""Details of ranked pairs beside their figures: worst pairs, hubs, backgrounds, data sets.

>>> share_of({"a": [1.0, 0.5], "b": [0.25]})
{'a': {'MRR': 75.0, 'pairs': 2}, 'b': {'MRR': 25.0, 'pairs': 1}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.ranking.evalrank import Positives
from compsim.benchmarks.spaces import Items
from compsim.benchmarks.stats.neighbours import Ranked, nearest

__all__ = ["details_of", "limits", "share_of"]

Places = npt.NDArray[np.int64]

_PERCENT: Final = 100
_WORST: Final = 50
_ABOVE: Final = 3
_HUBS: Final = 20


def limits(positives: Positives, items: Items) -> dict[str, int]:
    """By name of a smaller background: how many of the first items that are there make it."""
    result = {
        name: int(np.searchsorted(items.kept, size)) for name, size in positives.sizes.items()
    }
    return {name: size for name, size in result.items() if 1 < size < len(items.kept)}


def details_of(
    ranked: Ranked,
    chosen: Places,
    left: npt.NDArray[np.bool_],
    items: Items,
    positives: Positives,
) -> dict[str, Any]:
    """As JSON types: the pairs that rank worst with what is nearer, and what is nearer most often.

    ``chosen`` (n, 2) are the pairs that were ranked, as places among the items that are there;
    ``left`` says which of all pairs these are. Also the MRR by background and by set of data.
    """
    name = [positives.items[i] for i in items.kept.tolist()]
    order = np.argsort(-ranked.ranks, kind="stable")[:_WORST].tolist()
    worst = [
        {
            "pair": [name[i] for i in chosen[row].tolist()],
            "rank": int(ranked.ranks[row]),
            **_nearer(items, name, *chosen[row].tolist()),
        }
        for row in order
        if ranked.ranks[row] > 1
    ]
    above = ranked.above[items.scores.column]
    hubs = np.argsort(-above, kind="stable")[:_HUBS].tolist()
    often = {name[i]: round(float(above[i] / len(chosen)), 4) for i in hubs}
    smaller = limits(positives, items)
    columns = dict(zip(smaller, ranked.within.T, strict=False))
    within = {
        label: {"MRR": float(_PERCENT * np.mean(1 / columns[label])), "among": size}
        for label, size in smaller.items()
        if label in columns
    }
    whole = float(_PERCENT * np.mean(1 / ranked.ranks))
    within["whole"] = {"MRR": whole, "among": len(items.kept)}
    result: dict[str, Any] = {"worst": worst, "hubs": often, "backgrounds": within}
    if positives.sources:
        of: dict[str, list[float]] = {}
        for source, rank in zip(np.array(positives.sources)[left], ranked.ranks, strict=True):
            of.setdefault(str(source), []).append(float(1 / rank))
        result["sources"] = share_of(of)
    return result


def _nearer(items: Items, name: Sequence[str], first: int, second: int) -> dict[str, Any]:
    """Return the item nearest to the first item, with the scores of both and of the second."""
    row = items.scores.rows(np.array([first]))[0][items.scores.column]
    near = nearest(row, first, _ABOVE)
    return {
        "score": round(float(row[second]), 4),
        "nearer": [name[i] for i in near],
        "scores": [round(float(row[i]), 4) for i in near],
    }


def share_of(of: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """The mean of the reciprocal ranks of each set, in percent, and how many there are."""
    return {
        name: {"MRR": float(_PERCENT * np.mean(values)), "pairs": len(values)}
        for name, values in of.items()
    }
