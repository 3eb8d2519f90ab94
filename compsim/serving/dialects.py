"""Errors in the form that the clients of an address expect.

Each refusal of this service is ``{"message": ...}``, as Cohere's are. Clients of Text Embeddings
Inference read ``error`` and ``error_type``, those of Jina and vLLM ``detail``; at their addresses
an error has these fields too.

>>> refused_as("/rerank", 429, "the service is busy: try again in 1 s")["error_type"]
'Overloaded'
>>> refused_as("/v1/similarity", 422, "first is missing") is None
True
"""

from __future__ import annotations

import json
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from compsim.serving.paths import routed_path

__all__ = ["TEI", "Dialects", "refused_as"]

#: The addresses of Text Embeddings Inference.
TEI: Final = frozenset({"/rerank", "/similarity"})
#: The address that Cohere's older clients share with those of Jina and vLLM.
_SHARED: Final = "/v1/rerank"
_TYPES: Final = {429: "Overloaded", 500: "Backend", 503: "Unhealthy", 504: "Backend"}


class Dialects:
    """Adds to the body of a refusal what the clients of its address look for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        path = routed_path(scope) if scope["type"] == "http" else ""
        if path not in TEI and path != _SHARED:
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def translated(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and message["status"] >= 400:
                start = message
                return
            if start is None or message["type"] != "http.response.body":
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            told = _translated(path, start["status"], body)
            headers = [(name, value) for name, value in start["headers"] if name != _LENGTH]
            await send({**start, "headers": [*headers, (_LENGTH, str(len(told)).encode())]})
            await send({**message, "body": told})

        await self.app(scope, receive, translated)


_LENGTH: Final = b"content-length"


def refused_as(path: str, status: int, message: str) -> dict[str, str] | None:
    """Return the body of a refusal at an address; None where it is ``{"message": ...}`` alone."""
    if path in TEI:
        error_type = _TYPES.get(status, "Validation")
        return {"message": message, "error": message, "error_type": error_type}
    if path == _SHARED:
        return {"message": message, "detail": message}
    return None


def _translated(path: str, status: int, body: bytes) -> bytes:
    told = json.loads(body) if body else {}
    found = refused_as(path, status, told.get("message", ""))
    return body if found is None else json.dumps(found).encode()
