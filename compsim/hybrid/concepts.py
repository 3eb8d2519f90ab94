"""Whole-sentence similarity corrected by role graphs of concepts: see ``compsim.comparison``.

>>> from compsim import load
>>> method = load("concepts-hybrid", whole="mean-cn", vectors="builtin")
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
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.batch import ConceptBatch
from compsim.comparison.method import ConceptMethod, mean_sizes, terms_of_pairs
from compsim.comparison.scheme import Scheme
from compsim.graph_method import GraphBatch
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.method import open_whole
from compsim.hybrid.search import STEP, bounded_top_k
from compsim.method import Method, MethodInfo, check_sentences

if TYPE_CHECKING:
    from compsim.embeddings.method import EmbeddingMethod
    from compsim.explanation import Explanation
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache

__all__ = ["ConceptHybridBatch", "ConceptHybridMethod"]

#: Pairs whose terms are computed at a time.
_AT_ONCE: Final = 1 << 15


class ConceptHybridBatch(HybridBatch):
    """Sentences encoded as whole vectors and as role graphs of concepts."""

    parsed: ClassVar[type[GraphBatch]] = ConceptBatch


class _Vectors(NamedTuple):
    """The name of the vectors that results show."""

    name: str


class ConceptHybridMethod(Method[ConceptHybridBatch]):
    """Whole-sentence similarity and role graphs of concepts in one score.

    - ``whole``: what compares whole sentences, as for ``hybrid``;
    - ``vectors``, ``scheme``, ``parser``, ``cache``: those of ``concepts``.

    The score lies in [0, 1] and is symmetric. Where one of the sentences has no concept, it is that
    of the whole sentences, and the explanation says so.
    """

    info = MethodInfo(
        "concepts-hybrid",
        "sentence vectors corrected by aligned role graphs of concepts",
        lowest=0.0,
    )
    encoded = ConceptHybridBatch

    def __init__(
        self,
        whole: str | EmbeddingMethod | None = None,
        scheme: str | Path | Scheme | None = None,
        parser: str | Parser = "concepts",
        vectors: str | Path | None = None,
        cache: bool | ParseCache | None = None,
    ) -> None:
        self.graphs = ConceptMethod(parser, vectors, scheme, cache=cache)
        self.whole = open_whole(whole, vectors)
        self.scheme = self.graphs.scheme

    @property
    def kind(self) -> str:
        """What compares the whole sentences, one of ``compsim.comparison.scheme.KINDS``."""
        return "transformer" if self.whole.vectors is None else "words"

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
        query: ConceptHybridBatch | Iterable[str],
        documents: ConceptHybridBatch | Iterable[str],
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
        share, roles = self.scheme.agreement[self.kind], self.scheme.roles

        def bound(whole: float) -> float:
            return max((1.0 - roles) * ((1.0 - share) * whole + share) + roles, whole)

        return bounded_top_k(self, queries, docs, int(k), score_cutoff, bound)

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences: the whole, the concepts, each conflict."""
        from compsim.comparison.parts import parts

        sentences = check_sentences([s1, s2])
        first, second = (self._encode([sentence]) for sentence in sentences)
        batch = ConceptHybridBatch.concat([first, second])
        score = float(self._pairwise(first, second)[0])
        explanation = replace(
            self.graphs.explain_encoded(batch.roles),
            method=self.info.name,
            vectors=self.vectors.name,
            given=None,
        )
        whole = float(self.whole.similarity_pairwise(first.whole, second.whole)[0])
        made = parts(batch.roles, self.scheme, whole, self.kind, failed=batch.roles.failed.any())
        note = explanation.note.partition(", so the score is")[0]
        if batch.roles.failed.any():
            note = f"{note}, so the score is that of the whole sentences."
        rows = tuple(made.rows)
        return replace(explanation, rows=rows, divisor=1.0, note=note).settled(score)

    def _encode(self, sentences: list[str]) -> ConceptHybridBatch:
        return ConceptHybridBatch(self.whole.encode(sentences), self.graphs.encode(sentences))

    def _pairwise(self, a: ConceptHybridBatch, b: ConceptHybridBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        whole = self.whole.similarity_pairwise(a.whole, b.whole)
        out = np.clip(whole, 0.0, 1.0)
        parsed = np.flatnonzero(~(a.roles.failed | b.roles.failed))
        for start in range(0, len(parsed), _AT_ONCE):
            rows = parsed[start : start + _AT_ONCE]
            x, y = a.roles[rows], b.roles[rows]
            out[rows] = self.scheme.scores(
                terms_of_pairs(x, y), mean_sizes(x, y), whole[rows], self.kind
            )
        return out

    def _matrix(self, a: ConceptHybridBatch, b: ConceptHybridBatch) -> npt.NDArray[np.float32]:
        out = np.empty((len(a), len(b)), dtype=np.float32)
        for i in range(len(a)):
            out[i] = self._pairwise(a[np.full(len(b), i)], b)
        return out
