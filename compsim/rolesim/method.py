"""VerbNet-CN: compare two sentences frame by frame and role by role, by the cosine of the phrases.

Source: the scheme ``paper`` has the weights, alignment order and ``fixed`` normalisation of the
STS3k paper. The default, ``everyday``, compares all frames and all words, and weighs what is denied
or qualified (``weights/everyday.toml``).

>>> from compsim import load
>>> method = load("verbnet-cn", vectors="builtin")
>>> same, other = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(same > 0.95 > 0.7 > other)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import numpy.typing as npt

from compsim.collection import paused
from compsim.errors import check_choice
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.clauses import compare_sentences
from compsim.rolesim.scheme import Scheme
from compsim.rolesim.scheme_file import read_scheme
from compsim.rolesim.sentences import is_short
from compsim.vectors import KeyedVectors, WordVectors
from compsim.vectors.all_words import AllWords
from compsim.vectors.encoder import PhraseEncoder

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.rolesim.phrasing import Phrasing

__all__ = ["RoleSimMethod", "score_pairs"]

#: Up to so many pairs are scored without the compiled kernel, which takes longer to load, unless
#: a sentence is long.
_FEW: Final = 200
#: As few of a matrix, which is asked for again and again with the same documents.
_SMALL: Final = 16


class RoleSimMethod(GraphMethod[RoleBatch]):
    """VerbNet-CN over any semantic-role parser and any word vectors.

    - ``vectors``: what ``WordVectors.open`` takes; ``"sbert"``, or ``"sbert:MODEL"`` with a folder
      or a hub name, for phrases as a transformer reads them in their sentence; or any
      ``PhraseEncoder``;
    - ``weights``: ``"everyday"``, ``"paper"``, ``"uniform"``, a TOML file, which may name other
      roles, or a ``Scheme``; ``normalize``: ``"partly"``, ``"matched"``, ``"union"`` or ``"fixed"``
      (see ``Scheme``), by default as the weights say;
    - ``frames``: which of a sentence's frames are compared: ``"all"``, or ``"main"``, that of its
      main predicate; by default as the weights say;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1] and is symmetric. A sentence scores 1 with itself; with the content
    words alone, as in the paper, where each of its phrases has a known word (a phrase without one
    has cosine 0, with itself too), and with ``fixed`` it scores the weights of its roles over the
    divisor.
    """

    info = MethodInfo(
        name="verbnet-cn",
        summary="cosine of the phrases in VerbNet roles, frame by frame (after the STS3k paper)",
    )
    encoded = RoleBatch
    normalizations = ("partly", "matched", "union", "fixed")
    part = "role"
    without = "it has none of the roles"

    def __init__(
        self,
        parser: str | Parser = "srl",
        vectors: str | Path | PhraseEncoder | KeyedVectors | None = None,
        weights: str | Path | Scheme = "everyday",
        normalize: Literal["partly", "matched", "union", "fixed"] | None = None,
        frames: Literal["main", "all"] | None = None,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        super().__init__(parser, on_failure, cache)
        scheme = weights if isinstance(weights, Scheme) else read_scheme(weights)
        if normalize is not None:
            scheme = replace(scheme, normalize=normalize)
        if frames is not None:
            check_choice("frames", frames, ("main", "all"))
            scheme = replace(scheme, phrasing=replace(scheme.phrasing, frames=frames))
        self.scheme = scheme
        self.normalize = scheme.normalize
        self.vectors: PhraseEncoder = _open_encoder(vectors, scheme.phrasing)
        if normalize == "fixed":
            self.info = replace(type(self).info, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> RoleBatch:
        """Encode parses that are at hand, one for each sentence."""
        scheme = self.scheme
        with paused():
            return RoleBatch.from_graphs(graphs, self.vectors, scheme.inventory, scheme.phrasing)

    def _scores(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float64]:
        return score_pairs(a, b, self.scheme)

    def _score_matrix(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float32]:
        if len(a) * len(b) <= _SMALL and is_short(a, b):
            i, j = np.indices((len(a), len(b)))
            found = score_pairs(a[i.ravel()], b[j.ravel()], self.scheme)
            return found.reshape(i.shape).astype(np.float32)
        from compsim.rolesim import kernel

        return kernel.matrix(a, b, self.scheme)

    def _parts(self, batch: RoleBatch) -> Parts:
        """The rows of an explanation, frame by frame."""
        from compsim.rolesim.parts import parts

        return parts(batch, self.scheme, self.vectors)


def score_pairs(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> npt.NDArray[np.float64]:
    """Scores of row i of a against row i of b, (n,): of a few as explanations have them.

    Raises ``InputError`` for batches that the scheme cannot compare.
    """
    if len(a) > _FEW or not is_short(a, b):
        from compsim.rolesim import kernel

        return kernel.pairwise(a, b, scheme)
    a.check_with(b, scheme)
    found = (compare_sentences(a, i, b, i, scheme).score for i in range(len(a)))
    return np.array(list(found), dtype=np.float64)


def _open_encoder(
    vectors: str | Path | PhraseEncoder | KeyedVectors | None, phrasing: Phrasing
) -> PhraseEncoder:
    """Word vectors by name or path; ``"sbert"`` or ``"sbert:MODEL"``; or what is given."""
    name, _, model = vectors.partition(":") if isinstance(vectors, str) else ("", "", "")
    if name == "sbert":
        from compsim.transformers.phrases import TransformerPhrases

        return TransformerPhrases(model or None)
    if isinstance(vectors, str | Path | WordVectors) or not isinstance(vectors, PhraseEncoder):
        opened = WordVectors.open(vectors)
        return AllWords(opened, phrasing.form, phrasing.head) if phrasing.words == "all" else opened
    return vectors
