"""What the roles of two sentences say, term by term: see ``compsim.hybrid.scheme.Terms``.

Plain Python, for explanations; the kernel computes the same for many pairs.

>>> from compsim import load
>>> method = load("verbnet-cn", vectors="builtin")
>>> batch = method.encode(["The dog bit the man.", "The man bit the dog."])
>>> found, swap = terms(batch, 0, batch, 1, method.scheme)
>>> swap.phrases, found.exchange > 0.5, round(found.cover, 2)
(((1, 2), (2, 1)), True, 1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.hybrid.scheme import Terms
from compsim.kernels.assignment import assign
from compsim.rolesim.clauses import room_for
from compsim.rolesim.scheme import NEAR
from compsim.rolesim.sentences import compare

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.clauses import FramePair
    from compsim.rolesim.scheme import Phrases, Scheme

__all__ = ["Swap", "groups", "terms"]

#: The roles among which phrases may change places: those of who does what to whom, and those of a
#: way. PropBank's numbered arguments are of the first group.
_GROUPS: Final = (("Agent", "Patient", "Theme"), ("Trajectory", "Origin", "Location"))


class Swap(NamedTuple):
    """Phrases that changed places, in a pair of frames: places of each and of its like.

    ``gain`` is what they would add to E in the places of their likes; 0 where none moved.
    """

    gain: float = 0.0
    frames: tuple[int, int] = (0, 0)
    phrases: tuple[tuple[int, int], ...] = ()


def groups(roles: Sequence[str]) -> npt.NDArray[np.int8]:
    """The group of each role, among which phrases may change places: int8 (roles,); -1: none."""
    number = {role: group for group, named in enumerate(_GROUPS) for role in named}
    numbered = {role: 0 for role in roles if role.startswith("ARG") and role[3:4].isdigit()}
    return np.array([{**numbered, **number}.get(role, -1) for role in roles], dtype=np.int8)


def terms(a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme) -> tuple[Terms, Swap]:
    """The terms of sentence i of a and j of b, and the exchange that costs most."""
    found = compare(a, i, b, j, scheme)
    weight = np.array(scheme.weights)
    group = groups(scheme.roles)
    compared = content = exchange = 0.0
    worst = Swap()
    for pair in found.pairs:
        x, y = a.frame(i, pair.readings[0]), b.frame(j, pair.readings[1])
        lines = zip(pair.comparison.pairs, pair.comparison.weights, strict=True)
        for (p, q), w in lines:
            like = 1.0 if x.role[p] == y.role[q] else max(0.0, scheme.likeness(x, p, y, q))
            compared += pair.share * w * like
        for side in (x, y):
            content += pair.share * float((weight[side.role] * side.amount).sum()) / 2
        swap = _exchange(x, y, pair, scheme, group, a.words)
        exchange += swap.gain
        worst = max(worst, swap, key=lambda swap: swap.gain)
    comparable = compared / content if content > 0 else 0.0
    return Terms(found.score, comparable, exchange, _cover(a, i, b, j, weight)), worst


def _exchange(
    x: Phrases,
    y: Phrases,
    pair: FramePair,
    scheme: Scheme,
    group: npt.NDArray[np.int8],
    words: int,
) -> Swap:
    """What the phrases of x and y would gain if their roles did not matter within their group.

    They are compared by their words: "to Rome" that became "from Rome" changed places too.
    """

    def alike(p: int, q: int) -> float:
        if group[x.role[p]] != group[y.role[q]]:
            return 0.0
        if x.open[p] != y.open[q]:
            return scheme.answer
        first, second = (side.vector[at, :words] for side, at in ((x, p), (y, q)))
        return min(1.0, max(0.0, float(np.dot(first.astype(np.float64), second))))

    mine, its = ([p for p, role in enumerate(side.role) if group[role] >= 0] for side in (x, y))
    turned = len(mine) > len(its)
    cells = [(p, q) for q in its for p in mine] if turned else list(product(mine, its))
    n, m = sorted((len(mine), len(its)))
    room = room_for(m)
    best = assign([alike(p, q) for p, q in cells], n, m, room, [0])
    best -= sum(alike(p, q) for p, q in pair.comparison.pairs if group[x.role[p]] >= 0)
    paired = [cells[(i - 1) * m + j] for j, i in enumerate(room.row_of[1 : m + 1]) if i > 0]
    moved = [(p, q) for p, q in paired if x.role[p] != y.role[q] and alike(p, q) > 0]
    if best <= NEAR:
        return Swap()
    gain = min(1.0, best * max(0.0, pair.comparison.verb) / 2)
    return Swap(pair.share * gain, pair.readings, tuple(sorted(moved)))


def _cover(a: RoleBatch, i: int, b: RoleBatch, j: int, weight: npt.NDArray[np.float64]) -> float:
    """How much of either sentence's content the other has, phrase by phrase."""
    x, y = _own(a, i), _own(b, j)
    if not len(x) or not len(y):
        return 0.0
    vectors = a.columns[1][x].astype(np.float64) @ b.columns[1][y].astype(np.float64).T
    alike = np.clip(vectors - a.columns[3][x][:, None] - b.columns[3][y], 0.0, 1.0)
    said = [weight[side.columns[0][own]] * side.columns[2][own] for side, own in ((a, x), (b, y))]
    shared = (said[0] * alike.max(axis=1)).sum() + (said[1] * alike.max(axis=0)).sum()
    total = said[0].sum() + said[1].sum()
    return float(shared / total) if total > 0 else 0.0


def _own(batch: RoleBatch, i: int) -> npt.NDArray[np.int64]:
    """The places of all phrases of a sentence, without those of other readings."""
    start, stop = batch.frames.indptr[i : i + 2].tolist()
    frames = [f for f in range(start, stop) if batch.places[2][f] < 0]
    starts = batch.phrases.indptr
    return np.array([p for f in frames for p in range(starts[f], starts[f + 1])], dtype=np.int64)
