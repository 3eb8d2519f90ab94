"""Role graphs of concepts compared: agreement less conflicts.

Each concept of a sentence is aligned with one of the other's, and what the aligned graphs say
against each other lowers the score: exchanged roles, another attribute, number or name, a relation
turned round, a denial. See ``compsim.comparison.scheme`` for the formula.

>>> from compsim import load
>>> method = load("verbnet-cn", vectors="builtin")
>>> same, swapped = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.95 > 0.75 > swapped)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.collection import paused
from compsim.comparison.batch import ConceptBatch, ConceptEncoder
from compsim.comparison.concepts import TERMS
from compsim.comparison.scheme import Scheme
from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.parsers.grammar.expansion import expanded
from compsim.rolesim.normalization import NORMALIZATIONS

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.rolesim.normalization import Normalize
    from compsim.rolesim.scheme import Scheme as RoleWeights
    from compsim.vectors import KeyedVectors, WordVectors
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["AT_ONCE", "FEW", "ConceptMethod", "mean_sizes", "score_matrix", "terms_of_pairs"]


class ConceptMethod(GraphMethod[ConceptBatch]):
    """Agreement less conflicts of role graphs of concepts, without sentence vectors.

    - ``vectors``: word vectors, what ``WordVectors.open`` takes;
    - ``scheme``: a TOML file, or a ``Scheme``;
    - ``parser``: one of role graphs of concepts, or any other, whose phrases are expanded to
      concepts through the sentence's tree; ``on_failure``, ``cache``: see ``GraphMethod``;
    - ``weights``: role weights, ``"paper"``, ``"uniform"`` or a TOML file, in place of all this:
      then a ``RoleSimMethod`` is made, which compares phrases as the STS3k paper does, with
      ``normalize`` as it has it (given alone, it is of ``"paper"``).

    The score lies in [0, 1] and is symmetric; a sentence scores 1 with itself.
    """

    info = MethodInfo(
        name="verbnet-cn",
        summary="agreement less typed conflicts of aligned role graphs of concepts",
        lowest=0.0,
    )
    encoded = ConceptBatch
    normalizations = NORMALIZATIONS
    part = "concept"
    without = "it has no concept"

    def __new__(
        cls,
        parser: str | Parser | None = None,
        vectors: str | Path | PhraseEncoder | WordVectors | KeyedVectors | None = None,
        scheme: str | Path | Scheme | None = None,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
        weights: str | Path | RoleWeights | None = None,
        normalize: Normalize | None = None,
    ) -> Any:
        """Make this method, or the one that role weights belong to."""
        if weights is None and normalize is None:
            return super().__new__(cls)
        if scheme is not None:
            raise InputError("role weights and scheme exclude each other: give one of them")
        from compsim.rolesim.method import RoleSimMethod

        weights = "paper" if weights is None else weights
        return RoleSimMethod(
            "srl" if parser is None else parser, vectors, weights, normalize, on_failure, cache
        )

    def __init__(
        self,
        parser: str | Parser | None = None,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        scheme: str | Path | Scheme | None = None,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
        weights: None = None,
        normalize: None = None,
    ) -> None:
        super().__init__("concepts" if parser is None else parser, on_failure, cache)
        self.scheme = scheme if isinstance(scheme, Scheme) else Scheme.open(scheme)
        self._encoder = ConceptEncoder.open(vectors)
        self.vectors: PhraseEncoder = self._encoder.vectors

    def warm_up(self) -> None:
        """Load what the first calls load, the compiled comparison too, which all then use."""
        from compsim.comparison.kernel import warm_up

        super().warm_up()
        warm_up()

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> ConceptBatch:
        """Encode parses that are at hand, one for each sentence; phrases become concepts."""
        with paused():
            return self._encoder.encode(expanded(graphs))

    def _scores(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        return self.scheme.scores(terms_of_pairs(a, b), mean_sizes(a, b), None, "none")

    def _score_matrix(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        return score_matrix(a, b, self.scheme)

    def _parts(self, batch: ConceptBatch) -> Parts:
        """The rows of an explanation: aligned concepts, then conflicts."""
        from compsim.comparison.clauses import compare_pair
        from compsim.comparison.parts import parts

        compared = compare_pair(batch, 0, batch, 1)
        (score,) = self.scheme.scores(
            compared.terms[None], batch.sizes.mean(keepdims=True), None, "none"
        )
        return parts(batch, self.scheme, compared)._replace(score=float(score))


#: Up to so many pairs are compared without the compiled kernel, which takes longer to load.
FEW: Final = 20
#: Pairs whose terms are computed at a time.
AT_ONCE: Final = 1 << 15


def terms_of_pairs(a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the terms of row i of a and of b, float64 (n, terms)."""
    places = np.arange(len(a))
    return _terms_at(a, places, b, places)


def score_matrix(
    a: ConceptBatch,
    b: ConceptBatch,
    scheme: Scheme,
    whole: npt.NDArray[np.floating[Any]] | None = None,
    kind: str = "none",
) -> npt.NDArray[np.float32]:
    """Return the scores of all rows of a and of b, float32 (n, m).

    ``whole`` (n, m) are the similarities of the whole sentences, which ``kind`` of method gave.
    """
    out = np.empty(len(a) * len(b), dtype=np.float32)
    for start in range(0, len(out), AT_ONCE):
        part = slice(start, min(start + AT_ONCE, len(out)))
        i, j = np.divmod(np.arange(part.start, part.stop), len(b))
        sizes = (a.sizes[i] + b.sizes[j]) / 2.0
        given = None if whole is None else whole.ravel()[part].astype(np.float64)
        out[part] = scheme.scores(_terms_at(a, i, b, j), sizes, given, kind)
    return out.reshape(len(a), len(b))


def _terms_at(
    a: ConceptBatch, i: npt.NDArray[np.int64], b: ConceptBatch, j: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """The terms of row i[k] of a and row j[k] of b, float64 (k, terms)."""
    from compsim.comparison.clauses import LONG, compare_pair
    from compsim.comparison.single import kernel_is_loaded

    out = np.empty((len(i), len(TERMS)))
    short = np.maximum(a.sizes[i], b.sizes[j]) <= LONG
    rows = np.flatnonzero(short)
    if len(rows) > FEW or (len(rows) and kernel_is_loaded()):
        from compsim.comparison.kernel import terms_at

        out[rows] = terms_at(a, i[rows], b, j[rows])
        rows = np.flatnonzero(~short)
    else:
        rows = np.arange(len(i))
    for k in rows.tolist():
        out[k] = compare_pair(a, int(i[k]), b, int(j[k])).terms
    return out


def mean_sizes(a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the mean number of concepts of each pair of rows, float64 (n,)."""
    return (a.sizes + b.sizes) / 2.0
