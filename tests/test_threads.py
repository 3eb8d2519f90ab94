"""Many threads that share what is open get the scores of one.

``COMPSIM_THREADED=100000`` makes so many scores, over all methods together; by default few.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import numpy as np
import pytest
from tiny_models import is_inherited
from toys import toy_options, toy_vectors

import compsim
from compsim import Corpus, load
from compsim.defaults import DEFAULT_METHOD
from compsim.method import Method
from compsim.parsers.cache import ParseCache
from compsim.parsers.roles import analysis
from compsim.parsers.roles.srl import SrlParser
from compsim.registry import methods, options
from compsim.vectors import WordVectors
from compsim.vectors.all_words import AllWords

T = TypeVar("T")
Pairs = list[tuple[str, str]]

NAMES = [info.name for info in methods()]
#: A method for each parser: the others read sentences by the same.
PARSED = ["hybrid", "amr-wwlk", "drs"]
THREADS = 16
COUNT = int(os.environ.get("COMPSIM_THREADED", "0")) // len(NAMES) or 32
LETTERS = list("abcdefghijklmnopqrstuvwxyz")


@pytest.fixture(autouse=True)
def _pipelines_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each parser a pipeline that has read nothing yet, where others share one."""
    monkeypatch.setattr(analysis, "_once", analysis._once.__wrapped__)


@contextlib.contextmanager
def often_another_thread() -> Iterator[None]:
    """Threads take turns a thousand times as often as they do by default."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def fresh_pairs(count: int, seed: int) -> Pairs:
    """Pairs of sentences with real and made-up words, hardly one of which comes twice."""
    rng = np.random.default_rng(seed)
    real = WordVectors.open("builtin").words

    def word() -> str:
        kind = rng.random()
        if kind < 0.5:
            return str(real[rng.integers(len(real))]).replace("_", " ")
        if kind < 0.6:
            return str(rng.integers(10**9))
        made = "".join(rng.choice(LETTERS, rng.integers(4, 10)))
        return made.capitalize() if kind < 0.7 else made

    def sentence() -> str:
        verb = rng.choice(["chase", "help", "visit", "bit", "gave", "has seen"])
        text = f"The {word()} {word()} {verb} the {word()}"
        return text + rng.choice([".", f" in {word()}.", f" with {word()} and {word()}!"])

    return [(sentence(), sentence()) for _ in range(count)]


def in_threads(work: Callable[[int], T]) -> list[T]:
    """Return the results of ``work`` for 0 to 15, each in a thread, all started at once."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> T:
        barrier.wait()
        return work(number)

    with often_another_thread(), ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def fresh(name: str, **changed: Any) -> Method[Any]:
    """A method that has read nothing yet."""
    given = {**toy_options(name), **changed}
    if name == "openai":
        given["cache"] = False
    if "cache" in options(name) and name != "openai":
        given["cache"] = ParseCache(None)
    return load(name, **given)


