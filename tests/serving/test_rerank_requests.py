"""Answers of requests, which are those of the library."""

from __future__ import annotations

import json
from typing import Any

import httpx
import numpy as np
import pytest

from compsim import Reranker

QUERY = "Who bit the man?"
DOCUMENTS = ["The man bit the dog.", "Prices fell.", "It rained. The dog bit the man."]


@pytest.fixture(scope="module")
def reranker() -> Reranker:
    return Reranker("hybrid", whole="mean-cn", vectors="builtin", cache=False)


def test_rerank_answers_in_the_format_of_the_rerank_apis(
    client: httpx.Client, reranker: Reranker
) -> None:
    asked = {"model": "rerank-v3.5", "query": QUERY, "documents": DOCUMENTS, "top_n": 2}
    result = client.post("/v1/rerank", json={**asked, "max_chunks_per_doc": 10}).json()
    expected = reranker.rank(QUERY, DOCUMENTS, top_k=2)
    assert [row["index"] for row in result["results"]] == [row["corpus_id"] for row in expected]
    assert [row["relevance_score"] for row in result["results"]] == pytest.approx(
        [row["score"] for row in expected], abs=1e-6
    )
    assert set(result) == {"id", "model", "results", "meta", "usage"}
    assert result["meta"]["api_version"]["version"] == "1"
    assert result["results"][0]["document"] == {"text": DOCUMENTS[2]}
    short = client.post("/v1/rerank", json={**asked, "return_documents": False}).json()["results"]
    assert all(set(row) == {"index", "relevance_score"} for row in short)
    newer = client.post("/v2/rerank", json=asked).json()
    assert newer["meta"]["api_version"]["version"] == "2"
    assert newer["results"] == short


def test_rerank_repeats_documents_where_that_is_asked_for(client: httpx.Client) -> None:
    documents = [DOCUMENTS[0], {"text": DOCUMENTS[1], "number": 3}, {"text": DOCUMENTS[2]}]
    asked = {"query": QUERY, "documents": documents, "return_documents": True}
    result = client.post("/v1/rerank", json=asked).json()["results"]
    assert [row["document"]["text"] for row in result] == [
        DOCUMENTS[row["index"]] for row in result
    ]


def test_rerank_reads_the_fields_that_are_named(client: httpx.Client) -> None:
    documents = [{"title": "Prices", "body": "They fell."}, {"title": "Dogs", "body": "They bark."}]
    asked = {"query": "A dog barks.", "documents": documents, "rank_fields": ["title", "body"]}
    result = client.post("/v1/rerank", json={**asked, "return_documents": True}).json()["results"]
    assert result[0]["index"] == 1
    assert result[0]["document"]["text"] == "Dogs\nThey bark."


def test_rerank_takes_documents_without_a_word(client: httpx.Client) -> None:
    asked = {"query": QUERY, "documents": ["", "...", "The dog bit the man."]}
    result = client.post("/v1/rerank", json=asked).json()["results"]
    assert sorted(row["index"] for row in result) == [0, 1, 2]
    assert result[0]["index"] == 2


def test_the_client_of_cohere_understands_the_answers(service: Any) -> None:
    cohere = pytest.importorskip("cohere")
    old = cohere.Client("none", base_url=service.url)
    result = old.rerank(query=QUERY, documents=DOCUMENTS, top_n=1, return_documents=True)
    assert (result.results[0].index, result.results[0].document.text) == (2, DOCUMENTS[2])
    new = cohere.ClientV2("none", base_url=service.url)
    again = new.rerank(model="any", query=QUERY, documents=DOCUMENTS, top_n=1)
    assert again.results[0].relevance_score == result.results[0].relevance_score
    with pytest.raises(cohere.UnprocessableEntityError, match="without a word"):
        new.rerank(model="any", query="?", documents=DOCUMENTS)


def test_similarity_is_that_of_the_library(client: httpx.Client, reranker: Reranker) -> None:
    first, second = ["Dogs bark.", "Cats sleep."] * 100, ["Cats sleep.", "A cat dozes."] * 100
    both = {"first": first, "second": second}
    result = client.post("/v1/similarity_pairwise", json=both).json()
    expected = reranker.method.similarity_pairwise(first, second).tolist()
    assert result["scores"] == pytest.approx(expected, abs=1e-6)
    for path in ("/v1/similarity", "/v1/similarity_pairwise"):
        one = client.post(path, json={"first": first[0], "second": second[0]}).json()
        assert one == {"method": "hybrid", "scores": pytest.approx(expected[:1], abs=1e-6)}
    few, others = [*first[:2], "", "The dog bit the man."], second[:2] * 3
    matrix = client.post("/v1/similarity", json={"first": few, "second": others}).json()["scores"]
    expected_matrix = reranker.method.similarity(few, others)
    assert np.array(matrix) == pytest.approx(expected_matrix, abs=1e-6)
    for i, text in enumerate(few):
        if text:
            row = client.post("/v1/similarity", json={"first": text, "second": others}).json()
            assert row["scores"] == pytest.approx(matrix[i], abs=1e-6)
    column = client.post("/v1/similarity", json={"first": few, "second": others[0]}).json()
    assert column["scores"] == pytest.approx([row[0] for row in matrix], abs=1e-6)


