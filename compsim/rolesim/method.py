"""VerbNet-CN: compare two sentences role by role, by the cosine of their role phrases.

Source: the weights, alignment order and ``fixed`` normalisation are those of the STS3k paper; the
default normalisation, ``matched``, divides by the weights of the roles that were compared.

>>> from compsim import load
>>> method = load("verbnet-cn")  # doctest: +SKIP
>>> float(method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])[0])  # doctest: +SKIP
0.5
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.explanation import RoleRow
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme_file import read_scheme
from compsim.vectors import WordVectors
from compsim.vectors.encoder import PhraseEncoder

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache
    from compsim.rolesim.scheme import Scheme

__all__ = ["RoleSimMethod", "score_pairs"]

#: Up to so many pairs are scored without the compiled kernel, which takes longer to load.
_FEW: Final = 200


class RoleSimMethod(GraphMethod[RoleBatch]):
    """VerbNet-CN over any semantic-role parser and any word vectors.

    - ``vectors``: what ``WordVectors.open`` takes; ``"sbert"``, or ``"sbert:MODEL"`` with a folder
      or a hub name, for phrases as a transformer reads them in their sentence; or any
      ``PhraseEncoder``;
    - ``weights``: ``"paper"``, ``"uniform"`` or a TOML file, which may name other roles;
      ``normalize``: ``"matched"``, ``"union"`` or ``"fixed"`` (see ``Scheme``);
    - ``frames``: which of a sentence's frames are compared: ``"main"``, that of its main predicate;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1] and is symmetric. With ``matched`` and ``union`` a sentence scores 1
    with itself where each of its phrases has a known word (a phrase without one has cosine 0, with
    itself too); with ``fixed`` it scores the weights of its roles over the divisor.
    """

    info = MethodInfo(
        name="verbnet-cn",
        summary="cosine of the phrases in eight VerbNet roles, weighted (STS3k paper)",
    )
    encoded = RoleBatch
    normalizations = ("matched", "union", "fixed")
    part = "role"
    without = "it has none of the roles"

    def __init__(
        self,
        parser: str | Parser = "srl",
        vectors: str | Path | PhraseEncoder | None = None,
        weights: str | Path = "paper",
        normalize: Literal["matched", "union", "fixed"] = "matched",
        frames: Literal["main"] = "main",
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        if frames != "main":
            raise InputError(
                f"frames={frames!r} is not known: use main, the main predicate's frame"
            )
        super().__init__(parser, on_failure, cache)
        self.scheme = read_scheme(weights, normalize)
        self.normalize = self.scheme.normalize
        self.vectors: PhraseEncoder = _open_encoder(vectors)
        if normalize == "fixed":
            self.info = replace(type(self).info, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> RoleBatch:
        """Encode parses that are at hand, one for each sentence."""
        return RoleBatch.from_graphs(graphs, self.vectors, self.scheme.inventory)

    def _scores(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float64]:
        return score_pairs(a, b, self.scheme)

    def _score_matrix(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float32]:
        from compsim.rolesim import kernel

        return kernel.matrix(a, b, self.scheme)

    def _parts(self, batch: RoleBatch) -> Parts:
        """The rows of an explanation, matched roles first, and N."""
        scheme = self.scheme
        names = scheme.roles
        a, b = batch.frame(0), batch.frame(1)
        graphs = batch.graphs[0], batch.graphs[1]
        x, y = (graph.roles(scheme.inventory) for graph in graphs)
        found = scheme.compare(a, b)
        rows, mapping = [], []
        lines = zip(found.pairs, found.roles, found.cosines, found.contributions, strict=True)
        for (i, j), role, cosine, contribution in lines:
            like, unlike = names[a.role[i]], names[b.role[j]]
            name = like if like == unlike else f"{like}~{unlike}"
            first, second = x[like], y[unlike]
            rows.append(RoleRow(name, first, second, cosine, scheme.weights[role], contribution))
            mapping.append((graphs[0].nodes.index(first), graphs[1].nodes.index(second)))
        # No role is left over on both sides.
        mine = set(a.role[found.first].tolist())
        for role in sorted(mine | set(b.role[found.second].tolist())):
            one = x[names[role]] if role in mine else None
            other = None if role in mine else y[names[role]]
            rows.append(RoleRow(names[role], one, other, None, scheme.weights[role], 0.0))
        return Parts(rows, found.divisor, mapping=mapping)


def score_pairs(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> npt.NDArray[np.float64]:
    """Scores of row i of a against row i of b, (n,): of a few as explanations have them.

    Raises ``InputError`` for batches that the scheme cannot compare.
    """
    if len(a) > _FEW:
        from compsim.rolesim import kernel

        return kernel.pairwise(a, b, scheme)
    a.check_with(b, scheme)
    found = (scheme.compare(a.frame(i), b.frame(i)) for i in range(len(a)))
    return np.array([sum(pair.contributions) for pair in found], dtype=np.float64)


def _open_encoder(vectors: str | Path | PhraseEncoder | None) -> PhraseEncoder:
    """Word vectors by name or path; ``"sbert"`` or ``"sbert:MODEL"``; or what is given."""
    name, _, model = vectors.partition(":") if isinstance(vectors, str) else ("", "", "")
    if name == "sbert":
        from compsim.transformers.phrases import TransformerPhrases

        return TransformerPhrases(model or None)
    if isinstance(vectors, str | Path | WordVectors) or not isinstance(vectors, PhraseEncoder):
        return WordVectors.open(vectors)
    return vectors
