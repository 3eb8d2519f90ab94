"""Requests that break HTTP, JSON or limits, byte by byte: none is answered with a 5xx.

A token is asked for whatever is wrong, and the service goes on as before.
"""

from __future__ import annotations

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest
from http_services import TOKEN

from compsim.benchmarks.speed.hostile import raw_requests
from compsim.benchmarks.speed.service import Running

#: Those of which the end never comes: the service waits, until the client ends them.
WITHOUT_END = {"length and chunks", "chunks huge", "noise", "SSH", "Redis"}


def answer(url: str, request: bytes, ends: bool) -> list[int]:
    """The status of each answer to some bytes; none where the connection is closed instead."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=120) as connection:
        result = b""
        try:
            connection.sendall(request)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                result += part
        except ConnectionError:
            pass  # it was closed before all was sent, which is an answer too
    lines = [line for line in result.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    return [int(line.split()[1]) for line in lines]


@pytest.mark.parametrize("token", [None, TOKEN])
def test_no_bytes_make_it_fail(service: Running, small: Running, token: str | None) -> None:
    url = service.url if token is None else small.url
    requests = raw_requests(token)
    # The small service takes two requests at a time.
    with ThreadPoolExecutor(4 if token is None else 1) as pool:
        asked = [(url, request, name in WITHOUT_END) for name, request in requests.items()]
        answers = dict(zip(requests, pool.map(lambda one: answer(*one), asked), strict=True))
    statuses = Counter(status for value in answers.values() for status in value)
    print(len(requests), "requests,", sum(statuses.values()), "answers:", sorted(statuses.items()))
    assert {name: value for name, value in answers.items() if any(s >= 500 for s in value)} == {}
    if token is None:
        assert answers["ordinary"] == [200]
    for name, value in answers.items():
        if name.startswith("token ") and "right" not in name:
            assert set(value) <= {400, 401, 431}, name
    assert httpx.get(f"{url}/healthz", timeout=60).json()["status"] == "ok"
