"""Requests and answers as JSON: the format of the Cohere and Jina rerank APIs, and our own.

Fields that are not known are left alone, since clients of either API send some that only its
service needs.

>>> request = RerankRequest(query="dogs", documents=["Dogs bark.", {"text": "It rained."}])
>>> request.texts(20_000)
['Dogs bark.', 'It rained.']
>>> RerankRequest(query="dogs", documents=[{"title": "Dogs"}], rank_fields=["title"]).texts(20_000)
['Dogs']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from compsim.errors import InputError
from compsim.guard.names import MAX_FALSE
from compsim.serving.checks import check_length
from compsim.serving.fields import AnyText, Text, Texts, has_surrogate

__all__ = [
    "FIELDS",
    "MAX_FIELDS",
    "Body",
    "CompareAnswer",
    "CompareRequest",
    "DocumentExplanationRequest",
    "ErrorAnswer",
    "ExplanationAnswer",
    "ExplanationRequest",
    "HealthAnswer",
    "RerankAnswer",
    "RerankRequest",
    "SameAnswer",
    "SameRequest",
    "SentencesExplanationRequest",
    "SimilarityAnswer",
    "SimilarityRequest",
    "VerdictAnswer",
    "count_tokens",
]

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")

#: Characters of a field's name that are repeated.
_SHOWN: Final = 60
#: Fields of a document that a request may name.
MAX_FIELDS: Final = 32


class Body(BaseModel):
    """Body of a request; unknown fields are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore")


class RerankRequest(Body):
    """Documents to be ordered for a query, as the rerank APIs of Cohere and Jina take them."""

    query: Text = Field(description="what is looked for: a question, a sentence or keywords")
    documents: list[AnyText | dict[str, Any]] = Field(
        min_length=1,
        fail_fast=True,
        description="texts, or objects that have one in the field `text`",
    )
    top_n: int | None = Field(
        None, ge=0, description="how many of the best are wanted; 0 or null: all"
    )
    return_documents: bool | None = Field(
        None,
        description="whether the answer repeats the documents' texts; null: it does, but at "
        "`/v2/rerank`",
    )
    rank_fields: Annotated[Texts, Field(max_length=MAX_FIELDS)] | None = Field(
        None,
        description="which fields of documents that are objects are read, each named once",
    )
    max_tokens_per_doc: int | None = Field(
        None, ge=1, description="words and marks of a document that are read; null: all"
    )
    model: str | None = Field(None, description="ignored: a service has one method")

    def texts(self, most: int) -> list[str]:
        """The text of each document, of at most so many characters.

        Raises ``InputError`` for one that is longer, for an object without a text in the fields
        that are read, and where one of them is named twice.
        """
        names = self.rank_fields or ["text"]
        for name, count in Counter(names).items():
            if count > 1:
                raise InputError(f"rank_fields names {_short(name)} twice: name each field once")
        return [_text(document, i, names, most) for i, document in enumerate(self.documents)]

    def read(self, texts: list[str]) -> list[str]:
        """The part of each text that ``max_tokens_per_doc`` lets through."""
        if self.max_tokens_per_doc is None:
            return texts
        return [_beginning(text, self.max_tokens_per_doc) for text in texts]


class RerankedText(BaseModel):
    """The text of a document."""

    text: str


class RerankedDocument(BaseModel):
    """A document's place in the request, and its score."""

    index: int = Field(ge=0)
    relevance_score: float = Field(description="on the method's own scale; higher is better")
    document: RerankedText | None = None


class ApiVersion(BaseModel):
    """Version of the format of an answer."""

    version: str


class RerankMeta(BaseModel):
    """Metadata of an answer."""

    api_version: ApiVersion


class RerankUsage(BaseModel):
    """Words and marks of the query and a document, in all pairs of them."""

    prompt_tokens: int
    total_tokens: int = Field(description="the same number")


