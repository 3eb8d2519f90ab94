"""``compsim serve``: the HTTP service, until it is told to stop."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from compsim.cli.options import OptionsOf, ParserName, Vectors, options_set
from compsim.defaults import DEFAULT_METHOD

__all__ = ["serve"]


def serve(
    host: Annotated[
        str,
        typer.Option(
            help="the address to listen on; 0.0.0.0: all interfaces, reachable from other machines"
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free")] = 8000,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="allowed Host header: NAME, *.NAME or *; may be repeated "
            "(default: the names of this machine and IP addresses; with a token any name)",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(help="the similarity method, one of `compsim methods`")
    ] = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
    max_body: Annotated[
        int, typer.Option(min=1, help="maximum size of a request body, in bytes")
    ] = 2 * 1024 * 1024,
    max_documents: Annotated[
        int,
        typer.Option(
            min=1, help="maximum number of documents, sentence pairs or matrix cells in a request"
        ),
    ] = 1000,
    max_document: Annotated[int, typer.Option(min=1, help="characters of a document")] = 20_000,
    max_sentence: Annotated[
        int, typer.Option(min=1, help="characters of a query, or of a sentence that is compared")
    ] = 2_000,
    max_words: Annotated[int, typer.Option(min=1, help="different words of a request")] = 50_000,
    max_requests: Annotated[
        int,
        typer.Option(
            min=1,
            help="maximum number of running and waiting requests; further ones are answered 429",
        ),
    ] = 32,
    max_connections: Annotated[
        int,
        typer.Option(
            min=1, help="maximum number of open connections; beyond it idle connections are closed"
        ),
    ] = 1000,
    max_memory: Annotated[
        int,
        typer.Option(
            min=1,
            help="maximum memory of the worker process above its memory after warm-up, in bytes",
        ),
    ] = 2 * 1024**3,
    timeout: Annotated[float, typer.Option(help="maximum time for a request, in seconds")] = 30.0,
) -> None:
    """Serve reranking, similarity and explanations over HTTP, with a page to try them.

    The environment variable COMPSIM_TOKEN is the token that requests must carry, if it is set.
    """
    from compsim.serving.host_names import is_host_pattern
    from compsim.serving.settings import Settings

    # No option, since whoever lists processes sees their arguments.
    token = os.environ.get("COMPSIM_TOKEN") or None
    names = [*(host_name or ()), host] if is_host_pattern(host) else host_name
    settings = Settings(
        method=method,
        options=options_set(option, parser=parser, vectors=vectors),
        token=token,
        allowed_hosts=names if host_name or not token else None,
        max_body=max_body,
        max_documents=max_documents,
        max_document=max_document,
        max_sentence=max_sentence,
        max_words=max_words,
        max_requests=max_requests,
        max_memory=max_memory,
        timeout=timeout,
    )
    # It says what is missing of its packages.
    from compsim.serving.server import serve as run

    run(settings, host, port, max_connections)
