"""The server of ``compsim serve``: uvicorn, with logs as JSON lines, until it is told to stop."""

from __future__ import annotations

import signal
import sys
from typing import Final

from compsim.errors import InputError
from compsim.missing import missing
from compsim.serving.application import create_app
from compsim.serving.logs import log_to
from compsim.serving.settings import Settings

__all__ = ["serve"]

#: Seconds that a connection is kept without a request: longer than most clients and proxies do.
_KEEP_ALIVE: Final = 65


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT: what was begun is answered first.

    Raises ``CompsimError`` where the method cannot be opened, or the address not be listened at.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise missing("uvicorn", "serve", error) from error

    app = create_app(settings)
    worker = app.state.worker
    worker.open()
    try:
        log_to(sys.stderr)
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=int(settings.timeout) + 1,
        )
        server = uvicorn.Server(config)
        # The server ends by the signal that stopped it once all is answered, unless that is
        # handled.
        signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            server.run()
        except SystemExit as error:
            # The reason is in the log already: most often the port is taken.
            raise InputError(f"cannot listen at {host}:{port}: choose another --port") from error
        if not server.started:
            raise InputError(f"cannot listen at {host}:{port}: choose another --port")
    finally:
        worker.stop()
