"""Requests in the formats of other services, asked by the clients that are made for them."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from compsim.benchmarks.speed.service import Running

QUERY = "Who bit the man?"
TEXTS = ["The man bit the dog.", "Prices fell.", "It rained. The dog bit the man."]
ORDER = [2, 0, 1]


def test_texts_are_ranked_as_a_bare_array(client: httpx.Client) -> None:
    asked = {"query": QUERY, "texts": TEXTS, "raw_scores": False, "truncate": True}
    result = client.post("/rerank", json=asked).json()
    assert [one["index"] for one in result] == ORDER
    assert set(result[0]) == {"index", "score"}
    results = client.post("/rerank", json={**asked, "return_text": True}).json()
    assert [one["text"] for one in results] == [TEXTS[i] for i in ORDER]
    expected = client.post("/v1/rerank", json={"query": QUERY, "documents": TEXTS}).json()
    scores = [one["relevance_score"] for one in expected["results"]]
    assert [one["score"] for one in results] == scores
    nulls = dict.fromkeys(("return_text", "raw_scores", "truncate"))
    assert client.post("/rerank", json={**asked, **nulls}).json() == result


def test_vllm_has_the_address_of_text_embeddings_inference(client: httpx.Client) -> None:
    asked = {"model": "any", "query": QUERY, "documents": TEXTS, "top_n": 0}
    result = client.post("/rerank", json=asked).json()
    expected = [(i, {"text": TEXTS[i]}) for i in ORDER]
    assert [(one["index"], one["document"]) for one in result["results"]] == expected
    # The query three times, and what is compared with it.
    tokens = 3 * 5 + 6 + 3 + 9
    assert result["usage"] == {"prompt_tokens": tokens, "total_tokens": tokens}


def test_one_sentence_is_compared_with_others(client: httpx.Client) -> None:
    inputs = {"source_sentence": TEXTS[0], "sentences": TEXTS}
    result = client.post("/similarity", json={"inputs": inputs}).json()
    asked = {"first": [TEXTS[0]] * 3, "second": TEXTS}
    assert result == client.post("/v1/similarity_pairwise", json=asked).json()["scores"]


def test_max_tokens_per_doc_cuts_documents(client: httpx.Client) -> None:
    asked = {"query": QUERY, "documents": [TEXTS[2], "It rained."], "return_documents": True}
    whole = client.post("/v2/rerank", json=asked).json()["results"]
    cut = client.post("/v2/rerank", json={**asked, "max_tokens_per_doc": 3}).json()["results"]
    assert whole[0]["index"] == 0
    assert [one["relevance_score"] for one in cut] == [cut[0]["relevance_score"]] * 2
    assert cut[0]["document"]["text"] == TEXTS[2]


@pytest.mark.parametrize(
    ("path", "asked", "message"),
    [
        ("/rerank", {"query": QUERY}, "texts or documents is missing"),
        ("/rerank", {"query": QUERY, "texts": []}, "texts has no item: "),
        ("/rerank", {"query": "", "texts": ["a"]}, "query is empty: "),
        ("/rerank", {"query": QUERY, "texts": [3]}, "texts.0 must be a string: "),
        ("/rerank", {"query": "?!", "texts": ["a"]}, "query 0 is '?!', without a word"),
        ("/rerank", {"query": QUERY, "texts": ["x"] * 10_000}, "texts has 10000 items"),
        ("/rerank", {"query": QUERY, "texts": ["dogs " * 5000]}, "texts.0 has 25000 characters"),
        ("/similarity", {"inputs": {"source_sentence": "a"}}, "inputs.sentences is missing"),
        ("/similarity", {"inputs": "a"}, "inputs must be an object: "),
        (
            "/similarity",
            {"inputs": {"source_sentence": "a", "sentences": ["dogs " * 1000]}},
            "inputs.sentences.0 has 5000 characters",
        ),
        (
            "/similarity",
            {"inputs": {"source_sentence": "a", "sentences": ["b"] * 10_000}},
            "inputs.sentences has 10000 items",
        ),
        ("/similarity", [], "the body is no JSON object"),
    ],
)
def test_errors_have_the_form_of_text_embeddings_inference(
    client: httpx.Client, path: str, asked: Any, message: str
) -> None:
    answer = client.post(path, json=asked)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(message)
    assert answer.json()["error_type"] == "Validation"
    assert answer.headers["Content-Length"] == str(len(answer.content))


def test_what_is_refused_before_it_is_read_has_that_form_too(small: Running) -> None:
    with httpx.Client(base_url=small.url) as client:
        answer = client.post("/rerank", json={"documents": []})
        assert answer.status_code == 401
        assert "token" in answer.json()["error"]
        assert set(client.post("/v2/rerank", json={}).json()) == {"message"}
        result = client.post("/v1/rerank", json={}).json()
        assert result["detail"] == result["message"] == result["error"]["message"]
        assert result["error"]["type"] == "AuthenticationError"


@pytest.mark.parametrize("path", ["/v1/rerank", "/rerank"])
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"documents": ["a"]}, "query is missing"),
        ({"query": QUERY, "documents": []}, "documents has no item: "),
        ({"query": QUERY, "documents": [3]}, "documents.0 must be a string or an object: "),
        ({"query": "?!", "documents": ["a"]}, "query 0 is '?!', without a word"),
        ({"query": '"texts": ', "documents": ["x"] * 10_000}, "documents has 10000 items"),
        ({"query": QUERY, "documents": ["a"], "top_n": -1}, "top_n must be at least 0: "),
    ],
)
def test_errors_have_the_form_of_vllm(
    client: httpx.Client, path: str, asked: Any, message: str
) -> None:
    answer = client.post(path, json=asked)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error.pop("message").startswith(message)
    assert error == {"type": "BadRequestError", "param": None, "code": 422}


@pytest.mark.parametrize(
    "path", ["/rerank", "/similarity", "/v1/rerank", "/v2/rerank", "/v1/similarity", "/v1/same"]
)
def test_what_is_no_json_has_one_status_and_the_form_of_its_address(
    client: httpx.Client, path: str
) -> None:
    answer = client.post(path, content=b"{bad", headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    result = answer.json()
    assert result["message"].startswith("the body is not JSON")
    assert ("error_type" in result) == (path in {"/rerank", "/similarity"})
    assert isinstance(result.get("error"), dict) == (path == "/v1/rerank")


def test_whose_a_body_is_that_comes_in_pieces(client: httpx.Client) -> None:
    for end, kind in ((b'ents" : []}', dict), (b'ents": [], "texts": []}', str)):
        pieces = iter([b'{"query": "a", "docum', end])
        answer = client.post(
            "/rerank", content=pieces, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 422
        assert isinstance(answer.json()["error"], kind)


@pytest.mark.parametrize("path", ["/v1/rerank", "/v2/rerank"])
@pytest.mark.parametrize(
    ("body", "status"), [(b"[]", 422), (b"{", 400), (b'{"query": "a"}', 422), (b"", 400)]
)
def test_errors_have_the_form_of_cohere_and_jina(
    client: httpx.Client, path: str, body: bytes, status: int
) -> None:
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    result = answer.json()
    assert result["message"]
    assert result.get("detail", result["message"]) == result["message"]
    assert ("detail" in result) == (path == "/v1/rerank")


def test_the_client_of_hugging_face(service: Running) -> None:
    hub = pytest.importorskip("huggingface_hub")
    client = hub.InferenceClient(model=f"{service.url}/similarity")
    scores = client.sentence_similarity(TEXTS[0], other_sentences=TEXTS)
    assert scores[0] == max(scores)
    with pytest.raises(Exception, match=r"422|Validation"):
        client.sentence_similarity(TEXTS[0], other_sentences=[])


def test_the_client_of_llama_index_for_text_embeddings_inference(service: Running) -> None:
    tei = pytest.importorskip("llama_index.postprocessor.tei_rerank")
    from llama_index.core.schema import NodeWithScore, TextNode

    nodes = [NodeWithScore(node=TextNode(text=text, id_=str(i))) for i, text in enumerate(TEXTS)]
    ranker = tei.TextEmbeddingInference(top_n=2, base_url=service.url)
    result = ranker.postprocess_nodes(nodes, query_str=QUERY)
    assert [one.node.node_id for one in result] == [str(i) for i in ORDER[:2]]


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Documents of Haystack."""
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack")
    return [haystack.Document(content=text, id=str(i)) for i, text in enumerate(TEXTS)]


