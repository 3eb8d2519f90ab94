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

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware import Middleware
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from compsim._version import __version__
from compsim.errors import CompsimError, InputError
from compsim.explanation.html import fragment
from compsim.serving import models
from compsim.serving.bearer import Bearer
from compsim.serving.engine import Engine
from compsim.serving.limits import Admission, check_count, check_texts
from compsim.serving.logs import RequestLog
from compsim.serving.metrics import TYPE, Metrics
from compsim.serving.pages import Pages
from compsim.serving.refusal import answer
from compsim.serving.schema import described
from compsim.serving.settings import Settings
from compsim.serving.strict_json import StrictJsonRoute
from compsim.serving.worker import Due, Worker

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["create_app"]

_REASONS: Final = {
    400: "the body is no JSON",
    401: "the token is missing or wrong",
    408: "the body did not come in time",
    413: "the body is too big",
    422: "the request is not as it should be",
    429: "too many requests at a time",
    503: "the request could not be begun in time, or a service that it needs does not answer",
    504: "the answer took too long",
}
#: Addresses that the description leaves out.
_HIDDEN: Final = ("/", "/docs", "/openapi.json", "/v2/rerank")
_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": models.ErrorAnswer, "description": reason}
    for status, reason in _REASONS.items()
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """Open the method of the settings, and make the application that serves it.

    Raises what ``compsim.load`` raises. It warms up, and says so in ``/healthz``, once it is
    started.
    """
    settings = settings or Settings()
    service = _Service(settings, Engine.open(settings), Worker(), Metrics())
    pages = Pages(service.engine)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        service.warm = service.worker.submit(service.engine.warm_up)
        yield
        service.worker.stop()

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
    app.include_router(_api(service))
    app.include_router(pages.router(lambda: described(app, settings)))
    app.openapi = lambda: described(app, settings)  # type: ignore[method-assign]
    paths = {*described(app, settings)["paths"], *_HIDDEN}
    # The first one is the outermost.
    app.user_middleware = [
        Middleware(RequestLog, paths=paths, observe=service.metrics.observe),
        Middleware(Bearer, token=settings.token),
        Middleware(_Admission, settings=settings, metrics=service.metrics),
    ]
    return app


class _Admission(Admission):
    """Tells the metrics how many requests it holds."""

    def __init__(self, app: Any, settings: Settings, metrics: Metrics) -> None:
        super().__init__(app, settings)
        metrics.watch(lambda: float(self.held))


class _Service:
    """What the routes share."""

    def __init__(
        self, settings: Settings, engine: Engine, worker: Worker, metrics: Metrics
    ) -> None:
        self.settings, self.engine = settings, engine
        self.worker, self.metrics = worker, metrics
        self.warm: Future[None] = Future()

    async def computed(
        self, request: Request, job: Callable[[Due], BaseModel], **counts: int
    ) -> Response:
        """The answer of a job as JSON; ``counts`` are logged, and added up in the metrics."""
        request.scope["state"]["counts"] = counts
        self.metrics.texts.labels(request.scope["path"]).inc(sum(counts.values()))

        def done(due: Due) -> str:
            return job(due).model_dump_json(exclude_unset=True)

        text = await self.worker.run(done, Due(request.scope["state"]["deadline"]))
        return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})

    @property
    def status(self) -> Literal["ok", "warming", "failed"]:
        if not self.warm.done():
            return "warming"
        return "ok" if not self.warm.cancelled() and self.warm.exception() is None else "failed"


async def _refused(request: Request, error: Exception) -> Response:
    return answer(error)


def _api(service: _Service) -> APIRouter:
    """The routes that programs use."""
    router = APIRouter(route_class=StrictJsonRoute)
    engine, settings = service.engine, service.settings

    async def rerank(request: Request, asked: models.RerankRequest) -> Response:
        """Order documents for a query, in the format of the Cohere and Jina rerank APIs."""
        check_count("documents", len(asked.documents), settings.max_documents)
        query, texts = asked.query, asked.texts()
        check_texts("query", [query], settings.max_sentence)
        check_texts("documents", texts, settings.max_document)

        def job(due: Due) -> models.RerankAnswer:
            found = engine.rank(query, texts, due, asked.top_n)
            told = [(one["corpus_id"], one["score"]) for one in found]
            shown = texts if asked.return_documents else None
            return models.RerankAnswer.of(uuid.uuid4().hex, engine.name, told, shown)

        return await service.computed(request, job, documents=len(texts))

    async def similarity(request: Request, asked: models.SimilarityRequest) -> Response:
        """Score pairs of sentences."""
        first, second = asked.sentences()
        if len(first) != len(second):
            raise InputError(
                f"first has {len(first)} sentences and second {len(second)}: send as many of each"
            )
        check_count("first", len(first), settings.max_documents)
        check_texts("first", first, settings.max_sentence)
        check_texts("second", second, settings.max_sentence)

        def job(due: Due) -> models.SimilarityAnswer:
            scores = engine.similarity(first, second, due)
            return models.SimilarityAnswer(method=engine.name, scores=list(scores))

        return await service.computed(request, job, pairs=len(first))

    async def explain(
        request: Request, asked: Annotated[models.ExplanationRequest, Body()]
    ) -> Response:
        """Say what the score of two sentences, or of a document for a query, is made of."""
        if isinstance(asked, models.SentencesExplanationRequest):
            first, second = asked.first, asked.second
            check_texts("first", [first], settings.max_sentence)
            check_texts("second", [second], settings.max_sentence)
        else:
            first, second = asked.query, asked.document
            check_texts("query", [first], settings.max_sentence)
            check_texts("document", [second], settings.max_document)

        def job(due: Due) -> models.ExplanationAnswer:
            best: Explanation | None
            if isinstance(asked, models.SentencesExplanationRequest):
                best = engine.explain(first, second, due)
                score, told = best.score, best.to_dict()
            else:
                ranking = engine.explain_document(first, second, due)
                best, score, told = ranking.best, ranking.score, ranking.to_dict()
            html = fragment(best) if asked.html and best is not None else None
            return models.ExplanationAnswer(
                method=engine.name, score=score, explanation=told, html=html
            )

        return await service.computed(request, job, explanations=1)

    async def healthz() -> Response:
        """Say whether the service is ready: 200 once it is warm, 503 before that."""
        status = service.status
        told = models.HealthAnswer(status=status, method=engine.name, version=__version__)
        return Response(
            told.model_dump_json(), 200 if status == "ok" else 503, media_type="application/json"
        )

    async def metrics() -> Response:
        """Tell counts and times in the format of Prometheus."""
        return Response(service.metrics.text(), media_type=TYPE)

    def add(path: str, kind: type[BaseModel], does: Callable[..., Awaitable[Response]]) -> None:
        router.add_api_route(path, does, methods=["POST"], response_model=kind, responses=_REFUSALS)

    add("/v1/rerank", models.RerankAnswer, rerank)
    add("/v1/similarity", models.SimilarityAnswer, similarity)
    add("/v1/explain", models.ExplanationAnswer, explain)
    # Where Cohere's newer clients look for it.
    router.add_api_route("/v2/rerank", rerank, methods=["POST"], include_in_schema=False)
    health: dict[int | str, dict[str, Any]]
    health = {503: {"model": models.HealthAnswer, "description": "not ready yet"}}
    router.add_api_route("/healthz", healthz, response_model=models.HealthAnswer, responses=health)
    text: dict[int | str, dict[str, Any]]
    text = {200: {"content": {"text/plain": {}}}, 401: _REFUSALS[401]}
    router.add_api_route("/metrics", metrics, response_class=Response, responses=text)
    return router
