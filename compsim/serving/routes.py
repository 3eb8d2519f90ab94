"""The addresses that programs use; what a request asks for goes to the process that computes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from compsim._version import __version__
from compsim.errors import InputError
from compsim.serving import models, tei
from compsim.serving.metrics import TYPE, Metrics
from compsim.serving.refusal import client_left
from compsim.serving.worker import Due, Task, Worker

__all__ = ["BODIES", "Routes"]

_Result = TypeVar("_Result")
_Responses = dict[int | str, dict[str, Any]]

#: What each address takes, by the names of the description.
BODIES: Final[dict[str, tuple[type[BaseModel], ...]]] = {
    "/v1/rerank": (models.RerankRequest,),
    "/v2/rerank": (models.RerankRequest,),
    "/rerank": (tei.TextsRerankRequest, models.RerankRequest),
    "/similarity": (tei.SentencesSimilarityRequest,),
    "/v1/similarity": (models.SimilarityRequest,),
    "/v1/similarity_pairwise": (models.PairsRequest,),
    "/v1/same": (models.SameRequest,),
    "/v1/compare": (models.CompareRequest,),
    "/v1/explain": (models.SentencesExplanationRequest, models.DocumentExplanationRequest),
}
#: Kinds of JSON that have a name of their own.
_JSON: Final = re.compile(r"application/[^\s/]+\+json")

_REASONS: Final = {
    400: "the body is no JSON",
    401: "the token is missing or wrong",
    408: "the body did not come in time",
    421: "the service does not go by the name that the request has",
    413: "the body is too big, or needs too much memory",
    422: "the request is not as it should be",
    429: "too many requests at a time",
    503: "the service is busy or starts again, or one that it needs does not answer",
    504: "the answer took too long",
}
_REFUSALS: Final[_Responses] = {
    status: {"model": models.ErrorAnswer, "description": reason}
    for status, reason in _REASONS.items()
}


class Routes:
    """The routes of one service, and what they share."""

    def __init__(self, worker: Worker, metrics: Metrics) -> None:
        self.worker, self.metrics_of_all = worker, metrics

    def router(self) -> APIRouter:
        """All of them."""
        router = APIRouter()

        def add(path: str, does: Callable[[Request], Awaitable[Response]], kind: Any) -> None:
            router.add_api_route(
                path,
                does,
                methods=["POST"],
                response_model=kind,
                responses=_REFUSALS,
                openapi_extra={"requestBody": _body(*BODIES[path])},
            )

        add("/v1/rerank", self.rerank, models.RerankAnswer)
        add("/v2/rerank", self.rerank_v2, models.RerankAnswer)
        add("/v1/similarity", self.similarity, models.SimilarityAnswer)
        add("/v1/similarity_pairwise", self.similarity_pairwise, models.PairsAnswer)
        add("/v1/same", self.same, models.SameAnswer)
        add("/v1/explain", self.explain, models.ExplanationAnswer)
        add("/rerank", self.rerank_texts, tei.AnyRerankAnswer)
        add("/similarity", self.similarities, tei.SimilaritiesAnswer)
        add("/v1/compare", self.compare, models.CompareAnswer)
        health = models.HealthAnswer
        early: _Responses = {503: {"model": health, "description": "not ready"}}
        router.add_api_route("/healthz", self.healthz, response_model=health, responses=early)
        text: _Responses = {200: {"content": {"text/plain": {}}}, 401: _REFUSALS[401]}
        router.add_api_route("/metrics", self.metrics, response_class=Response, responses=text)
        return router

    async def rerank(self, request: Request) -> Response:
        """Order documents for a query, in the format of Cohere (version 1), Jina and vLLM."""
        return await self._answer(request, "rerank")

    async def rerank_v2(self, request: Request) -> Response:
        """Order documents for a query, in the format of Cohere, version 2."""
        return await self._answer(request, "rerank-v2")

    async def rerank_texts(self, request: Request) -> Response:
        """Order texts for a query, in the format of Text Embeddings Inference.

        A request with ``documents`` is answered as at ``/v1/rerank``, as vLLM does here.
        """
        return await self._answer(request, "any-rerank")

    async def similarities(self, request: Request) -> Response:
        """Score a sentence and others, in the format of Text Embeddings Inference."""
        return await self._answer(request, "similarities")

    async def similarity(self, request: Request) -> Response:
        """Score each sentence of one side with each of the other, a matrix for two lists."""
        return await self._answer(request, "similarity")

    async def similarity_pairwise(self, request: Request) -> Response:
        """Score pairs of sentences, those at the same place of two lists."""
        return await self._answer(request, "similarity-pairwise")

    async def same(self, request: Request) -> Response:
        """Decide whether pairs of texts say the same, with a probability and what differs.

        The service's method must be one with a calibration: one over concepts.
        """
        return await self._answer(request, "same")

    async def explain(self, request: Request) -> Response:
        """Say what the score of two sentences, or of a document for a query, is made of."""
        return await self._answer(request, "explain")

    async def compare(self, request: Request) -> Response:
        """Say why one document is above another for a query."""
        return await self._answer(request, "compare")

    async def healthz(self) -> Response:
        """Say whether the service is ready: 200 once it is warm, 503 while it (re)starts."""
        self.worker.start()
        state = self.worker.state
        health = models.HealthAnswer(status=state.status, method=state.name, version=__version__)
        code = 200 if state.status == "ok" else 503
        return Response(health.model_dump_json(), code, media_type="application/json")

    async def metrics(self) -> Response:
        """Tell counts and times in the format of Prometheus."""
        return Response(self.metrics_of_all.text(), media_type=TYPE)

    async def _answer(self, request: Request, kind: str) -> Response:
        """The answer of the process that computes; its counts are logged, and added up."""
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json" and not _JSON.fullmatch(media_type):
            raise InputError("the body is not said to be JSON: send it as application/json")
        state = request.scope["state"]
        task = Task(kind, await request.body(), Due(state["deadline"]))
        try:
            answer = await _unless_left(request, self.worker.run(task))
        finally:
            state["counts"] = task.counts
            self.metrics_of_all.texts.labels(request.scope["route"].path).inc(
                sum(task.counts.values())
            )
        state["trouble"] = answer.trouble
        return Response(
            answer.body, answer.status, dict(answer.headers), media_type="application/json"
        )


async def _unless_left(request: Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """Return what work gives; cancel it, and raise ``RefusedError`` (499), once the client left."""

    async def leave() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(leave())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise client_left()
        return working.result()
    finally:
        for each in (working, leaving):
            each.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


def _body(*kinds: type[BaseModel]) -> dict[str, Any]:
    """The description of a body that is of one of these kinds."""
    schemas = [{"$ref": f"#/components/schemas/{kind.__name__}"} for kind in kinds]
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    return {"required": True, "content": {"application/json": {"schema": schema}}}
