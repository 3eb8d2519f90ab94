"""Whole-sentence similarity corrected by role graphs of concepts: see ``compsim.comparison``.

>>> from compsim import load
>>> method = load("hybrid", vectors="builtin")
>>> same, swapped = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.9 > 0.8 > swapped)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.method import (
    AT_ONCE,
    FEW,
    ConceptMethod,
    mean_sizes,
    score_matrix,
    terms_of_pairs,
)
from compsim.comparison.scheme import Scheme
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.search import STEP, bounded_top_k
from compsim.method import Method, MethodInfo
from compsim.sentences import check_sentences
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.explanation import Explanation
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["HybridMethod", "open_whole"]


class _Vectors(NamedTuple):
    """The name of the vectors that results show."""

    name: str


class HybridMethod(Method[HybridBatch]):
    """Whole-sentence similarity and role graphs of concepts in one score.

    - ``whole``: what compares whole sentences: ``"sbert"``, or ``"sbert:MODEL"`` with a folder or
      a hub name; the name of any other method of sentence vectors, with options behind it or not
      (``"sbert:model=FOLDER,backend=onnx-int8"``); or such a method, made with options of its own.
      By default ``"static"``, which needs no torch, whatever is installed. Results name it;
    - ``vectors``, ``scheme``, ``parser``, ``cache``: those of ``verbnet-cn``.

    The score lies in [0, 1] and is symmetric. Where one of the sentences has no concept, it is that
    of the whole sentences, and the explanation says so.
    """

    info = MethodInfo(
        "hybrid",
        "sentence vectors corrected by aligned role graphs of concepts",
        lowest=0.0,
    )
    encoded = HybridBatch

    def __init__(
        self,
        whole: str | EmbeddingMethod | None = None,
        scheme: str | Path | Scheme | None = None,
        parser: str | Parser | None = None,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        cache: CacheOption = None,
    ) -> None:
        self.graphs = ConceptMethod(parser, vectors, scheme, cache=cache)
        self.whole = open_whole(whole, vectors)
        self.scheme = self.graphs.scheme

    @property
    def kind(self) -> str:
        """Kind of whole-sentence comparison, one of ``compsim.comparison.scheme.KINDS``."""
        return "transformer" if self.whole.contextual else "words"

    @property
    def most(self) -> tuple[float, float]:
        """The slope and intercept of the most that a score can be by that of whole sentences."""
        share, roles = self.scheme.agreement[self.kind], self.scheme.roles
        return (1.0 - roles) * (1.0 - share), (1.0 - roles) * share + roles

    @property
    def parser(self) -> Parser:
        """The parser of the role graphs."""
        return self.graphs.parser

    @property
    def vectors(self) -> _Vectors:
        """The vectors of concepts and of whole sentences, as results name them."""
        model = self.whole._options.get("model")
        name = self.whole.info.name + (f":{Path(model).name}" if model else "")
        return _Vectors(f"{self.graphs.vectors.name} (concepts), {name} (whole sentences)")

    def warm_up(self) -> None:
        """Load what the first calls load, for graphs and for whole sentences."""
        self.graphs.warm_up()
        super().warm_up()

    def top_k(
        self,
        query: HybridBatch | Iterable[str],
        documents: HybridBatch | Iterable[str],
        k: int,
        score_cutoff: float | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The k documents most like each query, best first; see ``Method.top_k``.

        Graphs are compared only where they can change the answer.
        """
        queries, docs = self._batch(query), self._batch(documents)
        whole_number = isinstance(k, int | np.integer) and not isinstance(k, bool)
        if not whole_number or k < 1 or len(docs) <= STEP or len(queries) == 0:
            return super().top_k(queries, docs, k, score_cutoff)
        slope, most = self.most
        return bounded_top_k(
            self, queries, docs, int(k), score_cutoff, lambda v: max(slope * v + most, v)
        )

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences: the whole, the concepts, each conflict."""
        from compsim.comparison.clauses import compare_pair
        from compsim.comparison.parts import parts

        sentences = check_sentences([s1, s2])
        first, second = self._encode_pairs(sentences[:1], sentences[1:])
        batch = HybridBatch.concat([first, second])
        whole = self.whole.similarity_pairwise(first.whole, second.whole)
        failed = bool(batch.roles.failed.any())
        compared = None if failed else compare_pair(batch.roles, 0, batch.roles, 1)
        made = parts(batch.roles, self.scheme, compared, float(whole[0]), self.kind)
        scores = np.clip(whole, 0.0, 1.0)
        if compared is not None:
            sizes = mean_sizes(first.roles, second.roles)
            scores = self.scheme.scores(compared.terms[None], sizes, whole, self.kind)
        score = float(scores[0])
        made = made._replace(score=score)
        result = self.graphs.explain_encoded(batch.roles, None if failed else made)
        note = result.note.partition(", so the score is")[0]
        if failed:
            note = f"{note}, so the score is that of the whole sentences."
        result = replace(
            result,
            method=self.info.name,
            vectors=self.vectors.name,
            given=None,
            rows=tuple(made.rows),
            divisor=1.0,
            note=note,
        )
        return result.with_score(score)

    def _encode(self, sentences: list[str]) -> HybridBatch:
        return HybridBatch(self.whole.encode(sentences), self.graphs.encode(sentences))

    def _encode_pairs(self, a: list[str], b: list[str]) -> tuple[HybridBatch, HybridBatch]:
        wholes = self.whole._encode_pairs(a, b)
        graphs = self.graphs._encode_pairs(a, b)
        return HybridBatch(wholes[0], graphs[0]), HybridBatch(wholes[1], graphs[1])

    def _pairwise(self, a: HybridBatch, b: HybridBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        whole = self.whole.similarity_pairwise(a.whole, b.whole)
        out = np.clip(whole, 0.0, 1.0)
        parsed = np.flatnonzero(~(a.roles.failed | b.roles.failed))
        for start in range(0, len(parsed), AT_ONCE):
            rows = parsed[start : start + AT_ONCE]
            x, y = a.roles[rows], b.roles[rows]
            out[rows] = self.scheme.scores(
                terms_of_pairs(x, y), mean_sizes(x, y), whole[rows], self.kind
            )
        return out

    def _matrix(self, a: HybridBatch, b: HybridBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        if len(a) * len(b) <= FEW:
            i, j = np.indices((len(a), len(b)))
            return self._pairwise(a[i.ravel()], b[j.ravel()]).reshape(i.shape).astype(np.float32)
        whole = self.whole.similarity(a.whole, b.whole)
        out = score_matrix(a.roles, b.roles, self.scheme, whole, self.kind)
        failed = a.roles.failed[:, None] | b.roles.failed
        out[failed] = np.clip(whole[failed], 0.0, 1.0)
        return out


def open_whole(whole: str | EmbeddingMethod | None, vectors: Any) -> EmbeddingMethod:
    """The method that compares whole sentences."""
    from compsim.registry import load, named, options

    if whole is None:
        whole = "static"
    if isinstance(whole, str):
        name, given = named(whole)
        words = isinstance(vectors, Path | WordVectors | KeyedVectors) or (
            isinstance(vectors, str) and not vectors.startswith("sbert")
        )
        if words and "vectors" in options(name):
            given.setdefault("vectors", vectors)
        whole = load(name, **given)  # type: ignore[assignment]
    if not isinstance(whole, EmbeddingMethod):
        kind = getattr(getattr(whole, "info", None), "name", type(whole).__name__)
        raise InputError(
            f"whole={kind!r} gives no sentence vectors: give static, sbert or another method that "
            "does"
        )
    if whole.normalize != "none":
        whole.normalizer  # raises where it is not fitted  # noqa: B018
    return whole
