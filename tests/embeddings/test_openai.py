from __future__ import annotations

import gzip
import json
import math
import socket
import sqlite3
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import raw_server
from embedding_server import honest, inputs, serve, vector_of
from hypothesis import given, settings
from hypothesis import strategies as st
from json_server import Answer
from new_process import in_a_new_process
from raw_server import Script, drips, says

from compsim.embeddings.services.openai import OpenAi
from compsim.embeddings.services.tokens import open_counter
from compsim.embeddings.services.vector_cache import VectorCache, default_path
from compsim.errors import InputError, ServiceError
from compsim.http import Service
from compsim.registry import load


def open_method(url: str, **options: Any) -> OpenAi:
    method = load("openai", url=url, **{"model": "toy", "cache": False, "api_key": "", **options})
    assert isinstance(method, OpenAi)
    method._endpoint._service._backoff = 0.01
    return method


def cosine(s: str, t: str) -> float:
    x, y = vector_of(s), vector_of(t)
    return sum(a * b for a, b in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)


# --- the protocol --------------------------------------------------------------------------------


def test_scores_are_the_cosines_of_the_servers_vectors() -> None:
    a = [f"sentence {n} \U0001f600 é" for n in range(30)]
    b = [f"other {n}" for n in range(30)]
    with serve() as server:
        method = open_method(server.url, batch_size=7, api_key="sk-1")
        scores = method.similarity_pairwise(a, b)
        matrix = method.similarity(a, b)
    np.testing.assert_allclose(
        scores, [cosine(*pair) for pair in zip(a, b, strict=True)], atol=1e-6
    )
    np.testing.assert_allclose(matrix, [[cosine(s, t) for t in b] for s in a], atol=1e-6)
    path, headers, body = server.requests[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer sk-1"
    assert body == {"model": "toy", "input": a[:7]}
    assert max(map(len, inputs(server))) == 7


def test_the_key_comes_from_the_environment_and_dimensions_are_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-2")
    with serve() as server:
        method = open_method(server.url, api_key=None, dimensions=6)
        assert len(method.encode([])) == 0  # the length is known: nothing is asked
        assert server.requests == []
        method.encode(["a"])
        with pytest.raises(ServiceError, match="6 numbers"):
            open_method(server.url, dimensions=3).encode(["a"])
    assert server.requests[0][1]["Authorization"] == "Bearer sk-2"
    assert server.requests[0][2] == {"model": "toy", "dimensions": 6, "input": ["a"]}


def test_blank_empty_repeated_and_long_sentences() -> None:
    long = "word " * 10_000
    sentences = ["", "  \n", "cats", "cats", "\ud800", long]
    with serve() as server:
        method = open_method(server.url)
        with pytest.warns(
            UserWarning, match="1 of 3 sentences have more than 8191 tokens"
        ) as result:
            batch = method.encode(sentences)
        assert len(result) == 1
        assert inputs(server) == [["cats", "\ufffd", long[: 4 * 8191]]]
        assert (batch.vector.any(axis=1) == [False, False, True, True, True, True]).all()
        assert method.similarity_pairwise([""], [""]).tolist() == [0.0]
        assert method.similarity([], ["cats"]).shape == (0, 1)
        assert method.similarity(["", " "], ["cats"]).tolist() == [[0.0], [0.0]]


def test_an_unknown_length_is_asked_for_once() -> None:
    with serve() as server:
        method = open_method(server.url)
        assert method.encode([""]).vector.shape == (1, 6)
        assert method.encode([]).vector.shape == (0, 6)
    assert len(server.requests) == 1


# --- trouble -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_tried_again(status: int) -> None:
    def answer(texts: list[str], count: int) -> Answer:
        return honest(texts, count) if count == 2 else (status, {"error": "later"})

    with serve(answer) as server:
        assert open_method(server.url).encode(["a"]).vector[0].tolist() == pytest.approx(
            vector_of("a")
        )
        assert len(server.requests) == 3
    with serve(lambda texts, count: (status, {"error": "never"})) as server:
        with pytest.raises(ServiceError, match=str(status)):
            open_method(server.url, retries=2).encode(["a"])
        assert len(server.requests) == 3


def test_retry_after_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("compsim.http.time.sleep", pauses.append)

    def answer(texts: list[str], count: int) -> Answer:
        asked: list[Answer] = [
            (429, {}, {"Retry-After": "7"}),
            (500, {}),
            (429, {}, {"Retry-After": "9999"}),
        ]
        return asked[count] if count < 3 else honest(texts, count)

    with serve(answer) as server:
        open_method(server.url).encode(["a"])
    assert pauses == [7.0, 0.02, 60.0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>", "did not answer in JSON"),
        (b"", "did not answer in JSON"),
        ([], "something else than embeddings"),
        (None, "something else than embeddings"),
        ({"data": 3}, "something else than embeddings"),
        ({"data": ["x", "y"]}, "something else than embeddings"),
        ({"data": [{"embedding": "AACAPw=="}] * 2}, "something else than embeddings"),
        ({"data": [{"embedding": [1, None]}] * 2}, "finite"),
        ({"data": [{"embedding": [1.0, math.nan]}] * 2}, "finite"),
        ({"data": [{"embedding": [1e300]}] * 2}, "finite"),
        ({"data": [{"embedding": []}] * 2}, "finite"),
        ({"data": [{"embedding": [[1.0]]}] * 2}, "finite"),
        ({"data": [{"embedding": [[1.0], 2]}] * 2}, "something else than embeddings"),
        ({"data": [{"embedding": ["1", "2"]}] * 2}, "finite"),
        ({"data": [{"embedding": [True, False]}] * 2}, "finite"),
        ({"data": [{"embedding": {"0": 1}}] * 2}, "something else than embeddings"),
        ({"data": [{"embedding": [1.0], "index": i} for i in (0.2, 1.7)]}, "2 vectors for 2"),
        ({"data": [{"embedding": [1.0], "index": i} for i in (False, True)]}, "2 vectors for 2"),
        ({"data": [{"embedding": [1.0], "index": math.inf}] * 2}, "2 vectors for 2"),
        (b'{"data": ' + b"[" * 950 + b"]" * 950 + b"}", "something else|JSON"),
        (b"[" + b"9" * 9000 + b"]", "did not answer in JSON"),
        ({"data": [{"embedding": [10**400]}] * 2}, "something else than embeddings"),
        ({"data": []}, "0 vectors for 2 texts"),
        ({"data": [{"embedding": [1.0]}]}, "1 vectors for 2 texts"),
        ({"data": [{"embedding": [1.0]}] * 3}, "3 vectors for 2 texts"),
        ({"data": [{"embedding": [1.0], "index": 1}] * 2}, "2 vectors for 2 texts"),
        ({"data": [{"embedding": [1.0], "index": i} for i in (1, 2)]}, "2 vectors for 2 texts"),
        ({"data": [{"embedding": [1.0], "index": [i]} for i in (0, 1)]}, "2 vectors for 2"),
        ({"data": [{"embedding": [1.0] * n} for n in (1, 2)]}, "of 1 and of 2 numbers"),
    ],
)
def test_a_malformed_answer_is_told_apart(content: Any, message: str) -> None:
    with serve(lambda texts, count: (200, content)) as server:
        with pytest.raises(ServiceError, match=message):
            open_method(server.url).encode(["a", "b"])
        assert len(server.requests) == 1  # and not asked for again


