"""Which phrases of two frames are compared, and what their cosines come to: the rule, once.

Like roles are compared first, then unlike ones in the order of the inventory's alignment; each
phrase is used once. :func:`match` and :func:`divisor` are plain Python that the kernel compiles;
explanations, rolewise cosines and a few pairs run them as they are.

>>> from compsim.rolesim.scheme import Scheme
>>> paper = Scheme.read("paper")
>>> matches(paper, ["Verb", "Theme"], ["Verb", "Patient"])
[Match(role='Verb', first='Verb', second='Verb'), Match(role='Theme', first='Theme', second='Patient')]
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Scheme

__all__ = ["Comparison", "Match", "Phrases", "check", "compare", "divisor", "match", "matches"]

_FIXED: Final = 0
_MATCHED: Final = 1
_UNION: Final = 2
_USED: Final = -1


class Match(NamedTuple):
    """Two phrases that are compared: the role they count as, and the role each one has."""

    role: str
    first: str
    second: str


class Phrases(NamedTuple):
    """The phrases of a frame: ``role`` int32 (p), ascending, and ``vector`` float32 (p, dim)."""

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
    """Pair the phrases p..p_stop of a with q..q_stop of b (roles ascending, each once).

    Writes places in a and in b and the role that they count as into ``first``, ``second`` and
    ``role``: pairs from 0 on and, from the number of all phrases on, those left over, with -1 for
    the side that lacks them; a role of -1 there is a line to pass over. So there must be room for
    twice as many lines as there are phrases. Returns the numbers of pairs and of lines left over.
    ``align`` is int (k, 2).
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


def divisor(code: int, fixed: float, matched: float, alone: float) -> float:
    """N, from the weights of the matched roles and of those that one sentence has alone.

    ``code`` is the place of the normalisation in ``compsim.rolesim.scheme.NORMALIZE``.
    """
    if code == _FIXED:
        return fixed
    if code == _MATCHED:
        return matched
    return matched + (alone if code == _UNION else alone / 2)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two frames, compared: ``pairs`` of places, the role each counts as, and its cosine.

    ``first`` and ``second`` are the places of phrases that have no pair, ``divisor`` is N.
    """

    pairs: list[tuple[int, int]]
    roles: list[int]
    cosines: list[float]
    first: list[int]
    second: list[int]
    divisor: float

    def contributions(self, scheme: Scheme) -> list[float]:
        """What each pair adds to the score: its weight times its cosine over N; 0 where N is 0."""
        n = self.divisor
        found = zip(self.roles, self.cosines, strict=True)
        return [scheme.weights[role] * cosine / n if n > 0 else 0.0 for role, cosine in found]


def check(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> None:
    """Raise ``InputError`` for batches that cannot be compared with each other by this scheme."""
    a.check(b)
    if a.roles != scheme.roles:
        raise InputError("the batches and the scheme have different roles: encode with one method")


def compare(a: Phrases, b: Phrases, scheme: Scheme) -> Comparison:
    """Match the phrases of two frames and take their cosines."""
    pairs, roles, first, second = _listed(a.role.tolist(), b.role.tolist(), scheme)
    cosines = []
    for i, j in pairs:
        product = float(np.dot(a.vector[i].astype(np.float64), b.vector[j].astype(np.float64)))
        cosines.append(min(1.0, max(-1.0, product)))
    weight = scheme.weights
    matched = float(sum(weight[role] for role in roles))
    alone = float(sum(weight[a.role[i]] for i in first) + sum(weight[b.role[j]] for j in second))
    n = divisor(scheme.code, scheme.divisor, matched, alone)
    return Comparison(pairs, roles, cosines, first, second, n)


def matches(scheme: Scheme, first: Collection[str], second: Collection[str]) -> list[Match]:
    """Which roles of two sentences are compared, by name, in the order of the rule."""
    names = scheme.roles
    a, b = (sorted(names.index(role) for role in side if role in names) for side in (first, second))
    pairs, roles, _, _ = _listed(a, b, scheme)
    return [
        Match(names[role], names[a[i]], names[b[j]])
        for role, (i, j) in zip(roles, pairs, strict=True)
    ]


def _listed(
    a: list[int], b: list[int], scheme: Scheme
) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
    """Pairs of places, the roles they count as, and the places of either side without a pair."""
    size = len(a) + len(b)
    first, second, role = [0] * 2 * size, [0] * 2 * size, [0] * 2 * size
    align = scheme.alignment.tolist()
    count, alone = match(a, 0, len(a), b, 0, len(b), align, first, second, role)
    rest = [line for line in range(size, size + alone) if role[line] != _USED]
    return (
        list(zip(first[:count], second[:count], strict=True)),
        role[:count],
        [first[line] for line in rest if first[line] >= 0],
        [second[line] for line in rest if second[line] >= 0],
    )
