"""Bodies that are small as bytes and big as what is made of them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from pydantic import BaseModel, ValidationError

from compsim.benchmarks.speed.service import Running, memory
from compsim.errors import InputError
from compsim.serving import models
from compsim.serving.checks import check_words

HEADERS = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("rerank", b'{"query":"Who?","documents":[%s]}', "documents has 1000000 items"),
        ("similarity", b'{"first":[%s],"second":["a"]}', "first has 1000000 items"),
        ("similarity", b'{"first":["a"],"second":[%s]}', "second has 1000000 items"),
        ("rerank", b'{"query":"Who?","documents":["a"],"rank_fields":[%s]}', "rank_fields has"),
    ],
)
def test_wrong_items_are_counted_before_they_are_looked_at(
    client: httpx.Client, service: Running, path: str, body: bytes, message: str
) -> None:
    before = memory(service.url)
    ones = b",".join([b"1"] * 1_000_000)
    answer = client.post(f"/v1/{path}", content=body % ones, headers=HEADERS)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith(message)
    assert memory(service.url) < before + 200


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        (models.RerankRequest, {"query": "Who?", "documents": [1] * 1000}),
        (models.RerankRequest, {"query": "?", "documents": ["a"], "rank_fields": [1] * 1000}),
        (models.SimilarityRequest, {"first": [1] * 1000, "second": [1] * 1000}),
    ],
)
def test_no_error_is_made_for_each_item(kind: type[BaseModel], asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate(asked)
    assert refused.value.error_count() <= 4


@pytest.mark.parametrize(
    ("fields", "names", "message"),
    [
        ({"a": "x" * 200_000}, ["a"] * 10_000, "rank_fields has 10000 items"),
        ({"a": "x"}, ["a", "b", "a"], "rank_fields names 'a' twice"),
        ({"a": "x"}, [f"a{i}" for i in range(33)], "rank_fields has 33 items"),
        ({"a": "x" * 10_000, "b": "y" * 10_000}, ["a", "b"], "documents.0 has 20001 characters"),
    ],
)
def test_fields_are_named_once_and_their_lengths_added_up(
    client: httpx.Client, fields: dict[str, str], names: list[str], message: str
) -> None:
    asked = {"query": "Who?", "documents": [fields, "a"], "rank_fields": names}
    answer = client.post("/v1/rerank", json=asked)
    assert answer.status_code == 422
    assert message in answer.json()["message"]


def test_long_names_do_not_come_back(client: httpx.Client) -> None:
    asked = {"query": "Who?", "documents": [{"a": "x"}], "rank_fields": ["b" * 1_000_000]}
    answer = client.post("/v1/rerank", json=asked)
    assert answer.status_code == 422
    assert len(answer.content) < 1000


def test_a_request_of_ever_new_words_is_refused(client: httpx.Client) -> None:
    documents = [" ".join(f"w{100 * i + j}" for j in range(100)) for i in range(501)]
    asked = {"query": "Who?", "documents": documents}
    answer = client.post("/v1/rerank", json=asked)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("the request has more than 50000 different words")
    check_words([["a b", "B, a."], ["c"]], 4)
    with pytest.raises(InputError, match="more than 3 different words"):
        check_words([["a b", "B, a."], ["c"]], 3)
