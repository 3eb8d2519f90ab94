"""Two sentences compared: likeness of their concepts, the best alignment, conflicts, and terms.

The terms of a pair are how much of both sentences agrees, how much has no partner, for each type of
conflict how strong it is, how alike the concepts in the same roles are, how much of both sentences
stands in such roles, how much more one of them says of what both have, how strongly they differ in
one wording alone, in how few places they differ at all, and how alike what is left of them is
(``scheme`` makes a score of them).
Sentences are always compared in one order, whichever is given first, so that the result is
symmetric to the last bit. The functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.alignment.graphs import align
from compsim.comparison.concepts import CONFLICTS, KINDS, TERMS
from compsim.comparison.conflicts import find_conflicts
from compsim.comparison.fillers import compare_fillers
from compsim.comparison.likeness import LEAST, fill_likeness
from compsim.comparison.rest import compare_rest
from compsim.comparison.trace import Trace
from compsim.comparison.wording import compare_wording

__all__ = ["CONTAINED", "TERMS", "Room", "agreement", "compare", "precedes", "qualifies"]

_FIRST_CONFLICT: Final = 2
_FILLERS: Final = _FIRST_CONFLICT + len(CONFLICTS)
_ADDITION, _WORDING, _NEARNESS, _REST = (
    TERMS.index(name) for name in ("addition", "wording", "nearness", "rest")
)
#: Concepts that say more of another one are of other kinds.
_NO_QUALIFIERS: Final = (KINDS.index("event"), KINDS.index("pronoun"))
#: The agreement of sentences that may differ in one wording alone.
_NEAR: Final = 0.25
#: What an edge adds to an alignment beside its nodes.
_EDGE: Final = 0.25
#: Worths are multiples of one part in so many.
_STEPS: Final = float(1 << 30)
#: How much the sentence counts in agreement that more is found of in the other. Whoever says more
#: than somebody else says the same and more: additions cost less than what is said otherwise.
CONTAINED: Final = 0.8
#: Nodes and elementary steps that the search for an alignment may take.
_BUDGET, _WORK = 200, 400_000


class Room(NamedTuple):
    """Arrays that a comparison works in, for the largest sentences; see ``kernel.make_room``.

    Afterwards ``mapping`` int32 has the concept of the second sentence for each of the first, -1
    for none, ``inverse`` the other way, ``like`` their likeness, and ``trace`` the conflicts; where
    ``turned`` is set, the sentences have changed places in all of these. ``place`` has the wordings
    that stand against each other, as ``compare_wording`` fills it.
    """

    like: Any
    kinds: Any
    strengths: Any
    unary: Any
    worth_a: Any
    worth_b: Any
    mapping: Any
    inverse: Any
    turned: Any
    cells: Any
    place: Any
    sums: Any
    trace: Trace
    scratch: Any


def compare(
    a: Any, i: int, b: Any, j: int, lexical: Any, roles: Any, room: Room, row: Any
) -> tuple[float, float]:
    """Fill a row of terms for two sentences; the weight of the alignment and its upper bound.

    ``a`` and ``b`` are ``ConceptArrays``, i and j sentences in them; ``lexical`` are
    ``RelationArrays``, ``roles`` ``RoleArrays``; ``row`` float64 (terms,).
    """
    if precedes(b, j, a, i):
        room.turned[0] = 1
        return compare_ordered(b, j, a, i, lexical, roles, room, row)
    room.turned[0] = 0
    return compare_ordered(a, i, b, j, lexical, roles, room, row)


def compare_ordered(
    a: Any, i: int, b: Any, j: int, lexical: Any, roles: Any, room: Room, row: Any
) -> tuple[float, float]:
    """Do what ``compare`` does with two sentences that are in order."""
    n, m = a.node[i + 1] - a.node[i], b.node[j + 1] - b.node[j]
    for term in range(len(row)):
        row[term] = 0.0
    row[1] = 1.0
    room.trace.count[0] = 0
    for k in range(len(room.place)):
        room.place[k] = 0
    if n == 0 or m == 0:
        return 0.0, 0.0
    fill_likeness(a, i, b, j, lexical, roles, room.like, room.kinds, room.strengths)
    _weigh_nodes(a, i, b, j, room, n, m)
    _weigh_edges(a, i, room.worth_a)
    _weigh_edges(b, j, room.worth_b)
    e, e_stop, f, f_stop = a.edge[i], a.edge[i + 1], b.edge[j], b.edge[j + 1]
    weight, bound, _ = align(
        n, m, room.unary,
        a.source[e:e_stop], a.target[e:e_stop], a.role[e:e_stop], room.worth_a,
        b.source[f:f_stop], b.target[f:f_stop], b.role[f:f_stop], room.worth_b,
        roles.compatible, roles.turned, _BUDGET, _WORK, room.scratch,
    )  # fmt: skip
    _map_both_ways(room, n, m)
    find_conflicts(
        a, i, b, j, room.like, room.kinds, room.strengths, room.mapping, room.inverse, roles,
        room.trace,
    )  # fmt: skip
    _sum_up(a, i, b, j, room, n, m, row)
    if row[0] >= _NEAR:
        row[_WORDING], row[_NEARNESS] = compare_wording(
            a, i, b, j, lexical, room.like, room.kinds, room.mapping, room.inverse, room.cells,
            room.place,
        )  # fmt: skip
    if row[0] < 1.0:
        row[_REST] = compare_rest(a, i, b, j, room.like, room.mapping, room.inverse, room.sums)
    # The worths of edges are no longer needed: their room is free.
    row[_FILLERS], row[_FILLERS + 1] = compare_fillers(
        a, i, b, j, room.like, roles, room.worth_a, room.worth_b
    )
    return weight, bound


def precedes(a: Any, i: int, b: Any, j: int) -> bool:
    """Whether a sentence comes before another in an order that depends on nothing else."""
    order = _order_of_keys(
        a, a.lemma, a.node[i], a.node[i + 1], b, b.lemma, b.node[j], b.node[j + 1]
    )
    if order != 0:
        return order < 0
    e, f = a.edge[i], b.edge[j]
    count, other = a.edge[i + 1] - e, b.edge[j + 1] - f
    if count != other:
        return bool(count < other)
    for k in range(count):
        if a.role[e + k] != b.role[f + k]:
            return bool(a.role[e + k] < b.role[f + k])
        if a.source[e + k] != b.source[f + k]:
            return bool(a.source[e + k] < b.source[f + k])
        if a.target[e + k] != b.target[f + k]:
            return bool(a.target[e + k] < b.target[f + k])
    return (
        _order_of_keys(a, a.form, a.word[i], a.word[i + 1], b, b.form, b.word[j], b.word[j + 1]) < 0
    )


def _order_of_keys(
    a: Any, lemma: Any, p: int, p_end: int, b: Any, other: Any, q: int, q_end: int
) -> int:
    """Return -1 where the lemmas p to p_end of a come first, 1 where q to q_end of b do, else 0."""
    if p_end - p != q_end - q:
        return -1 if p_end - p < q_end - q else 1
    for k in range(p_end - p):
        x, y = a.key[lemma[p + k]], b.key[other[q + k]]
        if x != y:
            return -1 if x < y else 1
    return 0


def _weigh_nodes(a: Any, i: int, b: Any, j: int, room: Room, n: int, m: int) -> None:
    """Fill ``unary`` with what it is worth to align each two concepts."""
    for p in range(n):
        for q in range(m):
            like = room.like[p * m + q]
            worth = 0.0
            if like >= LEAST:
                both = float(a.weight[a.node[i] + p] * b.weight[b.node[j] + q])
                worth = _rounded(like * both**0.5)
            room.unary[p * m + q] = worth


def _rounded(worth: float) -> float:
    """A worth as a multiple of 2^-30, whose sums are exact: equal alignments stay equal."""
    return int(worth * _STEPS + 0.5) / _STEPS


def _weigh_edges(x: Any, i: int, worth: Any) -> None:
    first = x.node[i]
    for e in range(x.edge[i], x.edge[i + 1]):
        least = min(float(x.weight[first + x.source[e]]), float(x.weight[first + x.target[e]]))
        worth[e - x.edge[i]] = _rounded(_EDGE * least * float(x.confidence[e]))


def _map_both_ways(room: Room, n: int, m: int) -> None:
    """Fill ``mapping`` and ``inverse`` with the alignment that was found."""
    for q in range(m):
        room.inverse[q] = -1
    for p in range(n):
        q = room.scratch.mapping[p]
        room.mapping[p] = -1
        # An edge alone aligns no concepts that are not alike.
        if q >= 0 and room.unary[p * m + q] > 0.0:
            room.mapping[p] = q
            room.inverse[q] = p


def qualifies(x: Any, i: int, p: int, partner: Any) -> bool:
    """Return whether a concept, no event nor pronoun, is joined with one that has a partner.

    ``partner`` has the concept of the other sentence for each of sentence i of x, -1 for none.
    """
    if x.kind[x.node[i] + p] in _NO_QUALIFIERS:
        return False
    for e in range(x.edge[i], x.edge[i + 1]):
        if x.source[e] == p and partner[x.target[e]] >= 0:
            return True
        if x.target[e] == p and partner[x.source[e]] >= 0:
            return True
    return False


def agreement(first: float, second: float) -> float:
    """Return the agreement of two sentences by how much of each is found in the other."""
    return CONTAINED * max(first, second) + (1.0 - CONTAINED) * min(first, second)


def _sum_up(a: Any, i: int, b: Any, j: int, room: Room, n: int, m: int, row: Any) -> None:
    """Fill the row: shares of the weight of the sentences, conflicts of a type taken together."""
    total_a, total_b, like_a, like_b, left_a, left_b = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    added_a, added_b = 0.0, 0.0
    for p in range(n):
        weight, q = float(a.weight[a.node[i] + p]), room.mapping[p]
        total_a += weight
        if q < 0:
            left_a += weight
            if qualifies(a, i, p, room.mapping):
                added_a += weight
        else:
            like_a += weight * room.like[p * m + q]
            like_b += float(b.weight[b.node[j] + q]) * room.like[p * m + q]
    for q in range(m):
        weight = float(b.weight[b.node[j] + q])
        total_b += weight
        if room.inverse[q] < 0:
            left_b += weight
            if qualifies(b, j, q, room.inverse):
                added_b += weight
    row[0] = min(1.0, agreement(like_a / total_a, like_b / total_b))
    row[1] = 0.5 * (left_a / total_a + left_b / total_b)
    row[_ADDITION] = abs(added_a / total_a - added_b / total_b)
    for k in range(room.trace.count[0]):
        term = _FIRST_CONFLICT + room.trace.kind[k]
        row[term] = 1.0 - (1.0 - row[term]) * (1.0 - room.trace.strength[k])
