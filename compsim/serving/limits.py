"""Limits of a service: concurrent requests, and bytes of bodies.

A request takes a place once its body is there, so that one that drips takes none. Bodies that are
still coming have room for as many as there are places. What is refused is read, and thrown away, up
to a bound: a client that is still sending would else see a broken connection rather than the
reason.
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
#: So many bytes of a body must come in so many seconds, until it is there or the request due.
_BYTES: Final = 16 * 1024
_SECONDS: Final = 5.0
#: Digits of a length that a body can have.
_DIGITS: Final = 18


class Admission:
    """Takes at most ``max_requests`` requests at a time, and their bodies in time.

    Others get 429; a body that is too big 413, one that does not come in time 408.
    ``scope["state"]["deadline"]`` is when the answer is due, on the clock ``time.monotonic``.
    ``held`` is how many requests it holds, from the end of their body to the start of their answer.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.held = 0
        self._coming = 0  # bytes of bodies that are not there as a whole
        self._usual = 0.0  # seconds that a request took of late, waiting included

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        deadline = time.monotonic() + self.settings.timeout
        scope.setdefault("state", {})["deadline"] = deadline
        try:
            body = await self._body(scope, receive, deadline)
        except RefusedError as refusal:
            await answer(refusal)(scope, receive, send)
            return
        if body is None:
            return
        begun = time.monotonic()
        holds = True
        self.held += 1

        def let_go() -> None:
            nonlocal holds
            if holds:
                holds = False
                self.held -= 1
                self._usual += _NEWEST * (time.monotonic() - begun - self._usual)

        async def sent(message: Message) -> None:
            let_go()  # a client may take its time to read
            await send(message)

        try:
            await self.app(scope, _replayed(body, receive), sent)
        finally:
            let_go()

    async def _body(self, scope: Scope, receive: Receive, deadline: float) -> bytes | None:
        """The whole body; None where the client went away. Raises ``RefusedError``."""
        most = self.settings.max_body
        lengths = [
            value
            for name, value in scope["headers"]
            if name == b"content-length" and value.isdigit()
        ]
        # One that is too long to be read as a number is too much, too.
        long = any(len(length) > _DIGITS or int(length) > most for length in lengths)
        busy = self._is_busy()
        body, count = bytearray(), 0
        pace = _Pace(deadline)
        try:
            while count <= most + _DISCARDED:
                message = await pace.next(receive)
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                count += len(part)
                busy = busy or self._coming + len(part) > most * self.settings.max_requests
                if not (long or busy or count > most):
                    body += part
                    self._coming += len(part)
                if not message.get("more_body", False):
                    break
        except TimeoutError as error:
            if not busy:
                raise RefusedError(408, "the body did not come in time: send it faster") from error
        finally:
            self._coming -= len(body)
        if long or count > most:
            too_big = f"the body has more than {most} bytes: send less in one request"
            raise RefusedError(413, too_big)
        if busy or self._is_busy():
            # By then those that are held now are done.
            wait = min(60, max(1, math.ceil(self._usual)))
            too_many = f"the service is busy with {self.held} requests: try again in {wait} s"
            raise RefusedError(429, too_many, retry_after=wait)
        return bytes(body)

    def _is_busy(self) -> bool:
        return self.held >= self.settings.max_requests


class _Pace:
    """Holds a client to a pace: one that stops, or drips, would else keep others out."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._window = time.monotonic() + _SECONDS
        self._count = 0

    async def next(self, receive: Receive) -> Message:
        """The next message; raises ``TimeoutError`` where too little came in time."""
        while True:
            now = time.monotonic()
            if now >= self._deadline or (now >= self._window and self._count < _BYTES):
                raise TimeoutError
            if now >= self._window:
                self._window, self._count = now + _SECONDS, 0
            try:
                async with asyncio.timeout(min(self._window, self._deadline) - now):
                    message = await receive()
            except TimeoutError:
                continue
            self._count += len(message.get("body", b""))
            return message


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a channel that replays a body once, then passes the connection's messages on."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
