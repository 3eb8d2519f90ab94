"""The numba kernels behind the hybrid: the terms of many pairs, and what they make.

They run over the arrays of two role batches and the cosines of the whole sentences, in plain
Python threads, and give the same for any number of threads; ``compsim.hybrid.terms`` is their slow
twin.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from compsim.hybrid.scheme import HybridScheme, combine, total
from compsim.hybrid.terms import groups
from compsim.kernels.assignment import assign
from compsim.kernels.compilation import compiled
from compsim.kernels.ragged import read_only
from compsim.kernels.threads import in_chunks
from compsim.roles import Inventory
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.kernel import (
    assignment_room,
    pair_frames,
    pair_phrases,
    product,
    room_for,
)
from compsim.rolesim.scheme import NEAR, Scheme

__all__ = ["matrix", "pair_terms", "scores", "warm_up"]

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD = 4096

for step in (combine, total):
    register_jitable(step)


@register_jitable(forceinline=True, _nrt=False)
def _alike(a: Any, p: int, b: Any, q: int, words: int, answer: float) -> float:
    """What the words of phrase p of a and phrase q of b are alike, whatever their features."""
    if a.open[p] != b.open[q]:
        return answer
    total = np.float32(0.0)
    for k in range(words):
        total += a.vector[p, k] * b.vector[q, k]
    return max(0.0, min(1.0, float(total)))


@register_jitable(_nrt=False)
def _exchange(
    a: Any, f: int, b: Any, g: int, lines: Any, pairs: int, exchanging: Any, answer: float
) -> float:
    """What the phrases of two frames would gain if roles did not matter within their group.

    They are compared by their words: "to Rome" that became "from Rome" changed places too.
    """
    group, words, (worth, mine, its, taken, found) = exchanging
    n = m = 0
    for p in range(a.phrase[f], a.phrase[f + 1]):
        if group[a.role[p]] >= 0:
            mine[n] = p
            n += 1
    for q in range(b.phrase[g], b.phrase[g + 1]):
        if group[b.role[q]] >= 0:
            its[m] = q
            m += 1
    for i in range(n):
        for j in range(m):
            alike = 0.0
            if group[a.role[mine[i]]] == group[b.role[its[j]]]:
                alike = _alike(a, mine[i], b, its[j], words, answer)
            worth[j * n + i if n > m else i * m + j] = alike
    gain = assign(worth, min(n, m), max(n, m), found, taken)
    for k in range(pairs):
        p, q = lines[0][k], lines[1][k]
        if group[a.role[p]] >= 0 and group[a.role[p]] == group[b.role[q]]:
            gain -= _alike(a, p, b, q, words, answer)
    return gain if gain > NEAR else 0.0


@register_jitable(_nrt=False)
def _half_cover(a: Any, i: int, b: Any, j: int, weight: Any) -> tuple[float, float]:
    """The content of sentence i of a that sentence j of b has too, and all of it."""
    shared = 0.0
    everything = 0.0
    for f in range(a.frame[i], a.frame[i + 1]):
        if a.reading[f] >= 0:
            continue
        for p in range(a.phrase[f], a.phrase[f + 1]):
            best = 0.0
            for g in range(b.frame[j], b.frame[j + 1]):
                if b.reading[g] >= 0:
                    continue
                for q in range(b.phrase[g], b.phrase[g + 1]):
                    whole = product(a.vector, p, b.vector, q, a.vector.shape[1])
                    alike = whole - a.offset[p] - b.offset[q]
                    best = max(best, min(1.0, alike))
            said = weight[a.role[p]] * a.amount[p]
            shared += said * best
            everything += said
    return shared, everything


@register_jitable(_nrt=False)
def _content(a: Any, f: int, weight: Any) -> float:
    """What the phrases of frame f of a say together."""
    content = 0.0
    for p in range(a.phrase[f], a.phrase[f + 1]):
        content += weight[a.role[p]] * a.amount[p]
    return content


@register_jitable(_nrt=False)
def _terms(
    a: Any, i: int, b: Any, j: int, scheme: Any, weights: Any, room: Any, exchanging: Any
) -> tuple[float, float, float, float]:
    """The fields of ``Terms`` for sentences i of a and j of b; NaN where one has no frame.

    ``exchanging`` are the groups of roles that exchange phrases, and room to pair these.
    """
    weight, _, (_, _, _, answer), _ = scheme
    lines, cosine = room.work[0], room.work[1]
    count = pair_frames(a, i, b, j, scheme, weights, room)
    if count == 0:
        return np.nan, 0.0, 0.0, 0.0
    roles = exchange = compared = content = 0.0
    for row in range(count):
        roles += room.worth[row]
        share, f, g = room.share[row], room.first[row], room.second[row]
        if share <= 0.0:
            continue
        pairs, _ = pair_phrases(a, f, b, g, scheme, lines, cosine)
        first, second, role = lines
        verb = 0.0
        for k in range(pairs):
            p, q = first[k], second[k]
            if role[k] == 0:
                verb = cosine[k]
            like = 1.0 if a.role[p] == b.role[q] else max(0.0, cosine[k])
            compared += share * like * weight[role[k]] * (a.amount[p] + b.amount[q]) / 2
        content += share * (_content(a, f, weight) + _content(b, g, weight)) / 2
        if verb > 0.0:
            gain = verb * _exchange(a, f, b, g, lines, pairs, exchanging, answer) / 2
            exchange += share * min(1.0, gain)
    mine, all_mine = _half_cover(a, i, b, j, weight)
    its, all_its = _half_cover(b, j, a, i, weight)
    said = all_mine + all_its
    cover = (mine + its) / said if said > 0.0 else 0.0
    comparable = compared / content if content > 0.0 else 0.0
    return roles, comparable, exchange, cover


@register_jitable(_nrt=False)
def _score(
    whole: float, roles: float, comparable: float, exchange: float, cover: float, rule: Any
) -> float:
    """The score by the constants of a scheme; that of the whole sentences without a role score."""
    if math.isnan(roles):
        return whole
    return total(combine(whole, roles, comparable, exchange, cover, rule), roles)


@register_jitable
def _exchanging(group: Any) -> Any:
    """The group of each role, how many coordinates are words, and room to pair phrases."""
    of_role, words = group
    size = len(of_role)
    whole = np.empty((3, size), dtype=np.int64)
    return (
        of_role,
        words,
        (np.empty(size * size), whole[0], whole[1], whole[2], assignment_room(size)),
    )


@compiled()
def _pairwise(
    a: Any, b: Any, scheme: Any, weights: Any, room: Any, group: Any,
    start: int, stop: int, out: Any,
) -> None:  # fmt: skip
    """The terms of row i of a and row i of b for i in start..stop, into out (n, 4)."""
    place, exchanging = room_for(room[0], room[1]), _exchanging(group)
    for i in range(start, stop):
        found = _terms(a, i, b, i, scheme, weights, place, exchanging)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = found


@compiled()
def _scores(whole: Any, terms: Any, rule: Any, out: Any) -> None:
    """The scores of pairs by their terms (n, 4), into out (n,)."""
    for i in range(len(whole)):
        out[i] = _score(whole[i], terms[i, 0], terms[i, 1], terms[i, 2], terms[i, 3], rule)


@compiled()
def _matrix(
    a: Any, b: Any, scheme: Any, weights: Any, room: Any, group: Any, whole: Any, rule: Any,
    rows: Any, start: int, stop: int, out: Any,
) -> None:  # fmt: skip
    """All rows of a against rows[start:stop] of b, into out (n, m); whole is float32 (n, m)."""
    place, exchanging = room_for(room[0], room[1]), _exchanging(group)
    for j in range(start, stop):
        for i in range(len(a.frame) - 1):
            r, c, e, k = _terms(a, i, b, rows[j], scheme, weights, place, exchanging)
            out[i, j] = _score(whole[i, j], r, c, e, k, rule)


def pair_terms(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> npt.NDArray[np.float64]:
    """The fields of ``Terms`` for row i of a and row i of b: float64 (n, 4).

    The role score is NaN where a sentence has no parse.
    """
    out = np.zeros((len(a), 4), dtype=np.float64)
    _run(_pairwise, _arguments(a, b, scheme), out, len(a), 1)
    return out


def scores(
    whole: npt.NDArray[np.float64], terms: npt.NDArray[np.float64], rule: HybridScheme
) -> npt.NDArray[np.float64]:
    """Scores of pairs, float64 (n,), by the cosines ``whole`` (n,) and what ``pair_terms`` gives.

    Without a role score it is the cosine.
    """
    out = np.zeros(len(whole), dtype=np.float64)
    _scores(whole, terms, _constants(rule), out)
    return out


def matrix(
    whole: npt.NDArray[np.float32],
    a: RoleBatch,
    b: RoleBatch,
    scheme: Scheme,
    rule: HybridScheme,
    rows: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.float32]:
    """Scores of every row of a against every row of b, or some: float32 (n, m), as is ``whole``.

    ``rows`` (m,) are those of b, in any order.
    """
    rows = np.arange(len(b)) if rows is None else np.ascontiguousarray(rows, dtype=np.int64)
    out = np.zeros((len(a), len(rows)), dtype=np.float32)
    given = read_only(np.ascontiguousarray(whole)), _constants(rule), read_only(rows)
    _run(_matrix, (*_arguments(a, b, scheme), *given), out, len(rows), len(a))
    return out


def warm_up() -> None:
    """Compile the kernels, or load their machine code, ahead of the first call."""
    batch = RoleBatch.of_arrays([0, 1], [0], np.ones((1, 1), dtype=np.float32), roles=("Verb",))
    scheme = Scheme(Inventory("warm-up", ("Verb",)), (1.0,))
    rule = HybridScheme(1, 1, 0.5, 1, 1, 0.5)
    scores(np.ones(1), pair_terms(batch, batch, scheme), rule)
    matrix(np.ones((1, 1), dtype=np.float32), batch, batch, scheme, rule)


def _constants(rule: HybridScheme) -> tuple[float, ...]:
    return tuple(map(float, rule.weights))


def _arguments(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> tuple[Any, ...]:
    a.check_with(b, scheme)
    weights = tuple(map(read_only, (a.frame_weights(scheme), b.frame_weights(scheme))))
    room = max(a.widest, b.widest), max(a.most, b.most, 1)
    exchanging = groups(scheme.roles), a.words
    return a.arrays, b.arrays, scheme.arrays, weights, room, exchanging


def _run(
    kernel: Any, given: tuple[Any, ...], out: npt.NDArray[Any], count: int, pairs_per_row: int
) -> None:
    in_chunks(
        lambda start, stop: kernel(*given, start, stop, out),
        count,
        enough=count * pairs_per_row // _PAIRS_PER_THREAD,
    )
