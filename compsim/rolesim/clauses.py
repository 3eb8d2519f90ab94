"""Two sentences of several frames: which of them are compared, and what that makes together.

The frames are paired so that the weighted sum of their similarities is greatest: exactly for up to
eight on either side, beyond that the best pair first. Frames whose similarity is 0 or less are
paired in their order, so that every frame of the shorter sentence has a partner. Another reading
stands in for its frame where it is more alike and the predicates then are the same, or nearly. Of
two phrases that hold a clause each, the clauses are compared as frames, these by their words.

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
    from collections.abc import Callable, Iterable

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
    frames = _Frames(a, i, b, j, scheme)
    u, v = (batch.weights_of(k, scheme).tolist() for batch, k in ((a, i), (b, j)))
    n, m = len(frames.first), len(frames.second)
    best = {(x, y): frames.best(x, y) for x in range(n) for y in range(m)}
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
    frames = _Frames(a, i, b, j, scheme)
    sides = frames.first, frames.second
    own, other = ({f: x for x, told in enumerate(side) for f in told} for side in sides)
    pairs = [
        frames.pair(f, g)._replace(first=own[f], second=other[g], share=share)
        for f, g, share in paired
    ]
    pairs.sort(key=lambda pair: pair.first)
    places = [(pair.first, pair.second) for pair in pairs]
    return Paired(pairs, *_left(places, len(frames.first), len(frames.second)))


class _Frames:
    """The frames of two sentences, compared in pairs, each by the reading that fits best.

    ``first`` and ``second`` have the places of each frame of a side and of its readings.
    """

    def __init__(self, a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme) -> None:
        self._a, self._i, self._b, self._j = a, i, b, j
        self._scheme = scheme
        self.first, self.second = _readings(a, i), _readings(b, j)
        self._by_words: dict[tuple[int, int], float] = {}

    def best(self, x: int, y: int) -> FramePair:
        """Two frames, or the readings that stand in for them."""
        return self._best(x, y, self.pair)

    def pair(self, f: int, g: int) -> FramePair:
        """Two frames or readings, by their words and the clauses in their phrases."""
        inner = self._clauses if self._scheme.clauses.within else None
        return _pair(self._a, (self._i, f), self._b, (self._j, g), self._scheme, inner)

    def _clauses(self, x: int, y: int) -> float:
        """How alike two clauses are by their words: how alike phrases in them are is not asked."""
        if (x, y) not in self._by_words:
            self._by_words[x, y] = self._best(x, y, self._pair_by_words).score
        return self._by_words[x, y]

    def _pair_by_words(self, f: int, g: int) -> FramePair:
        return _pair(self._a, (self._i, f), self._b, (self._j, g), self._scheme)

    def _best(self, x: int, y: int, pair: Callable[[int, int], FramePair]) -> FramePair:
        best = pair(x, y)
        verb = best.comparison.verb
        for f in self.first[x]:
            for g in self.second[y]:
                if (f, g) == (x, y):
                    continue
                other = pair(f, g)
                told = _told(self._a, self._i, f), _told(self._b, self._j, g)
                if meets(other.comparison.verb, verb, f != x, g != y, *told):
                    best = other if other.score > best.score + NEAR else best
        return best._replace(first=x, second=y)


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


def _readings(batch: RoleBatch, i: int) -> list[list[int]]:
    """The place of each frame of a sentence with those of its other readings."""
    start, stop = batch.frames.indptr[i : i + 2].tolist()
    found: list[list[int]] = []
    for place, of in enumerate(batch.places[2][start:stop].tolist()):
        if of < 0:
            found.append([place])
        else:
            found[of].append(place)
    return found


def _told(batch: RoleBatch, i: int, f: int) -> bool:
    """Whether frame f of sentence i has a predicate."""
    return 0 in batch.frame(i, f).role[:1]


def _pair(
    a: RoleBatch,
    f: tuple[int, int],
    b: RoleBatch,
    g: tuple[int, int],
    scheme: Scheme,
    inner: Callable[[int, int], float] | None = None,
) -> FramePair:
    """Two frames, each a sentence and a place in it, compared by themselves."""
    rows = int(a.frames.indptr[f[0]]) + f[1], int(b.frames.indptr[g[0]]) + g[1]
    same = bool(a.places[1][rows[0]] == b.places[1][rows[1]])
    said = int(a.said[rows[0]]), int(b.said[rows[1]])
    comparison = scheme.compare(a.frame(*f), b.frame(*g), same, said, inner)
    return FramePair(f[1], g[1], (f[1], g[1]), comparison, 1.0)