def test_lengths_that_differ_are_not_kept(tmp_path: Path) -> None:
    wrong = {"data": [{"embedding": [1.0] * 3}, {"embedding": [1.0] * 2}]}
    cache = VectorCache(tmp_path / "kept.sqlite")
    with serve(lambda texts, count: (200, wrong) if count == 0 else honest(texts, count)) as server:
        method = open_method(server.url, cache=cache)
        with pytest.raises(ServiceError, match="of 3 and of 2 numbers"):
            method.encode(["a", "b"])
        assert len(cache) == 0
        assert method.encode(["a", "b"]).vector.shape == (2, 6)
    cache.close()


def test_an_answer_far_larger_than_its_vectors_is_not_read() -> None:
    with (
        serve(lambda texts, count: (200, b"[" + b" " * 2**20 + b"]")) as server,
        pytest.raises(ServiceError, match="more than 1048576 bytes"),
    ):
        open_method(server.url, batch_size=2).encode(["a"])


SECRET = b"\x1b[31m Bearer sk-1"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            says("HTTP/1.1 200 OK", "Content-Encoding: gzip", body=gzip.compress(b"0" * 10**7)),
            "JSON",
        ),
        (drips(b"HTTP/1.1 200 OK\r\n\r\n", b" "), r"within 0\.5 s"),
        (drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), r"within 0\.5 s"),
        (says("HTTP/1.1 307 Go", "Location: http://192.0.2.1/"), "307 .*not followed"),
        (says("HTTP/1.1 301 Go", "Location: file:///etc/hosts"), "301 .*not followed"),
        (says("HTTP/1.1 200 OK", body=b"<html>" + SECRET), "JSON"),
        (says("HTTP/1.1 400 No", body=SECRET), "answered 400"),
        (says("HTTP/1.1 403 No", body=SECRET), "check the API key"),
        (lambda connection, request: connection.sendall(SECRET + b"\r\n\r\n"), "gave no answer"),
    ],
    ids=["gzip", "drip", "continue", "redirect", "file", "html", "refused", "forbidden", "none"],
)
def test_a_hostile_endpoint_is_one_clear_error(script: Script, message: str) -> None:
    with (
        raw_server.serve(script) as (url, asked),
        pytest.raises(ServiceError, match=message) as caught,
    ):
        open_method(url, api_key="sk-1", timeout=0.5, retries=0).encode(["a", "b"])
    assert len(asked) <= 3
    assert str(caught.value).isprintable()
    assert "sk-1" not in str(caught.value)


