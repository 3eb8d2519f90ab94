"""The service as an ASGI application.

>>> from compsim.serving import Settings, create_app
>>> options = {"whole": "mean-cn", "vectors": "builtin"}
>>> app = create_app(Settings(options=options, max_documents=100))
>>> sorted(app.openapi()["paths"])
['/healthz', '/metrics', '/v1/explain', '/v1/rerank', '/v1/similarity']

From outside to inside: the log, the token, what is taken at a time and how much, the routes. All
that computes runs in one thread beside the one that talks to clients, so that ``/healthz`` answers
while it runs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from compsim._version import __version__
from compsim.errors import CompsimError
from compsim.missing import missing

try:
    import prometheus_client  # noqa: F401
    from fastapi import FastAPI, Request, Response
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
except ImportError as error:
    raise missing("fastapi or prometheus-client", "serve", error) from error

from compsim.serving.bearer import Bearer
from compsim.serving.engine import Engine
from compsim.serving.limits import Admission
from compsim.serving.logs import RequestLog
from compsim.serving.metrics import Metrics
from compsim.serving.pages import Pages
from compsim.serving.refusal import answer
from compsim.serving.routes import Routes
from compsim.serving.schema import described
from compsim.serving.settings import Settings

__all__ = ["create_app"]

#: Addresses that the description leaves out.
_HIDDEN: Final = ("/", "/docs", "/openapi.json", "/v2/rerank")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Open the method of the settings, and make the application that serves it.

    It warms up, and says so in ``/healthz``, once it is started.

    Args:
        settings: What to serve, and what is taken at most; None: the defaults.

    Returns:
        An ASGI application, for uvicorn or any other server.

    Raises:
        MissingExtraError: A package that the method needs is not installed.
        UnknownNameError: There is no method of this name.
        InputError: The method has no such option.

    Examples:
        >>> from compsim.serving.settings import Settings
        >>> app = create_app(Settings(options={"whole": "mean-cn", "vectors": "builtin"}))
        >>> app.title
        'compsim'
    """
    settings = settings or Settings()
    engine, metrics = Engine.open(settings), Metrics()
    routes, pages = Routes(settings, engine, metrics), Pages(engine)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        routes.warm_up()
        yield
        routes.worker.stop()

    app = FastAPI(
        title="compsim",
        version=__version__,
        summary="How alike two sentences are, judged by who did what to whom",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
        exception_handlers=dict.fromkeys(
            (RequestValidationError, HTTPException, CompsimError), _refused
        ),
    )
    app.include_router(routes.router())
    app.include_router(pages.router(lambda: described(app, settings)))
    app.openapi = lambda: described(app, settings)  # type: ignore[method-assign]
    # The last one is the outermost.
    app.add_middleware(_Admission, settings=settings, metrics=metrics)
    app.add_middleware(Bearer, token=settings.token)
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
