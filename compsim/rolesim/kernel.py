"""The numba kernels that turn two role batches and a scheme into scores.

All of them run one scalar function, ``_sentence``, over pairs of rows. They hold no lock and no
thread pool of their own: threads are plain Python threads over chunks of rows, so a kernel may be
called from many threads and after a fork, and the result is the same for any number of threads.

>>> import numpy as np
>>> x = np.eye(2, dtype=np.float32)
>>> roles = Inventory("toy", ("Verb", "Agent"))
>>> a = RoleBatch.of_arrays([0, 2], [0, 1], x, roles=roles.roles)
>>> b = RoleBatch.of_arrays([0, 2], [0, 1], x[[0, 0]], roles=roles.roles)
>>> pairwise(a, b, Scheme(roles, (3.0, 1.0)))
array([0.75])
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from compsim.errors import InputError
from compsim.kernels import assignment
from compsim.kernels.assignment import Assignment
from compsim.kernels.compilation import compiled
from compsim.kernels.ragged import read_only
from compsim.kernels.threads import in_chunks
from compsim.roles import Inventory
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.clauses import EXACT, pair_up
from compsim.rolesim.scheme import (
    NEAR,
    Scheme,
    agreement,
    divisor,
    match,
    meets,
    similarity,
    with_clauses,
)

__all__ = [
    "Room",
    "assignment_room",
    "frame_pairs",
    "likeness",
    "matrix",
    "one_to_many",
    "pair_frames",
    "pair_phrases",
    "pairwise",
    "product",
    "room_for",
    "warm_up",
]

#: Rows of the second batch that stay in the cache while rows of the first pass over them.
_TILE: Final = 32

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 8192


# Only the flags that let a sum be split into vector lanes: NaN and infinity keep their meaning.
@compiled(fastmath={"reassoc", "contract", "nsz"})
def product(a: Any, i: int, b: Any, j: int, stop: int) -> float:
    """Product of row i of a and row j of b, float32 (rows, dim), up to column ``stop``."""
    total = np.float32(0.0)
    for k in range(stop):
        total += a[i, k] * b[j, k]
    return float(total)


# The steps become one with the loop: calls, and counting who holds an array, take time otherwise.
for rule in (match, meets, divisor, similarity, agreement, with_clauses):
    register_jitable(forceinline=True, _nrt=False)(rule)
for step in (pair_up, *vars(assignment).values()):
    if isfunction(step):
        register_jitable(step)


@register_jitable(forceinline=True, _nrt=False)
def likeness(a: Any, i: int, b: Any, j: int, answer: float) -> float:
    """What phrase i of a and phrase j of b are alike."""
    asked = a.open[i] != b.open[j]
    whole = product(a.vector, i, b.vector, j, a.vector.shape[1])
    return similarity(whole, a.offset[i], b.offset[j], asked, answer)


@register_jitable(_nrt=False)
def _pair_by_likeness(
    a: Any, b: Any, lines: Any, size: int, pairs: int, left: int, cosine: Any, answer: float
) -> int:
    """Pair what is left, the most alike first; as ``Scheme`` does. Returns the number of pairs."""
    first, second, role = lines
    while True:
        best = -2.0
        x = y = -1
        for k in range(size, size + left):
            if role[k] < 0:
                continue
            for line in range(k + 1, size + left):
                if role[line] < 0 or (first[k] < 0) == (first[line] < 0):
                    continue
                i, j = max(first[k], first[line]), max(second[k], second[line])
                alike = likeness(a, i, b, j, answer)
                if alike > best + NEAR:
                    best = alike
                    x, y = k, line
        if x < 0:
            return pairs
        first[pairs], second[pairs] = max(first[x], first[y]), max(second[x], second[y])
        role[pairs] = min(role[x], role[y])
        cosine[pairs] = best
        role[x] = role[y] = -1
        pairs += 1


@register_jitable(_nrt=False)
def pair_phrases(
    a: Any, f: int, b: Any, g: int, scheme: Any, lines: Any, cosine: Any
) -> tuple[int, int]:
    """Pair the phrases of frame f of a with those of frame g of b.

    Returns the number of pairs, which come first in ``lines`` and ``cosine``, and of the lines left
    over, which begin where all phrases would have a line. ``a`` and ``b`` are ``RoleBatch.arrays``,
    ``scheme`` is ``Scheme.arrays``.
    """
    _, align, (_, _, free, answer), _ = scheme
    first, second, role = lines
    p, p_stop, q, q_stop = a.phrase[f], a.phrase[f + 1], b.phrase[g], b.phrase[g + 1]
    size = p_stop - p + q_stop - q
    pairs, left = match(a.role, p, p_stop, b.role, q, q_stop, align, first, second, role)
    for k in range(pairs):
        cosine[k] = likeness(a, first[k], b, second[k], answer)
    if free and left > 1:
        pairs = _pair_by_likeness(a, b, lines, size, pairs, left, cosine, answer)
    return pairs, left


@register_jitable(forceinline=True, _nrt=False)
def _told(a: Any, f: int) -> bool:
    """Whether frame f has a predicate: its role is the first."""
    return bool(a.phrase[f] < a.phrase[f + 1] and a.role[a.phrase[f]] == 0)


@register_jitable(_nrt=False)
def _score(
    a: Any, f: int, b: Any, g: int, scheme: Any, lines: Any, cosine: Any, verbs: Any, k: int,
    within: float, clauses: Any, steps: tuple[int, int],
) -> float:  # fmt: skip
    """Score of frame f of a against frame g of b, -2 for readings whose predicates do not meet.

    ``verbs[k]`` is the cosine of the predicates of the two frames as they are told: set by these,
    asked of their readings. ``lines`` and ``cosine`` are room to work. ``within`` is the share that
    ``clauses`` have, which tell how alike clause x of a and y of b are at x and y times ``steps``.
    """
    a_role, a_amount = a.role, a.amount
    b_role, b_amount = b.role, b.amount
    weight, _, (fixed, share, _, _), (_, negation, opposition, _) = scheme
    first, second, role = lines
    size = a.phrase[f + 1] - a.phrase[f] + b.phrase[g + 1] - b.phrase[g]
    a_reads, b_reads = a.reading[f] >= 0, b.reading[g] >= 0
    a_told, b_told = _told(a, f), _told(b, g)
    if a_reads and b_reads and not (a_told or b_told):
        return -2.0
    pairs, left = pair_phrases(a, f, b, g, scheme, lines, cosine)
    if within > 0.0:
        for p in range(pairs):
            x, y = a.clause[first[p]], b.clause[second[p]]
            if x >= 0 and y >= 0:
                alike = clauses[x * steps[0] + y * steps[1]]
                cosine[p] = with_clauses(cosine[p], alike, within)
    verb = 0.0
    said = 0.0
    told = -1
    for p in range(pairs):
        if role[p] == 0:
            verb = cosine[p]
        if a_role[first[p]] == a.said[f] and b_role[second[p]] == b.said[g]:
            said = cosine[p]
            told = p
    if not (a_reads or b_reads):
        verbs[k] = verb
    if not meets(verb, verbs[k], a_reads, b_reads, a_told, b_told):
        return -2.0
    # Features never make two words more alike: without them only what is below 0 matters.
    words = said
    if told >= 0 and said < 0.0:
        words = product(a.vector, first[told], b.vector, second[told], a.words)
    counted, factor = agreement(said, words, a.polarity[f] == b.polarity[g], negation, opposition)
    total = 0.0
    matched = 0.0
    alone = 0.0
    for p in range(pairs):
        if p == told:
            cosine[p] = counted
        w = weight[role[p]] * (a_amount[first[p]] + b_amount[second[p]]) / 2
        total += w * cosine[p]
        matched += w
    for p in range(size, size + left):
        if role[p] >= 0:
            alone += weight[role[p]] * (
                a_amount[first[p]] if first[p] >= 0 else b_amount[second[p]]
            )
    n = divisor(fixed, share, matched, alone)
    return factor * total / n if n > 0.0 else 0.0


@register_jitable(_nrt=False)
def _holds(a: Any, f: int, f_stop: int) -> bool:
    """Whether a phrase of frames f..f_stop holds a clause."""
    clause = -1
    for p in range(a.phrase[f], a.phrase[f_stop]):
        clause = max(clause, a.clause[p])
    return clause >= 0


@register_jitable(_nrt=False)
def _score_frames(
    a: Any, i: int, b: Any, j: int, scheme: Any, room: Any, steps: tuple[int, int], within: float
) -> None:
    """Score each frame of sentence i of a against each of sentence j of b, by the best readings.

    Frame x of a and y of b are at x and y times ``steps`` in the scores of ``room``; with
    ``within``, only those are scored anew whose phrases hold clauses, by the scores of these.
    """
    lines, cosine, verbs, _, score, clauses, _, _, _ = room.work
    f, g = a.frame[i], b.frame[j]
    for x in range(f, a.frame[i + 1]):
        own = x - f if a.reading[x] < 0 else a.reading[x]
        if within > 0.0 and not _holds(a, f + own, f + own + 1):
            continue
        for y in range(g, b.frame[j + 1]):
            other = y - g if b.reading[y] < 0 else b.reading[y]
            if within > 0.0 and not _holds(b, g + other, g + other + 1):
                continue
            k = own * steps[0] + other * steps[1]
            if x == f + own and y == g + other:  # as they are told, before any reading
                score[k] = -2.0
            alike = _score(a, x, b, y, scheme, lines, cosine, verbs, k, within, clauses, steps)
            if alike > score[k] + NEAR:
                score[k] = alike
                room.chosen[0, k] = x
                room.chosen[1, k] = y


@register_jitable(_nrt=False)
def pair_frames(a: Any, i: int, b: Any, j: int, scheme: Any, weights: Any, room: Any) -> int:
    """Pair the frames of sentence i of a with those of sentence j of b; the number of pairs.

    Into ``room.share`` what each pair weighs in the whole, into ``room.worth`` what it adds, into
    ``room.first`` and ``room.second`` the frames, or the readings that stand in for them.
    ``weights`` are ``RoleBatch.frame_weights`` of both, ``room`` is what ``room_for`` makes.
    """
    worth, score, clauses, partner, taken, found = room.work[3:]
    f, f_stop, g, g_stop = a.frame[i], a.frame[i + 1], b.frame[j], b.frame[j + 1]
    if f == f_stop or g == g_stop:
        return 0
    if f_stop - f == 1 and g_stop - g == 1:
        lines, cosine, verbs = room.work[:3]
        steps = 0, 0
        room.worth[0] = _score(a, f, b, g, scheme, lines, cosine, verbs, 0, 0.0, clauses, steps)
        room.share[0] = 1.0
        room.first[0] = f
        room.second[0] = g
        return 1
    n = m = 0
    for x in range(f, f_stop):
        n += a.reading[x] < 0
    for y in range(g, g_stop):
        m += b.reading[y] < 0
    # The shorter side in rows.
    turned = n > m
    rows, columns = (m, n) if turned else (n, m)
    u, v = weights
    steps = (1, columns) if turned else (columns, 1)
    _score_frames(a, i, b, j, scheme, room, steps, 0.0)
    within = scheme[3][3]
    if within > 0.0 and _holds(a, f, f_stop) and _holds(b, g, g_stop):
        for k in range(n * m):
            clauses[k] = score[k]
        _score_frames(a, i, b, j, scheme, room, steps, within)
    for x in range(n):
        for y in range(m):
            k = x * steps[0] + y * steps[1]
            worth[k] = max(0.0, score[k]) * (u[f + x] + v[g + y]) / 2
    pair_up(worth, rows, columns, partner, taken, found)
    n_all = 0.0
    left = 0.0
    for x in range(n):
        left += u[f + x]
    for y in range(m):
        left += v[g + y]
    for row in range(rows):
        own, other = (partner[row], row) if turned else (row, partner[row])
        both = u[f + own] + v[g + other]
        room.share[row] = both / 2
        n_all += both / 2
        left -= both
    n_all += scheme[3][0] * max(0.0, left)
    for row in range(rows):
        k = row * columns + partner[row]
        room.first[row] = room.chosen[0, k]
        room.second[row] = room.chosen[1, k]
        room.worth[row] = worth[k] / n_all if n_all > 0.0 else 0.0
        room.share[row] = room.share[row] / n_all if worth[k] > 0.0 and n_all > 0.0 else 0.0
    return rows


@register_jitable(_nrt=False)
def _sentence(a: Any, i: int, b: Any, j: int, scheme: Any, weights: Any, room: Any) -> float:
    """Score of sentence i of a against sentence j of b; 0 where one has no frame."""
    total = 0.0
    for row in range(pair_frames(a, i, b, j, scheme, weights, room)):
        total += room.worth[row]
    return total


class Room(NamedTuple):
    """Room to work: what ``pair_frames`` tells of each pair, and what only it uses."""

    worth: Any
    share: Any
    first: Any
    second: Any
    chosen: Any
    work: Any


@register_jitable
def assignment_room(size: int) -> Any:
    """Room for the assignment of so many to as many."""
    side = size + 1
    return Assignment(
        np.empty(side),
        np.empty(side),
        np.empty(side),
        np.empty(side, dtype=np.int64),
        np.empty(side, dtype=np.int64),
        np.empty(side, dtype=np.int64),
        np.empty(side, dtype=np.int64),
    )


@register_jitable
def room_for(phrases: int, frames: int) -> Any:
    """Room for sentences of so many frames, each of so many phrases."""
    lines = np.empty((3, 4 * phrases), dtype=np.int64)
    found = assignment_room(min(frames, EXACT))
    work = (
        (lines[0], lines[1], lines[2]),
        np.empty(2 * phrases),
        np.empty(frames * frames),
        np.empty(frames * frames),
        np.empty(frames * frames),
        np.empty(frames * frames),
        np.empty(frames, dtype=np.int64),
        np.empty(frames, dtype=np.int64),
        found,
    )
    return Room(
        np.empty(frames),
        np.empty(frames),
        np.empty(frames, dtype=np.int64),
        np.empty(frames, dtype=np.int64),
        np.empty((2, frames * frames), dtype=np.int64),
        work,
    )


@compiled()
def _pairwise(
    a: Any, b: Any, scheme: Any, weights: Any, room: Any, start: int, stop: int, out: Any
) -> None:
    """Row i of a against row i of b for i in start..stop, into out (n,); ``room`` to work."""
    for i in range(start, stop):
        out[i] = _sentence(a, i, b, i, scheme, weights, room)


@compiled()
def _matrix(
    a: Any, b: Any, scheme: Any, weights: Any, room: Any, start: int, stop: int, out: Any
) -> None:
    """All rows of a against rows start..stop of b, into out (n, m)."""
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        for i in range(len(a.frame) - 1):
            for j in range(tile, tile_stop):
                out[i, j] = _sentence(a, i, b, j, scheme, weights, room)


def frame_pairs(
    a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme
) -> list[tuple[int, int, float]]:
    """The frames of sentence i of a and j of b that are compared, as ``compare_pairs`` has them."""
    a.check_with(b, scheme)
    x, y = a[[i]], b[[j]]
    first, second, rule, weights, room = _arguments(x, y, scheme)
    place = room_for(*room)
    _pairwise(first, second, rule, weights, place, 0, 1, np.empty(1))
    count = min(int((one.places[2] < 0).sum()) for one in (x, y))
    found = place.first, place.second, place.share
    return list(zip(*(column[:count].tolist() for column in found), strict=True))


def pairwise(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Scores of row i of a against row i of b: float64 (n,).

    Raises ``InputError`` for batches of unequal length, roles or vector size.
    """
    a.check_with(b, scheme)
    if len(a) != len(b):
        raise InputError(
            f"pairwise similarity got {len(a)} and {len(b)} sentences: give as many of each"
        )
    out = np.zeros(len(a), dtype=np.float64)
    _run(_pairwise, a, b, scheme, out, len(a), 1, threads)
    return out


