"""A local OpenAI-compatible embeddings server, as honest or as broken as a test wants it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache

import json_server
from json_server import Answer, Server

Answerer = Callable[[list[str], int], Answer]


def vector_of(text: str, dim: int = 6) -> list[float]:
    """Made of the text's hash: no two texts alike."""
    digest = hashlib.blake2b(text.encode(), digest_size=2 * dim).digest()
    return [int.from_bytes(digest[i : i + 2], "big") / 32768 - 1 for i in range(0, 2 * dim, 2)]


def honest(texts: list[str], count: int) -> Answer:
    """Answer by the protocol, but the last text first: only ``index`` gives the order."""
    data = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(texts)]
    return 200, {"object": "list", "data": data[::-1]}


def inputs(server: Server) -> list[list[str]]:
    """The texts of each request."""
    return [request.body["input"] for request in server.requests]


def given_texts(answer: Answerer) -> json_server.Answering:
    return lambda request, earlier: answer(request.body["input"], len(earlier))


def serve(answer: Answerer = honest) -> AbstractContextManager[Server]:
    """``answer`` is given the texts of a request and the number of requests before it."""
    return json_server.serve(given_texts(answer), "/v1")


@cache
def toy_url() -> str:
    """A server for as long as this process runs."""
    return json_server.start(given_texts(honest), "/v1")[0].url
