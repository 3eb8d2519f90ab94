"""Whether and how two concepts are joined in a role graph.

Graphs are sentences of ``ConceptArrays``, nodes places in them, ``roles`` ``RoleArrays``. The
functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.concepts import KINDS

__all__ = [
    "FIRM",
    "belong_together",
    "edge_agreement",
    "firmly_joined",
    "has_edge",
    "have_neighbour",
    "is_plain",
    "joined",
    "meets",
    "one_phrase",
    "stands_before",
]

#: Second readings of what belongs to what are no surer.
FIRM: Final = 0.5
_EVENT: Final = KINDS.index("event")


def edge_agreement(y: Any, j: int, role: int, source: int, target: int, roles: Any) -> float:
    """How far some edge of a sentence agrees with one of this role between these two nodes."""
    best = 0.0
    for f in range(y.edge[j], y.edge[j + 1]):
        if y.source[f] == source and y.target[f] == target:
            best = max(best, roles.compatible[role, y.role[f]])
        elif y.source[f] == target and y.target[f] == source:
            best = max(best, roles.turned[role, y.role[f]])
    return best


def has_edge(x: Any, i: int, source: int, role: int, target: int) -> bool:
    """Whether a sentence has an edge of this role from one node to another."""
    for e in range(x.edge[i], x.edge[i + 1]):
        if x.source[e] == source and x.target[e] == target and x.role[e] == role:
            return True
    return False


def meets(x: Any, e: int, p: int, q: int) -> bool:
    """Whether an edge joins two nodes, in either direction."""
    there = x.source[e] == p and x.target[e] == q
    return bool(there or (x.source[e] == q and x.target[e] == p))


def joined(x: Any, i: int, p: int, q: int, roles: Any) -> bool:
    """Whether an edge that binds joins two nodes."""
    for e in range(x.edge[i], x.edge[i + 1]):
        if meets(x, e, p, q) and not roles.loose[x.role[e]]:
            return True
    return False


def firmly_joined(x: Any, i: int, p: int, q: int, roles: Any) -> bool:
    """Whether a modifier is bound for sure, not by a second reading, to another concept."""
    for e in range(x.edge[i], x.edge[i + 1]):
        bare = not roles.loose[x.role[e]] and not roles.core[x.role[e]]
        if meets(x, e, p, q) and bare and x.confidence[e] > FIRM:
            return True
    return False


def is_plain(x: Any, i: int, e: int, roles: Any) -> bool:
    """Return whether an edge is no argument, not inside of a phrase, and no second reading.

    What an event is told to be of is no phrase ("made of bamboo"), and a second reading counts
    where the first one is of the same relation ("write a book with somebody").
    """
    role = x.role[e]
    event = x.kind[x.node[i] + x.source[e]] == _EVENT
    if roles.core[role] or roles.personal[role] or (roles.inner[role] and not event):
        return False
    if x.confidence[e] > FIRM:
        return True
    for f in range(x.edge[i], x.edge[i + 1]):
        if x.target[f] == x.target[e] and x.role[f] == role and x.confidence[f] > FIRM:
            return True
    return False


def one_phrase(x: Any, i: int, p: int, q: int, role: int, roles: Any) -> bool:
    """Whether p and q stand so near that what is said of one of them may be read of the other.

    "A book on a bench" that somebody reads, and somebody on a bench who reads a book: a place can
    belong to any of the concepts that are joined, or joined by a third. An attribute, a number or a
    possessor can belong to either part of a compound alone ("clean kitchen counter").
    """
    for e in range(x.edge[i], x.edge[i + 1]):
        binds = not roles.loose[x.role[e]] and (not roles.inner[role] or roles.inner[x.role[e]])
        if meets(x, e, p, q) and binds:
            return True
    return not roles.inner[role] and have_neighbour(x, i, p, q, -1, roles)


def have_neighbour(x: Any, i: int, p: int, q: int, besides: int, roles: Any) -> bool:
    """Whether a concept other than ``besides`` is joined to both p and q."""
    for g in range(x.node[i + 1] - x.node[i]):
        another = g != p and g != q and g != besides
        if another and joined(x, i, g, p, roles) and joined(x, i, g, q, roles):
            return True
    return False


def stands_before(x: Any, i: int, p: int, q: int) -> bool:
    """Return whether a word of concept p stands before one of q, with no other between them."""
    for r in range(x.word[i], x.word[i + 1] - 1):
        if x.concept[r] == p and x.concept[r + 1] == q and not x.featured[r]:
            return True
    return False


def belong_together(x: Any, i: int, p: int, q: int, roles: Any) -> bool:
    """Return whether two concepts are joined, or both to a third, by other than arguments.

    A verb may be read with either noun of a phrase: "a horse in a field of grass eating". Nobody is
    read for a relative.
    """
    for e in range(x.edge[i], x.edge[i + 1]):
        if meets(x, e, p, q) and not roles.personal[x.role[e]]:
            return True
    for g in range(x.node[i + 1] - x.node[i]):
        to_p, to_q = False, False
        for e in range(x.edge[i], x.edge[i + 1]):
            if not roles.core[x.role[e]]:
                to_p |= meets(x, e, p, g)
                to_q |= meets(x, e, q, g)
        if to_p and to_q:
            return True
    return False
