"""``compsim serve``: the HTTP service, until it is told to stop."""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from compsim.cli import terminal
from compsim.cli.options import OptionsOf, ParserName, Vectors, options_set
from compsim.errors import InputError
from compsim.missing import missing

if TYPE_CHECKING:
    from compsim.serving.settings import Settings

__all__ = ["serve"]


def serve(
    host: Annotated[
        str, typer.Option(help="the address to listen at; 0.0.0.0: whoever can reach this machine")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free")] = 8000,
    method: Annotated[str, typer.Option(help="a name that `compsim methods` lists")] = "hybrid",
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
    max_body: Annotated[int, typer.Option(min=1, help="bytes of a request")] = 2 * 1024 * 1024,
    max_documents: Annotated[
        int, typer.Option(min=1, help="documents, or pairs of sentences, of a request")
    ] = 1000,
    max_document: Annotated[int, typer.Option(min=1, help="characters of a document")] = 20_000,
    max_sentence: Annotated[
        int, typer.Option(min=1, help="characters of a query, or of a sentence that is compared")
    ] = 2_000,
    max_requests: Annotated[
        int, typer.Option(min=1, help="requests that run or wait; others get 429")
    ] = 32,
    timeout: Annotated[float, typer.Option(help="seconds of a request")] = 30.0,
) -> None:
    """Serve reranking, similarity and explanations over HTTP, with a page to try them.

    The environment variable COMPSIM_TOKEN is the token that requests must carry, if it is set.
    """
    from compsim.serving.settings import Settings

    settings = Settings(
        method=method,
        options=options_set(option, parser=parser, vectors=vectors),
        # No option, since whoever lists processes sees their arguments.
        token=os.environ.get("COMPSIM_TOKEN") or None,
        max_body=max_body,
        max_documents=max_documents,
        max_document=max_document,
        max_sentence=max_sentence,
        max_requests=max_requests,
        timeout=timeout,
    )
    if not settings.token and not _is_loopback(host):
        terminal.complain(
            f"warning: whoever reaches {host} may use this service: set COMPSIM_TOKEN to ask for "
            "a token"
        )
    _run(settings, host, port)


def _run(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT: what was begun is answered first."""
    # It says what is missing of its packages.
    from compsim.serving.application import create_app
    from compsim.serving.logs import JsonLines

    try:
        import uvicorn
    except ImportError as error:
        raise missing("uvicorn", "serve", error) from error

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("uvicorn", "compsim.serving"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_keep_alive=65,  # longer than most clients and proxies keep a connection
        timeout_graceful_shutdown=int(settings.timeout) + 1,
    )
    server = uvicorn.Server(config)
    # The server ends by the signal that stopped it once all is answered, unless that is handled.
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        server.run()
    except SystemExit as error:
        # The reason is in the log already: most often the port is taken.
        raise InputError(f"cannot listen at {host}:{port}: choose another --port") from error
    if not server.started:
        raise InputError(f"cannot listen at {host}:{port}: choose another --port")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
