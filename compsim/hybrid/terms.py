"""What the roles of two sentences say, term by term: see ``compsim.hybrid.scheme.Terms``.

Plain Python, for explanations; the kernel computes the same for many pairs.

>>> from compsim import load
>>> method = load("verbnet-cn", vectors="builtin")
>>> batch = method.encode(["The dog bit the man.", "The man bit the dog."])
>>> found, swap = terms(batch, 0, batch, 1, method.scheme)
>>> swap.phrases, found.exchange > 0.5, round(found.cover, 2)
(((1, 1), (2, 2)), True, 1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.hybrid.scheme import Terms
from compsim.rolesim.clauses import compare_sentences

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.clauses import FramePair
    from compsim.rolesim.scheme import Phrases, Scheme

__all__ = ["Swap", "exchangeable", "terms"]

#: The roles whose phrases may change places; PropBank's numbered arguments may too.
_EXCHANGEABLE: Final = frozenset(("Agent", "Patient", "Theme", "Trajectory", "Origin", "Location"))


class Swap(NamedTuple):
    """Phrases that changed places: the places of two pairs of phrases, in a pair of frames.

    ``gain`` is what they would add if they changed back; 0 where none did.
    """

    gain: float = 0.0
    frames: tuple[int, int] = (0, 0)
    phrases: tuple[tuple[int, int], ...] = ()


def exchangeable(roles: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the roles may exchange their phrases, bool (roles,)."""
    numbered = [role.startswith("ARG") and role[3:4].isdigit() for role in roles]
    named = [role in _EXCHANGEABLE for role in roles]
    return np.array(named, dtype=np.bool_) | np.array(numbered, dtype=np.bool_)


def terms(a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme) -> tuple[Terms, Swap]:
    """The terms of sentence i of a and j of b, and the exchange that costs most."""
    found = compare_sentences(a, i, b, j, scheme)
    weight = np.array(scheme.weights)
    may = exchangeable(scheme.roles)
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
        swap = _exchange(x, y, pair, scheme, may)
        exchange += pair.share * swap.gain
        worst = max(worst, swap, key=lambda swap: swap.gain)
    comparable = compared / content if content > 0 else 0.0
    return Terms(found.score, comparable, exchange, _cover(a, i, b, j, weight)), worst


def _exchange(
    x: Phrases, y: Phrases, pair: FramePair, scheme: Scheme, may: npt.NDArray[np.bool_]
) -> Swap:
    """The two pairs of phrases, of x and y, that gain most by changing places."""

    def alike(p: int, q: int) -> float:
        return max(0.0, scheme.likeness(x, p, y, q))

    shared = [(p, q) for p, q in pair.comparison.pairs if x.role[p] == y.role[q]]
    shared = [(p, q) for p, q in shared if may[x.role[p]]]
    best = Swap()
    for n, (p, q) in enumerate(shared):
        for k, m in shared[:n]:
            gain = alike(p, m) + alike(k, q) - alike(p, q) - alike(k, m)
            gain *= max(0.0, pair.comparison.verb) / 2
            if gain > best.gain:
                best = Swap(gain, pair.readings, ((k, m), (p, q)))
    return best


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