def test_without_index_the_order_of_the_answer_counts() -> None:
    def answer(texts: list[str], count: int) -> Answer:
        return 200, {"data": [{"embedding": vector_of(text)} for text in texts]}

    with serve(answer) as server:
        vector = open_method(server.url).encode(["a", "b"]).vector
    np.testing.assert_allclose(vector, [vector_of("a"), vector_of("b")], atol=1e-6)


def test_a_refused_sentence_costs_its_own_vector_only() -> None:
    def answer(texts: list[str], count: int) -> Answer:
        return (400, {"error": "bad"}) if "bad" in texts else honest(texts, count)

    sentences = [f"s{n}" for n in range(20)]
    sentences[5] = "bad"
    with serve(answer) as server:
        method = open_method(server.url, batch_size=8)
        with pytest.warns(UserWarning, match="1 of 20 texts were refused") as result:
            batch = method.encode(sentences)
        assert len(result) == 1
        assert np.flatnonzero(~batch.vector.any(axis=1)).tolist() == [5]
        with pytest.raises(ServiceError, match="answered 400"):
            method.encode(["bad"])


def test_a_request_that_is_refused_altogether_is_given_up_soon() -> None:
    with serve(lambda texts, count: (400, {"error": "no dimensions here"})) as server:
        with pytest.raises(ServiceError, match="no dimensions here"):
            open_method(server.url).encode([f"s{n}" for n in range(1000)])
        assert len(server.requests) < 20


@pytest.mark.parametrize(("status", "message"), [(401, "API key"), (404, "the model's name")])
def test_a_wrong_key_or_model_stops_at_the_first_request(status: int, message: str) -> None:
    with serve(lambda texts, count: (status, {})) as server:
        with pytest.raises(ServiceError, match=message):
            open_method(server.url, batch_size=1).encode([f"s{n}" for n in range(50)])
        assert len(server.requests) == 1


def test_nothing_listens_and_too_slow() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    with pytest.raises(ServiceError, match="can not be reached"):
        open_method(url, retries=1).encode(["a"])

    def answer(texts: list[str], count: int) -> Answer:
        time.sleep(0.5)
        return honest(texts, count)

    with serve(answer) as server, pytest.raises(ServiceError, match=r"within 0\.1 s"):
        open_method(server.url, timeout=0.1).encode(["a"])


def test_a_failure_later_on_keeps_what_was_answered_and_stops(tmp_path: Path) -> None:
    down = threading.Event()

    def answer(texts: list[str], count: int) -> Answer:
        if count == 5:
            down.set()
        return (500, {}) if down.is_set() else honest(texts, count)

    cache = VectorCache(tmp_path / "kept.sqlite")
    sentences = [f"s{n}" for n in range(200)]
    with serve(answer) as server:
        method = open_method(server.url, cache=cache, batch_size=1, retries=0, workers=2)
        with pytest.raises(ServiceError, match="500"):
            method.encode(sentences)
        kept, asked = len(cache), len(server.requests)
        assert 3 <= kept <= 5
        assert asked < 20
        down.clear()
        assert len(method.encode(sentences)) == 200
        assert len(server.requests) - asked == 200 - kept
    cache.close()


def test_wrong_options() -> None:
    url = "http://127.0.0.1:9"
    for options in (
        {"batch_size": 0},
        {"batch_tokens": 0},
        {"token_limit": 0},
        {"dimensions": 0},
        {"requests_per_minute": 0},
        {"tokens_per_minute": -1},
        {"timeout": 0},
        {"workers": 0},
        {"price": -0.1},
        {"price": math.nan},
        {"api_key": "clé"},
        {"cache": "here"},
        {"url": "localhost:80"},
    ):
        with pytest.raises(InputError):
            OpenAi(**{"url": url, **options})  # type: ignore[arg-type]


def test_offline_asks_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    monkeypatch.setattr("httpx.Client.stream", lambda *_, **__: pytest.fail("it was asked"))
    for url in ("https://api.openai.com/v1", "http://192.0.2.1/v1", "http://localhost.example/v1"):
        with pytest.raises(ServiceError, match="COMPSIM_OFFLINE is set"):
            open_method(url).encode(["a"])
        with pytest.raises(ServiceError, match="COMPSIM_OFFLINE is set"):
            Service(url).get("health")
    monkeypatch.undo()
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    with serve() as server:
        assert len(open_method(server.url).encode(["a"])) == 1


