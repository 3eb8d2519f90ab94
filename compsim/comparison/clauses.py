"""Long texts compared clause by clause, in linear time and memory.

The comparison of two graphs takes time in proportion to the product of their sizes. A text of more
than ``LONG`` concepts is cut where fewest edges cross: between sentences, and inside of long ones
between clauses. Each clause is compared with the one of the other text that is most like it, as two
sentences are, and the terms are those of all such pairs together: agreement, gap, coverage and
fillers by weight, conflicts of a type as those of one pair are.

A clause meets few others: those at the same stretch of the other text, and those that have all of
its concepts, or one or two of its heaviest. What is left goes round again, so that every clause of
the shorter text has a partner whatever the order of its sentences. Concepts that have no partner
then are aligned one by one in the same way, wherever they stand.

>>> from compsim.comparison.batch import ConceptEncoder
>>> from compsim.parsers import load
>>> texts = "The dog bit the man. The cat slept.", "The cat slept. The man was bitten by a dog."
>>> batch = ConceptEncoder.open("builtin").encode(load("concepts").parse(texts))
>>> compared = compare_clauses(batch, 0, batch, 1)
>>> compared.pairs
[(0, 4), (1, 3), (2, 2), (3, 0), (4, 1)]
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS, TERMS
from compsim.comparison.packed import unpacked
from compsim.comparison.pairs import agreement, precedes, qualifies
from compsim.comparison.rest import rest_likeness
from compsim.comparison.single import (
    Compared,
    compare_one,
    compared_in,
    kernel_is_loaded,
    make_trace,
)
from compsim.kernels.cosine import unit_rows
from compsim.kernels.ragged import read_only

if TYPE_CHECKING:
    from compsim.comparison.batch import ConceptArrays, ConceptBatch
    from compsim.comparison.trace import Trace

__all__ = ["LONG", "compare_clauses", "compare_pair"]

#: Concepts of a text beyond which it is compared clause by clause: some twelve long sentences.
LONG: Final = 256
#: Pairs of concepts that are compared faster in plain Python than compiled code is loaded.
_FEW: Final = 4096
#: Concepts of a clause, at most; from half of it on it is cut where fewest edges cross.
_CLAUSE: Final = 48
#: Clauses on either side of the same place in the other text that a clause meets.
_NEAR: Final = 8
#: Of a clause's concepts, how many of the heaviest find other clauses that have them, one by one or
#: two at a time, and how many clauses each finds.
_HEAVY, _MET = 4, 4
#: Pairs of clauses whose similarity is computed at a time.
_AT_ONCE: Final = 1 << 14
#: How often what is left without a partner looks for one.
_ROUNDS: Final = 8
#: Similarities that differ by less are one.
_STEPS: Final = 1e6
_CONFLICTS: Final = slice(TERMS.index(CONFLICTS[0]), TERMS.index(CONFLICTS[-1]) + 1)
_FILLERS, _COVERAGE = TERMS.index("fillers"), TERMS.index("coverage")
_ADDITION, _REST = TERMS.index("addition"), TERMS.index("rest")

#: The columns of nodes and of edges.
_NODE: Final = ("lemma", "kind", "negated", "features", "weight")
_EDGE: Final = ("source", "target", "role", "confidence")

Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class _Clauses(NamedTuple):
    """A text as a batch of clauses; ``start`` (clauses + 1) are their first concepts.

    ``weight`` (concepts) and ``share`` (clauses) are parts of the text's weight, ``vector``
    (clauses, dim) the weighted means of their concepts at unit length, ``keys`` int64 (clauses,
    keys) what other clauses are found by, 0 for nothing.
    """

    arrays: ConceptArrays
    start: Places
    weight: Floats
    share: Floats
    vector: npt.NDArray[np.float32]
    keys: Places


def compare_pair(a: ConceptBatch, i: int, b: ConceptBatch, j: int) -> Compared:
    """Compare row i of a with row j of b, as is best for texts of their sizes."""
    n, m = int(a.sizes[i]), int(b.sizes[j])
    if max(n, m) > LONG and min(n, m) > 0:
        return compare_clauses(a, i, b, j)
    if n * m > _FEW or (n * m > 0 and kernel_is_loaded()):
        from compsim.comparison.kernel import compare_each

        (compared,) = compare_each(a[i : i + 1].arrays, b[j : j + 1].arrays, [(0, 0)])
        return compared
    terms, room, _, _ = compare_one(a, i, b, j)
    return compared_in(room, terms, n, m)


def compare_clauses(a: ConceptBatch, i: int, b: ConceptBatch, j: int) -> Compared:
    """Compare row i of a with row j of b clause by clause; neither may be without concepts."""
    x, y = a[i : i + 1].arrays, b[j : j + 1].arrays
    turned = precedes(y, 0, x, 0)
    if turned:
        x, y = y, x
    return _compare(_cut(x), _cut(y), turned)


def _compare(x: _Clauses, y: _Clauses, turned: bool) -> Compared:
    """Compare two texts that stand in the order that does not depend on which came first."""
    from compsim.comparison.kernel import compare_each

    trace = make_trace()
    pairs: list[tuple[int, int]] = []
    like: list[float] = []
    terms = np.zeros(len(TERMS))
    free = np.ones(len(CONFLICTS))
    rows = _partners(x, y)
    for (u, v), result in zip(rows, compare_each(x.arrays, y.arrays, rows), strict=True):
        starts = int(x.start[u]), int(y.start[v])
        pairs += [(p + starts[0], q + starts[1]) for p, q in result.pairs]
        like += result.like
        _copy_conflicts(result, starts, trace)
        free *= 1.0 - result.terms[_CONFLICTS]
        covered = 0.5 * (x.share[u] + y.share[v]) * result.terms[_COVERAGE]
        terms[_COVERAGE] += covered
        terms[_FILLERS] += covered * result.terms[_FILLERS]
    if terms[_COVERAGE] > 0.0:
        terms[_FILLERS] /= terms[_COVERAGE]
    terms[_CONFLICTS] = 1.0 - free
    _align_rest(x, y, pairs, like)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    alone = [np.delete(side.weight, ends[:, k]).sum() for k, side in enumerate((x, y))]
    terms[1] = 0.5 * sum(alone)
    terms[_ADDITION] = abs(_added(x, ends[:, 0]) - _added(y, ends[:, 1]))
    # What does not agree is taken off, so that a text is exactly like itself.
    unlike = 1.0 - np.array(like)
    found_in = (
        1.0 - alone[k] - float(side.weight[ends[:, k]] @ unlike) for k, side in enumerate((x, y))
    )
    terms[0] = max(0.0, agreement(*found_in))
    one, other = (_rest(side, ends[:, k], unlike) for k, side in enumerate((x, y)))
    terms[_REST] = rest_likeness(float(one @ other))
    if turned:
        pairs = [(p, q) for q, p in pairs]
    order = sorted(range(len(pairs)), key=pairs.__getitem__)
    ordered = [pairs[k] for k in order], [like[k] for k in order]
    return Compared(np.minimum(terms, 1.0), *ordered, trace, turned)


def _added(x: _Clauses, aligned: Places) -> float:
    """Return the weight of what a text says besides of the concepts that are aligned."""
    partner = np.full(len(x.weight), -1)
    partner[aligned] = 0
    added = 0.0
    for u, (start, stop) in enumerate(pairwise(x.arrays.node.tolist())):
        for p in np.flatnonzero(partner[start:stop] < 0).tolist():
            if qualifies(x.arrays, u, p, partner[start:stop]):
                added += float(x.weight[start + p])
    return added


def _rest(x: _Clauses, aligned: Places, unlike: Floats) -> npt.NDArray[np.float32]:
    """Return what is left of a text as a unit vector (dim,), or zero: see ``rest``."""
    left = x.weight.copy()
    left[aligned] *= unlike
    vectors = unpacked(x.arrays.vector[x.arrays.lemma])
    rest: npt.NDArray[np.float32] = unit_rows((left @ vectors)[None].astype(np.float32))[0]
    return rest


def _align_rest(x: _Clauses, y: _Clauses, pairs: list[tuple[int, int]], like: list[float]) -> None:
    """Add pairs of the concepts that the comparison of clauses has left without a partner."""
    from compsim.comparison.kernel import compare_each

    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    rest = [np.delete(np.arange(len(side.weight)), ends[:, k]) for k, side in enumerate((x, y))]
    first, second = (_single(side, left) for side, left in zip((x, y), rest, strict=True))
    rows = _partners(first, second)
    for (p, q), result in zip(rows, compare_each(first.arrays, second.arrays, rows), strict=True):
        if result.pairs:
            pairs.append((int(rest[0][p]), int(rest[1][q])))
            like += result.like


def _single(x: _Clauses, concepts: Places) -> _Clauses:
    """Some concepts of a text as clauses of their own, without edges."""
    arrays, none = x.arrays, slice(0, 0)
    start = np.arange(len(concepts) + 1)
    nodes = {name: read_only(getattr(arrays, name)[concepts]) for name in _NODE}
    edges = {name: getattr(arrays, name)[none] for name in _EDGE}
    result = arrays._replace(
        node=read_only(start),
        edge=read_only(np.zeros_like(start)),
        **nodes,
        **edges,
        word=read_only(np.zeros_like(start)),
    )
    lemma, weight = result.lemma, x.weight[concepts]
    return _Clauses(
        result, start, weight, weight, unpacked(result.vector[lemma]), result.key[lemma][:, None]
    )


def _copy_conflicts(result: Compared, starts: tuple[int, int], trace: Trace) -> None:
    """Add the conflicts of two clauses that begin at these concepts, as far as there is room."""
    done = int(trace.count[0])
    count = min(int(result.trace.count[0]), len(trace.kind) - done)
    for name in ("kind", "cause", "strength"):
        getattr(trace, name)[done : done + count] = getattr(result.trace, name)[:count]
    nodes = result.trace.nodes[:count]
    if result.turned:
        nodes = nodes[:, [1, 0, 3, 2]]
    trace.nodes[done : done + count] = np.where(nodes >= 0, nodes + np.tile(starts, 2), -1)
    trace.count[0] = done + count


def _cut(x: ConceptArrays) -> _Clauses:
    """Cut the one text of a batch into clauses."""
    count = int(x.node[1])
    low, high = np.minimum(x.source, x.target), np.maximum(x.source, x.target)
    change = np.zeros(count + 1, dtype=np.int64)
    np.add.at(change, low + 1, 1)
    np.add.at(change, high + 1, -1)
    start = _starts(np.cumsum(change)[:count], count)
    clause = np.searchsorted(start, x.source, side="right") - 1
    inside = np.flatnonzero(clause == np.searchsorted(start, x.target, side="right") - 1)
    inside = inside[np.argsort(clause[inside], kind="stable")]
    clause = clause[inside]
    edge = np.searchsorted(clause, np.arange(len(start)))
    arrays = x._replace(
        node=read_only(start),
        edge=read_only(edge),
        source=read_only((x.source[inside] - start[clause]).astype(np.int32)),
        target=read_only((x.target[inside] - start[clause]).astype(np.int32)),
        role=read_only(x.role[inside]),
        confidence=read_only(x.confidence[inside]),
        # Long texts differ in more than a wording.
        word=read_only(np.zeros_like(start)),
        form=x.form[:0],
        concept=x.concept[:0],
    )
    weight = x.weight.astype(np.float64)
    vectors = unpacked(x.vector[x.lemma])
    sums = np.add.reduceat(vectors * x.weight[:, None], start[:-1], axis=0)
    share = np.add.reduceat(weight, start[:-1]) / weight.sum()
    part = weight / weight.sum()
    return _Clauses(arrays, start, part, share, unit_rows(sums), _keys(x, start))


def _starts(crossing: Places, count: int) -> Places:
    """The first concept of each clause, and the number of concepts.

    ``crossing`` has how many edges lead from before a concept to it or beyond.
    """
    bounds = [*np.flatnonzero(crossing == 0).tolist(), count]
    starts = []
    for start, stop in pairwise(bounds):
        starts.append(start)
        while stop - start > _CLAUSE:
            least = start + _CLAUSE // 2
            start = least + int(crossing[least : start + _CLAUSE + 1].argmin())
            starts.append(start)
    return np.array([*starts, count], dtype=np.int64)


def _keys(x: ConceptArrays, start: Places) -> Places:
    """Numbers for all concepts of a clause, for its heaviest, and for each two of these."""
    clause = np.repeat(np.arange(len(start) - 1), np.diff(start))
    key = x.key[x.lemma]
    order = np.lexsort((key, -x.weight, clause))
    rank = np.arange(len(order)) - start[clause]
    heavy = np.zeros((len(start) - 1, _HEAVY), dtype=np.int64)
    chosen = rank < _HEAVY
    heavy[clause[chosen], rank[chosen]] = key[order][chosen]
    both = [
        np.where((heavy[:, i] > 0) & (heavy[:, j] > 0), heavy[:, i] ^ heavy[:, j], 0)
        for i, j in combinations(range(_HEAVY), 2)
    ]
    # The sum may overflow, and is a number all the same.
    return np.column_stack([np.add.reduceat(key, start[:-1]), heavy, *both])


def _partners(x: _Clauses, y: _Clauses) -> list[tuple[int, int]]:
    """The clauses that are compared, each at most once, in the order of the first text."""
    first, second = np.arange(len(x.share)), np.arange(len(y.share))
    result: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        if not len(first) or not len(second):
            break
        chosen = _choose(x, first, y, second)
        result += [(int(first[p]), int(second[q])) for p, q in chosen]
        taken = np.array(chosen).T
        first, second = np.delete(first, taken[0]), np.delete(second, taken[1])
    return sorted(result)


def _choose(x: _Clauses, first: Places, y: _Clauses, second: Places) -> list[tuple[int, int]]:
    """Pair clauses, the most similar ones first: places in ``first`` and ``second``."""
    n, m = len(first), len(second)
    met = _meetings(x.keys[first], y.keys[second])
    back = _meetings(y.keys[second], x.keys[first])
    cells = np.unique(np.concatenate([met[0] * m + met[1], back[1] * m + back[0]]))
    p, q = np.divmod(cells, m)
    alike = np.empty(len(cells))
    for part in range(0, len(cells), _AT_ONCE):
        rows = slice(part, part + _AT_ONCE)
        sides = x.vector[first[p[rows]]], y.vector[second[q[rows]]]
        alike[rows] = np.einsum("ij,ij->i", *sides)
    apart = np.abs((2 * p + 1) * m - (2 * q + 1) * n)
    order = np.lexsort((p + q, apart, -np.rint(alike * _STEPS)))
    free_p, free_q = [True] * n, [True] * m
    chosen = []
    for one, other in zip(p[order].tolist(), q[order].tolist(), strict=True):
        if free_p[one] and free_q[other]:
            free_p[one] = free_q[other] = False
            chosen.append((one, other))
    return chosen


def _meetings(keys: Places, others: Places) -> tuple[Places, Places]:
    """The clauses of another text that each clause meets: places of both, (meetings,)."""
    n, m, kinds = len(keys), len(others), keys.shape[1]
    middle = (2 * np.arange(n) + 1) * m // (2 * n)
    near = middle[:, None] + np.arange(-_NEAR, _NEAR + 1)
    rows = np.broadcast_to(np.arange(n)[:, None], near.shape)
    inside = (near >= 0) & (near < m)
    # The clauses with a concept stand together, in order: those nearest to the middle are met.
    known, codes = np.unique(np.concatenate([keys.ravel(), others.ravel()]), return_inverse=True)
    code = codes.ravel()
    mine, theirs = code[: keys.size], code[keys.size :]
    width = m + 1
    listed = np.sort(theirs * width + np.repeat(np.arange(m), kinds))
    places = np.repeat(middle, kinds)
    begin, end = np.searchsorted(listed, (mine * width, mine * width + m))
    here = np.searchsorted(listed, mine * width + places)
    begin = np.clip(here - _MET // 2, begin, np.maximum(begin, end - _MET))
    spots = begin[:, None] + np.arange(_MET)
    real = (spots < end[:, None]) & (known[mine] != 0)[:, None]
    owners = np.broadcast_to(np.repeat(np.arange(n), kinds)[:, None], spots.shape)
    return (
        np.concatenate([rows[inside], owners[real]]),
        np.concatenate([near[inside], listed[spots[real]] % width]),
    )
