"""compsim for agents: a server of the Model Context Protocol (https://modelcontextprotocol.io).

>>> server = create_server("hybrid", vectors="builtin")  # doctest: +SKIP
>>> server.run()  # what ``compsim mcp`` does: talk over standard input and output # doctest: +SKIP

Each tool answers with structured output whose schema the server tells. The method is opened when
the first tool is called, or by ``Tools.warm_up``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Annotated, Any, Final, Literal, ParamSpec, TypeVar

from compsim._version import __version__
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import CompsimError, InputError
from compsim.explanation import Explanation
from compsim.explanation.plain_names import WHOLES
from compsim.guard.deduplication import deduplicate
from compsim.guard.features import is_calibrated
from compsim.guard.guard import Guard
from compsim.guard.names import MAX_FALSE
from compsim.integrations.options import check_options
from compsim.method import Method
from compsim.missing import missing
from compsim.plain_text import plain
from compsim.registry import method_class
from compsim.retrieval import Reranker

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool
    from mcp_types import ToolAnnotations
    from pydantic import BaseModel, Field, create_model
except ImportError as error:
    raise missing("mcp", "mcp", error) from error

__all__ = ["Tools", "create_server"]

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")

_INSTRUCTIONS: Final = (
    "Compares texts by who did what to whom: roles, negation, numbers, names and times. "
    "Use rerank_documents to order search results, explain and explain_ranking to say why."
)
_CALIBRATED: Final = " Use same to decide whether one text may stand for another."
#: Nothing is changed anywhere, and nothing outside is asked.
_ANNOTATIONS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
#: Texts of a call, and characters of a text.
_MOST: Final = 1000
_LONGEST: Final = 20_000
#: Parts of a difference that are smaller are not told.
_LEAST: Final = 0.005

Text = Annotated[str, Field(max_length=_LONGEST)]
Texts = Annotated[list[Text], Field(min_length=1, max_length=_MOST, fail_fast=True)]


class Comparison(BaseModel):
    """Similarity of two sentences."""

    score: float | None = Field(description="on the method's scale; null: not comparable")
    level: str = Field(description="the score in words")
    verdict: str = Field(description="one plain sentence: how alike, and what matters most")
    method: str


class Pairing(BaseModel):
    """A phrase of the first sentence and what answers to it in the second."""

    first: str
    second: str
    likeness: float | None


class Explained(Comparison):
    """Parts of a score."""

    agreements: list[Pairing]
    conflicts: list[str] = Field(description="what the sentences say against each other")
    only_first: list[str] = Field(description="what only the first says")
    only_second: list[str]


class Sameness(BaseModel):
    """Verdict on whether one text may stand for another."""

    answer: Literal["same", "different", "unsure"]
    probability: float = Field(description="that a person would call the two interchangeable")
    reason: str = Field(description="why it is unsure, or what decided; else empty")
    differences: list[str]


class RankedDocument(BaseModel):
    """A document and its score."""

    index: int = Field(description="its place in what was given, from 0")
    document: str
    score: float
    sentence: str = Field(description="its sentence that decided; empty for none")


class RankingPart(BaseModel):
    """One thing that makes the difference of two scores."""

    sentence: str
    difference: float = Field(description="above 0: it speaks for the first document")


class ExplainedRanking(BaseModel):
    """Explanation of the order of two documents."""

    verdict: str
    first_score: float
    second_score: float
    parts: list[RankingPart]


class Groups(BaseModel):
    """Texts that say the same, in groups."""

    texts: list[str] = Field(description="one text for each group, the first of it")
    groups: list[list[int]] = Field(description="places of the texts of each group, from 0")


class Tools:
    """The tools, and the method that they share.

    Args:
        method: A name of the registry.
        **options: Its options, as for ``load``.

    Raises:
        UnknownNameError: There is no method of this name.
        InputError: Neither the method nor ``Reranker`` has one of the options.
    """

    def __init__(self, method: str = DEFAULT_METHOD, **options: Any) -> None:
        #: Whether the method has a calibration, which ``same`` and ``deduplicate`` need.
        self.calibrated = is_calibrated(method_class(method))
        check_options(method, options)
        self._name, self._options = method, options
        self._lock = threading.Lock()
        self._reranker: Reranker | None = None

    @property
    def reranker(self) -> Reranker:
        """The reranker, made when it is first asked for."""
        with self._lock:
            if self._reranker is None:
                self._reranker = Reranker(self._name, **self._options)
            return self._reranker

    @property
    def opened(self) -> bool:
        """True if the method is open."""
        return self._reranker is not None

    @property
    def method(self) -> Method[Any]:
        """The method."""
        return self.reranker.method

    def warm_up(self) -> None:
        """Open the method, and do all kinds of work once, for which kernels are loaded."""
        self.method.warm_up()
        first, second = "The dog bit the man.", "The man was bitten by the dog. It rained."
        self.reranker.compare(first, second, first)
        if self.calibrated:
            self.same(first, second)

    def compare(self, first: Text, second: Text) -> Comparison:
        """Score how alike two sentences are, by who did what to whom."""
        return Comparison(**self._outline(self._explanation(first, second)))

    def _explanation(self, first: str, second: str) -> Explanation:
        """The explanation of two sentences; undefined where one is blank."""
        if plain(first) and plain(second):
            return self.method.explain(first, second)
        return Explanation(self.method.info.name, (first, second), undefined=True)

    def _outline(self, explanation: Explanation) -> dict[str, Any]:
        """The fields of ``Comparison``."""
        score = None if explanation.undefined else explanation.score
        method = self.method.info.name
        return {
            "score": score,
            "level": explanation.level,
            "verdict": explanation.verdict,
            "method": method,
        }

    def same(
        self,
        first: Text,
        second: Text,
        max_false: Annotated[
            float,
            Field(gt=0, lt=1, description="share of different pairs that may be answered same"),
        ] = MAX_FALSE,
    ) -> Sameness:
        """Decide whether two texts say the same, so that one may stand for the other."""
        verdict = Guard(self.method, max_false=max_false).same(first, second)
        return Sameness(
            answer=verdict.answer,
            probability=verdict.probability,
            reason=verdict.reason,
            differences=[each.sentence for each in verdict.differences],
        )

    def explain(self, first: Text, second: Text) -> Explained:
        """Say what two sentences agree in, say against each other, and say alone."""
        explanation = self._explanation(first, second)
        return Explained(
            **self._outline(explanation),
            agreements=list(_pairings(explanation)),
            conflicts=[one.reason for row in explanation.conflicts for one in row.conflicts],
            only_first=[row.first.label for row in explanation.gaps if row.first],
            only_second=[row.second.label for row in explanation.gaps if row.second],
        )

    def rerank_documents(
        self,
        query: Text,
        documents: Texts,
        top_n: Annotated[int | None, Field(ge=1, description="how many; null: all")] = None,
    ) -> list[RankedDocument]:
        """Order documents for a query, best first; exclusions ("but not ...") count against."""
        docs = self.reranker.encode(documents)
        scores, places = self.reranker.decided(query, docs)
        ranked = []
        for i in (-scores).argsort(kind="stable")[:top_n].tolist():
            sentence = docs.sentences(i)[places[i]] if places[i] >= 0 else ""
            score = float(scores[i])
            ranked.append(
                RankedDocument(index=i, document=documents[i], score=score, sentence=sentence)
            )
        return ranked

    def explain_ranking(self, query: Text, first: Text, second: Text) -> ExplainedRanking:
        """Say why one document (A) is above or below another (B) for a query."""
        why = self.reranker.compare(query, first, second)
        return ExplainedRanking(
            verdict=why.verdict,
            first_score=why.first.score,
            second_score=why.second.score,
            parts=[
                RankingPart(sentence=part.sentence, difference=part.difference)
                for part in why.parts
                if abs(part.difference) >= _LEAST
            ],
        )

    def deduplicate(self, texts: Texts) -> Groups:
        """Group texts that say the same, and give one of each group."""
        result = deduplicate(texts, Guard(self.method))
        return Groups(texts=result.texts, groups=[list(group.members) for group in result.groups])


def create_server(method: str | Tools = DEFAULT_METHOD, **options: Any) -> MCPServer:
    """Make a server of the Model Context Protocol with the tools of a method.

    Args:
        method: A name of the registry, or tools that are made already.
        **options: Options of the method, as for ``load``.

    Returns:
        A server of the package ``mcp``: ``run()`` talks over standard input and output,
        ``streamable_http_app()`` is an ASGI application. It has ``same`` and ``deduplicate`` where
        the method has a calibration.

    Raises:
        InputError: Options are given beside tools, or neither the method nor ``Reranker`` has one.
        UnknownNameError: There is no method of this name.
        MissingExtraError: The package ``mcp`` is not installed.
    """
    if isinstance(method, Tools) and options:
        raise InputError("the tools have their options: leave out " + ", ".join(options))
    tools = method if isinstance(method, Tools) else Tools(method, **options)
    made = [
        _tool(tools.compare),
        _tool(tools.explain),
        _tool(tools.rerank_documents),
        _tool(tools.explain_ranking),
    ]
    if tools.calibrated:
        made += [_tool(tools.same), _tool(tools.deduplicate)]
    return MCPServer(
        "compsim",
        version=__version__,
        instructions=_INSTRUCTIONS + _CALIBRATED * tools.calibrated,
        tools=made,
        log_level="WARNING",
    )


def _pairings(explanation: Explanation) -> Iterator[Pairing]:
    """The phrases that answer to each other, without the whole sentences."""
    for row in explanation.agreements:
        if row.first and row.second and row.role not in WHOLES:
            yield Pairing(first=row.first.label, second=row.second.label, likeness=row.cosine)


def _tool(answer: Callable[..., Any]) -> Tool:
    """A tool that refuses arguments which it does not have: by default they are left out."""
    tool = Tool.from_function(
        _with_clear_errors(answer), annotations=_ANNOTATIONS, structured_output=True
    )
    known = tool.fn_metadata.arg_model
    strict = create_model(known.__name__, __base__=known, __cls_kwargs__={"extra": "forbid"})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


def _with_clear_errors(tool: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """The tool, with errors of compsim as the protocol has them: for the model to read."""

    @wraps(tool)
    def answered(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        try:
            return tool(*args, **kwargs)
        except CompsimError as error:
            raise ToolError(str(error)) from error

    return answered
