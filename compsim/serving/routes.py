"""The addresses that programs use, each with its checks, its job and its answer."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel

from compsim._version import __version__
from compsim.errors import InputError
from compsim.explanation.html import fragment
from compsim.serving import models
from compsim.serving.engine import Engine
from compsim.serving.limits import check_count, check_texts
from compsim.serving.metrics import TYPE, Metrics
from compsim.serving.paths import routed_path
from compsim.serving.settings import Settings
from compsim.serving.strict_json import StrictJsonRoute
from compsim.serving.worker import Due, Worker

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["Routes"]

_Responses = dict[int | str, dict[str, Any]]

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
_REFUSALS: Final[_Responses] = {
    status: {"model": models.ErrorAnswer, "description": reason}
    for status, reason in _REASONS.items()
}


class Routes:
    """The routes of one service, and what they share."""

    def __init__(self, settings: Settings, engine: Engine, metrics: Metrics) -> None:
        self.settings, self.engine, self.metrics_of_all = settings, engine, metrics
        self.worker = Worker()
        self._warm: Future[None] = Future()

    def warm_up(self) -> None:
        """Begin to get ready, in the thread that computes."""
        self._warm = self.worker.submit(self.engine.warm_up)

    def router(self) -> APIRouter:
        """All of them."""
        router = APIRouter(route_class=StrictJsonRoute)

        def add(path: str, does: Callable[..., Awaitable[Response]], kind: type[BaseModel]) -> None:
            router.add_api_route(
                path, does, methods=["POST"], response_model=kind, responses=_REFUSALS
            )

        add("/v1/rerank", self.rerank, models.RerankAnswer)
        add("/v1/similarity", self.similarity, models.SimilarityAnswer)
        add("/v1/explain", self.explain, models.ExplanationAnswer)
        # Where Cohere's newer clients look for it.
        router.add_api_route("/v2/rerank", self.rerank, methods=["POST"], include_in_schema=False)
        health = models.HealthAnswer
        early: _Responses = {503: {"model": health, "description": "not ready yet"}}
        router.add_api_route("/healthz", self.healthz, response_model=health, responses=early)
        text: _Responses = {200: {"content": {"text/plain": {}}}, 401: _REFUSALS[401]}
        router.add_api_route("/metrics", self.metrics, response_class=Response, responses=text)
        return router

    async def rerank(self, request: Request, asked: models.RerankRequest) -> Response:
        """Order documents for a query, in the format of the Cohere and Jina rerank APIs."""
        check_count("documents", len(asked.documents), self.settings.max_documents)
        texts = asked.texts()
        check_texts("query", [asked.query], self.settings.max_sentence)
        check_texts("documents", texts, self.settings.max_document)

        def job(due: Due) -> models.RerankAnswer:
            found = self.engine.rank(asked.query, texts, due, asked.top_n)
            told = [(one["corpus_id"], one["score"]) for one in found]
            shown = texts if asked.return_documents else None
            return models.RerankAnswer.of(uuid.uuid4().hex, self.engine.name, told, shown)

        return await self._answer(request, job, documents=len(texts))

    async def similarity(self, request: Request, asked: models.SimilarityRequest) -> Response:
        """Score pairs of sentences."""
        first, second = asked.sentences()
        if len(first) != len(second):
            raise InputError(
                f"first has {len(first)} sentences and second {len(second)}: send as many of each"
            )
        check_count("first", len(first), self.settings.max_documents)
        check_texts("first", first, self.settings.max_sentence)
        check_texts("second", second, self.settings.max_sentence)

        def job(due: Due) -> models.SimilarityAnswer:
            scores = self.engine.similarity(first, second, due)
            return models.SimilarityAnswer(method=self.engine.name, scores=list(scores))

        return await self._answer(request, job, pairs=len(first))

    async def explain(
        self, request: Request, asked: Annotated[models.ExplanationRequest, Body()]
    ) -> Response:
        """Say what the score of two sentences, or of a document for a query, is made of."""
        if isinstance(asked, models.SentencesExplanationRequest):
            check_texts("first", [asked.first], self.settings.max_sentence)
            check_texts("second", [asked.second], self.settings.max_sentence)
        else:
            check_texts("query", [asked.query], self.settings.max_sentence)
            check_texts("document", [asked.document], self.settings.max_document)

        def job(due: Due) -> models.ExplanationAnswer:
            best: Explanation | None
            if isinstance(asked, models.SentencesExplanationRequest):
                best = self.engine.explain(asked.first, asked.second)
                score, told = best.score, best.to_dict()
            else:
                ranking = self.engine.explain_document(asked.query, asked.document)
                best, score, told = ranking.best, ranking.score, ranking.to_dict()
            html = fragment(best) if asked.html and best is not None else None
            return models.ExplanationAnswer(
                method=self.engine.name, score=score, explanation=told, html=html
            )

        return await self._answer(request, job, explanations=1)

    async def healthz(self) -> Response:
        """Say whether the service is ready: 200 once it is warm, 503 before that."""
        status = self._status
        told = models.HealthAnswer(status=status, method=self.engine.name, version=__version__)
        code = 200 if status == "ok" else 503
        return Response(told.model_dump_json(), code, media_type="application/json")

    async def metrics(self) -> Response:
        """Tell counts and times in the format of Prometheus."""
        return Response(self.metrics_of_all.text(), media_type=TYPE)

    @property
    def _status(self) -> Literal["ok", "warming", "failed"]:
        if not self._warm.done():
            return "warming"
        return "ok" if not self._warm.cancelled() and self._warm.exception() is None else "failed"

    async def _answer(
        self, request: Request, job: Callable[[Due], BaseModel], **counts: int
    ) -> Response:
        """The answer of a job as JSON; ``counts`` are logged, and added up in the metrics."""
        request.scope["state"]["counts"] = counts
        self.metrics_of_all.texts.labels(routed_path(request.scope)).inc(sum(counts.values()))

        def done(due: Due) -> str:
            return job(due).model_dump_json(exclude_unset=True)

        text = await self.worker.run(done, Due(request.scope["state"]["deadline"]))
        return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})
