"""The cosine of each role of each pair, before any weights: what weights are fitted to.

>>> import numpy as np
>>> cosine, matched = np.array([[0.2, 0.8]]), np.array([[True, True]])
>>> pairs = RoleCosines(("Verb", "Agent"), cosine, matched, np.zeros(1))
>>> round(float(pairs.scores(np.array([3.0, 1.0]))[0]), 6)  # (3 * 0.2 + 1 * 0.8) / 4
0.35
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.method import RoleSimMethod

__all__ = ["RoleCosines"]

Array = npt.NDArray[np.float64]

#: Weights that sum to no more are none: a search that nears 0 would divide by next to nothing.
_TINY: Final = 1e-9


@dataclass(frozen=True)
class RoleCosines:
    """Cosines of matched roles: ``cosine`` float64 (n, roles), 0 where ``matched`` is false.

    ``constant`` (n,) is the score of a pair of which a sentence has no parse, whatever the weights;
    0 elsewhere, which is also the score where no matched role has a weight.
    """

    roles: tuple[str, ...]
    cosine: Array
    matched: npt.NDArray[np.bool_]
    constant: Array

    @classmethod
    def of(cls, method: RoleSimMethod, a: RoleBatch, b: RoleBatch) -> Self:
        """The roles of row i of a and of b as the method's scheme matches them.

        Raises ``InputError`` where the method gives pairs without a parse no score.
        """
        scheme = method.scheme
        cosine = np.zeros((len(a), len(scheme.roles)))
        matched = np.zeros(cosine.shape, dtype=bool)
        for i in range(len(a)):
            result = scheme.compare(a.frame(i), b.frame(i))
            cosine[i, result.roles] = result.cosines
            matched[i, result.roles] = True
        constant = np.zeros(len(a))
        unparsed = np.flatnonzero(a.failed | b.failed)
        if len(unparsed):
            cosine[unparsed], matched[unparsed] = 0.0, False
            constant[unparsed] = method.similarity_pairwise(a[unparsed], b[unparsed])
        if np.isnan(constant).any():
            raise InputError(
                f"{len(unparsed)} pairs have a sentence without a parse and so no score: "
                'use on_failure="fallback"'
            )
        return cls(tuple(scheme.roles), cosine, matched, constant)

    def __len__(self) -> int:
        return len(self.cosine)

    def __getitem__(self, rows: npt.NDArray[np.int64]) -> Self:
        return type(self)(self.roles, self.cosine[rows], self.matched[rows], self.constant[rows])

    def scores(self, weights: Array) -> Array:
        """Return VerbNet-CN's (``matched``) scores of the pairs with these weights, (n,)."""
        return self.slopes(weights)[0]

    def slopes(self, weights: Array) -> tuple[Array, Array]:
        """The scores (n,), and how each changes with each weight, (n, roles)."""
        # Sums along rows, not BLAS: the same result for any number of threads.
        total = (self.matched * weights).sum(axis=1)
        weighted = total > _TINY
        divisor = np.where(weighted, total, 1.0)
        score = np.where(weighted, (self.cosine * weights).sum(axis=1) / divisor, 0.0)
        slope = (self.cosine - score[:, None] * self.matched) / divisor[:, None]
        slope[~weighted] = 0.0
        return score + self.constant, slope
