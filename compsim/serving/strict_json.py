"""JSON as its standard has it: Python's reader takes NaN, and gives up on deep nesting.

>>> read(b'{"top_n": 3}')
{'top_n': 3}
>>> read(b'{"top_n": NaN}')
Traceback (most recent call last):
...
starlette.exceptions.HTTPException: 400: the body has NaN, which is no JSON: send a number or null
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, Never

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

__all__ = ["StrictJsonRoute", "read"]


def read(body: bytes) -> Any:
    """What a body says; raises ``json.JSONDecodeError``, and ``HTTPException`` for what is none."""
    try:
        return json.loads(body, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise HTTPException(400, "the body is nested too deeply: send a flat object") from error
    except ValueError as error:  # not UTF-8, or a number with thousands of digits
        message = "the body cannot be read: send JSON in UTF-8, with numbers of usual length"
        raise HTTPException(400, message) from error


class StrictJsonRoute(APIRoute):
    """A route whose body is read by ``read``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of a request."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strict


class _StrictRequest(Request):
    async def json(self) -> Any:
        return read(await self.body())


def _refuse(name: str) -> Never:
    message = f"the body has {name}, which is no JSON: send a number or null"
    raise HTTPException(400, message)
