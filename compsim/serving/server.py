"""The server of ``compsim serve``: uvicorn, with logs as JSON lines, until it is told to stop."""

from __future__ import annotations

import ipaddress
import signal
import socket
import sys

from compsim.errors import InputError
from compsim.missing import missing

try:
    import uvicorn
except ImportError as error:
    raise missing("uvicorn", "serve", error) from error

from compsim.serving.application import create_app
from compsim.serving.connections import KEEP_ALIVE, connection_class, room_for_connections
from compsim.serving.logs import REQUESTS, log_to
from compsim.serving.settings import Settings

__all__ = ["serve"]


def serve(settings: Settings, host: str, port: int, max_connections: int) -> None:
    """Serve until SIGTERM or SIGINT: what was begun is answered first.

    Raises ``CompsimError`` where the method cannot be opened, or the address not be listened at.
    """
    app = create_app(settings)
    worker = app.state.worker
    worker.open()
    try:
        log_to(sys.stderr)
        server = uvicorn.Server(_configuration(app, settings, host, port, max_connections))
        # The server ends by the signal that stopped it once all is answered, unless that is
        # handled.
        signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            server.run()
        except SystemExit as error:
            raise _listening_error(host, port) from error
        if not server.started:
            raise _listening_error(host, port)
    finally:
        worker.stop()


def _configuration(
    app: object, settings: Settings, host: str, port: int, max_connections: int
) -> uvicorn.Config:
    """Return the server's configuration; unusual settings are logged."""
    if not settings.token and not _is_loopback(host):
        message = "whoever reaches this service may use it: set COMPSIM_TOKEN to ask for a token"
        REQUESTS.warning(message, extra={"told": {"host": host}})
    most, backlog = room_for_connections(max_connections)
    if most < max_connections:
        message = "the system has few file descriptors for connections: raise its limit (ulimit -n)"
        REQUESTS.warning(message, extra={"told": {"connections": most}})
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=host,
        port=port,
        http=connection_class(most, settings.timeout),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=backlog,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(settings.timeout) + 1,
    )


def _listening_error(host: str, port: int) -> InputError:
    """Return what is wrong with an address at which the server could not listen."""
    reason = "the port is taken or not allowed, so choose another --port"
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except socket.gaierror:
        reason = "no address is known for this name, so give --host another one"
    except OSError:
        reason = "this machine does not have this address, so give --host one that it has"
    return InputError(f"cannot listen at {host}:{port}: {reason}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
