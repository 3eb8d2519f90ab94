"""Role graphs of concepts compared: agreement less conflicts.

Each concept of a sentence is aligned with one of the other's, and what the aligned graphs say
against each other lowers the score: exchanged roles, another attribute, number or name, a relation
turned round, a denial. See ``compsim.comparison.scheme`` for the formula.

>>> from compsim import load
>>> method = load("concepts", vectors="builtin")
>>> same, swapped = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.95 > 0.75 > swapped)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.collection import paused
from compsim.comparison.batch import ConceptBatch, ConceptEncoder
from compsim.comparison.scheme import Scheme
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["ConceptMethod", "mean_sizes"]


class ConceptMethod(GraphMethod[ConceptBatch]):
    """Agreement less conflicts of role graphs of concepts, without sentence vectors.

    - ``vectors``: word vectors, what ``WordVectors.open`` takes;
    - ``scheme``: a TOML file, or a ``Scheme``;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [0, 1] and is symmetric; a sentence scores 1 with itself.
    """

    info = MethodInfo(
        name="concepts",
        summary="agreement less typed conflicts of aligned role graphs of concepts",
        lowest=0.0,
    )
    encoded = ConceptBatch
    part = "concept"
    without = "it has no concept"

    def __init__(
        self,
        parser: str | Parser = "concepts",
        vectors: str | Path | None = None,
        scheme: str | Path | Scheme | None = None,
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        super().__init__(parser, on_failure, cache)
        self.scheme = scheme if isinstance(scheme, Scheme) else Scheme.open(scheme)
        self._encoder = ConceptEncoder.open(vectors)
        self.vectors: PhraseEncoder = self._encoder.vectors

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> ConceptBatch:
        """Encode parses that are at hand, one for each sentence."""
        with paused():
            return self._encoder.encode(graphs)

    def _scores(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        return self.scheme.scores(terms_of_pairs(a, b), mean_sizes(a, b), None, "none")

    def _unparsed(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
        return np.clip(super()._unparsed(a, b), 0.0, 1.0)

    def _unparsed_matrix(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float32]:
        return np.clip(super()._unparsed_matrix(a, b), np.float32(0), np.float32(1))

    def _score_matrix(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        out = np.empty((len(a), len(b)), dtype=np.float32)
        for i in range(len(a)):
            rows = a[np.full(len(b), i)]
            out[i] = self._scores(rows, b)
        return out

    def _parts(self, batch: ConceptBatch) -> Parts:
        """The rows of an explanation: aligned concepts, then conflicts."""
        from compsim.comparison.parts import parts

        return parts(batch, self.scheme)


#: Up to so many pairs are compared without the compiled kernel, which takes longer to load.
_FEW: Final = 20


def terms_of_pairs(a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the terms of row i of a and of b, float64 (n, terms)."""
    from compsim.comparison import kernel

    if len(a) > _FEW:
        return kernel.pair_terms(a, b)
    rows = [kernel.compare_one(ConceptBatch.concat([a[i], b[i]]))[0] for i in range(len(a))]
    return np.array(rows).reshape(len(a), len(kernel.TERMS))


def mean_sizes(a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the mean number of concepts of each pair of rows, float64 (n,)."""
    return (a.sizes + b.sizes) / 2.0