@pytest.mark.parametrize(
    ("path", "second", "says"),
    [
        ("/v1/similarity", ["b"] * 101, "10 x 101 = 1010 pairs and this service takes 1000"),
        ("/v1/similarity_pairwise", ["b"] * 9, "first has 10 sentences and second 9: send as many"),
        ("/v1/similarity_pairwise", "b", "lists of the same length, or ask /v1/similarity"),
    ],
)
def test_sides_that_do_not_fit(client: httpx.Client, path: str, second: Any, says: str) -> None:
    answer = client.post(path, json={"first": ["a"] * 10, "second": second})
    assert answer.status_code == 422
    assert says in answer.json()["message"]


def test_explain_adds_up_and_escapes(client: httpx.Client) -> None:
    asked = {"first": "The <b>dog</b> bit & ran.", "second": "The man bit the dog.", "html": True}
    result = client.post("/v1/explain", json=asked).json()
    parts = [row["contribution"] for row in result["explanation"]["roles"]]
    assert result["score"] == pytest.approx(sum(parts), abs=1e-6)
    assert "<b>" not in result["html"]
    assert "&lt;" in result["html"]


def test_explain_tells_which_sentence_of_a_document_decided(client: httpx.Client) -> None:
    result = client.post("/v1/explain", json={"query": QUERY, "document": DOCUMENTS[2]}).json()
    assert "html" not in result or result["html"] is None
    assert [one["counts"] for one in result["explanation"]["sentences"]] == [False, True]
    empty = client.post(
        "/v1/explain", json={"query": QUERY, "document": "...", "html": True}
    ).json()
    assert empty["score"] is not None


def test_compare_says_why_one_document_is_above_another(
    client: httpx.Client, reranker: Reranker
) -> None:
    asked = {"query": QUERY, "first": DOCUMENTS[2], "second": "The <b>man</b> bit the dog."}
    result = client.post("/v1/compare", json={**asked, "html": True}).json()
    expected = reranker.compare(**asked)
    assert result["difference"] == pytest.approx(expected.difference, abs=1e-6)
    assert result["verdict"] == expected.verdict
    parts = [part["difference"] for part in result["comparison"]["parts"]]
    assert sum(parts) == pytest.approx(result["difference"], abs=1e-6)
    assert "<b>man" not in result["html"]
    assert client.post("/v1/compare", json=asked).json()["html"] is None