def matrix(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float32]:
    """Scores of every row of a against every row of b: float32 (n, m).

    Raises ``InputError`` for batches of unequal roles or vector size.
    """
    a.check_with(b, scheme)
    if len(a) > len(b):  # a pair scores the same in both orders; the longer side is split up
        return np.ascontiguousarray(matrix(b, a, scheme, threads).T)
    out = np.zeros((len(a), len(b)), dtype=np.float32)
    _run(_matrix, a, b, scheme, out, len(b), len(a), threads)
    return out


def one_to_many(
    query: RoleBatch, documents: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float32]:
    """Scores of one sentence against every document: float32 (m,)."""
    if len(query) != 1:
        raise InputError(f"one_to_many got {len(query)} queries: give one, or use matrix")
    row: npt.NDArray[np.float32] = matrix(query, documents, scheme, threads).reshape(-1)
    return row


def warm_up() -> None:
    """Compile the kernels, or load their machine code, ahead of the first call."""
    batch = RoleBatch.of_arrays([0, 1], [0], np.ones((1, 1), dtype=np.float32), roles=("Verb",))
    scheme = Scheme(Inventory("warm-up", ("Verb",)), (1.0,))
    pairwise(batch, batch, scheme, threads=1)
    matrix(batch, batch, scheme, threads=1)


def _run(
    kernel: Callable[..., None],
    a: RoleBatch,
    b: RoleBatch,
    scheme: Scheme,
    out: npt.NDArray[Any],
    count: int,
    pairs_per_row: int,
    threads: int | None,
) -> None:
    """Run a kernel over 0..count, in several threads where there is enough to do."""
    *arguments, room = _arguments(a, b, scheme)
    in_chunks(
        lambda start, stop: kernel(*arguments, room_for(*room), start, stop, out),
        count,
        enough=count * pairs_per_row // _PAIRS_PER_THREAD,
        tile=_TILE,
        threads=threads,
    )


def _arguments(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> tuple[Any, ...]:
    """Both batches and the scheme as the kernels take them, and what ``room_for`` asks."""
    weights = a.frame_weights(scheme), b.frame_weights(scheme)
    room = max(a.widest, b.widest), max(a.most, b.most, 1)
    return a.arrays, b.arrays, scheme.arrays, tuple(map(read_only, weights)), room
