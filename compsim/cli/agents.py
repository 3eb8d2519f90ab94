"""``compsim mcp``: tools for agents, over standard input and output or over HTTP."""

from __future__ import annotations

import ipaddress
import os
import threading
from typing import TYPE_CHECKING, Annotated, Final

import typer

from compsim.cli.options import OptionsOf, ParserName, Vectors, options_set
from compsim.cli.terminal import complain
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import CompsimError, InputError, ServiceError

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from compsim.integrations.mcp import Tools

__all__ = ["mcp"]

#: The status of a process that was asked for what cannot be done.
_USAGE: Final = 2


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="streamable HTTP at /mcp, not standard input and output")
    ] = False,
    host: Annotated[str, typer.Option(help="with --http: the address to listen at")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="with --http")] = 8001,
    method: Annotated[
        str, typer.Option(help="the similarity method, one of `compsim methods`")
    ] = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
) -> None:
    """Serve tools for agents, by the Model Context Protocol: compare, same, rerank and more.

    With --http, the environment variable COMPSIM_TOKEN is the token that requests must carry, if it
    is set; an address that others can reach needs one.
    """
    token = os.environ.get("COMPSIM_TOKEN") or None
    if http and token is None and not _is_loopback(host):
        raise InputError(
            f"whoever reaches {host} could use the tools: set COMPSIM_TOKEN, or listen at 127.0.0.1"
        )
    # It says what is missing of its packages.
    from compsim.integrations.mcp import Tools, create_server

    tools = Tools(method, **options_set(option, parser=parser, vectors=vectors))
    server = create_server(tools)
    # A client waits for the first answer of the server, not for its method.
    threading.Thread(target=_open, args=(tools,), daemon=True).start()
    if http:
        _serve(server, host, port, token)
    else:
        server.run()


def _open(tools: Tools) -> None:
    """Open the method; end the process, in one line, where it never can be."""
    try:
        tools.warm_up()
    except ServiceError as error:  # which may answer when a tool is called
        complain(str(error))
    except CompsimError as error:
        complain(str(error))
        if not tools.opened:
            os._exit(_USAGE)


def _serve(server: MCPServer, host: str, port: int, token: str | None) -> None:
    """Serve over HTTP until SIGTERM or SIGINT."""
    import uvicorn

    from compsim.serving.bearer import Bearer

    application = Bearer(server.streamable_http_app(host=host), token)
    uvicorn.run(application, host=host, port=port, log_level="warning")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