def slices(count: int) -> list[list[slice]]:
    """For each thread its part of so many pairs, some at a time."""
    bounds = np.linspace(0, count, THREADS + 1).astype(int).tolist()
    parts = []
    for number, (low, high) in enumerate(pairwise(bounds)):
        size = high - low
        step = max(1, size // 64, size * (number % 4) // 8)
        parts.append([slice(i, min(i + step, high)) for i in range(low, high, step)])
    return parts


def scores(method: Method[Any], pairs: Pairs) -> np.ndarray:
    first, second = zip(*pairs, strict=True)
    return method.similarity_pairwise(list(first), list(second))


def threaded(method: Method[Any], pairs: Pairs) -> np.ndarray:
    """The score of each pair, one method asked by all threads."""
    parts = slices(len(pairs))
    results = in_threads(lambda i: [scores(method, pairs[part]) for part in parts[i]])
    return np.concatenate([part for result in results for part in result])


def alone(method: Method[Any], pairs: Pairs) -> np.ndarray:
    """The same by one thread."""
    parts = [part for one in slices(len(pairs)) for part in one]
    return np.concatenate([scores(method, pairs[part]) for part in parts])


def check(name: str, pairs: Pairs, **changed: Any) -> None:
    method = fresh(name, **changed)
    expected = alone(fresh(name, **changed), pairs)
    np.testing.assert_allclose(threaded(method, pairs), expected, atol=1e-6)
    # What the threads have left in the method is right as well.
    np.testing.assert_allclose(alone(method, pairs), expected, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_sixteen_threads_score_new_words_as_one_does(name: str) -> None:
    count = max(THREADS, COUNT // 2) if is_inherited(name) else COUNT
    check(name, fresh_pairs(count, seed=len(name)))


@pytest.mark.parametrize("name", PARSED)
def test_and_so_with_the_shipped_parser_and_vectors(name: str) -> None:
    shipped: dict[str, Any] = {"parser": "srl" if name == "hybrid" else "amr"}
    if "vectors" in options(name):
        shipped["vectors"] = "builtin"
    check(name, fresh_pairs(COUNT, seed=7), **shipped)


@pytest.mark.parametrize("name", ["verbnet-cn", "hybrid", "mean-cn", "amr-cn", "infersent"])
def test_and_so_where_what_is_kept_is_dropped_all_the_time(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compsim.vectors.all_words._KEPT", 20)
    monkeypatch.setattr("compsim.vectors.word_vectors._CACHE_LIMIT", 20)
    monkeypatch.setattr("compsim.vectors.token_vectors._KEPT", 5)
    check(name, fresh_pairs(COUNT, seed=3))


@pytest.mark.parametrize("name", ["sbert", "transformer", "verbnet-cn"])
def test_explanations_beside_scores(name: str) -> None:
    pairs = fresh_pairs(COUNT, seed=5)
    method, expected = fresh(name), alone(fresh(name), pairs)

    def work(thread: int) -> None:
        for i in range(thread, len(pairs), THREADS):
            if thread % 2:
                explanation = method.explain(*pairs[i])
                assert explanation.score == pytest.approx(expected[i], abs=1e-6)
                assert (explanation.words is None) == (name == "verbnet-cn")
            else:
                score = scores(method, pairs[i : i + 1])
                np.testing.assert_allclose(score, expected[i], atol=1e-6)

    in_threads(work)


def test_asyncio_and_the_two_functions() -> None:
    pairs = fresh_pairs(COUNT, seed=11)
    given = {"vectors": toy_vectors(), "parser": "srl", "cache": False}

    async def ask(function: Callable[..., T]) -> list[T]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        tasks = [asyncio.to_thread(function, *pair, **given) for pair in pairs]
        with often_another_thread():
            return await asyncio.gather(*tasks)

    results = asyncio.run(ask(compsim.similarity))
    expected = scores(load(DEFAULT_METHOD, **given), pairs)
    np.testing.assert_allclose(results, expected, atol=1e-6)
    explanations = asyncio.run(ask(compsim.explain))
    np.testing.assert_allclose([one.score for one in explanations], expected, atol=1e-6)


def test_a_method_that_all_ask_for_first_is_loaded_once() -> None:
    from compsim.api import loaded

    given = {"vectors": toy_vectors(), "cache": False}
    assert len(set(in_threads(lambda _: id(loaded("verbnet-cn", **given))))) == 1


@pytest.mark.parametrize("name", ["hybrid", "mean-cn"])
def test_a_corpus_is_filled_beside_threads_that_encode(name: str, tmp_path: Path) -> None:
    documents, queries = map(list, zip(*fresh_pairs(2 * THREADS, seed=13), strict=True))
    method, other = fresh(name), fresh(name)
    corpus = Corpus(tmp_path / name, method)

    def work(thread: int) -> None:
        if thread == 0:
            corpus.add(documents, batch_size=10)
        for query in queries[thread::THREADS]:
            method.encode([query])

    in_threads(work)
    corpus.verify()
    again, reranker = Corpus.open(tmp_path / name, other), compsim.Reranker(other)
    encoded = reranker.encode(documents)
    for query in queries[:10]:
        hits = again.search(query, len(documents), depth=None)
        stored = {int(hit["corpus_id"]): hit["score"] for hit in hits}
        expected = dict(enumerate(np.asarray(reranker.scores(query, encoded)).tolist()))
        assert stored == pytest.approx(expected, abs=1e-5)


def test_the_parser_of_many_sentences_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [text for pair in fresh_pairs(10 * THREADS, seed=17) for text in pair]
    monkeypatch.setattr("compsim.parsers.pipeline.words._KEPT", 50)
    parser, other = SrlParser(), SrlParser()
    parser.warm_up()
    other.warm_up()

    def parse(i: int) -> Sequence[object]:
        return parser.parse(sentences[20 * i : 20 * i + 20])

    expected = [graph for i in range(16) for graph in other.parse(sentences[20 * i : 20 * i + 20])]
    assert [graph for part in in_threads(parse) for graph in part] == expected


def test_words_of_a_phrase_stay_as_they_were_read() -> None:
    encoder, other = AllWords(WordVectors.open("builtin")), AllWords(WordVectors.open("builtin"))
    texts = [text for pair in fresh_pairs(400, seed=19) for text in pair]
    vectors = in_threads(lambda i: encoder.texts(texts[i::THREADS]))
    expected = other.texts(texts)
    np.testing.assert_array_equal(encoder.texts(texts), expected)
    for i in range(THREADS):
        np.testing.assert_array_equal(vectors[i], expected[i::THREADS])
    assert list(map(encoder.how, texts[0].split())) == list(map(other.how, texts[0].split()))
