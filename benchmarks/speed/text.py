"""Text to score: compsim against all-MiniLM-L6-v2 through sentence-transformers at batch 64.

Both get the same distinct sentences, turn about, in one process, each with the threads that it
uses by default; parses are not cached. The figure is the ratio of the sentences a second.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Mapping
from functools import partial

from compsim.benchmarks.speed.rivals import best_times, rival_minilm

__all__ = ["measure", "sentences"]

_WHO: tuple[str, ...] = (
    "the teacher",
    "a young nurse",
    "two farmers",
    "the mayor of the town",
    "her old neighbour",
)
_WHO += ("several engineers", "the captain", "a group of students", "the tired driver", "my sister")
_DID = ("gave", "sold", "showed", "brought", "offered", "sent", "handed", "promised", "lent")
_WHAT: tuple[str, ...] = (
    "the letter",
    "a basket of apples",
    "the broken radio",
    "an old map",
    "some warm bread",
)
_WHAT += ("the keys to the house", "a photograph", "three tickets", "the money", "a blue umbrella")
_WHOM = ("to the judge", "to a stranger", "to the children", "to his cousin", "to the new manager")
_WHERE = ("at the station", "in the kitchen", "near the harbour", "behind the church", "on the bus")
_WHEN = (
    "yesterday",
    "before the meeting",
    "on Monday",
    "during the storm",
    "after lunch",
    "in June",
)


def sentences(count: int, seed: int = 20) -> list[str]:
    """Distinct plain sentences of about fourteen words."""
    parts = [*itertools.product(_WHO, _DID, _WHAT, _WHOM, _WHERE, _WHEN)]
    chosen = random.Random(seed).sample(parts, count)
    return [" ".join(words).capitalize() + "." for words in chosen]


def measure(count: int = 4000, rounds: int = 3) -> Mapping[str, float]:
    """Sentences a second of both and their ratio, the best of some rounds each."""
    from compsim.registry import load

    model = rival_minilm()
    method = load("verbnet-cn", vectors="builtin", cache=False)
    texts = sentences(count)
    half = count // 2

    rivals = {
        "compsim": partial(method.similarity_pairwise, texts[:half], texts[half:]),
        "minilm": partial(model.encode, texts, batch_size=64, show_progress_bar=False),
    }
    rivals["compsim"]()  # starts the processes that parse
    model.encode(texts[:128], batch_size=64, show_progress_bar=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = best_times(rivals, rounds)
    return {
        "text_sentences_per_second": count / best["compsim"],
        "minilm_sentences_per_second": count / best["minilm"],
        "text_vs_minilm": best["minilm"] / best["compsim"],
    }
