"""``compsim serve`` under load: many clients at a time, each with one request after the other.

Clients ask for rankings of five documents, scores of pairs and explanations, turn about, all of
sentences that were not sent before. One that gets 429 waits as long as it is told, and asks again.
Beside them one asks ``/healthz`` ten times a second.

>>> with running("-o", "whole=static", "--vectors", "builtin") as service:  # doctest: +SKIP
...     figures = measure(service.url, clients=200, count=10_000)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, Final, NamedTuple

import httpx
import numpy as np

from compsim.benchmarks.speed.text import sentences
from compsim.errors import ServiceError

__all__ = ["Connection", "Running", "measure", "memory", "quantile", "running", "started"]

_START_SECONDS: Final = 600.0
_DOCUMENTS: Final = 5
_REFUSED: Final = 429


class Running(NamedTuple):
    """A service in a process of its own, and its address."""

    url: str
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def running(
    *arguments: str, log: IO[bytes] | int = subprocess.DEVNULL, **environment: str
) -> Iterator[Running]:
    """A service at a free port of this machine, once it is ready; it is stopped at the end.

    ``arguments`` are those of ``compsim serve``, and ``log`` gets what it writes to standard error.
    Raises ``ServiceError`` where it ends instead.
    """
    with started("serve", *arguments, ready=_is_healthy, log=log, **environment) as (port, process):
        yield Running(f"http://127.0.0.1:{port}", process)


@contextlib.contextmanager
def started(
    *arguments: str,
    ready: Callable[[int], bool],
    log: IO[bytes] | int | None = None,
    **environment: str,
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A command of compsim at a free port, and its process, which ends with the context.

    ``ready`` tells of a port whether what listens there is ready. Raises ``ServiceError`` where the
    command ends before it is.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "compsim.cli", *arguments, "--port", str(port)]
    process = subprocess.Popen(command, stderr=log, env={**os.environ, **environment})
    try:
        end = time.monotonic() + _START_SECONDS
        while not ready(port):
            if process.poll() is not None or time.monotonic() > end:
                raise ServiceError(
                    f"`compsim {arguments[0]}` did not start at port {port}: run it by hand to see "
                    "why"
                )
            time.sleep(0.1)
        yield port, process
    finally:
        process.terminate()
        process.wait(60)


def _is_healthy(port: int) -> bool:
    with contextlib.suppress(httpx.TransportError):
        # To read the certificates, which plain HTTP does without, takes longer than the request.
        entry = httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=10, verify=False)
        return entry.status_code == httpx.codes.OK
    return False


def memory(url: str) -> float:
    """The memory of a service, MB, as it tells it: of its two processes together."""
    text = httpx.get(f"{url}/metrics", timeout=30).text
    names = "process|compsim_worker"
    matches = re.findall(rf"^(?:{names})_resident_memory_bytes (\S+)$", text, re.MULTILINE)
    return sum(map(float, matches)) / 1e6 if matches else float("nan")


def measure(url: str, clients: int = 200, count: int = 10_000) -> Mapping[str, float]:
    """Send ``count`` requests from so many clients at a time.

    Returns how many were ``answered``, ``refused`` (429, asked again) and had any other ``error``;
    ``seconds`` and answers ``per_second``; milliseconds from a request to its answer, ``p50_ms``
    and ``p99_ms``, those of the rankings alone, and those of ``/healthz`` meanwhile; memory, MB,
    after a tenth of the requests, at the half and at the end.
    """
    return asyncio.run(_Load(url, clients, count).run())


class _Load:
    """Clients, what is left to be asked, and what came of it."""

    def __init__(self, url: str, clients: int, count: int) -> None:
        self.url, self.clients, self.count = url, clients, count
        self.statuses: Counter[int] = Counter()
        self.times: dict[str, list[float]] = {"rerank": [], "similarity": [], "explain": []}
        self.health: list[float] = []
        self.memory: dict[int, float] = {}
        self.left = iter(range(count))
        self.texts = sentences((_DOCUMENTS + 1) * min(count, 20_000))

    async def run(self) -> Mapping[str, float]:
        watching = asyncio.create_task(self._watch())
        begun = time.perf_counter()
        await asyncio.gather(*(self._client() for _ in range(self.clients)))
        seconds = time.perf_counter() - begun
        watching.cancel()
        await self._note_memory(self.count)
        times = np.array([value for values in self.times.values() for value in values])
        answered = self.statuses.pop(httpx.codes.OK, 0)
        refused = self.statuses.pop(_REFUSED, 0)
        noted = list(self.memory.values())
        return {
            "answered": answered,
            "refused": refused,
            "errors": self.statuses.total(),
            "seconds": seconds,
            "per_second": answered / seconds,
            "p50_ms": quantile(times, 50),
            "p99_ms": quantile(times, 99),
            "rerank_p50_ms": quantile(self.times["rerank"], 50),
            "rerank_p99_ms": quantile(self.times["rerank"], 99),
            "health_p50_ms": quantile(self.health, 50),
            "health_p99_ms": quantile(self.health, 99),
            "memory_tenth_mb": noted[0],
            "memory_half_mb": noted[len(noted) // 2],
            "memory_end_mb": noted[-1],
        }

    async def _client(self) -> None:
        connection = Connection(self.url)
        for number in self.left:
            if number in (self.count // 10, self.count // 2):
                await self._note_memory(number)
            kind, body = self._request(number)
            while True:
                begun = time.perf_counter()
                try:
                    status, wait = await connection.ask("POST", f"/v1/{kind}", body)
                except (OSError, EOFError):
                    status, wait = 0, 0.0
                self.statuses[status] += 1
                if status == httpx.codes.OK:
                    self.times[kind].append(time.perf_counter() - begun)
                if status != _REFUSED:
                    break
                await asyncio.sleep(wait)
        connection.close()

    def _request(self, number: int) -> tuple[str, dict[str, Any]]:
        start = number * (_DOCUMENTS + 1) % len(self.texts)
        query, *documents = self.texts[start : start + _DOCUMENTS + 1]
        kind = list(self.times)[number % len(self.times)]
        if kind == "rerank":
            return kind, {"query": query, "documents": documents}
        return kind, {"first": query, "second": documents[0]}

    async def _watch(self) -> None:
        connection = Connection(self.url)
        while True:
            begun = time.perf_counter()
            await connection.ask("GET", "/healthz")
            self.health.append(time.perf_counter() - begun)
            await asyncio.sleep(0.1)

    async def _note_memory(self, number: int) -> None:
        self.memory[number] = await asyncio.to_thread(memory, self.url)


class Connection:
    """One connection with one request at a time.

    A full client takes as long for a request as the service does, once there are hundreds.
    """

    def __init__(self, url: str) -> None:
        self.host, self.port = url.removeprefix("http://").split(":")
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, float]:
        """The status, and the seconds to wait before the next attempt.

        Raises ``OSError`` or ``EOFError`` where the connection breaks.
        """
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, int(self.port))
        reader, writer = self.streams
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + content)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            named = (line.partition(":") for line in lines)
            headers = {name.lower(): value.strip() for name, _, value in named}
            await reader.readexactly(int(headers["content-length"]))
        except (OSError, EOFError):
            self.close()
            raise
        if headers.get("connection") == "close":
            self.close()
        return int(first.split()[1]), float(headers.get("retry-after", 0))

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


def quantile(values: Any, percent: float) -> float:
    """Return a quantile of some seconds, in milliseconds."""
    return float(np.percentile(values, percent)) * 1000 if len(values) else float("nan")
