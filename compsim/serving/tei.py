"""Requests and answers in the format of Text Embeddings Inference (https://huggingface.co/docs/tei).

>>> asked = {"inputs": {"source_sentence": "Dogs bark.", "sentences": ["A dog barked."]}}
>>> SentencesSimilarityRequest.model_validate(asked).inputs.sentences
['A dog barked.']
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Discriminator, Field, RootModel, Tag

from compsim.serving import models
from compsim.serving.fields import AnyText, Text, Texts
from compsim.serving.models import Body, RerankRequest

__all__ = [
    "FIELDS",
    "AnyRerankAnswer",
    "AnyRerankRequest",
    "ScoredText",
    "SentencesSimilarityRequest",
    "SimilaritiesAnswer",
    "TextsRerankAnswer",
    "TextsRerankRequest",
]


class TextsRerankRequest(Body):
    """Texts to be ordered for a query, as Text Embeddings Inference takes them."""

    query: Text
    texts: list[AnyText] = Field(min_length=1, fail_fast=True)
    return_text: bool | None = Field(None, description="whether the answer repeats the texts")
    raw_scores: bool | None = Field(
        None, description="ignored: scores are on the method's own scale"
    )
    truncate: bool | None = Field(None, description="ignored: texts are read to their end")


class ScoredText(BaseModel):
    """A text's place in the request, and its score."""

    index: int = Field(ge=0)
    score: float
    text: str | None = None


class TextsRerankAnswer(RootModel[list[ScoredText]]):
    """Texts, best first."""


class SimilarityInputs(Body):
    """A sentence, and those that it is compared with."""

    source_sentence: Text
    sentences: Texts


class SentencesSimilarityRequest(Body):
    """A sentence and others, as Text Embeddings Inference and the Hugging Face API take them."""

    inputs: SimilarityInputs


class SimilaritiesAnswer(RootModel[list[float | None]]):
    """A score for each sentence."""


def _rerank_kind(value: Any) -> Literal["texts-rerank", "documents-rerank"]:
    named = value if isinstance(value, dict) else vars(value) if hasattr(value, "__dict__") else {}
    return "texts-rerank" if "texts" in named else "documents-rerank"


#: What is taken where both dialects have the same address. No tag is the name of a field, since the
#: places of errors hold both.
AnyRerankRequest = Annotated[
    Annotated[TextsRerankRequest, Tag("texts-rerank")]
    | Annotated[RerankRequest, Tag("documents-rerank")],
    Discriminator(_rerank_kind),
]
#: And what is answered there.
AnyRerankAnswer = TextsRerankAnswer | models.RerankAnswer

#: The names of all fields of requests.
FIELDS: Final = models.FIELDS.union(
    *(
        kind.model_fields
        for kind in (TextsRerankRequest, SentencesSimilarityRequest, SimilarityInputs)
    )
)
