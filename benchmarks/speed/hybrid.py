"""The hybrid: encoding against all-MiniLM-L6-v2 alone, and ranking what is encoded.

The same distinct sentences for all, turn about, in one process, each with the threads that it uses
by default; parses are not cached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from compsim.benchmarks.speed.rivals import best_times, rival_minilm
from compsim.benchmarks.speed.text import sentences

__all__ = ["measure"]

_TIMES: Final = 50


def measure(count: int = 4000, candidates: int = 100, rounds: int = 3) -> Mapping[str, float]:
    """Sentences encoded a second over those of MiniLM, with it and without torch; and ranking.

    ``hybrid_rank_ms`` are the milliseconds that one query against so many ``candidates`` takes.
    """
    from compsim.registry import load

    model = rival_minilm()
    texts = sentences(count)
    wholes = {"hybrid_vs_minilm": "sbert", "hybrid_words_vs_minilm": "static"}
    rivals = {
        "minilm": partial(model.encode, texts, batch_size=64, show_progress_bar=False),
    }
    for name, whole in wholes.items():
        method = load("hybrid", whole=whole, vectors="builtin", cache=False)
        batch = method.encode(texts[: candidates + 1])
        rivals[name] = partial(method.encode, texts)
        query, documents = batch[:1], batch[1:]
        rivals["rank"] = partial(_again, partial(method.top_k, query, documents, 10))
    for action in rivals.values():
        action()
    best = best_times(rivals, rounds)
    ratios = {name: best["minilm"] / best[name] for name in wholes}
    return {**ratios, "hybrid_rank_ms": 1000 * best["rank"] / _TIMES}


def _again(action: Callable[[], object]) -> None:
    """Do what takes too little time to be timed once."""
    for _ in range(_TIMES):
        action()
