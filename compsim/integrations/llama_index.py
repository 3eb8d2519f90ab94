"""compsim in LlamaIndex: a postprocessor that orders retrieved nodes.

>>> engine = index.as_query_engine(  # doctest: +SKIP
...     similarity_top_k=50, node_postprocessors=[CompsimRerank(top_n=5)]
... )
"""

from __future__ import annotations

from typing import Any

from compsim.errors import InputError
from compsim.missing import missing
from compsim.retrieval import Reranker
from compsim.trust import check

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import MetadataMode, NodeWithScore
except ImportError as error:
    raise missing("llama-index-core", "llama-index", error) from error

__all__ = ["CompsimRerank"]


class CompsimRerank(BaseNodePostprocessor):  # type: ignore[misc]  # of no known type without it
    """Keeps the ``top_n`` best nodes, best first, as copies.

    ``method`` and ``options`` make the reranker. With ``blend`` the retrieval scores come in;
    they are kept as ``metadata["retrieval_score"]`` in any case.
    """

    method: str = Field(default="hybrid", description="a method of compsim")
    top_n: int | None = Field(default=None, description="how many nodes are kept; None: all")
    blend: bool = Field(default=False, description="add the retrieval scores")
    options: dict[str, Any] = Field(default_factory=dict, description="of compsim.Reranker")
    _reranker: Any = PrivateAttr(default=None)

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex knows it by."""
        return "CompsimRerank"

    @classmethod
    def from_dict(cls, data: dict[str, Any], **given: Any) -> CompsimRerank:
        """The postprocessor that ``to_dict`` tells of, with other arguments where they are given.

        Raises ``InputError`` for a method, or options, that a file may not decide, unless given.
        """
        made: CompsimRerank = super().from_dict(data, **given)
        known = {"method"} & given.keys() | (made.options.keys() if "options" in given else set())
        check("the postprocessor", made.method, made.options, known, "give them to from_dict")
        return made

    def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
        if query_bundle is None:
            raise InputError("there is no query to rank the nodes by: give a query bundle")
        if self._reranker is None:
            self._reranker = Reranker(self.method, **self.options)
        texts = [node.node.get_content(metadata_mode=MetadataMode.EMBED) for node in nodes]
        first = [float("nan") if node.score is None else node.score for node in nodes]
        found = self._reranker.rank(
            query_bundle.query_str, texts, self.top_n, first=first if self.blend else None
        )
        kept = []
        for one in found:
            before = nodes[one["corpus_id"]]
            node = before.node.model_copy()
            node.metadata = {**before.node.metadata, "retrieval_score": before.score}
            kept.append(NodeWithScore(node=node, score=one["score"]))
        return kept
