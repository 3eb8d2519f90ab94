"""The guard: pairs decided a second, from texts and encoded, with the words that ship (no torch).

Distinct sentences; parses are not cached; no pair is of equal wording.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.speed.text import sentences

__all__ = ["measure"]


def measure(count: int = 2000, rounds: int = 3) -> Mapping[str, float]:
    """Pairs a second of ``Guard.same`` on texts, and of ``probabilities_encoded``."""
    from compsim.guard.guard import Guard

    guard = Guard(whole="static", vectors="builtin", cache=False)
    texts = sentences(2 * count)
    first, second = texts[:count], texts[count:]
    one, other = guard.encode(first), guard.encode(second)
    times: dict[str, Callable[[], object]] = {
        "text": partial(guard.same, first, second),
        "encoded": partial(guard.probabilities_encoded, one, other),
    }
    for action in times.values():
        action()
    best = best_times(times, rounds)
    return {f"guard_{name}_pairs_per_second": count / taken for name, taken in best.items()}