class RerankAnswer(BaseModel):
    """Documents, best first: ``meta`` is for Cohere's clients, ``usage`` for Jina's and vLLM's."""

    id: str
    model: str = Field(description="the method that ranked")
    results: list[RerankedDocument]
    meta: RerankMeta
    usage: RerankUsage

    @classmethod
    def of(
        cls,
        name: str,
        model: str,
        ranked: Iterable[tuple[int, float]],
        texts: Sequence[str] | None,
        *,
        version: str,
        tokens: int,
    ) -> Self:
        """An answer with this name, of places and scores; ``texts`` are repeated where given."""
        results = []
        for place, score in ranked:
            one = RerankedDocument(index=place, relevance_score=score)
            if texts is not None:
                one.document = RerankedText(text=texts[place])
            results.append(one)
        meta = RerankMeta(api_version=ApiVersion(version=version))
        usage = RerankUsage(prompt_tokens=tokens, total_tokens=tokens)
        return cls(id=name, model=model, results=results, meta=meta, usage=usage)


class SimilarityRequest(Body):
    """Sentences of ``first``, each compared with each of ``second``."""

    first: Text | Texts
    second: Text | Texts

    def sides(self) -> tuple[list[str], list[str]]:
        """Return both sides as lists."""
        first, second = (
            [side] if isinstance(side, str) else side for side in (self.first, self.second)
        )
        return first, second


class SimilarityAnswer(BaseModel):
    """Scores of two texts (1,), a text and a list (n,), or two lists (n, m); null for none."""

    method: str
    scores: list[float | None] | list[list[float | None]]


class PairsRequest(Body):
    """Two sentences, or two lists of the same length, compared pair by pair."""

    first: Text | Texts
    second: Text | Texts

    def sentences(self) -> tuple[list[str], list[str]]:
        """Return both sides as lists of one length; raises ``InputError`` where they are not."""
        if isinstance(self.first, str) and isinstance(self.second, str):
            return [self.first], [self.second]
        if isinstance(self.first, str) or isinstance(self.second, str):
            raise InputError(
                "one of first and second is a text and the other a list: send two texts, or two "
                "lists of the same length, or ask /v1/similarity, which compares one with many"
            )
        if len(self.first) != len(self.second):
            raise InputError(
                f"first has {len(self.first)} sentences and second {len(self.second)}: send as "
                "many of each, or ask /v1/similarity, which compares each with each"
            )
        return self.first, self.second


class PairsAnswer(BaseModel):
    """A score for each pair (n,); null where the method has none."""

    method: str
    scores: list[float | None]


class SameRequest(Body):
    """Texts of which is to be decided whether they say the same; one text may meet a list."""

    first: Text | Texts
    second: Text | Texts
    max_false: float = Field(
        MAX_FALSE, gt=0, lt=1, description="the share of different pairs that may be answered same"
    )

    def texts(self) -> tuple[list[str], list[str]]:
        """Both sides as lists of one length. Raises ``InputError`` where they are not."""
        second = [self.second] if isinstance(self.second, str) else self.second
        if isinstance(self.first, str):
            return [self.first] * len(second), second
        if isinstance(self.second, str):
            raise InputError("first is a list and second a text: send the one text as first")
        if len(self.first) != len(second):
            raise InputError(
                f"first has {len(self.first)} texts and second {len(second)}: send as many of each"
            )
        return self.first, second


class DifferenceAnswer(BaseModel):
    """Difference of two texts: content of one that the other lacks or contradicts."""

    kind: str = Field(description="the type of a conflict, or `missing`")
    first: list[tuple[int, int]] = Field(description="characters [start, end) in the first text")
    second: list[tuple[int, int]] = Field(description="and in the second")
    sure: float = Field(ge=0, le=1)
    sentence: str


class VerdictAnswer(BaseModel):
    """Verdict on two texts, with reasons."""

    answer: Literal["same", "different", "unsure"]
    probability: float = Field(ge=0, le=1)
    reason: str = Field(description="why it is unsure, or what decided; else empty")
    max_false: float | None = Field(
        description="the upper bound of the share of different pairs that are answered same"
    )
    differences: list[DifferenceAnswer]


class SameAnswer(BaseModel):
    """A verdict for each pair."""

    method: str
    verdicts: list[VerdictAnswer]


