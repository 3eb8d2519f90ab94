"""A scheme says which phrases of two frames are compared, and how their cosines become one score.

It holds an inventory of roles, a weight for each, and what the weighted sum is divided by. Like
roles are compared first, then unlike ones in the order of the inventory's alignment; each phrase is
used once. :func:`match` and :func:`divisor`, the rule itself, are plain Python that the kernel
compiles; explanations and rolewise cosines run them as they are.

>>> from compsim.roles import VERBNET
>>> scheme = Scheme(VERBNET, (3.0, 2.0, 2.0, 2.0, 0.5, 0.5, 0.5, 0.5))
>>> for match_ in scheme.matches(["Verb", "Theme"], ["Verb", "Patient"]):
...     print(match_)
Match(role='Verb', first='Verb', second='Verb')
Match(role='Theme', first='Theme', second='Patient')
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.roles import Inventory

__all__ = ["NORMALIZE", "Comparison", "Match", "Phrases", "Scheme", "divisor", "is_weight", "match"]

#: How the weighted sum is divided.
NORMALIZE: Final = ("matched", "union", "dice", "fixed")
_USED: Final = -1
#: Weights and divisors lie between these, or are 0.
_LIGHTEST: Final = 1e-9
_HEAVIEST: Final = 1e9


class Match(NamedTuple):
    """Two phrases that are compared: the role they count as, and the role each one has."""

    role: str
    first: str
    second: str


class Phrases(NamedTuple):
    """The phrases of a frame: ``role`` int32 (p,), ascending, and ``vector`` float32 (p, dim)."""

    role: npt.NDArray[np.int32]
    vector: npt.NDArray[np.float32]


def match(
    a_role: Any,
    p: int,
    p_stop: int,
    b_role: Any,
    q: int,
    q_stop: int,
    align: Any,
    first: Any,
    second: Any,
    role: Any,
) -> tuple[int, int]:
    """Pair phrases p..p_stop of one frame with q..q_stop of another, by roles alone.

    ``a_role`` and ``b_role`` are ascending in the frame. Writes the places of phrases and the role
    they count as into ``first``, ``second`` and ``role``: pairs from 0 on and, from the number of
    all phrases on, those left over, with -1 for the side that lacks them; a role of -1 there is a
    line to pass over. So there must be room for twice as many lines as there are phrases. Returns
    the numbers of pairs and of lines left over. ``align`` is int (k, 2).
    """
    size = p_stop - p + q_stop - q
    pairs = 0
    end = size
    while p < p_stop or q < q_stop:
        if q == q_stop or (p < p_stop and a_role[p] < b_role[q]):
            first[end], second[end], role[end] = p, -1, a_role[p]
            p += 1
            end += 1
        elif p == p_stop or b_role[q] < a_role[p]:
            first[end], second[end], role[end] = -1, q, b_role[q]
            q += 1
            end += 1
        else:
            first[pairs], second[pairs], role[pairs] = p, q, a_role[p]
            p += 1
            q += 1
            pairs += 1
    if end > size + 1:
        for k in range(len(align)):
            x, y = align[k][0], align[k][1]
            x_line = y_line = -1
            for line in range(size, end):
                if role[line] == x:
                    x_line = line
                elif role[line] == y:
                    y_line = line
            # Both must be there, and on different sides.
            if x_line < 0 or y_line < 0 or (first[x_line] < 0) == (first[y_line] < 0):
                continue
            first[pairs] = max(first[x_line], first[y_line])
            second[pairs] = max(second[x_line], second[y_line])
            role[pairs] = x
            role[x_line] = role[y_line] = _USED
            pairs += 1
    return pairs, end - size


def divisor(fixed: float, share: float, matched: float, alone: float) -> float:
    """Return N, from the weights of the matched roles and of those that one sentence has alone.

    ``fixed`` where it is above 0, else ``share`` says how much those alone count.
    """
    return fixed if fixed > 0.0 else matched + share * alone


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two frames, compared: places of phrases in ``pairs``, their role, cosine and weight.

    ``contributions`` say what each pair adds to the score: its weight times its cosine over N, the
    ``divisor``; 0 where N is 0. ``first`` and ``second`` are the places of phrases without a pair.
    """

    pairs: list[tuple[int, int]]
    roles: list[int]
    cosines: list[float]
    weights: list[float]
    contributions: list[float]
    first: list[int]
    second: list[int]
    divisor: float

    @property
    def score(self) -> float:
        """The sum of the contributions."""
        return sum(self.contributions)


