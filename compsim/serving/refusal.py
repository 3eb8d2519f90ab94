"""What a client is told where it gets no answer: a status and one sentence, as JSON.

>>> refusal = RefusedError(429, "too many", retry_after=1)
>>> refusal.status, refusal.headers
(429, {'Retry-After': '1'})
>>> status, message, _ = told(RuntimeError("a text of the user's"))
>>> status, "user" in message
(500, False)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from compsim.errors import CompsimError, InputError, ServiceError
from compsim.serving.models import FIELDS

__all__ = ["RefusedError", "answer", "told"]

_UNEXPECTED: Final = (
    "the service failed on this request, which is a mistake of its own: its log has the place"
)
_KNOWN: Final = {
    404: "there is nothing at this address: /docs lists what there is",
    405: "this address does not take this method: /docs lists what it takes",
}
#: The first words of pydantic's messages, which are about "input".
_INPUT: Final = "Input should be "


class RefusedError(CompsimError):
    """A request that gets ``status`` and a sentence in place of an answer."""

    def __init__(self, status: int, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {} if retry_after is None else {"Retry-After": str(retry_after)}


def told(error: Exception) -> tuple[int, str, Mapping[str, str]]:
    """The status, the sentence and the headers for an error.

    An error that nobody foresaw is told without its message, which may hold more than the client
    should see.
    """
    if isinstance(error, RefusedError):
        return error.status, str(error), error.headers
    if isinstance(error, RequestValidationError):
        return 422, _invalid(error.errors()[0]), {}
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
    status, message, headers = told(error)
    body = json.dumps({"message": message})  # ASCII: half a surrogate pair stays escaped
    return Response(body, status, headers, media_type="application/json")


def _invalid(problem: Mapping[str, Any]) -> str:
    """One sentence for the first problem of a request, without the value that the client sent."""
    if problem["type"] == "json_invalid":
        return f"the body is not JSON ({problem['ctx']['error']}): send an object as /docs has it"
    # Beside fields and numbers, the place names the kinds of value that a field may have.
    known = (part for part in problem["loc"] if isinstance(part, int) or part in FIELDS)
    place = ".".join(map(str, known))
    message = str(problem["msg"])
    if problem["type"] == "missing":
        name = place or "the body"
        return f"{name} is missing: send an object as /docs has it, as application/json"
    if message.startswith(_INPUT):
        message = "it should be " + message.removeprefix(_INPUT)
    return f"{place or 'the body'} is not as it should be ({message}): /docs has the format"
