"""A page elsewhere must not reach a service by a name of its own.

It may have its name lead to this machine once it is loaded (DNS rebinding), and then reads what a
service here answers, as pages may read what comes from their own host. Its requests still carry its
name in ``Host``. An address there is no such name, so any is let through.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from compsim.serving.host_names import HostNames
from compsim.serving.refusal import RefusedError, answer

__all__ = ["Hosts"]


class Hosts:
    """Refuses, with 421, requests to a name that the service does not go by."""

    def __init__(self, app: ASGIApp, names: HostNames) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        hosts = [value for name, value in scope.get("headers", ()) if name == b"host"]
        allowed = all(self.names.allow(host.decode("latin-1")) for host in hosts)
        if scope["type"] == "http" and not allowed:
            message = (
                "this service does not go by the name in the Host header: give `compsim serve` "
                "that name as --host-name, or Settings as one of allowed_hosts"
            )
            await answer(RefusedError(421, message))(scope, receive, send)
            return
        await self.app(scope, receive, send)
