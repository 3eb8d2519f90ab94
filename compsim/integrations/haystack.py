"""compsim in Haystack: a component that orders documents.

>>> pipeline.add_component("ranker", CompsimRanker(top_k=5))  # doctest: +SKIP
>>> pipeline.connect("retriever.documents", "ranker.documents")  # doctest: +SKIP

A pipeline that was saved is loaded with ``allowed_modules=["compsim.integrations.haystack"]``.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from compsim.defaults import DEFAULT_METHOD
from compsim.integrations.options import (
    Opened,
    all_options,
    check_name,
    plain_options,
    reopened,
)
from compsim.method import Method
from compsim.missing import missing
from compsim.registry import resolved
from compsim.retrieval import Reranker
from compsim.retrieval.queries import check_limits
from compsim.trust import check

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise missing("haystack-ai", "haystack", error) from error

__all__ = ["CompsimRanker"]


@component
class CompsimRanker:
    """Orders documents by a method, a name or a reranker.

    Documents below ``score_threshold`` are left out; with ``blend`` the scores that they come with
    are added. Options of ``compsim.Reranker`` and of the method stand beside these, or in
    ``options``.

    A pipeline that is loaded decides only what ships with compsim (``compsim.trust``): a component
    that needs another method, or files or services, is made in Python.
    """

    def __init__(
        self,
        method: str | Method[Any] | Reranker = DEFAULT_METHOD,
        top_k: int | None = None,
        blend: bool = False,
        options: dict[str, Any] | None = None,
        score_threshold: float | None = None,
        **more: Any,
    ) -> None:
        check_limits(top_k, score_threshold)
        self.method, self.top_k, self.blend = method, top_k, blend
        self.score_threshold = score_threshold
        self.options = all_options(method, options, more)
        self._opened: Opened | None = None

    def warm_up(self) -> None:
        """Open the method, once."""
        self._opened = reopened(self._opened, self.method, self.options)

    async def warm_up_async(self) -> None:
        """Open the method, once, in a thread."""
        await asyncio.to_thread(self.warm_up)

    def close(self) -> None:
        """Let the method go; the next run opens it again."""
        self._opened = None

    async def close_async(self) -> None:
        """Let the method go, as ``close`` does."""
        self.close()

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments; raises ``InputError`` if a reranker was passed."""
        check_name(self.method)
        made: dict[str, Any] = default_to_dict(
            self,
            method=self.method,
            top_k=self.top_k,
            blend=self.blend,
            options=plain_options(self.options),
            score_threshold=self.score_threshold,
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompsimRanker:
        """The component that ``to_dict`` tells of.

        Raises ``InputError`` for a method, or options, that a file may not decide.
        """
        made: CompsimRanker = default_from_dict(cls, data)
        assert isinstance(made.method, str)
        check(
            "the pipeline",
            *resolved(made.method, made.options),
            (),
            "make the CompsimRanker in Python",
        )
        return made

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(
        self,
        query: str,
        documents: list[Document],
        top_k: int | None = None,
        score_threshold: float | None = None,
    ) -> dict[str, list[Document]]:
        """The best documents, best first, as copies with their scores."""
        self.warm_up()
        assert self._opened is not None
        least = self.score_threshold if score_threshold is None else score_threshold
        first = [float("nan") if one.score is None else one.score for one in documents]
        ranking = self._opened.reranker.rank(
            query,
            [document.content or "" for document in documents],
            self.top_k if top_k is None else top_k,
            first=first if self.blend else None,
            score_threshold=least,
        )
        return {
            "documents": [
                replace(documents[one["corpus_id"]], score=one["score"]) for one in ranking
            ]
        }

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    async def run_async(
        self,
        query: str,
        documents: list[Document],
        top_k: int | None = None,
        score_threshold: float | None = None,
    ) -> dict[str, list[Document]]:
        """The same as ``run``, in a thread."""
        return await asyncio.to_thread(self.run, query, documents, top_k, score_threshold)
