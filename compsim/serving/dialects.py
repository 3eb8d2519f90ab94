"""Errors in the form that the clients of an address expect.

Each refusal of this service is ``{"message": ...}``, as Cohere's are. Clients of Text Embeddings
Inference read ``error`` and ``error_type``, those of Jina ``detail``, those of vLLM what stands in
``error``, which is an object there; at their addresses an error has these fields too. Text
Embeddings Inference and vLLM have ``/rerank`` in common: a body with ``documents`` is vLLM's, one
that is refused before it was read, without the token say, Text Embeddings Inference's.

>>> refused_as("/rerank", 429, "the service is busy: try again in 1 s")["error_type"]
'Overloaded'
>>> refused_as("/v1/rerank", 422, "query is missing")["error"]
{'message': 'query is missing', 'type': 'BadRequestError', 'param': None, 'code': 422}
>>> refused_as("/v1/similarity", 422, "first is missing") is None
True
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from compsim.serving.paths import routed_path

__all__ = ["TEI", "Dialects", "refused_as"]

#: The addresses of Text Embeddings Inference.
TEI: Final = frozenset({"/rerank", "/similarity"})
#: Where a body tells which dialect it is of.
_TWO: Final = frozenset({"/rerank"})
#: The address that Cohere's older clients share with those of Jina and vLLM.
_SHARED: Final = "/v1/rerank"
_TYPES: Final = {429: "Overloaded", 500: "Backend", 503: "Unhealthy", 504: "Backend"}
_VLLM_TYPES: Final = {
    401: "AuthenticationError", 429: "RateLimitError", 500: "InternalServerError",
    503: "ServiceUnavailableError", 504: "InternalServerError",
}  # fmt: skip
#: The keys of a body that tell whose it is. In a string their quotes would have backslashes.
_KEY: Final = re.compile(rb'"(documents|texts)"\s*:')
#: Bytes that are kept for a key that two pieces of a body share.
_KEPT: Final = 64


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
        keys: set[bytes] = set()
        end = b""

        async def watched() -> Message:
            nonlocal end
            message = await receive()
            piece = end + message.get("body", b"")
            keys.update(_KEY.findall(piece))
            end = piece[-_KEPT:]
            return message

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
            result = _translated(path, start["status"], body, of_vllm=keys == {b"documents"})
            headers = [(name, value) for name, value in start["headers"] if name != _LENGTH]
            await send({**start, "headers": [*headers, (_LENGTH, str(len(result)).encode())]})
            await send({**message, "body": result})

        await self.app(scope, watched if path in _TWO else receive, translated)


_LENGTH: Final = b"content-length"


def refused_as(
    path: str, status: int, message: str, *, of_vllm: bool = False
) -> dict[str, Any] | None:
    """Return the body of a refusal at an address; None where it is ``{"message": ...}`` alone.

    ``of_vllm`` says that a request at an address of Text Embeddings Inference is vLLM's.
    """
    if path in TEI and not of_vllm:
        error_type = _TYPES.get(status, "Validation")
        return {"message": message, "error": message, "error_type": error_type}
    if path in TEI or path == _SHARED:
        kind = _VLLM_TYPES.get(status, "BadRequestError")
        error = {"message": message, "type": kind, "param": None, "code": status}
        return {"message": message, "detail": message, "error": error}
    return None


def _translated(path: str, status: int, body: bytes, *, of_vllm: bool) -> bytes:
    results = json.loads(body) if body else {}
    result = refused_as(path, status, results.get("message", ""), of_vllm=of_vllm)
    return body if result is None else json.dumps(result).encode()
