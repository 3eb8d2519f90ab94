"""Connections that send nothing, or half a head: they end, and keep nobody out."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from odd_encoder import ENCODER

from compsim.benchmarks.speed.service import Running, running

#: A method that opens at once.
METHOD = ("--method", "callable", "-o", f"function={ENCODER}")
HALVES = (b"", b"G", b"POST /v1/rerank HTTP/1.1\r\nHost: x\r\n")


def connected(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((place.hostname, place.port), timeout=30)


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        while connection.recv(1000):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.setblocking(True)
    return False


@pytest.fixture
def opened() -> Iterator[list[socket.socket]]:
    """Connections that are closed at the end."""
    connections: list[socket.socket] = []
    yield connections
    for connection in connections:
        connection.close()


def test_heads_that_are_half_sent_or_drip_end(small: Running, opened: list[socket.socket]) -> None:
    for half in HALVES:
        opened.append(connected(small.url))
        opened[-1].sendall(half)
    used = connected(small.url)  # one that had a request is kept for the next
    opened.append(used)
    used.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert used.recv(1000).startswith(b"HTTP/1.1 200")
    dripping = connected(small.url)
    opened.append(dripping)
    end = time.monotonic() + 60
    while any(is_open(connection) for connection in (*opened[:3], dripping)):
        assert time.monotonic() < end
        with contextlib.suppress(OSError):
            dripping.sendall(b"x")
        time.sleep(0.2)
    assert is_open(used)


def test_those_that_wait_longest_end_where_there_are_too_many(
    opened: list[socket.socket],
) -> None:
    asked = {"query": "The nurse takes a Nap.", "documents": ["Nap Nap.", "Cats sleep."]}
    answers: list[int] = []
    with running(*METHOD, "--max-connections", "20", "--timeout", "120") as service:
        ranking = threading.Thread(
            target=lambda: answers.append(
                httpx.post(f"{service.url}/v1/rerank", json=asked, timeout=120).status_code
            )
        )
        ranking.start()
        time.sleep(0.3)
        for i in range(60):
            opened.append(connected(service.url))
            half = (
                *HALVES,
                b"POST /v1/rerank HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
            )
            opened[-1].sendall(half[i % 4])
            if i % 10 == 9:
                assert httpx.get(f"{service.url}/healthz", timeout=30).status_code == 200
        assert sum(map(is_open, opened)) <= 20
        ranking.join()
        for connection in opened:  # the service waits for the requests of those that are open
            connection.close()
    assert answers == [200]


def test_a_service_with_few_file_descriptors_answers_and_logs_little(
    tmp_path: Path, opened: list[socket.socket]
) -> None:
    if sys.platform == "win32":
        pytest.skip("there is no such limit")
    command = [sys.executable, "-m", "compsim.cli", "serve", "--port", "0", *METHOD]
    log = tmp_path / "service.log"
    with log.open("wb") as stream:
        limited = ["sh", "-c", 'ulimit -n 200 && exec "$0" "$@"', *command]
        process = subprocess.Popen(limited, stderr=stream, env=os.environ)
    try:
        end = time.monotonic() + 120
        while not (match := re.search(r"running on (http://[\d.:]+)", log.read_text())):
            assert time.monotonic() < end
            time.sleep(0.1)
        while httpx.get(f"{match[1]}/healthz", timeout=60).status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.1)
        for i in range(220):
            opened.append(connected(match[1]))
            with contextlib.suppress(OSError):
                opened[-1].sendall(HALVES[i % 3])
        for _ in range(10):
            assert httpx.get(f"{match[1]}/healthz", timeout=60).status_code == 200
        assert sum(map(is_open, opened)) < 200
    finally:
        for connection in opened:  # the service waits for the requests of those that are open
            connection.close()
        process.terminate()
        process.wait(60)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert any("file descriptors" in line["message"] for line in lines)
    assert any("too many connections" in line["message"] for line in lines)
    assert sum(line["message"] != "request" for line in lines) < 20
