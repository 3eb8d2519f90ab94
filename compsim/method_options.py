"""The options of each method as types, so that a type checker finds a misspelt one.

``load`` takes those of the method that it is given by name; functions that take any method take
``AnyOptions``. Nothing here is imported when a program runs.

>>> sorted(UseOptions.__annotations__)
['batch_size', 'model', 'normalize']
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from compsim.amr.paths import Fillers
    from compsim.amr.wlk.refinement import Direction
    from compsim.amr.wlk.wasserstein import EdgeWeights
    from compsim.comparison.scheme import Scheme
    from compsim.embeddings.functions import Function
    from compsim.embeddings.method import EmbeddingMethod
    from compsim.embeddings.postprocess import Normalizer
    from compsim.embeddings.services.vector_cache import VectorCache
    from compsim.embeddings.spebert import DependencyPairs
    from compsim.graph_method import OnFailure
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.rolesim.normalization import Normalize
    from compsim.rolesim.scheme import Scheme as RoleWeights
    from compsim.transformers.hub import Backend
    from compsim.transformers.token_states import Pooling
    from compsim.vectors import KeyedVectors, WordVectors
    from compsim.vectors.encoder import PhraseEncoder
__all__ = [
    "AmrBartOptions",
    "AmrCnOptions",
    "AnyOptions",
    "BertScoreOptions",
    "CallableOptions",
    "ConceptOptions",
    "CrossEncoderOptions",
    "DctOptions",
    "DrsOptions",
    "EfSbertOptions",
    "GenSenOptions",
    "HybridOptions",
    "InferSentOptions",
    "LayerOptions",
    "LlmRatingOptions",
    "OpenAiOptions",
    "PowerMeansOptions",
    "RecurrentOptions",
    "S2matchOptions",
    "S3BertOptions",
    "SentenceOptions",
    "SmatchOptions",
    "SpeBertOptions",
    "StaticOptions",
    "SynWmdOptions",
    "TensorOptions",
    "UseOptions",
    "WlkOptions",
    "WordOptions",
    "WwlkOptions",
]


class _Graphs(TypedDict, total=False):
    """Options of the methods over meaning graphs."""

    parser: str | Parser
    on_failure: OnFailure
    cache: CacheOption


class _Model(TypedDict, total=False):
    """Options of the methods that run a model."""

    model: str | Path | None
    device: str | None
    batch_size: int


class HybridOptions(TypedDict, total=False):
    """Options of ``hybrid``."""

    whole: str | EmbeddingMethod | None
    scheme: str | Path | Scheme | None
    parser: str | Parser | None
    vectors: str | Path | WordVectors | KeyedVectors | None
    cache: CacheOption


class ConceptOptions(TypedDict, total=False):
    """Options of ``verbnet-cn``."""

    parser: str | Parser | None
    vectors: str | Path | PhraseEncoder | WordVectors | KeyedVectors | None
    scheme: str | Path | Scheme | None
    on_failure: OnFailure
    cache: CacheOption
    weights: str | Path | RoleWeights | None
    normalize: Normalize | None


class DrsOptions(_Graphs, total=False):
    """Options of ``drs``."""

    vectors: str | Path | WordVectors | KeyedVectors | None
    words: float
    structure: float
    order: float


class AmrCnOptions(_Graphs, total=False):
    """Options of ``amr-cn``."""

    vectors: str | Path | WordVectors | KeyedVectors | None
    fillers: Fillers


class SmatchOptions(_Graphs, total=False):
    """Options of ``amr-smatch``."""

    published: bool
    top_concept: bool
    nodes: int | None


class S2matchOptions(_Graphs, total=False):
    """Options of ``amr-s2match``."""

    vectors: str | Path | WordVectors | KeyedVectors | None
    threshold: float
    nodes: int | None


class WlkOptions(_Graphs, total=False):
    """Options of ``amr-wlk``."""

    k: int
    direction: Direction


class WwlkOptions(WlkOptions, total=False):
    """Options of ``amr-wwlk``."""

    vectors: str | Path | WordVectors | KeyedVectors | None
    edge_weights: EdgeWeights


class AmrBartOptions(_Graphs, _Model, total=False):
    """Options of ``amrbart``."""


class StaticOptions(TypedDict, total=False):
    """Options of ``static``."""

    model: str | Path | None
    normalize: str | Path | Normalizer


class TensorOptions(TypedDict, total=False):
    """Options of ``tensor-cn``."""

    vectors: str | Path | WordVectors | KeyedVectors | None


class WordOptions(TensorOptions, total=False):
    """Options of ``mean-cn`` and the other methods of word arithmetic."""

    normalize: str | Path | Normalizer


class DctOptions(WordOptions, total=False):
    """Options of ``dct``."""

    k: int


class PowerMeansOptions(WordOptions, total=False):
    """Options of ``power-means``."""

    powers: str | int


class SynWmdOptions(TensorOptions, total=False):
    """Options of ``synwmd``."""

    sentences: Iterable[str] | None


class SentenceOptions(_Model, total=False):
    """Options of ``sbert`` and the other sentence transformers."""

    backend: Backend
    prompt: str | None
    trust_remote_code: bool
    normalize: str | Path | Normalizer


class EfSbertOptions(_Model, total=False):
    """Options of ``ef-sbert``."""

    share: float
    trust_remote_code: bool
    normalize: str | Path | Normalizer


class SpeBertOptions(TypedDict, total=False):
    """Options of ``spebert``."""

    model: str | Path | None
    pairs: DependencyPairs
    layer: int | str | None
    device: str | None
    normalize: str | Path | Normalizer


class LayerOptions(_Model, total=False):
    """Options of ``transformer``, ``ernie`` and ``bert-flow``."""

    layer: int | str | None
    pooling: Pooling
    trust_remote_code: bool
    normalize: str | Path | Normalizer


class BertScoreOptions(_Model, total=False):
    """Options of ``bertscore``."""

    layer: int | None
    idf: Iterable[str] | None
    trust_remote_code: bool
    backend: Literal["torch", "onnx", "onnx-int8"]


class CrossEncoderOptions(TypedDict, total=False):
    """Options of ``cross-encoder``."""

    model: str | Path
    label: int | None
    device: str | None
    batch_size: int
    trust_remote_code: bool


class LlmRatingOptions(TypedDict, total=False):
    """Options of ``llm-rating``."""

    model: str
    url: str
    api_key: str | None
    timeout: float
    retries: int
    workers: int


class S3BertOptions(_Model, total=False):
    """Options of ``s3bert``."""

    aspect_size: int | None
    normalize: str | Path | Normalizer


class InferSentOptions(_Model, total=False):
    """Options of ``infersent``."""

    vectors: str | Path | None
    version: Literal[1, 2]
    normalize: str | Path | Normalizer


class RecurrentOptions(_Model, total=False):
    """Options of ``skipthought`` and ``quickthought``."""

    normalize: str | Path | Normalizer


class GenSenOptions(RecurrentOptions, total=False):
    """Options of ``gensen``."""

    vectors: str | Path | None


class UseOptions(TypedDict, total=False):
    """Options of ``use``."""

    model: str | Path | None
    batch_size: int
    normalize: str | Path | Normalizer


class OpenAiOptions(TypedDict, total=False):
    """Options of ``openai``."""

    model: str
    url: str
    api_key: str | None
    dimensions: int | None
    batch_size: int
    batch_tokens: int
    token_limit: int
    requests_per_minute: int | None
    tokens_per_minute: int | None
    timeout: float
    retries: int
    workers: int
    cache: bool | VectorCache
    price: float | None
    normalize: str | Path | Normalizer


class CallableOptions(TypedDict, total=False):
    """Options of ``callable``."""

    function: Function | str
    normalize: str | Path | Normalizer


class AnyOptions(TypedDict, total=False):
    """Options of any method; which of them a method has is checked when it is loaded."""

    api_key: str | None
    aspect_size: int | None
    backend: Backend
    batch_size: int
    batch_tokens: int
    cache: CacheOption | VectorCache
    device: str | None
    dimensions: int | None
    direction: Direction
    edge_weights: EdgeWeights
    fillers: Fillers
    function: Function | str
    idf: Iterable[str] | None
    k: int
    label: int | None
    layer: int | str | None
    model: str | Path | None
    nodes: int | None
    normalize: str | Path | Normalizer | None
    on_failure: OnFailure
    order: float
    pairs: DependencyPairs
    parser: str | Parser | None
    pooling: Pooling
    powers: str | int
    price: float | None
    prompt: str | None
    published: bool
    requests_per_minute: int | None
    retries: int
    scheme: str | Path | Scheme | None
    sentences: Iterable[str] | None
    share: float
    structure: float
    threshold: float
    timeout: float
    token_limit: int
    tokens_per_minute: int | None
    top_concept: bool
    trust_remote_code: bool
    url: str
    vectors: str | Path | PhraseEncoder | WordVectors | KeyedVectors | None
    version: Literal[1, 2]
    weights: str | Path | RoleWeights | None
    whole: str | EmbeddingMethod | None
    words: float
    workers: int
