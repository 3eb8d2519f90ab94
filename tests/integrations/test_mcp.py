"""The server for agents, asked by the client of the protocol's own package."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from command_line import call, one_line

from compsim import InputError, Reranker
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import ServiceError, UnknownNameError

pytest.importorskip("mcp", reason="mcp is not installed")

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from compsim.benchmarks.speed.agents import listening, measure
from compsim.integrations.mcp import Tools, create_server

QUERY = "Who bit the man?"
TEXTS = ["The man bit the dog.", "It rained. The dog bit the man.", "Prices fell."]
OPTIONS: dict[str, Any] = {"whole": "mean-cn", "vectors": "builtin"}
COMMAND = ("-m", "compsim.cli", "mcp", "-o", "whole=mean-cn", "--vectors", "builtin")
TOKEN = "a-token-of-the-tests"


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools(DEFAULT_METHOD, **OPTIONS)


def asked(server: Any, do: Callable[[Client], Awaitable[Any]]) -> Any:
    """Return the server's answer to a client."""

    async def run() -> Any:
        async with Client(server) as client:
            return await do(client)

    return asyncio.run(run())


def called(tools: Tools, name: str, **arguments: Any) -> Any:
    """The structured output of a tool."""
    result = asked(create_server(tools), lambda client: client.call_tool(name, arguments))
    assert not result.is_error, result.content
    return result.structured_content


def refused(tools: Tools, name: str, **arguments: Any) -> str:
    """Return the error message of a call that fails."""
    result = asked(create_server(tools), lambda client: client.call_tool(name, arguments))
    assert result.is_error
    return str(result.content[0].text)


def test_tools_tell_what_they_take_and_give(tools: Tools) -> None:
    result = asked(create_server(tools), lambda client: client.list_tools()).tools
    assert [tool.name for tool in result] == [
        *("compare", "explain", "rerank_documents", "explain_ranking", "same", "deduplicate")
    ]
    for tool in result:
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description.endswith(".")
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint


def test_documents_are_ranked_and_say_why(tools: Tools) -> None:
    expected = Reranker(DEFAULT_METHOD, **OPTIONS).rank(QUERY, TEXTS)
    result = called(tools, "rerank_documents", query=QUERY, documents=TEXTS)["result"]
    assert [one["index"] for one in result] == [one["corpus_id"] for one in expected]
    assert [one["score"] for one in result] == [one["score"] for one in expected]
    assert (result[0]["document"], result[0]["sentence"]) == (TEXTS[1], "The dog bit the man.")
    best = called(tools, "rerank_documents", query=QUERY, documents=TEXTS, top_n=2)["result"]
    assert best == result[:2]
    empty = called(tools, "rerank_documents", query=QUERY, documents=["", " "])["result"]
    assert [one["sentence"] for one in empty] == ["", ""]
    why = called(tools, "explain_ranking", query=QUERY, first=TEXTS[1], second=TEXTS[0])
    assert why["verdict"].startswith("A is above B by ")
    assert why["first_score"] == expected[0]["score"]
    assert why["parts"][0]["sentence"] == "B contradicts the query (who does what to whom)"


def test_two_sentences_are_compared(tools: Tools) -> None:
    first, second = "The dog bit the man.", "The man bit the dog."
    score = tools.method.similarity_pairwise([first], [second])[0]
    result = called(tools, "compare", first=first, second=second)
    assert result["score"] == pytest.approx(score, abs=1e-6)
    results = called(tools, "explain", first=first, second=second)
    assert {name: results[name] for name in result} == result
    assert "changed places" in results["conflicts"][0]
    verdict = called(tools, "same", first=first, second=second)
    assert verdict["answer"] == "different"
    assert "changed places" in verdict["differences"][0]
    assert called(tools, "same", first=first, second="the dog bit the man")["answer"] == "same"


def test_texts_are_deduplicated(tools: Tools) -> None:
    result = called(tools, "deduplicate", texts=["It rains.", "It snows.", "it rains"])
    assert result == {"texts": ["It rains.", "It snows."], "groups": [[0, 2], [1]]}


def test_what_is_wrong_is_told_to_the_model(tools: Tools) -> None:
    assert "without a word" in refused(tools, "rerank_documents", query="?", documents=TEXTS)
    assert "documents" in refused(tools, "rerank_documents", query=QUERY)
    assert "1000" in refused(tools, "rerank_documents", query=QUERY, documents=["a"] * 10_000)
    assert "20000" in refused(tools, "compare", first="a" * 20_001, second="b")
    assert "max_false" in refused(tools, "same", first="a", second="b", max_false=0)
    assert "top_k" in refused(tools, "rerank_documents", query=QUERY, documents=TEXTS, top_k=1)
    with pytest.raises(UnknownNameError):
        create_server("no-such-method")
    with pytest.raises(InputError, match="leave out whole"):
        create_server(tools, whole="mean-cn")


