"""A local chat endpoint that rates two sentences by the words that they share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import json_server
from json_server import Answer, Request, Server

#: What is answered about the first and the second sentence.
Rater = Callable[[str, str], Any]


def rating(first: str, second: str) -> int:
    """The share of the words of the first sentence that the second has, from 0 to 5."""
    words, others = set(first.lower().split()), set(second.lower().split())
    return round(5 * len(words & others) / len(words))


def honest(first: str, second: str) -> str:
    return json.dumps({"rating": rating(first, second)})


def asked_pair(request: Request) -> tuple[str, str]:
    """The two sentences of a request."""
    pair = json.loads(request.body["messages"][1]["content"])
    return pair["first"], pair["second"]


def given_pairs(rater: Rater) -> json_server.Answering:
    def answer(request: Request, earlier: Sequence[Request]) -> Answer:
        return 200, {"choices": [{"message": {"content": rater(*asked_pair(request))}}]}

    return answer


def serve(rater: Rater = honest) -> AbstractContextManager[Server]:
    """``rater`` says what the model answers about two sentences."""
    return json_server.serve(given_pairs(rater), "/v1")


@cache
def toy_url() -> str:
    """A server for as long as this process runs."""
    return json_server.start(given_pairs(honest), "/v1")[0].url
