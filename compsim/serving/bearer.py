"""The token that a request must carry, where the service has one.

>>> carries([(b"authorization", b"Bearer secret")], "secret")
True
>>> carries([(b"authorization", b"Bearer secre")], "secret"), carries([], "secret")
(False, False)
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from compsim.serving.paths import PUBLIC, routed_path
from compsim.serving.refusal import RefusedError, answer

__all__ = ["Bearer", "carries"]


class Bearer:
    """Refuses, with 401, requests without the token to all but the public paths.

    Without a ``token`` it asks for none.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        closed = scope["type"] == "http" and routed_path(scope) not in PUBLIC
        if self.token and closed and not carries(scope["headers"], self.token):
            message = "the token is missing or wrong: send it as Authorization: Bearer TOKEN"
            refusal = RefusedError(401, message)
            refusal.headers["WWW-Authenticate"] = "Bearer"
            await answer(refusal)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def carries(headers: Iterable[tuple[bytes, bytes]], token: str) -> bool:
    """Return whether the headers have the token, compared in a time that tells nothing of it."""
    values = [value for name, value in headers if name == b"authorization"]
    scheme, _, given = values[0].partition(b" ") if len(values) == 1 else (b"", b"", b"")
    same = hmac.compare_digest(given.strip(), token.encode())
    return same and scheme.lower() == b"bearer"