def test_agreements_are_phrases_that_answer_to_each_other(tools: Tools) -> None:
    result = called(tools, "explain", first="The dog bit the man.", second="The hound bit the man.")
    pairs = {(one["first"], one["second"]) for one in result["agreements"]}
    assert ("dog", "hound") in pairs
    assert not any(len(text.split()) > 2 for pair in pairs for text in pair)


def test_a_method_without_a_calibration_has_no_tools_that_need_one() -> None:
    server = create_server("mean-cn", vectors="builtin")
    result = asked(server, lambda client: client.list_tools()).tools
    names = [*("compare", "explain", "rerank_documents", "explain_ranking")]
    assert [tool.name for tool in result] == names
    assert "same" not in server.instructions.split()


@pytest.mark.parametrize(("first", "second"), [("", ""), (" ", TEXTS[0]), (TEXTS[0], "\u200b")])
def test_blank_texts_are_not_comparable(tools: Tools, first: str, second: str) -> None:
    results = called(tools, "explain", first=first, second=second)
    assert (results["score"], results["agreements"]) == (None, [])
    assert results["verdict"].startswith("No score")
    result = called(tools, "compare", first=first, second=second)
    assert result == {name: results[name] for name in result}


def test_an_unsure_answer_says_why(tools: Tools) -> None:
    pair = {"first": "The dog bit the man.", "second": "The man was bitten by the dog."}
    result = called(tools, "same", **pair, max_false=1e-6)
    assert result["answer"] == "unsure"
    assert "too few to promise that at most 1e-06" in result["reason"]


def test_the_command_talks_over_standard_input_and_output() -> None:
    server = StdioServerParameters(
        command=sys.executable, args=list(COMMAND), env=dict(os.environ, PYTHONSAFEPATH="1")
    )

    async def ask(client: Client) -> tuple[Any, Any]:
        arguments = {"query": QUERY, "documents": TEXTS}
        return client.server_info.name, await client.call_tool("rerank_documents", arguments)

    name, result = asked(server, ask)
    assert name == "compsim"
    assert result.structured_content["result"][0]["index"] == 1


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server that asks for a token."""
    with listening(*COMMAND[3:], token=TOKEN) as port:
        yield port


def test_the_command_serves_over_http_whoever_has_the_token(port: int) -> None:
    url = f"http://127.0.0.1:{port}/mcp"
    assert httpx2.post(url, json={}).status_code == 401
    foreign = {"Authorization": f"Bearer {TOKEN}", "Host": "example.org"}
    assert httpx2.post(url, json={}, headers=foreign).status_code == 421

    async def run() -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            arguments = {"query": QUERY, "documents": TEXTS}
            return await client.call_tool("rerank_documents", arguments)

    # One that goes away in the middle does the others no harm.
    with closing(socket.create_connection(("127.0.0.1", port))) as rude:
        rude.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
            + TOKEN.encode()
            + b"\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"
        )
    assert asyncio.run(run()).structured_content["result"][0]["index"] == 1


def test_times_of_calls_are_measured_over_both_transports() -> None:
    result = measure(*COMMAND[3:], calls=2, warming=1)
    tools = ("compare", "same", "explain", "rerank_documents")
    assert list(result) == [f"{way} {tool}" for way in ("stdio", "http") for tool in tools]
    assert all(0 < times.p50_ms <= times.p99_ms for times in result.values())
    with pytest.raises(ServiceError, match="run it by hand"):
        measure("--no-such-option", calls=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "nonesuch"), "no method 'nonesuch'"),
        (("-o", "hue=1"), "no option 'hue'"),
    ],
)
def test_what_is_asked_for_wrongly_takes_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = call("mcp", *arguments)
    assert done.returncode == 2
    assert message in one_line(done.stderr.decode())


# It has begun to serve when it opens its method, so it ends its process.
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "whole=mean-cn", "-o", "exclude=7"), "exclude=7 is not a share"),
        (("--vectors", "/nonesuch/vectors.txt"), "/nonesuch/vectors.txt"),
    ],
)
def test_a_server_that_cannot_serve_ends_in_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    command = [sys.executable, "-m", "compsim.cli", "mcp", *arguments]
    pipe = subprocess.PIPE
    # Its input stays open, as that of a client that waits.
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.wait(180) == 2
        assert process.stderr is not None
        assert message in one_line(process.stderr.read())


def test_an_address_that_others_reach_needs_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    from compsim.cli import main

    monkeypatch.delenv("COMPSIM_TOKEN", raising=False)
    assert main(["mcp", "--http", "--host", "0.0.0.0", "-o", "whole=mean-cn"]) == 2