class SentencesExplanationRequest(Body):
    """Two sentences whose score is to be explained."""

    first: Text
    second: Text
    html: bool = Field(False, description="whether the answer has the explanation as HTML, too")


class DocumentExplanationRequest(Body):
    """A query and a document whose score is to be explained."""

    query: Text
    document: Text
    html: bool = Field(False, description="whether the answer has the explanation as HTML, too")


def _kind(value: Any) -> Literal["two-sentences", "document-of-query"]:
    named = value if isinstance(value, dict) else vars(value) if hasattr(value, "__dict__") else {}
    return "document-of-query" if "query" in named or "document" in named else "two-sentences"


ExplanationRequest = Annotated[
    Annotated[SentencesExplanationRequest, Tag("two-sentences")]
    | Annotated[DocumentExplanationRequest, Tag("document-of-query")],
    Discriminator(_kind),
]


class ExplanationAnswer(BaseModel):
    """Parts of a score.

    ``explanation`` is that of two sentences, or of a document: its sentences with a score each and,
    as ``best``, the explanation of the one that decided.
    """

    method: str
    score: float | None
    explanation: dict[str, Any]
    html: str | None = Field(
        None, description="a `div` with its styles; null where nothing can be compared"
    )


class CompareRequest(Body):
    """A query and two documents, of which is to be said why one is above the other."""

    query: Text
    first: AnyText = Field(description="a document, A in the answer")
    second: AnyText = Field(description="another one, B")
    html: bool = Field(False, description="whether the answer has the comparison as HTML, too")


class CompareAnswer(BaseModel):
    """Parts of the difference of two documents' scores.

    ``comparison`` has the parts that add up to it, each with a sentence, and both documents as the
    explanation of one has it.
    """

    method: str
    difference: float = Field(description="the score of the first less that of the second")
    verdict: str
    comparison: dict[str, Any]
    html: str | None = Field(None, description="a `div` with its styles")


class HealthAnswer(BaseModel):
    """Readiness of the service: ``ok``, ``warming``, ``restarting`` or ``failed``."""

    status: Literal["ok", "warming", "restarting", "failed"]
    method: str
    version: str


class ErrorAnswer(BaseModel):
    """Error in one sentence."""

    message: str


def _text(document: str | dict[str, Any], place: int, names: list[str], most: int) -> str:
    if isinstance(document, str):
        values = [document]
    else:
        values = []
        for name in names:
            value = document.get(name)
            if not isinstance(value, str):
                raise InputError(
                    f"documents.{place} has no text in its field {_short(name)}: put it there, or "
                    "name its field in rank_fields"
                )
            values.append(value)
    # Before they are joined, since together they may be long.
    check_length(f"documents.{place}", sum(map(len, values)) + len(values) - 1, most)
    if isinstance(document, str):
        return document
    for name, value in zip(names, values, strict=True):  # which no schema has looked at
        if has_surrogate(value):
            raise InputError(
                f"documents.{place}.{_short(name)[1:-1]} must be a string without half of a "
                "surrogate pair: /docs has the format"
            )
    return "\n".join(values)


def _beginning(text: str, most: int) -> str:
    """The first words and marks of a text.

    >>> _beginning("Dogs bark, cats do not.", 3)
    'Dogs bark,'
    """
    items = list(islice(_TOKEN.finditer(text), most))
    return text[: items[-1].end()] if items else text


def count_tokens(query: str, documents: Sequence[str]) -> int:
    """Return how many words and marks the pairs of a query and each document have together.

    >>> count_tokens("Who barks?", ["Dogs bark.", "Cats."])
    11
    """
    counts = [len(_TOKEN.findall(text)) for text in (query, *documents)]
    return counts[0] * len(documents) + sum(counts[1:])


def _short(name: str) -> str:
    return repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}...")


#: The names of all fields of requests.
FIELDS: Final = frozenset(
    name
    for kind in (
        RerankRequest,
        SimilarityRequest,
        SameRequest,
        SentencesExplanationRequest,
        DocumentExplanationRequest,
        CompareRequest,
    )
    for name in kind.model_fields
)
