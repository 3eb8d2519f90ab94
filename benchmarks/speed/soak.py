"""``compsim serve`` under ordinary and hostile traffic for as long as wanted.

Ordinary clients ask for rankings, scores, decisions and explanations of sentences that were not
sent before, one request after the other. Beside them others send requests that break HTTP, JSON or
limits, texts that once took long, bodies that are big as what is made of them, ever new words, and
connections that send half a head. What the ordinary clients get, what the others get, and the
memory of the service are told apart.

>>> with running("-o", "whole=static", "--vectors", "builtin") as service:  # doctest: +SKIP
...     figures = soak(service.url, minutes=30)
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import httpx
import numpy as np

from compsim.benchmarks.speed.hostile import hostile_texts, raw_requests
from compsim.benchmarks.speed.service import Connection, memory, quantile
from compsim.benchmarks.speed.text import sentences

__all__ = ["soak"]

_DOCUMENTS: Final = 5
_BUSY: Final = (429, 503)
#: How often memory is looked at, and how often a hostile client sends something.
_LOOK_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.25
#: Sentences of which the ordinary requests are made, in another order each time round.
_SENTENCES: Final = 9000
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def soak(url: str, minutes: float = 30.0, clients: int = 8) -> Mapping[str, float]:
    """Send ordinary requests of so many clients and hostile ones beside them.

    Returns of the ordinary ones how many were ``answered``, ``refused`` for now (429 and 503, asked
    again), ``failed`` with another 5xx and had any other ``error``, with ``per_second``, ``p50_ms``
    and ``p99_ms``; of the ``hostile`` ones how many were sent and how many were answered with a 5xx
    (``hostile_5xx``; ``hostile_504`` of them ran out of time); milliseconds of ``/healthz``; and
    memory, MB, as means over the second and over the last fifth of the time, with the ``growth``
    from one to the other as a share.
    """
    return asyncio.run(_Soak(url, minutes * 60, clients).run())


class _Soak:
    """Clients of both kinds until the time is over, and what came of them."""

    def __init__(self, url: str, seconds: float, clients: int) -> None:
        self.url, self.seconds, self.clients = url, seconds, clients
        self.end = float("inf")
        self.statuses: Counter[int] = Counter()
        self.hostile: Counter[int] = Counter()
        self.times: list[float] = []
        self.health: list[float] = []
        self.memory: list[float] = []
        self.numbers = itertools.count()
        self.texts = sentences(_SENTENCES)
        self.requests = list(raw_requests().values())
        self.rng = random.Random(36)

    async def run(self) -> Mapping[str, float]:
        begun = time.monotonic()
        self.end = begun + self.seconds
        attacks = (self._raw, self._long, self._big, self._new_words, self._half_heads)
        await asyncio.gather(
            *(self._ordinary() for _ in range(self.clients)),
            *(self._repeat(attack) for attack in attacks),
            self._watch_health(),
            self._watch_memory(),
        )
        answered = self.statuses.pop(httpx.codes.OK, 0)
        refused = sum(self.statuses.pop(status, 0) for status in _BUSY)
        failed = sum(count for status, count in self.statuses.items() if status >= 500)
        fifth = max(1, len(self.memory) // 5)
        early, late = np.mean(self.memory[fifth : 2 * fifth]), np.mean(self.memory[-fifth:])
        return {
            "minutes": (time.monotonic() - begun) / 60,
            "answered": answered,
            "refused": refused,
            "failed": failed,
            "errors": self.statuses.total() - failed,
            "per_second": answered / (time.monotonic() - begun),
            "p50_ms": quantile(self.times, 50),
            "p99_ms": quantile(self.times, 99),
            "hostile": self.hostile.total(),
            "hostile_5xx": sum(count for status, count in self.hostile.items() if status >= 500),
            "hostile_504": self.hostile[504],
            "health_p50_ms": quantile(self.health, 50),
            "health_p99_ms": quantile(self.health, 99),
            "memory_early_mb": float(early),
            "memory_late_mb": float(late),
            "memory_most_mb": max(self.memory),
            "growth": float(late / early - 1),
        }

    def _over(self) -> bool:
        return time.monotonic() >= self.end

    async def _ordinary(self) -> None:
        connection = Connection(self.url)
        while not self._over():
            path, body = self._request(next(self.numbers))
            while not self._over():
                begun = time.perf_counter()
                try:
                    status, wait = await connection.ask("POST", path, body)
                except (OSError, EOFError):
                    status, wait = 0, 0.0
                self.statuses[status] += 1
                if status == httpx.codes.OK:
                    self.times.append(time.perf_counter() - begun)
                if status not in _BUSY:
                    break
                await asyncio.sleep(wait)
        connection.close()

    def _request(self, number: int) -> tuple[str, dict[str, Any]]:
        query, *documents = self.rng.sample(self.texts, _DOCUMENTS + 1)
        pair = {"first": query, "second": documents[0]}
        return (
            ("/v1/rerank", {"query": query, "documents": documents}),
            ("/v1/similarity", pair),
            ("/v1/explain", {**pair, "html": True}),
            ("/v1/same", pair),
        )[number % 4]

    async def _repeat(self, attack: Any) -> None:
        for number in itertools.count():
            if self._over():
                return
            await attack(number)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _raw(self, number: int) -> None:
        """A request that breaks HTTP, JSON or a limit."""
        await self._send(self.requests[number % len(self.requests)])

    async def _long(self, number: int) -> None:
        """A document that once took long or much memory."""
        await self._post({"query": "Who bit the man?", "documents": [hostile_texts(number)]})

    async def _big(self, number: int) -> None:
        """A body that is small as bytes and big as what is made of it."""
        if number % 2:
            fields = {"documents": [{"a": "x" * 200_000}], "rank_fields": ["a"] * 10_000}
            await self._post({"query": "Who?", **fields})
        else:
            await self._post({"query": "Who?", "documents": [1] * 500_000})

    async def _new_words(self, number: int) -> None:
        """Documents with words that nobody has seen before."""
        words = ["".join(self.rng.choices(_LETTERS, k=8)) for _ in range(400)]
        documents = [f"The {a} saw the {b}." for a, b in zip(words[::2], words[1::2], strict=True)]
        await self._post({"query": "Who saw it?", "documents": documents})

    async def _half_heads(self, number: int) -> None:
        """Some connections that send half a head, and are left."""
        with contextlib.suppress(OSError):
            for half in (b"G", b"POST /v1/rerank HTTP/1.1\r\nHost: x\r\n"):
                _, writer = await self._opened()
                writer.write(half)
                self.hostile[0] += 1
                asyncio.get_running_loop().call_later(5, writer.close)

    async def _post(self, asked: Any) -> None:
        connection = Connection(self.url)
        try:
            status, wait = await connection.ask("POST", "/v1/rerank", asked)
        except (OSError, EOFError):
            status, wait = 0, 0.0
        connection.close()
        self.hostile[status] += 1
        await asyncio.sleep(wait)

    async def _send(self, request: bytes) -> None:
        """Send bytes, and count the status of the first answer, 0 where there is none."""
        status = 0
        with contextlib.suppress(OSError, EOFError, ValueError, IndexError, TimeoutError):
            reader, writer = await self._opened()
            try:
                writer.write(request)
                line = await asyncio.wait_for(reader.readline(), 40)
                status = int(line.split()[1])
            finally:
                writer.close()
        self.hostile[status] += 1

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.url.removeprefix("http://").split(":")
        return await asyncio.open_connection(host, int(port))

    async def _watch_health(self) -> None:
        connection = Connection(self.url)
        while not self._over():
            begun = time.perf_counter()
            with contextlib.suppress(OSError, EOFError):
                await connection.ask("GET", "/healthz")
                self.health.append(time.perf_counter() - begun)
            await asyncio.sleep(0.1)
        connection.close()

    async def _watch_memory(self) -> None:
        while not self._over():
            with contextlib.suppress(httpx.HTTPError):
                self.memory.append(await asyncio.to_thread(memory, self.url))
            await asyncio.sleep(min(_LOOK_SECONDS, max(0.1, self.seconds / 50)))
