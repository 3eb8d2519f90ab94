"""What an argument or a modifier is bound to in two aligned role graphs.

Sentences i of x and j of y; ``partner`` and ``back`` are the alignment from x and from y, -1 for
none, ``like[p * step + q * across]`` the likeness of concept p of x and q of y, ``roles``
``RoleArrays``; an edge of ``role`` from ``source`` to ``target`` in x, whose partners are h and d.
The functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.concepts import KINDS
from compsim.comparison.edges import (
    FIRM,
    belong_together,
    firmly_joined,
    has_edge,
    have_neighbour,
    joined,
    one_phrase,
    stands_before,
)

__all__ = [
    "SLOT",
    "SURE",
    "bound_elsewhere",
    "changed_places",
    "filled_by_another",
    "filled_by_newcomer",
    "filled_by_relative",
    "has_other_voice",
    "role_taken",
]

_EVENT, _PRONOUN = KINDS.index("event"), KINDS.index("pronoun")
#: How sure two concepts must be the same for what binds them to count as evidence.
SURE: Final = 0.6
#: From this compatibility on two relations are one slot.
SLOT: Final = 0.7


def changed_places(
    x: Any, i: int, y: Any, j: int, like: Any, partner: Any, owner: int, moved: int, roles: Any,
    step: int, across: int,
) -> bool:  # fmt: skip
    """Return whether ``moved``, ``owner``'s in x, is in y another one's, whose own ``owner`` has.

    "The dog under the table and the cat on the sofa": wherever a place may belong, two of them have
    changed.
    """
    n = x.node[i + 1] - x.node[i]
    h, d = partner[owner], partner[moved]
    for k in range(n):
        other = partner[k]
        if other < 0 or like[k * step + other * across] < SURE:
            continue
        there = firmly_joined(y, j, other, d, roles)
        if not there or firmly_joined(x, i, k, moved, roles):
            continue
        for p in range(n):
            q = partner[p]
            if q < 0 or like[p * step + q * across] < SURE:
                continue
            before = firmly_joined(x, i, k, p, roles) and not firmly_joined(x, i, owner, p, roles)
            after = firmly_joined(y, j, h, q, roles) and not firmly_joined(y, j, other, q, roles)
            if before and after:
                return True
    return False


def role_taken(
    x: Any, i: int, y: Any, j: int, role: int, source: int, h: int, d: int, back: Any
) -> tuple[bool, bool]:
    """Return whether another has the role at h in y, and whether x has that one at its event."""
    taken, exchanged = False, False
    for f in range(y.edge[j], y.edge[j + 1]):
        if y.source[f] == h and y.role[f] == role and y.target[f] != d:
            k = back[y.target[f]]
            if k >= 0 and has_edge(x, i, source, role, k):
                return False, False
            taken = True
            for e in range(x.edge[i], x.edge[i + 1]):
                if k >= 0 and x.source[e] == source and x.target[e] == k:
                    exchanged = True
    return taken, exchanged


def bound_elsewhere(
    x: Any, i: int, y: Any, j: int, like: Any, back: Any, roles: Any, role: int,
    source: int, target: int, h: int, d: int, step: int, across: int,
) -> bool:  # fmt: skip
    """Return whether y binds d by the same relation to a concept that x has, and has unbound."""
    for f in range(y.edge[j], y.edge[j + 1]):
        if y.target[f] != d or roles.compatible[role, y.role[f]] < SLOT:
            continue
        other = y.source[f]
        k = back[other]
        if other == h or k < 0 or k == source or like[k * step + other * across] <= SURE:
            continue
        if joined(x, i, k, target, roles):
            continue
        # The word before a noun is bound to it: "the green lid of the pot".
        near = roles.inner[role] and stands_before(x, i, target, source)
        if near and stands_before(y, j, d, other):
            return True
        firm = roles.firm[role] or roles.firm[y.role[f]]
        sure = firm and _has_one_reading(x, i, target) and _has_one_reading(y, j, d)
        # What is said of two events that share a concept may be said of either.
        events = x.kind[x.node[i] + source] == _EVENT and x.kind[x.node[i] + k] == _EVENT
        sure = sure and not (events and have_neighbour(x, i, source, k, target, roles))
        if not sure and (
            one_phrase(x, i, source, k, role, roles) or one_phrase(y, j, h, other, role, roles)
        ):
            continue
        if not have_neighbour(y, j, h, d, other, roles):
            return True
    return False


def _has_one_reading(x: Any, i: int, p: int) -> bool:
    """Return whether all edges that lead to a concept are sure."""
    for e in range(x.edge[i], x.edge[i + 1]):
        if x.target[e] == p and x.confidence[e] < 1.0:
            return False
    return True


def filled_by_another(
    x: Any, i: int, y: Any, j: int, like: Any, back: Any, roles: Any, role: int,
    source: int, target: int, h: int, d: int, step: int, across: int,
) -> bool:  # fmt: skip
    """Return whether a concept that x has elsewhere fills the role at h in y alone.

    "Tom called Rita because Tom's phone was broken", "because Rita's phone was".
    """
    if not roles.single[role]:
        return False
    for f in range(y.edge[j], y.edge[j + 1]):
        other = y.target[f]
        k = back[other]
        if y.source[f] != h or roles.compatible[role, y.role[f]] < SLOT or other == d or k < 0:
            continue
        if k == target or like[k * step + other * across] < SURE:
            continue
        if joined(x, i, source, k, roles) or belong_together(x, i, target, k, roles):
            continue
        if not belong_together(y, j, d, other, roles):
            return True
    return False


def filled_by_newcomer(
    x: Any, i: int, y: Any, j: int, back: Any, roles: Any, role: int, source: int, target: int,
    h: int, d: int,
) -> bool:  # fmt: skip
    """Return whether a concept that x lacks fills the role at h in y, and d one at another event.

    "Ben wants to sing", "Ben wants Eva to sing": Ben still wants it.
    """
    if not (roles.single[role] and roles.core[role]):
        return False
    first = y.node[j]
    newcomers, elsewhere = False, False
    for f in range(y.edge[j], y.edge[j + 1]):
        if y.source[f] == h and y.role[f] == role:
            newcomer = y.target[f]
            if back[newcomer] >= 0:
                return False
            # "He" may be whoever else is told of, "you" is not "I".
            one, other = y.lemma[first + newcomer], y.lemma[first + d]
            apart = y.contrast[one] > 0 and y.contrast[one] == y.contrast[other]
            apart = apart and y.member[one] != y.member[other]
            if y.kind[first + newcomer] == _PRONOUN and not apart:
                return False
            newcomers = True
        elif y.target[f] == d and y.source[f] != h and roles.core[y.role[f]]:
            k = back[y.source[f]]
            elsewhere |= k >= 0 and k != source and has_edge(x, i, k, y.role[f], target)
    return newcomers and elsewhere


def filled_by_relative(
    x: Any, i: int, y: Any, j: int, back: Any, roles: Any, role: int, h: int, d: int
) -> bool:
    """Return whether somebody of h or d stands in its place in y, and is not in x at all.

    "The user is allergic to peanuts", "the user's son is"; "the film won", "its director won". A
    part, a member or an officer may stand for the whole: "the bank's spokesman denied it".
    """
    for f in range(y.edge[j], y.edge[j + 1]):
        if roles.compatible[role, y.role[f]] < SLOT:
            continue
        if roles.single[role] and y.source[f] == h:
            relative, person = y.target[f], d
        elif roles.inner[role] and y.target[f] == d:
            relative, person = y.source[f], h
        else:
            continue
        own = relative != person and back[relative] < 0
        if own and _belongs(y, j, relative, person, roles):
            return True
    return False


def _belongs(x: Any, i: int, relative: int, person: int, roles: Any) -> bool:
    """Return whether one concept is somebody who belongs to another one, for sure."""
    for e in range(x.edge[i], x.edge[i + 1]):
        own = roles.personal[x.role[e]] and x.confidence[e] > FIRM
        if own and x.source[e] == relative and x.target[e] == person:
            return True
    return False


def has_other_voice(x: Any, i: int, e: int, y: Any, j: int, f: int, roles: Any) -> bool:
    """Return whether the doer of one event is what is done to in the other, by edges e and f.

    Labellers call the one argument of a verb either ("the ice melts", "is melted"): a second
    argument tells them apart, but two of one role are a slip.
    """
    if not (roles.voice[x.role[e]] and roles.voice[y.role[f]]) or x.role[e] == y.role[f]:
        return False
    (one, alone), (other, other_alone) = _arguments(x, i, e, roles), _arguments(y, j, f, roles)
    return bool(alone and other_alone and max(one, other) > 1)


def _arguments(x: Any, i: int, e: int, roles: Any) -> tuple[int, bool]:
    """Return how many arguments the event of an edge has, and whether one alone has its role."""
    count, alone = 0, True
    for f in range(x.edge[i], x.edge[i + 1]):
        if x.source[f] == x.source[e]:
            count += roles.core[x.role[f]]
            alone &= f == e or x.role[f] != x.role[e]
    return count, alone