# --- the cache -----------------------------------------------------------------------------------


def test_a_text_is_asked_for_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    with serve() as server:
        first = open_method(server.url, cache=VectorCache(path)).encode(["a", "b", "a"])
        again = open_method(server.url, cache=VectorCache(path)).encode(["b", "c", "a"])
        assert inputs(server) == [["a", "b"], ["c"]]
        np.testing.assert_array_equal(again.vector[[2, 0]], first.vector[:2])
        open_method(server.url, cache=VectorCache(path), model="other").encode(["a"])
        open_method(server.url, cache=VectorCache(path), dimensions=6).encode(["a"])
        assert inputs(server)[2:] == [["a"], ["a"]]


def test_the_default_cache_lies_in_the_home_folder(isolated_home: Path) -> None:
    assert default_path() == isolated_home / "embeddings.sqlite"
    with serve() as server:
        for _ in range(2):
            open_method(server.url, cache=True).encode(["a"])
    assert len(server.requests) == 1


@given(st.dictionaries(st.text(max_size=5), st.lists(st.floats(width=32, allow_nan=False))))
@settings(deadline=None, max_examples=25)
def test_vectors_come_back_as_they_went(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, list[float]]
) -> None:
    cache = VectorCache(tmp_path_factory.mktemp("kept") / "kept.sqlite")
    vectors = {text: np.array(row, dtype=np.float32) for text, row in rows.items() if row}
    cache.put(vectors, "s")
    entry = cache.get([*rows, "never put"], "s")
    assert entry.keys() == vectors.keys()
    for text, row in vectors.items():
        np.testing.assert_array_equal(entry[text], row)
    cache.clear()
    assert len(cache) == 0
    cache.close()


def test_a_damaged_vector_is_a_miss(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    row = np.arange(3, dtype=np.float32)
    for wrong in (b"", b"123", b"12345678", "text", 3):
        cache = VectorCache(path)
        cache.put({"a": row, "b": row}, "s")
        cache.close()
        with sqlite3.connect(path) as db:
            db.execute("UPDATE vectors SET vector = ? WHERE id % 2 = 1", (wrong,))
        db.close()
        assert len(cache.get(["a", "b"], "s")) == 1
        cache.put({"a": row, "b": row}, "s")
        assert len(cache.get(["a", "b"], "s")) == 2
        cache.clear()
        cache.close()


def test_the_oldest_go_and_an_unusable_file_is_told_once(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "kept.sqlite", max_entries=5)
    for n in range(12):
        cache.put({str(n): np.ones(2, dtype=np.float32)}, "s")
    assert len(cache) <= 5
    assert "11" in cache.get(["11", "0"], "s")
    assert cache.path == tmp_path / "kept.sqlite"
    cache.close()
    (tmp_path / "file").write_text("in the way")
    with serve() as server, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        method = open_method(server.url, cache=VectorCache(tmp_path / "file" / "kept.sqlite"))
        method.encode(["a"])
        method.encode(["b"])
    assert ["vectors are not kept" in str(warning.message) for warning in caught] == [True]


# --- cost ----------------------------------------------------------------------------------------


def test_cost_is_told_before_and_nothing_is_sent(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "kept.sqlite")
    with serve() as server:
        method = open_method(server.url, price=0.13, cache=cache, batch_size=2, token_limit=30)
        method._counter = open_counter("unknown")  # type: ignore[misc]
        method.encode(["known"])
        sentences = ["known", "abcdefgh", "abcdefgh", "", "ijkl", "mnop", "x" * 999]
        cost = method.cost(sentences)
        assert len(server.requests) == 1
        assert (cost.texts, cost.requests, cost.tokens, cost.cut) == (4, 2, 2 + 1 + 1 + 30, 1)
        assert not cost.exact
        assert cost.dollars == pytest.approx(34 * 0.13e-6)
        with pytest.warns(UserWarning, match="cut"):
            method.encode(sentences)
        assert len(server.requests) == 1 + cost.requests
        done = method.cost(sentences)
        assert (done.texts, done.requests, done.tokens, done.dollars) == (0, 0, 0, 0.0)
        assert open_method(server.url).cost(["a"]).dollars is None
    cache.close()


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import json, sys; from compsim.registry import load\n"
        "load('openai', url='http://127.0.0.1:9', cache=False)\n"
        "print(json.dumps([m for m in ('torch', 'openai', 'tiktoken', 'spacy', 'gensim', 'httpx') "
        "if m in sys.modules]))"
    )
    assert json.loads(in_a_new_process(code)) == []