@dataclass(frozen=True)
class Scheme:
    """An inventory of roles, their weights, and the normalisation.

    ``weights`` run beside the inventory's roles. Where its alignment makes a pair (x, y) of unlike
    roles, the pair counts with the weight of x. With w and c the weights and cosines of the matched
    roles, the score is sum(w * c) / N, where N is

    - ``"matched"``: the weights of the matched roles;
    - ``"union"``: the weights of the roles that either sentence has, after alignment;
    - ``"dice"``: half of the weights of the first sentence's roles plus the second's, after
      alignment (AMR-CN, with all weights 1);
    - ``"fixed"``: ``divisor``.

    Where N is 0 the score is 0. Raises ``InputError`` for weights that do not fit.
    """

    inventory: Inventory
    weights: tuple[float, ...]
    normalize: str = "matched"
    divisor: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        if self.normalize not in NORMALIZE:
            raise InputError(
                f"normalize={self.normalize!r} is not known: use one of {', '.join(NORMALIZE)}"
            )
        if len(self.roles) != len(self.weights):
            raise InputError(
                f"a scheme has {len(self.roles)} roles but {len(self.weights)} weights: "
                "give one weight for each role"
            )
        if not all(map(is_weight, (*self.weights, self.divisor))) or self.divisor == 0:
            raise InputError(
                "a weight or the divisor of a scheme is neither 0 nor from 1e-9 to 1e9, or the "
                "divisor is 0: mend it"
            )

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the roles, in the order of their numbers."""
        return self.inventory.roles

    @cached_property
    def alignment(self) -> npt.NDArray[np.int32]:
        """The alignment order as role numbers, int32 (pairs, 2)."""
        number = {role: i for i, role in enumerate(self.roles)}
        pairs = [(number[x], number[y]) for x, y in self.inventory.align]
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)

    @property
    def fixed(self) -> float:
        """N where it is the same for all pairs, else 0."""
        return float(self.divisor) if self.normalize == "fixed" else 0.0

    @property
    def share(self) -> float:
        """Share in N of the weight of roles that only one sentence has."""
        return {"union": 1.0, "dice": 0.5}.get(self.normalize, 0.0)

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """Arrays for the kernels: weights float64 (roles,), alignment, fixed N, share."""
        return np.array(self.weights, dtype=np.float64), self.alignment, self.fixed, self.share

    def weight_of(self, role: str) -> float:
        """Weight of a role by name."""
        return self.weights[self.roles.index(role)]

    def compare(self, a: Phrases, b: Phrases) -> Comparison:
        """Match the phrases of two frames and take their cosines."""
        pairs, roles, first, second = self._listed(a.role.tolist(), b.role.tolist())
        cosines = [
            float(np.clip(a.vector[i].astype(np.float64) @ b.vector[j].astype(np.float64), -1, 1))
            for i, j in pairs
        ]
        weights = [self.weights[role] for role in roles]
        alone = sum(self.weights[a.role[i]] for i in first)
        alone += sum(self.weights[b.role[j]] for j in second)
        n = divisor(self.fixed, self.share, sum(weights), alone)
        parts = [w * c / n if n > 0 else 0.0 for w, c in zip(weights, cosines, strict=True)]
        return Comparison(pairs, roles, cosines, weights, parts, first, second, n)

    def matches(self, first: Collection[str], second: Collection[str]) -> list[Match]:
        """Return the role pairs that are compared whatever their words, in the rule's order."""
        names = self.roles
        a, b = (sorted(names.index(r) for r in side if r in names) for side in (first, second))
        pairs, roles, _, _ = self._listed(a, b)
        return [
            Match(names[role], names[a[i]], names[b[j]])
            for role, (i, j) in zip(roles, pairs, strict=True)
        ]

    def _listed(
        self, a: list[int], b: list[int]
    ) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
        """Pairs of places, their roles, and the places of either side that have no pair."""
        size = len(a) + len(b)
        first, second, role = [0] * 2 * size, [0] * 2 * size, [0] * 2 * size
        align = self.alignment.tolist()
        count, alone = match(a, 0, len(a), b, 0, len(b), align, first, second, role)
        rest = [line for line in range(size, size + alone) if role[line] != _USED]
        return (
            list(zip(first[:count], second[:count], strict=True)),
            role[:count],
            [first[line] for line in rest if first[line] >= 0],
            [second[line] for line in rest if second[line] >= 0],
        )


def is_weight(value: object) -> bool:
    """Return whether a value is 0 or from 1e-9 to 1e9, so that no sum of weights overflows."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (value == 0 or _LIGHTEST <= value <= _HEAVIEST)
    )
