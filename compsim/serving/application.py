"""The service as an ASGI application.

>>> from compsim.serving import Settings, create_app
>>> options = {"vectors": "builtin"}
>>> app = create_app(Settings(options=options, max_documents=100))
>>> sorted(app.openapi()["paths"])
['/healthz', '/metrics', '/rerank', '/similarity', '/v1/compare', '/v1/explain', '/v1/rerank', ...]

From outside to inside: the log, the form of errors, the names that the service goes by, the token,
what is taken at a time and how much, the routes. All that computes, requests are read too, runs in
another process than that which talks to clients, so that ``/healthz`` answers whatever it does, and
so that it can be ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from compsim._version import __version__
from compsim.errors import CompsimError
from compsim.missing import missing
from compsim.registry import options

try:
    import prometheus_client  # noqa: F401
    from fastapi import FastAPI, Request, Response
    from starlette.exceptions import HTTPException
except ImportError as error:
    raise missing("fastapi or prometheus-client", "serve", error) from error

from compsim.serving.bearer import Bearer
from compsim.serving.dialects import Dialects
from compsim.serving.host_names import HostNames
from compsim.serving.hosts import Hosts
from compsim.serving.limits import Admission
from compsim.serving.logs import RequestLog
from compsim.serving.metrics import Metrics
from compsim.serving.pages import Pages
from compsim.serving.refusal import answer
from compsim.serving.routes import Routes
from compsim.serving.schema import described
from compsim.serving.settings import Settings
from compsim.serving.worker import Worker

__all__ = ["create_app"]

#: Addresses that the description leaves out.
_HIDDEN: Final = ("/", "/docs", "/openapi.json")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the application that serves the method of some settings.

    Once it is started it opens the method, in a process of its own, and warms up, as ``/healthz``
    says; behind a ``Mount``, which tells no start, the first request does so.

    Args:
        settings: What to serve, and what is taken at most; None: the defaults.

    Returns:
        An ASGI application, for uvicorn or any other server.

    Raises:
        MissingExtraError: A package that every service needs is not installed.
        UnknownNameError: There is no method of this name.
        InputError: An option cannot be sent to another process. What else is wrong with options,
            or missing for them, is told when the application is started.

    Examples:
        >>> from compsim.serving.settings import Settings
        >>> app = create_app(Settings(options={"vectors": "builtin"}))
        >>> app.title
        'compsim'
    """
    settings = settings or Settings()
    options(settings.method)  # raises what is wrong with its name
    worker, metrics = Worker(settings), Metrics()
    metrics.watch_worker(worker.state)
    routes, pages = Routes(worker, metrics), Pages()

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(worker.open)
        try:
            yield
        finally:
            await asyncio.to_thread(worker.stop)

    app = FastAPI(
        title="compsim",
        version=__version__,
        summary="How alike two sentences are, judged by who did what to whom",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
        exception_handlers=dict.fromkeys((HTTPException, CompsimError), _refused),
    )
    app.state.worker = worker
    app.include_router(routes.router())
    app.include_router(pages.router(lambda: described(app, settings)))
    app.openapi = lambda: described(app, settings)  # type: ignore[method-assign]
    # The last one is the outermost.
    app.add_middleware(_Admission, settings=settings, metrics=metrics)
    app.add_middleware(Bearer, token=settings.token)
    # A page that has its own name lead here does not have the token.
    default = ("*",) if settings.token else ()
    allowed = default if settings.allowed_hosts is None else settings.allowed_hosts
    app.add_middleware(Hosts, names=HostNames(allowed))
    app.add_middleware(Dialects)
    paths = {*described(app, settings)["paths"], *_HIDDEN}
    app.add_middleware(RequestLog, paths=paths, observe=metrics.observe)
    return app


class _Admission(Admission):
    """Tells the metrics how many requests it holds."""

    def __init__(self, app: Any, settings: Settings, metrics: Metrics) -> None:
        super().__init__(app, settings)
        metrics.watch(lambda: float(self.held))


async def _refused(request: Request, error: Exception) -> Response:
    return answer(error)
