"""The guard: pairs decided a second, from texts and encoded, with the words that ship (no torch).

Distinct sentences; parses are not cached; no pair is of equal wording. Encoded, each sentence is
held against ten others in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np

from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.speed.text import sentences

__all__ = ["measure"]

#: Others that each encoded sentence is compared with.
_OTHERS: Final = 10


def measure(count: int = 2000, rounds: int = 3) -> Mapping[str, float]:
    """Pairs a second of ``Guard.same`` on texts, and of ``probabilities_encoded``."""
    from compsim.guard.guard import Guard

    guard = Guard(whole="static", vectors="builtin", cache=False)
    texts = sentences(2 * count)
    first, second = texts[:count], texts[count:]
    rows = np.arange(count)
    one = guard.encode(first)[np.tile(rows, _OTHERS)]
    shifted = [(rows + shift) % count for shift in range(_OTHERS)]
    other = guard.encode(second)[np.concatenate(shifted)]
    times: dict[str, Callable[[], object]] = {
        "text": partial(guard.same, first, second),
        "encoded": partial(guard.probabilities_encoded, one, other),
    }
    for action in times.values():
        action()
    best = best_times(times, rounds)
    pairs = {"text": count, "encoded": count * _OTHERS}
    return {f"guard_{name}_pairs_per_second": pairs[name] / best[name] for name in best}
