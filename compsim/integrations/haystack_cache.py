"""compsim in Haystack: what a retriever finds in a cache of questions, without those that differ.

>>> pipeline.add_component("same", CompsimCacheFilter(max_false=0.02))  # doctest: +SKIP
>>> pipeline.connect("retriever.documents", "same.documents")  # doctest: +SKIP
>>> pipeline.connect("same.misses", "prompt_builder.questions")  # doctest: +SKIP

A document of the cache has a question as its content, and the answer in its metadata. A pipeline
that was saved is loaded with ``allowed_modules=["compsim.integrations.haystack_cache"]``.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from compsim.defaults import DEFAULT_METHOD
from compsim.guard.guard import Guard
from compsim.guard.names import MAX_FALSE
from compsim.missing import missing
from compsim.registry import resolved
from compsim.trust import check

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise missing("haystack-ai", "haystack", error) from error

__all__ = ["CompsimCacheFilter"]


@component
class CompsimCacheFilter:
    """Lets documents through whose content says the same as the query: ``hits``, else ``misses``.

    ``method``, ``max_false`` and ``options`` are those of ``compsim.Guard``; a guard that was
    fitted is set as the attribute ``guard``. What a loaded pipeline may decide is as for
    ``CompsimRanker``.
    """

    def __init__(
        self,
        method: str = DEFAULT_METHOD,
        max_false: float = MAX_FALSE,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        self.method, self.max_false = method, max_false
        self.options = {**(options or {}), **more}
        self.guard: Guard | None = None

    def warm_up(self) -> None:
        """Open the method, once."""
        if self.guard is None:
            self.guard = Guard(self.method, self.max_false, **self.options)

    async def warm_up_async(self) -> None:
        """Open the method, once, in a thread."""
        await asyncio.to_thread(self.warm_up)

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        made: dict[str, Any] = default_to_dict(
            self, method=self.method, max_false=self.max_false, options=self.options
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompsimCacheFilter:
        """The component that ``to_dict`` tells of.

        Raises ``InputError`` for a method, or options, that a file may not decide.
        """
        made: CompsimCacheFilter = default_from_dict(cls, data)
        mend = "make the CompsimCacheFilter in Python"
        check("the pipeline", *resolved(made.method, made.options), (), mend)
        return made

    @component.output_types(  # type: ignore[untyped-decorator]
        hits=list[Document], misses=list[str]
    )
    def run(self, query: str, documents: list[Document]) -> dict[str, Any]:
        """The documents that say the same, surest first, with the probability as their score.

        Without any, the query is a miss.
        """
        self.warm_up()
        assert self.guard is not None
        verdicts = self.guard.same(query, [document.content or "" for document in documents])
        hits = [
            replace(document, score=verdict.probability)
            for document, verdict in zip(documents, verdicts, strict=True)
            if verdict
        ]
        hits.sort(key=lambda document: -(document.score or 0.0))
        return {"hits": hits, "misses": [] if hits else [query]}

    @component.output_types(  # type: ignore[untyped-decorator]
        hits=list[Document], misses=list[str]
    )
    async def run_async(self, query: str, documents: list[Document]) -> dict[str, Any]:
        """The same as ``run``, in a thread."""
        return await asyncio.to_thread(self.run, query, documents)
