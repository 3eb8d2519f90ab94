"""compsim in Haystack: a component that orders documents.

>>> pipeline.add_component("ranker", CompsimRanker(top_k=5))  # doctest: +SKIP
>>> pipeline.connect("retriever.documents", "ranker.documents")  # doctest: +SKIP

A pipeline that was saved is loaded with ``allowed_modules=["compsim.integrations.haystack"]``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.trust import check

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise missing("haystack-ai", "haystack", error) from error

__all__ = ["CompsimRanker"]


@component
class CompsimRanker:
    """Orders documents by a method; ``options`` are those of ``compsim.Reranker``.

    With ``blend`` the scores that documents come with are added.

    A pipeline that is loaded decides only what ships with compsim (``compsim.trust``): a component
    that needs another method, or files or services, is made in Python.
    """

    def __init__(
        self,
        method: str = "hybrid",
        top_k: int | None = None,
        blend: bool = False,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.method, self.top_k, self.blend = method, top_k, blend
        self.options = dict(options or {})
        self._reranker: Reranker | None = None

    def warm_up(self) -> None:
        """Open the method, once."""
        if self._reranker is None:
            self._reranker = Reranker(self.method, **self.options)

    def to_dict(self) -> dict[str, Any]:
        """What it was made with."""
        made: dict[str, Any] = default_to_dict(
            self, method=self.method, top_k=self.top_k, blend=self.blend, options=self.options
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompsimRanker:
        """The component that ``to_dict`` tells of.

        Raises ``InputError`` for a method, or options, that a file may not decide.
        """
        made: CompsimRanker = default_from_dict(cls, data)
        check("the pipeline", made.method, made.options, (), "make the CompsimRanker in Python")
        return made

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """The best documents, best first, as copies with their scores."""
        self.warm_up()
        assert self._reranker is not None
        first = [float("nan") if one.score is None else one.score for one in documents]
        found = self._reranker.rank(
            query,
            [document.content or "" for document in documents],
            self.top_k if top_k is None else top_k,
            first=first if self.blend else None,
        )
        return {
            "documents": [replace(documents[one["corpus_id"]], score=one["score"]) for one in found]
        }
