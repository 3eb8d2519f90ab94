"""How much a service takes: requests at a time, and bytes of a body.

``Admission`` counts a request before its body is read, so no more bodies lie in memory than
requests are taken. What it refuses is read, and thrown away, up to a bound: a client that is still
sending would else see a broken connection rather than the reason.
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from compsim.serving.refusal import RefusedError, answer
from compsim.serving.settings import Settings

__all__ = ["Admission"]

#: The share of the newest request in what requests usually take.
_NEWEST: Final = 0.1

#: What is read, and thrown away, of a body that is too big before the client is told.
_DISCARDED: Final = 16 * 1024 * 1024
#: Digits of a length that a body can have.
_DIGITS: Final = 18


class Admission:
    """Takes at most ``max_requests`` requests with a body at a time, and their bodies in time.

    Others get 429; a body that is too big 413, one that does not come in time 408.
    ``scope["state"]["deadline"]`` is when the answer is due, on the clock ``time.monotonic``.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.held = 0
        self._usual = 0.0  # seconds that a request took of late, waiting included

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        deadline = time.monotonic() + self.settings.timeout
        scope.setdefault("state", {})["deadline"] = deadline
        body: bytes | None
        if self.held >= self.settings.max_requests:
            try:
                body = await _read(receive, 0, self.settings.max_body, deadline)
            except TimeoutError:
                body = b""
            if body is not None:
                # By then those that are held now are done.
                wait = min(60, max(1, math.ceil(self._usual)))
                busy = f"the service is busy with {self.held} requests: try again in {wait} s"
                await answer(RefusedError(429, busy, retry_after=wait))(scope, receive, send)
            return
        self.held += 1
        begun = time.monotonic()
        try:
            try:
                body = await _body(scope, receive, self.settings.max_body, deadline)
            except RefusedError as refusal:
                await answer(refusal)(scope, receive, send)
                return
            if body is not None:
                await self.app(scope, _replayed(body, receive), send)
        finally:
            self.held -= 1
            self._usual += _NEWEST * (time.monotonic() - begun - self._usual)


async def _body(scope: Scope, receive: Receive, most: int, deadline: float) -> bytes | None:
    """The whole body; None where the client went away. Raises ``RefusedError``."""
    lengths = [
        value for name, value in scope["headers"] if name == b"content-length" and value.isdigit()
    ]
    # One that is too long to be read as a number is too much, too.
    long = any(len(length) > _DIGITS or int(length) > most for length in lengths)
    kept = 0 if long else most + 1
    try:
        body = await _read(receive, kept, most + _DISCARDED, deadline)
    except TimeoutError as error:
        raise RefusedError(408, "the body did not come in time: send it faster") from error
    if body is None or (kept and len(body) <= most):
        return body
    raise RefusedError(413, f"the body has more than {most} bytes: send less in one request")


async def _read(receive: Receive, kept: int, most: int, deadline: float) -> bytes | None:
    """The first ``kept`` bytes of a body of which ``most`` are read; None: the client went away.

    Raises ``TimeoutError`` after the deadline.
    """
    body, count = bytearray(), 0
    while count <= most:
        async with asyncio.timeout(deadline - time.monotonic()):
            message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        count += len(part)
        body += part[: kept - len(body)]
        if not message.get("more_body", False):
            break
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What gives a body once, then what the connection says."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
