"""``llm-rating``: what is asked, what is made of the answer, and what if there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import rating_server
from json_server import serve as serve_json
from rating_server import asked_pair, rating, serve

from compsim import ServiceError, load
from compsim.embeddings.llm_rating import RATE, LlmRating, read_rating
from compsim.parsers.remote.chat import read_object

A = ["cats chase mice", "dogs help birds", "cats chase mice"]
B = ["mice chase big cats", "", "mice chase big cats"]


def open_method(url: str, **options: Any) -> LlmRating:
    return load("llm-rating", url=url, **{"model": "toy", "api_key": "", "retries": 0, **options})


def test_a_score_is_the_mean_of_both_orders_and_each_is_asked_once() -> None:
    with serve() as server:
        method = open_method(server.url)
        expected = (rating(A[0], B[0]) + rating(B[0], A[0])) / 10
        assert 0 < expected < 1
        scores = method.similarity_pairwise(A, B)
        np.testing.assert_allclose(scores, [expected, 0, expected])
        assert method.explain(B[0], A[0]).score == pytest.approx(expected)
        assert sorted(map(asked_pair, server.requests)) == sorted([(A[0], B[0]), (B[0], A[0])])
        assert method.similarity_pairwise([A[1]], [f" {A[1]}\n"]).tolist() == [1.0]
        assert len(server.requests) == 3
    body = server.requests[0].body
    assert (body["model"], body["temperature"]) == ("toy", 0)
    assert body["messages"][0] == {"role": "system", "content": RATE}


@pytest.mark.parametrize("workers", [1, 3])
def test_all_pairs_of_two_lists(workers: int) -> None:
    texts = [f"{a} {b}" for a in "xyz" for b in "uvw"]
    with serve() as server:
        matrix = open_method(server.url, workers=workers).similarity(texts, texts)
        assert len(server.requests) == len(texts) ** 2
    expected = [[(rating(s, t) + rating(t, s)) / 10 for t in texts] for s in texts]
    np.testing.assert_allclose(matrix, expected, atol=1e-6)


@pytest.mark.parametrize(
    "answer",
    ["", "no JSON", '{"rating": true}', '{"rating": 6}', '{"rating": -1}', '{"rating": 4.5}',
     '{"rating": "4"}', '{"rating": null}', '{"score": 4}', '[{"rating"]', "{" * 9999, None, 5, []],
)  # fmt: skip
def test_an_answer_without_a_rating_is_one_error(answer: Any) -> None:
    assert read_rating(answer) is None
    with serve(lambda first, second: answer) as server:
        with pytest.raises(ServiceError, match=r"toy at http.*answered.*no rating.*try again") as e:
            open_method(server.url).similarity(A, B)
        assert "\n" not in str(e.value)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    ['{"rating": 3}', '```json\n{"rating": 3}\n```', 'The set {x} differs. {"rating": 3}'],
)
def test_a_rating_may_stand_in_other_text(answer: str) -> None:
    assert read_rating(answer) == 3
    assert read_object("x" * 99999 + answer) == {"rating": 3}


def test_what_was_answered_is_kept_where_a_call_breaks_off() -> None:
    broken = True

    def rate(first: str, second: str) -> str:
        return "sorry" if broken and "help" in first else rating_server.honest(first, second)

    with serve(rate) as server:
        method = open_method(server.url, workers=1)
        with pytest.raises(ServiceError, match="sorry"):
            method.similarity_pairwise(A[:2], ["mice sleep", "birds sing"])
        broken = False
        assert method.similarity_pairwise(A[:2], ["mice sleep", "birds sing"]).min() > 0
        asked = list(map(asked_pair, server.requests))
    assert asked.count(("cats chase mice", "mice sleep")) == 1
    assert asked.count(("mice sleep", "cats chase mice")) == 1
    assert asked.count(("dogs help birds", "birds sing")) == 2


def test_a_key_is_sent_and_never_shown() -> None:
    with serve(lambda first, second: "the key is sk-secret") as server:
        method = open_method(server.url, api_key="sk-secret")
        with pytest.raises(ServiceError, match=r"is \*\*\*'") as error:
            method.similarity("a", "b")
    assert server.requests[0].headers["Authorization"] == "Bearer sk-secret"
    assert "secret" not in str(error.value) + repr(method)


def test_a_service_that_is_none() -> None:
    with pytest.raises(ServiceError, match="can not be reached"):
        open_method("http://127.0.0.1:9/v1").similarity(A, B)
    with serve_json(lambda request, earlier: (200, {"rating": 5})) as server:
        with pytest.raises(ServiceError, match="no chat completion"):
            open_method(server.url).similarity(A, B)
        assert len(server.requests) == 1
    with serve_json(lambda request, earlier: (401, {})) as server:
        with pytest.raises(ServiceError, match="check the API key"):
            open_method(server.url).similarity(A, B)
        assert len(server.requests) == 1
