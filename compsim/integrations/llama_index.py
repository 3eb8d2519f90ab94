"""compsim in LlamaIndex: a postprocessor that orders retrieved nodes, and an evaluator of answers.

>>> engine = index.as_query_engine(  # doctest: +SKIP
...     similarity_top_k=50, node_postprocessors=[CompsimRerank(top_n=5)]
... )
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import model_validator

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.guard.guard import Guard
from compsim.integrations.options import Opened, check_name, gathered, reopened
from compsim.missing import missing
from compsim.registry import resolved
from compsim.retrieval.queries import check_limits
from compsim.trust import check

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import MetadataMode, NodeWithScore
except ImportError as error:
    raise missing("llama-index-core", "llama-index", error) from error

__all__ = ["CompsimEvaluator", "CompsimRerank"]


class CompsimRerank(BaseNodePostprocessor):  # type: ignore[misc]  # of no known type without it
    """Keeps the ``top_n`` best nodes, best first, as copies.

    ``method`` is a name, or a reranker; options of ``compsim.Reranker`` and of the method stand
    beside it, or in ``options``. Nodes below ``score_threshold`` are left out. With ``blend`` the
    retrieval scores come in; they are kept as ``metadata["retrieval_score"]`` in any case.
    """

    method: Any = Field(default=DEFAULT_METHOD, description="a method of compsim, or a reranker")
    top_n: int | None = Field(default=None, description="how many nodes are kept; None: all")
    blend: bool = Field(default=False, description="add the retrieval scores")
    score_threshold: float | None = Field(default=None, description="the least score that is kept")
    options: dict[str, Any] = Field(default_factory=dict, description="of compsim.Reranker")
    _opened: Opened | None = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, given: dict[str, Any]) -> dict[str, Any]:
        return gathered(cls.model_fields, given)

    @model_validator(mode="after")
    def _checked(self) -> CompsimRerank:
        check_limits(self.top_n, self.score_threshold, "top_n")
        return self

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex knows it by."""
        return "CompsimRerank"

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """Return the constructor's arguments; raises ``InputError`` if a reranker was passed."""
        check_name(self.method)
        saved: dict[str, Any] = super().to_dict(**kwargs)
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any], **given: Any) -> CompsimRerank:
        """The postprocessor that ``to_dict`` tells of, with other arguments where they are given.

        Raises ``InputError`` for a method, or options, that a file may not decide, unless given.
        """
        made: CompsimRerank = super().from_dict(data, **given)
        known = given.keys() | (made.options.keys() if "options" in given else set())
        check(
            "the postprocessor",
            *resolved(made.method, made.options),
            known,
            "give them to from_dict",
        )
        return made

    def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
        if query_bundle is None:
            raise InputError("there is no query to rank the nodes by: give a query bundle")
        self._opened = reopened(self._opened, self.method, self.options)
        texts = [node.node.get_content(metadata_mode=MetadataMode.EMBED) for node in nodes]
        first = [float("nan") if node.score is None else node.score for node in nodes]
        ranking = self._opened.reranker.rank(
            query_bundle.query_str,
            texts,
            self.top_n,
            first=first if self.blend else None,
            score_threshold=self.score_threshold,
        )
        kept = []
        for one in ranking:
            before = nodes[one["corpus_id"]]
            node = before.node.model_copy()
            node.metadata = {**before.node.metadata, "retrieval_score": before.score}
            kept.append(NodeWithScore(node=node, score=one["score"]))
        return kept


class CompsimEvaluator(BaseEvaluator):  # type: ignore[misc]  # as above
    """Passes a response that says the same as the reference.

    ``guard`` decides; None: one that is made of ``options``, those of ``Guard``. The score is the
    probability, the feedback what differs; a pair that is left unsure does not pass.
    """

    def __init__(self, guard: Guard | None = None, **options: Any) -> None:
        self.guard = guard or Guard(**options)

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        pass

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        reference: str | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Evaluate a response by its reference; raises ``InputError`` without one of them."""
        if response is None or reference is None:
            raise InputError("there is no response or no reference to compare: give both")
        verdict = self.guard.same(response, reference)
        return EvaluationResult(
            query=query,
            contexts=contexts,
            response=response,
            passing=bool(verdict),
            score=verdict.probability,
            feedback=str(verdict),
        )
