"""Refusals: a status and one sentence, as JSON, for a client that gets no answer.

>>> refusal = RefusedError(429, "too many", retry_after=1)
>>> refusal.status, refusal.headers
(429, {'Retry-After': '1'})
>>> status, message, _ = describe_error(RuntimeError("a text of the user's"))
>>> status, "user" in message
(500, False)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from compsim.errors import CompsimError, InputError, ServiceError

__all__ = ["WENT_AWAY", "RefusedError", "answer", "body_of", "client_left", "describe_error"]

#: The status that nginx, and others after it, log for a client that went away.
WENT_AWAY: Final = 499

_UNEXPECTED: Final = (
    "the service failed on this request, which is a mistake of its own: its log has the place"
)
_KNOWN: Final = {
    404: "there is nothing at this address: /docs lists what there is",
    405: "this address does not take this method: /docs lists what it takes",
}


class RefusedError(CompsimError):
    """A request that gets ``status`` and a sentence in place of an answer."""

    def __init__(self, status: int, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {} if retry_after is None else {"Retry-After": str(retry_after)}


def client_left() -> RefusedError:
    """Return the refusal of a client that went away, which only the log sees."""
    return RefusedError(WENT_AWAY, "the client went away")


def describe_error(error: BaseException) -> tuple[int, str, Mapping[str, str]]:
    """The status, the sentence and the headers for an error.

    An unexpected error is described without its message, which may hold more than the client
    should see.
    """
    if isinstance(error, RefusedError):
        return error.status, str(error), error.headers
    if isinstance(error, HTTPException):
        message = _KNOWN.get(error.status_code, str(error.detail))
        return error.status_code, message, error.headers or {}
    if isinstance(error, InputError):
        return 422, str(error), {}
    if isinstance(error, ServiceError):
        message = "a service that this one asks does not answer: try again later"
        return 503, message, {"Retry-After": "10"}
    return 500, _UNEXPECTED, {}


def answer(error: Exception) -> Response:
    """The same as a response: ``{"message": ...}``."""
    status, message, headers = describe_error(error)
    return Response(body_of(message), status, headers, media_type="application/json")


def body_of(message: str) -> bytes:
    """Return the body that tells a message."""
    return json.dumps({"message": message}).encode()  # ASCII: half a surrogate pair stays escaped
