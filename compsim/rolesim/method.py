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
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from compsim.explanation import RoleRow
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme import Scheme
from compsim.vectors import WordVectors

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache

__all__ = ["RoleSimMethod"]


class RoleSimMethod(GraphMethod[RoleBatch]):
    """VerbNet-CN over any semantic-role parser and any word vectors.

    - ``vectors``: what ``WordVectors.open`` takes, or ``WordVectors``; ``weights``: ``"paper"``,
      ``"uniform"`` or a TOML file; ``normalize``: ``"matched"``, ``"union"`` or ``"fixed"`` (see
      ``Scheme``);
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
        vectors: str | Path | WordVectors | None = None,
        weights: str | Path = "paper",
        normalize: Literal["matched", "union", "fixed"] = "matched",
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        super().__init__(parser, on_failure, cache)
        self.scheme = Scheme.read(weights, normalize)
        self.normalize = self.scheme.normalize
        self._vectors = self.vectors = WordVectors.open(vectors)
        if normalize == "fixed":
            self.info = replace(type(self).info, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> RoleBatch:
        """Encode parses that are at hand, one for each sentence."""
        return RoleBatch.from_graphs(graphs, self._vectors, self.scheme.roles)

    def _scores(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float64]:
        from compsim.rolesim import kernel

        return kernel.pairwise(a, b, self.scheme)

    def _score_matrix(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float32]:
        from compsim.rolesim import kernel

        return kernel.matrix(a, b, self.scheme)

    def _parts(self, batch: RoleBatch) -> Parts:
        """The rows of an explanation, matched roles first, and N."""
        scheme = self.scheme
        first, second = batch.graphs
        a, b = first.roles(), second.roles()
        x, y = batch.star(0), batch.star(1)
        matches = scheme.match(x, y)
        divisor = scheme.total(matches, x, y)
        rows = []
        for role, one, other in matches:
            product = np.dot(x[one].astype(np.float64), y[other].astype(np.float64))
            cosine = float(np.clip(product, -1.0, 1.0))
            weight = scheme.weight_of(role)
            contribution = weight * cosine / divisor if divisor > 0 else 0.0
            name = role if one == other else f"{one}~{other}"
            rows.append(RoleRow(name, a[one], b[other], cosine, weight, contribution))
        for role in scheme.roles:
            weight = scheme.weight_of(role)
            if role in x and role not in {match.first for match in matches}:
                rows.append(RoleRow(role, a[role], None, None, weight, 0.0))
            if role in y and role not in {match.second for match in matches}:
                rows.append(RoleRow(role, None, b[role], None, weight, 0.0))
        pairs = [(first.nodes.index(a[m.first]), second.nodes.index(b[m.second])) for m in matches]
        return Parts(rows, divisor, mapping=pairs)
