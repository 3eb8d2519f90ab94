"""``compsim mcp`` and a client of the protocol's own package: the time from a call to its answer.

Each call is of sentences that were not sent before, so that nothing is answered from memory; the
method is warm. Both run on this machine, in a process each.

>>> measure(calls=200)["stdio compare"]  # doctest: +SKIP
Times(p50_ms=15.8, p99_ms=24.1)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from compsim.benchmarks.speed.service import quantile, started
from compsim.benchmarks.speed.text import sentences
from compsim.errors import ServiceError
from compsim.missing import missing

try:
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.exceptions import MCPError
except ImportError as error:
    raise missing("compsim bench mcp", "mcp", error) from error

__all__ = ["Times", "listening", "measure"]

_DOCUMENTS: Final = 5


class Times(NamedTuple):
    """Quantiles of the time of a call, in milliseconds."""

    p50_ms: float
    p99_ms: float


def measure(*options: str, calls: int = 200, warming: int = 20) -> Mapping[str, Times]:
    """Call each tool so many times, over standard input and output and over HTTP.

    Args:
        *options: Arguments of ``compsim mcp``.
        calls: Calls of each tool, one after the other.
        warming: Calls of each tool before those, which do not count.

    Returns:
        Times by transport and tool, as in ``"stdio compare"``.

    Raises:
        ServiceError: The server ends, or answers with an error.
        MissingExtraError: The package ``mcp`` is not installed.
    """
    measured = {}
    for name, transport in (("stdio", _over_stdio), ("http", _over_http)):
        try:
            times = asyncio.run(_call_all(transport(options), calls, warming))
        except* (MCPError, ServiceError) as errors:
            raise ServiceError(
                "`compsim mcp` does not answer: run it by hand to see why"
            ) from errors
        measured.update({f"{name} {tool}": one for tool, one in times.items()})
    return measured


async def _call_all(
    connecting: contextlib.AbstractAsyncContextManager[Client], calls: int, warming: int
) -> dict[str, Times]:
    # One draw for all calls, so that none has the sentences of another.
    several = _DOCUMENTS + 1
    fresh = iter(sentences(several * (calls + warming) * len(_ARGUMENTS)))
    async with connecting as client:
        for tool in _ARGUMENTS:
            await _call(client, tool, list(islice(fresh, several * warming)))
        return {
            tool: await _call(client, tool, list(islice(fresh, several * calls)))
            for tool in _ARGUMENTS
        }


async def _call(client: Client, tool: str, texts: list[str]) -> Times:
    """Times of one tool, of which each call takes so many of the texts as it ranks at most."""
    names = _ARGUMENTS[tool]
    seconds = []
    for start in range(0, len(texts), _DOCUMENTS + 1):
        first, *others = texts[start : start + _DOCUMENTS + 1]
        second: Any = others if names[1] == "documents" else others[0]
        begun = time.perf_counter()
        answer = await client.call_tool(tool, dict(zip(names, (first, second), strict=True)))
        seconds.append(time.perf_counter() - begun)
        if answer.is_error:
            raise ServiceError(f"`compsim mcp` answers {tool} with an error: {answer.content}")
    return Times(quantile(seconds, 50), quantile(seconds, 99))


#: The tools that are called, and the arguments of each: two sentences, or one and several.
_ARGUMENTS: Final = {
    "compare": ("first", "second"),
    "same": ("first", "second"),
    "explain": ("first", "second"),
    "rerank_documents": ("query", "documents"),
}


@contextlib.asynccontextmanager
async def _over_stdio(options: tuple[str, ...]) -> AsyncIterator[Client]:
    command = ["-m", "compsim.cli", "mcp", *options]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with Client(server) as client:
        yield client


@contextlib.asynccontextmanager
async def _over_http(options: tuple[str, ...]) -> AsyncIterator[Client]:
    with listening(*options) as port:
        async with Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp")) as client:
            yield client


@contextlib.contextmanager
def listening(*options: str, token: str = "") -> Iterator[int]:
    """The port of a server over HTTP that asks for a token, or for none; it ends with the context.

    Raises ``ServiceError`` where it ends instead.
    """
    arguments = ("mcp", "--http", *options)
    with started(*arguments, ready=_is_open, COMPSIM_TOKEN=token) as (port, _):
        yield port


def _is_open(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0