@pytest.mark.parametrize(
    ("path", "asked", "status", "result"),
    [
        ("rerank", {"query": "", "documents": ["a"]}, 422, "query"),
        ("rerank", {"query": "?!", "documents": ["a"]}, 422, "without a word"),
        ("rerank", {"query": "dogs", "documents": []}, 422, "documents"),
        ("rerank", {"query": "dogs", "documents": ["x"] * 10_000}, 422, "10000 items"),
        ("rerank", {"query": "dogs", "documents": ["dogs " * 200_000]}, 422, "1000000 characters"),
        ("rerank", {"query": "dogs " * 1000, "documents": ["dogs"]}, 422, "query has 5000"),
        ("rerank", {"query": "dogs", "documents": ["x" * 3_000_000]}, 413, "bytes"),
        ("rerank", {"query": "dogs", "documents": [{"body": "x"}]}, 422, "documents.0"),
        ("rerank", {"query": "dogs", "documents": [3]}, 422, "0 must be a string or an object"),
        (
            "rerank",
            {"query": "dogs", "documents": ["a"], "top_n": -1},
            422,
            "top_n must be at least 0",
        ),
        ("rerank", {"query": "dogs", "documents": ["a"], "top_n": True}, 422, "top_n"),
        ("rerank", {"query": ["dogs"], "documents": ["a"]}, 422, "query"),
        ("rerank", {}, 422, "query is missing"),
        ("similarity", {"first": 3, "second": "b"}, 422, "first must be a string or a list"),
        ("similarity", {"first": "a", "second": ["b", 3]}, 422, "second.1 must be a string"),
        ("similarity_pairwise", {"first": "a", "second": ["b"]}, 422, "two lists"),
        ("similarity_pairwise", {"first": ["a", "b"], "second": ["b"]}, 422, "as many"),
        ("same", {"first": ["a"], "second": "b"}, 422, "send the one text as first"),
        ("same", {"first": ["a"], "second": ["b", "c"]}, 422, "as many"),
        ("same", {"first": "a", "second": "b", "max_false": 0}, 422, "max_false"),
        ("same", {"first": "dogs " * 1000, "second": ["b", "c"]}, 422, "first has 5000"),
        ("same", {"first": "a", "second": ["dogs " * 1000]}, 422, "second.0 has 5000"),
        ("explain", {}, 422, "first is missing"),
        ("explain", {"first": "a"}, 422, "second is missing"),
        ("explain", {"query": "a"}, 422, "document is missing"),
        ("explain", [], 422, "the body"),
        ("compare", {"query": "dogs", "first": "a"}, 422, "second is missing"),
        ("compare", {"query": "?!", "first": "a", "second": "b"}, 422, "without a word"),
        ("compare", {"query": "a", "first": "dogs " * 9000, "second": "b"}, 422, "first has 45000"),
    ],
)
def test_what_cannot_be_answered_is_told_in_one_sentence(
    client: httpx.Client, path: str, asked: Any, status: int, result: str
) -> None:
    answer = client.post(f"/v1/{path}", json=asked)
    assert answer.status_code == status
    message = answer.json()["message"]
    assert result in message
    assert "\n" not in message
    assert ": " in message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "missing"),
        (b"{", "not JSON"),
        (b'{"query": "dogs", "documents": ["a"], "top_n": NaN}', "NaN"),
        (b'{"query": "dogs", "documents": ["a"], "model": -Infinity}', "-Infinity"),
        (b'{"query": "dogs", "documents": ["a"], "top_n": ' + b"9" * 5000 + b"}", "number"),
        (b"[" * 100_000, "nested"),
        (b'{"query": "\xff"}', "UTF-8"),
    ],
)
def test_what_is_no_json_is_told_too(client: httpx.Client, body: bytes, message: str) -> None:
    answer = client.post("/v1/rerank", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert message in answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "asked", "field"),
    [
        ("/v1/rerank", {"query": "\ud800", "documents": ["a"]}, "query"),
        ("/v1/rerank", {"query": "dogs", "documents": ["\ud800"]}, "documents.0"),
        ("/v2/rerank", {"query": "dogs", "documents": ["a", {"text": "\udfff"}]}, "documents.1"),
        ("/v1/rerank", {"query": "d", "documents": ["a"], "rank_fields": ["\ud800"]}, "rank_f"),
        ("/rerank", {"query": "dogs", "documents": ["a \ud800"]}, "documents.0"),
        ("/rerank", {"query": "dogs", "texts": ["", "\ud800"], "return_text": True}, "texts.1"),
        ("/rerank", {"query": "dogs", "texts": ["\ud800"]}, "texts.0"),
        ("/v1/similarity", {"first": ["a"], "second": ["\ud800"]}, "second.0"),
        ("/v1/compare", {"query": "dogs", "first": "a", "second": "\ud800"}, "second"),
    ],
)
def test_half_a_surrogate_pair_is_refused(
    client: httpx.Client, path: str, asked: dict[str, Any], field: str
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post(path, content=json.dumps(asked), headers=headers)
    assert answer.status_code == 422
    result = answer.json()
    assert result["message"].startswith(field)
    assert "must be a string without half of a surrogate pair" in result["message"]
    if "texts" in asked:
        assert result["error_type"] == "Validation"
    elif path in ("/rerank", "/v1/rerank"):
        assert result["error"]["type"] == "BadRequestError"


def test_a_body_that_is_not_said_to_be_json_is_none(client: httpx.Client) -> None:
    body = b'{"first": "a", "second": "b"}'
    answer = client.post("/v1/similarity", content=body, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422


def test_addresses_that_are_not_there(client: httpx.Client) -> None:
    assert client.get("/nothing").status_code == 404
    refused = client.get("/v1/similarity")
    assert refused.status_code == 405
    assert refused.headers["Allow"] == "POST"
    assert set(refused.json()) == {"message"}


def test_health_and_metrics(client: httpx.Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    client.get("/nothing/secret")
    text = client.get("/metrics").text
    assert 'compsim_requests_total{method="GET",path="other",status="404"}' in text
    assert "process_resident_memory_bytes" in text
    assert "secret" not in text
