"""RoleSim on phrases, as the STS3k paper has it: the main frame, role by role, by cosine.

Fodor, De Deyne and Suzuki, the STS3k paper, sections 4.3 and 4.6: the scheme ``paper`` has its
weights, alignment order and ``fixed`` normalisation.

>>> from compsim import load
>>> method = load("verbnet-cn", weights="paper", vectors="builtin")
>>> same, other = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.7 > other)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from compsim.collection import paused
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.normalization import NORMALIZATIONS, Normalize
from compsim.rolesim.scheme import Scheme
from compsim.rolesim.scheme_file import read_scheme
from compsim.vectors import KeyedVectors, WordVectors
from compsim.vectors.encoder import PhraseEncoder

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["RoleSimMethod", "score_pairs"]

#: Up to so many pairs are scored without the compiled kernel, which takes longer to load.
_FEW = 200


class RoleSimMethod(GraphMethod[RoleBatch]):
    """VerbNet-CN of the STS3k paper over any semantic-role parser and any word vectors.

    - ``vectors``: what ``WordVectors.open`` takes; ``"sbert"``, or ``"sbert:MODEL"`` with a folder
      or a hub name, for phrases as a transformer reads them in their sentence; or any
      ``PhraseEncoder``;
    - ``weights``: ``"paper"``, ``"uniform"``, ``"framenet"`` or ``"ucca"`` for parses with those
      roles, a TOML file, which may name other roles, or a ``Scheme``; ``normalize``:
      ``"matched"``, ``"union"`` or ``"fixed"`` (see ``Scheme``);
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1] and is symmetric. A sentence scores 1 with itself where each of its
    phrases has a known word (a phrase without one has cosine 0, with itself too); with ``fixed`` it
    scores the weights of its roles over the divisor.
    """

    info = MethodInfo(
        name="verbnet-cn",
        summary="cosine of the phrases in VerbNet roles of the main frame (STS3k paper)",
    )
    encoded = RoleBatch
    normalizations = NORMALIZATIONS
    part = "role"
    without = "it has none of the roles"

    def __init__(
        self,
        parser: str | Parser = "srl",
        vectors: str | Path | PhraseEncoder | KeyedVectors | None = None,
        weights: str | Path | Scheme = "paper",
        normalize: Normalize | None = None,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        super().__init__(parser, on_failure, cache)
        scheme = weights if isinstance(weights, Scheme) else read_scheme(weights)
        self.scheme = scheme if normalize is None else replace(scheme, normalize=normalize)
        self.normalize = self.scheme.normalize
        self.vectors: PhraseEncoder = _open_encoder(vectors)
        if normalize == "fixed":
            self.info = replace(type(self).info, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> RoleBatch:
        """Encode parses that are at hand, one for each sentence."""
        with paused():
            return RoleBatch.from_graphs(graphs, self.vectors, self.scheme.inventory)

    def _scores(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float64]:
        return score_pairs(a, b, self.scheme)

    def _score_matrix(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float32]:
        from compsim.rolesim import kernel

        return kernel.matrix(a, b, self.scheme)

    def _parts(self, batch: RoleBatch) -> Parts:
        """The rows of an explanation, role by role."""
        from compsim.rolesim.parts import parts

        return parts(batch, self.scheme)


def score_pairs(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> npt.NDArray[np.float64]:
    """Return the scores of row i of a against row i of b, (n,): of a few without the kernel.

    Raises ``InputError`` for batches that the scheme cannot compare.
    """
    if len(a) > _FEW:
        from compsim.rolesim import kernel

        return kernel.pairwise(a, b, scheme)
    a.check_with(b, scheme)
    return np.array([scheme.compare(a.frame(i), b.frame(i)).score for i in range(len(a))], float)


def _open_encoder(vectors: str | Path | PhraseEncoder | KeyedVectors | None) -> PhraseEncoder:
    """Word vectors by name or path; ``"sbert"`` or ``"sbert:MODEL"``; or what is given."""
    name, _, model = vectors.partition(":") if isinstance(vectors, str) else ("", "", "")
    if name == "sbert":
        from compsim.transformers.phrases import TransformerPhrases

        return TransformerPhrases(model or None)
    if isinstance(vectors, WordVectors) or not isinstance(vectors, PhraseEncoder):
        return WordVectors.open(vectors)
    return vectors
