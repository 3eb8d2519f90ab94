"""Two sentences of several frames: which of them are compared, and what that makes together.

The frames are paired so that the weighted sum of their similarities is greatest: exactly for up to
eight on either side, beyond that the best pair first. Frames whose similarity is 0 or less are
paired in their order, so that every frame of the shorter sentence has a partner. Another reading
stands in for its frame where it is more alike and the predicates then are the same, or nearly.

:func:`pair_up`, the rule itself, is plain Python that the kernel compiles.

>>> partner = [0, 0]
>>> pair_up([0.2, 0.9, 0.8, 0.7], 2, 2, partner, [0] * 2, room_for(2))
>>> partner
[1, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from compsim.kernels.assignment import Assignment, assign
from compsim.rolesim.scheme import NEAR, meets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Comparison, Scheme

__all__ = [
    "EXACT",
    "FramePair",
    "Paired",
    "compare_pairs",
    "compare_sentences",
    "pair_up",
    "room_for",
]

#: Up to so many frames on either side are paired optimally.
EXACT: Final = 8


def room_for(size: int) -> Assignment:
    """Room for the assignment of so many frames to as many."""
    floats = [[0.0] * (size + 1) for _ in range(3)]
    whole = [[0] * (size + 1) for _ in range(4)]
    return Assignment(*floats, *whole)


def pair_up(worth: Any, n: int, m: int, partner: Any, taken: Any, room: Any) -> None:
    """Give each of n frames its partner among m, into ``partner`` (n): a place, or -1.

    ``worth`` (n * m), all >= 0, is what each pair would add; n <= m. ``taken`` (m) is room to work,
    ``room`` too, for m frames if m <= EXACT.
    """
    if m <= EXACT:
        assign(worth, n, m, room, taken)  # which only counts the steps there
    for i in range(n):
        partner[i] = -1
    for j in range(m):
        taken[j] = 0
    if m <= EXACT:
        for j in range(1, m + 1):
            i = room.row_of[j] - 1
            if i >= 0 and worth[i * m + j - 1] > 0.0:
                partner[i] = j - 1
                taken[j - 1] = 1
    else:
        while True:
            best = 0.0
            first = second = -1
            for i in range(n):
                if partner[i] < 0:
                    for j in range(m):
                        if taken[j] == 0 and worth[i * m + j] > best:
                            best = worth[i * m + j]
                            first, second = i, j
            if first < 0:
                break
            partner[first] = second
            taken[second] = 1
    following = 0
    for i in range(n):
        if partner[i] < 0:
            while taken[following] != 0:
                following += 1
            partner[i] = following
            taken[following] = 1


class FramePair(NamedTuple):
    """Frames that are compared: their places, those of the readings taken, and how alike they are.

    ``share`` is what the pair weighs in the whole.
    """

    first: int
    second: int
    readings: tuple[int, int]
    comparison: Comparison
    share: float

    @property
    def score(self) -> float:
        """The similarity of the two frames."""
        return self.comparison.score


@dataclass(frozen=True, slots=True)
class Paired:
    """The pairs of frames of two sentences, and the places of those left over on either side."""

    pairs: list[FramePair]
    first: list[int]
    second: list[int]

    @property
    def score(self) -> float:
        """The similarity of the sentences: what all roles of all pairs add."""
        return sum(
            pair.share * pair.comparison.factor * part
            for pair in self.pairs
            for part in pair.comparison.contributions
        )


def compare_sentences(a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme) -> Paired:
    """Pair the frames of sentence i of a with those of sentence j of b."""
    if a.count(i) == 1 and b.count(j) == 1:
        return Paired([_pair(a, (i, 0), b, (j, 0), scheme)], [], [])
    best: dict[tuple[int, int], FramePair] = {}
    verbs: dict[tuple[int, int], float] = {}
    for f, own in enumerate(_own(a, i)):
        for g, other in enumerate(_own(b, j)):
            pair = _pair(a, (i, f), b, (j, g), scheme)
            told = _told(a, i, f), _told(b, j, g)
            verb = pair.comparison.verb
            # The frames as they are told come first, on both sides.
            own_verb = verbs.setdefault((own, other), verb)
            if not meets(verb, own_verb, f != own, g != other, *told):
                continue
            known = best.get((own, other))
            if known is None or pair.score > known.score + NEAR:
                best[own, other] = pair._replace(first=own, second=other)
    u, v = (batch.weights_of(k, scheme).tolist() for batch, k in ((a, i), (b, j)))
    n, m = len({own for own, _ in best}), len({other for _, other in best})
    if n == 0 or m == 0:
        return Paired([], list(range(n)), list(range(m)))
    paired = _places(best, u, v, n, m)
    first, second = _left(paired, n, m)
    total = sum((u[x] + v[y]) / 2 for x, y in paired)
    total += scheme.clauses.unmatched * (sum(u[x] for x in first) + sum(v[y] for y in second))
    pairs = []
    for x, y in paired:
        pair = best[x, y]
        alike = pair.score > 0 and total > 0
        pairs.append(pair._replace(share=(u[x] + v[y]) / 2 / total if alike else 0.0))
    return Paired(pairs, first, second)


def compare_pairs(
    a: RoleBatch,
    i: int,
    b: RoleBatch,
    j: int,
    scheme: Scheme,
    paired: Iterable[tuple[int, int, float]],
) -> Paired:
    """What :func:`compare_sentences` gives, where it is known which frames are paired.

    ``paired`` are the places of two frames, or of the readings that stand in for them, and what the
    pair weighs. Only these are compared, so the time is linear in the length of the texts.
    """
    own, other = _own(a, i), _own(b, j)
    pairs = [
        _pair(a, (i, f), b, (j, g), scheme)._replace(first=own[f], second=other[g], share=share)
        for f, g, share in paired
    ]
    pairs.sort(key=lambda pair: pair.first)
    places = [(pair.first, pair.second) for pair in pairs]
    return Paired(pairs, *_left(places, len(set(own)), len(set(other))))


def _left(paired: list[tuple[int, int]], n: int, m: int) -> tuple[list[int], list[int]]:
    """The places without a partner, of n frames and of m."""
    firsts, seconds = {x for x, _ in paired}, {y for _, y in paired}
    return [x for x in range(n) if x not in firsts], [y for y in range(m) if y not in seconds]


def _places(
    best: dict[tuple[int, int], FramePair], u: list[float], v: list[float], n: int, m: int
) -> list[tuple[int, int]]:
    """The places of the frames that are paired."""
    if n > m:
        turned = {(y, x): pair for (x, y), pair in best.items()}
        return sorted((x, y) for y, x in _places(turned, v, u, m, n))
    worth = [max(0.0, best[x, y].score) * (u[x] + v[y]) / 2 for x in range(n) for y in range(m)]
    partner = [0] * n
    pair_up(worth, n, m, partner, [0] * m, room_for(min(m, EXACT)))
    return list(enumerate(partner))


def _own(batch: RoleBatch, i: int) -> list[int]:
    """Of each frame of a sentence the place, of another reading that of the frame it tells."""
    start, stop = batch.frames.indptr[i : i + 2].tolist()
    reading = batch.places[2][start:stop].tolist()
    return [place if of < 0 else of for place, of in enumerate(reading)]


def _told(batch: RoleBatch, i: int, f: int) -> bool:
    """Whether frame f of sentence i has a predicate."""
    return 0 in batch.frame(i, f).role[:1]


def _pair(
    a: RoleBatch, f: tuple[int, int], b: RoleBatch, g: tuple[int, int], scheme: Scheme
) -> FramePair:
    """Two frames, each a sentence and a place in it, compared by themselves."""
    rows = int(a.frames.indptr[f[0]]) + f[1], int(b.frames.indptr[g[0]]) + g[1]
    same = bool(a.places[1][rows[0]] == b.places[1][rows[1]])
    said = int(a.said[rows[0]]), int(b.said[rows[1]])
    comparison = scheme.compare(a.frame(*f), b.frame(*g), same, said)
    return FramePair(f[1], g[1], (f[1], g[1]), comparison, 1.0)
