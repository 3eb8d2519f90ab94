"""The method sbert against sentence-transformers used directly, and the memory that it takes.

``sbert_vs_direct`` is the ratio of the sentences a second: both encode the same sentences with the
same all-MiniLM-L6-v2 in batches of the same size, turn about, in one process. ``measure_memory``
scores 100,000 pairs in a process of its own and gives the most memory that it held.

>>> from compsim.benchmarks.speed.embeddings import measure
>>> measure()["sbert_vs_direct"]  # doctest: +SKIP
1.0
>>> measure_memory()["sbert_peak_megabytes"] < 1500  # doctest: +SKIP
True
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from compsim.benchmarks.speed.apart import measured_apart, peak_megabytes
from compsim.benchmarks.speed.rivals import best_times, rival_minilm
from compsim.benchmarks.speed.text import sentences

__all__ = ["measure", "measure_memory"]

_BATCH = 64


def measure(count: int = 2000, rounds: int = 5) -> Mapping[str, float]:
    """Sentences a second of both and their ratio, the best of some rounds each."""
    from compsim.registry import load

    model = rival_minilm()
    method = load("sbert", device="cpu", batch_size=_BATCH)
    texts = sentences(count)
    rivals = {
        "sbert": partial(method.encode, texts),
        "direct": partial(model.encode, texts, batch_size=_BATCH, show_progress_bar=False),
    }
    method.encode(texts[:128])
    model.encode(texts[:128], batch_size=_BATCH, show_progress_bar=False)
    best = best_times(rivals, rounds)
    mean = load("mean-cn", vectors="builtin")
    many = sentences(20_000)
    mean.encode(many)  # its words are known from here on
    seconds = best_times({"mean": partial(mean.encode, many)}, rounds)["mean"]
    return {
        "mean_cn_sentences_per_second": len(many) / seconds,
        "sbert_sentences_per_second": count / best["sbert"],
        "sbert_direct_sentences_per_second": count / best["direct"],
        "sbert_vs_direct": best["direct"] / best["sbert"],
    }


def measure_memory(pairs: int = 100_000) -> Mapping[str, float]:
    """Measure time and memory of scoring two lists of distinct sentences in a new process."""
    return measured_apart(scored, pairs)


def scored(pairs: int) -> dict[str, float]:
    """So many pairs scored in this process, a second, and the most memory that it has held."""
    from compsim.registry import load

    distinct = sentences(min(2 * pairs, 20_000))
    copies = -(-2 * pairs // len(distinct))
    texts = [text[:-1] + f" {i}." for i in range(copies) for text in distinct]
    method = load("sbert", device="cpu")
    start = time.perf_counter()
    scores = method.similarity_pairwise(texts[:pairs], texts[pairs : 2 * pairs])
    seconds = time.perf_counter() - start
    return {
        "sbert_pairs": len(scores),
        "sbert_pairs_per_second": pairs / seconds,
        "sbert_peak_megabytes": peak_megabytes(),
    }