def test_the_client_of_haystack_for_text_embeddings_inference(
    service: Running, documents: Any
) -> None:
    package = pytest.importorskip("haystack_integrations.components.rankers.huggingface_api")
    ranker = package.HuggingFaceTEIRanker(url=service.url, top_k=2, token=None)
    process = ranker.run(query=QUERY, documents=documents)["documents"]
    assert [one.id for one in process] == [str(i) for i in ORDER[:2]]
    with pytest.raises(RuntimeError, match="without a word"):
        ranker.run(query="?!", documents=documents)


def test_the_client_of_haystack_for_vllm(service: Running, documents: Any) -> None:
    package = pytest.importorskip("haystack_integrations.components.rankers.vllm")
    ranker = package.VLLMRanker(model="any", api_base_url=f"{service.url}/v1", top_k=2)
    process = ranker.run(query=QUERY, documents=documents)["documents"]
    assert [one.id for one in process] == [str(i) for i in ORDER[:2]]
    with pytest.raises(RuntimeError, match="without a word"):
        ranker.run(query="?!", documents=documents)


def test_a_client_that_goes_away_does_the_others_no_harm(
    service: Running, client: httpx.Client
) -> None:
    address = urlsplit(service.url)
    body = b'{"query": "dogs", "texts": ["Dogs bark."]}'
    for sent in (body[:10], body):
        with socket.create_connection((address.hostname, address.port)) as rude:
            rude.sendall(
                b"POST /rerank HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%b" % (len(body), sent)
            )
    assert client.post("/rerank", json={"query": QUERY, "texts": TEXTS}).status_code == 200
