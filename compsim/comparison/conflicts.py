"""What two aligned role graphs say against each other, conflict by conflict.

A conflict needs evidence in both sentences: a concept in the place of another one (*replaced*), a
relation that the other sentence has the other way round (*contrary*), an argument or a modifier
that is bound to another concept there (*bound*), a role that another concept of both fills there
(*filled*), two concepts that have changed places (*exchanged*), something that is denied in one
sentence alone (*denied*), a feature with another value (``feature_conflicts``). Its strength, up to
1, is how sure the alignment and the edges are. The functions run as they are or compiled
(``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.bindings import (
    SLOT,
    SURE,
    bound_elsewhere,
    changed_places,
    filled_by_another,
    filled_by_newcomer,
    filled_by_relative,
    has_other_voice,
    role_taken,
)
from compsim.comparison.concepts import KINDS
from compsim.comparison.edges import (
    FIRM,
    edge_agreement,
    firmly_joined,
    have_neighbour,
    is_plain,
    meets,
)
from compsim.comparison.exchange import find_exchange
from compsim.comparison.feature_conflicts import find_asked_for, find_features
from compsim.comparison.likeness import QUESTION, SAME
from compsim.comparison.trace import (
    ATTRIBUTE,
    BINDING,
    BOUND,
    CONTRARY,
    DIRECTION,
    EXCHANGED,
    FILLED,
    NAME,
    PARTICIPANT,
    POLARITY,
    QUANTITY,
    REPLACED,
    ROLE,
    ROLES,
    Trace,
    note,
)
from compsim.vectors.relations import Kind

__all__ = ["find_conflicts"]

#: The type of a conflict by the kind of the concept that is replaced.
_TYPE_OF_KIND: Final = tuple(
    {"attribute": ATTRIBUTE, "quantity": QUANTITY}.get(kind, PARTICIPANT) for kind in KINDS
)
_EVENT, _ENTITY, _PROPER, _PRONOUN = (
    KINDS.index(kind) for kind in ("event", "entity", "name", "pronoun")
)
#: How much it says that the doer of an event is what it is done to.
_VOICE: Final = 0.4
#: How much two relations of the same two concepts say against each other that are merely unlike.
_UNLIKE_RELATION: Final = 0.5
#: From this compatibility on two relations agree.
_AGREES: Final = 0.5
#: How much it says that a concept stands in place of another one, by their lexical relation.
_STRENGTHS: Final = (*(
    {Kind.ANTONYM: 1.0, Kind.SISTER: 0.9, Kind.NARROWER: 0.35, Kind.WIDER: 0.35,
     Kind.SIMILAR: 0.2, Kind.DERIVED: 0.2, Kind.SYNONYM: 0.0, Kind.SAME: 0.0}.get(kind, -1.0)
    for kind in Kind
), 0.0)  # fmt: skip
_SISTER, _ANTONYM = int(Kind.SISTER), int(Kind.ANTONYM)
#: How sure a replacement is that no slot bears out: of words that exclude each other, of others.
_EXCLUDING, _MERELY_ALIGNED = 0.8, 0.3
#: What is left of the conflict of two events that exclude each other.
_EVENTS: Final = 0.5
#: The share of a replacement's strength that does not depend on the weight of the concepts.
_BASE: Final = 0.4
#: What is left where a pronoun stands in for a concept.
_BY_PRONOUN: Final = 0.3
#: How much it says that somebody of a concept stands in its place.
_BY_RELATIVE: Final = 0.5
#: How sure it is that two wordings have changed places where the words show it.
_MOVED_WORDS: Final = 0.9
#: How sure a change of role is where the sentence's own concept did not take the role.
_HALF_ROLE: Final = 0.6


def find_conflicts(
    a: Any, i: int, b: Any, j: int, like: Any, kinds: Any, strengths: Any, mapping: Any,
    inverse: Any, roles: Any, trace: Trace,
) -> None:  # fmt: skip
    """Fill ``trace`` with the conflicts of sentences i of ``a`` and j of ``b``.

    ``like``, ``kinds`` and ``strengths`` (n * m) are those of ``fill_likeness``, ``mapping`` (n)
    and ``inverse`` (m) the alignment, ``roles`` ``RoleArrays``.
    """
    trace.count[0] = 0
    m = b.node[j + 1] - b.node[j]
    _find_replaced(
        a, i, b, j, like, kinds, strengths, mapping, inverse, roles, m, 1, False, trace
    )  # fmt: skip
    _find_replaced(b, j, a, i, like, kinds, strengths, inverse, mapping, roles, 1, m, True, trace)
    _find_unlike_edges(a, i, b, j, like, mapping, inverse, roles, m, 1, False, trace)
    _find_unlike_edges(b, j, a, i, like, inverse, mapping, roles, 1, m, True, trace)
    _find_exchanged(a, i, b, j, like, mapping, inverse, roles, m, trace)
    find_features(a, i, b, j, like, kinds, mapping, inverse, roles, m, trace)
    find_asked_for(a, i, b, j, like, mapping, roles, m, 1, False, trace)
    find_asked_for(b, j, a, i, like, inverse, roles, 1, m, True, trace)


def _find_replaced(
    x: Any, i: int, y: Any, j: int, like: Any, kinds: Any, strengths: Any, partner: Any,
    back: Any, roles: Any, step: int, across: int, turned: bool, trace: Trace,
) -> None:  # fmt: skip
    """Concepts of x in whose slot, at a concept that both have, stands another one in y.

    ``like[p * step + q * across]`` is the likeness of node p of x and q of y.
    """
    first, second = x.node[i], y.node[j]
    n, m = x.node[i + 1] - first, y.node[j + 1] - second
    heaviest = 0.05
    for p in range(n):
        heaviest = max(heaviest, float(x.weight[first + p]))
    for q in range(m):
        heaviest = max(heaviest, float(y.weight[second + q]))
    for p in range(n):
        # "I" is no answer to whose mother it is, "my" or "your" mother.
        own = x.kind[first + p] == _PRONOUN and partner[p] >= 0
        nearest = like[p * step + partner[p] * across] if own else _best(like, p * step, across, m)
        if nearest > SAME:
            continue
        best, rival = 0.0, -1
        for e in range(x.edge[i], x.edge[i + 1]):
            source, target = x.source[e], x.target[e]
            if source != p and target != p:
                continue
            other = target if source == p else source
            match = partner[other]
            if match < 0 or like[other * step + match * across] < SURE:
                continue
            for f in range(y.edge[j], y.edge[j + 1]):
                fits = roles.compatible[x.role[e], y.role[f]]
                if fits < SLOT:
                    continue
                if source == p:
                    q = y.source[f] if y.target[f] == match else -1
                else:
                    q = y.target[f] if y.source[f] == match else -1
                # What stands for one concept cannot stand for another one too.
                if q < 0 or q == match or (q != partner[p] and (partner[p] >= 0 or back[q] >= 0)):
                    continue
                sure = like[other * step + match * across] * fits
                sure *= float(min(x.confidence[e], y.confidence[f]))
                value = _replacement(
                    x, first + p, y, second + q, p, q, like, kinds, strengths, step, across, n,
                    heaviest,
                )  # fmt: skip
                if value * sure > best:
                    best, rival = value * sure, q
        q = partner[p]
        if q >= 0:
            kind = kinds[p * step + q * across]
            sure = _EXCLUDING if kind in (_SISTER, _ANTONYM) else _MERELY_ALIGNED
            value = _replacement(
                x, first + p, y, second + q, p, q, like, kinds, strengths, step, across, n, heaviest
            )  # fmt: skip
            if value * sure > best:
                best, rival = value * sure, q
        if rival >= 0:
            relation = kinds[p * step + rival * across]
            named = x.kind[first + p] == _PROPER and y.kind[second + rival] == _PROPER
            kind = NAME if named else _TYPE_OF_KIND[x.kind[first + p]]
            if x.kind[first + p] == _EVENT and relation == _ANTONYM:
                kind = POLARITY  # who rejects does not approve
            elif kind == PARTICIPANT and relation not in (_SISTER, _ANTONYM):
                continue  # merely other words are no agreement, but no contradiction either
            elif x.kind[first + p] == _EVENT:
                best *= _EVENTS
            note(trace, kind, REPLACED, best, turned, p, rival, -1, -1)


def _one_kind(s: int, t: int) -> bool:
    """Whether concepts of two kinds may stand for each other; names are entities too."""
    nominal = (_ENTITY, _PROPER, QUESTION)
    return bool(s == t or ((s in nominal) and (t in nominal)))


def _best(like: Any, start: int, step: int, count: int) -> float:
    best = 0.0
    for k in range(count):
        best = max(best, like[start + k * step])
    return best


def _replacement(
    x: Any, u: int, y: Any, v: int, p: int, q: int, like: Any, kinds: Any, strengths: Any,
    step: int, across: int, n: int, heaviest: float,
) -> float:  # fmt: skip
    """How much it says that one concept stands in the place of another; 0 for no replacement."""
    s, t = x.kind[u], y.kind[v]
    answers = (s == QUESTION) != (t == QUESTION)
    cell = p * step + q * across
    alike = _one_kind(s, t) or kinds[cell] == _ANTONYM
    persons = s == _PRONOUN and t == _PRONOUN
    if answers or not alike or (not persons and _best(like, q * across, step, n) > SAME):
        return 0.0
    value = 1.0 - like[cell]
    if _STRENGTHS[kinds[cell]] >= 0.0:
        value += (_STRENGTHS[kinds[cell]] - value) * strengths[cell]
    if persons and kinds[cell] == _SISTER:
        return float(value)  # "he" is not "she", however little a pronoun weighs
    value *= _BASE + (1.0 - _BASE) * float(min(x.weight[u], y.weight[v])) / heaviest
    return float(value * _BY_PRONOUN if s == _PRONOUN or t == _PRONOUN else value)


def _find_unlike_edges(
    x: Any, i: int, y: Any, j: int, like: Any, partner: Any, back: Any, roles: Any,
    step: int, across: int, turned: bool, trace: Trace,
) -> None:  # fmt: skip
    """Edges of x between concepts that y has, and has otherwise: contrary, or bound elsewhere."""
    for e in range(x.edge[i], x.edge[i + 1]):
        role, source, target = x.role[e], x.source[e], x.target[e]
        h, d = partner[source], partner[target]
        if roles.loose[role] or h < 0 or d < 0:
            continue
        sure_h = like[source * step + h * across]
        sure_d = like[target * step + d * across]
        if sure_d < SURE or (sure_h < SURE and not roles.core[role]):
            continue
        firm = not roles.core[role] and x.confidence[e] > FIRM and sure_h >= SURE
        if (
            firm
            and not firmly_joined(y, j, h, d, roles)
            and (
                changed_places(x, i, y, j, like, partner, source, target, roles, step, across)
                or changed_places(x, i, y, j, like, partner, target, source, roles, step, across)
            )
        ):
            note(trace, BINDING, BOUND, sure_h * sure_d, turned, source, h, target, d)
            continue
        agreement = edge_agreement(y, j, role, h, d, roles)
        if agreement >= SLOT or (agreement >= _AGREES and not roles.core[role]):
            continue
        sure = sure_h * sure_d * float(x.confidence[e])
        contrary, other_role, bound, reversed_role, unlike = 0.0, False, False, False, False
        events = x.kind[x.node[i] + source] == _EVENT and y.kind[y.node[j] + h] == _EVENT
        for f in range(y.edge[j], y.edge[j + 1]):
            if y.source[f] == h and y.target[f] == d:
                bound = True
                # The need for something is the need of whoever needs it.
                nominal = roles.affected[role] != roles.affected[y.role[f]] and not events
                if not nominal:
                    contrary = max(contrary, roles.contrary[role, y.role[f]])
                argument = roles.core[y.role[f]] or roles.transfer[y.role[f]]
                if roles.core[role] and argument and y.role[f] != role:
                    other_role = True
                if sure_h > SAME and has_other_voice(x, i, e, y, j, f, roles):
                    contrary = max(contrary, _VOICE)
                unlike |= is_plain(y, j, f, roles)
            elif y.source[f] == d and y.target[f] == h:
                bound = True
                contrary = max(contrary, roles.contrary_turned[role, y.role[f]])
                # What is done to one event cannot be another argument of its own argument.
                alike = roles.compatible[role, y.role[f]] >= _AGREES
                if alike and roles.core[role] and roles.core[y.role[f]]:
                    reversed_role = True
                # Places are told from either side, times and causes are not.
                unlike |= roles.conflict[role] != DIRECTION and is_plain(y, j, f, roles)
        if other_role:
            taken, exchanged = role_taken(x, i, y, j, role, source, h, d, back)
            # Of two like roles ("tell", "give") either may be meant, unless somebody else has it.
            if exchanged or contrary > 0.0 or (taken and agreement < _AGREES):
                strength = sure * (1.0 if exchanged else max(contrary, _HALF_ROLE * taken))
                note(trace, ROLES, ROLE, strength, turned, source, h, target, d)
        elif agreement >= _AGREES:
            continue
        elif reversed_role:
            note(trace, ROLES, ROLE, sure, turned, source, h, target, d)
        elif contrary > 0.0:
            sure *= contrary
            note(trace, roles.conflict[role], CONTRARY, sure, turned, source, h, target, d)
        elif unlike and is_plain(x, i, e, roles) and min(sure_h, sure_d) > SAME:
            # One thing related to another in two ways: "until" or "from the first of June".
            sure *= _UNLIKE_RELATION
            note(trace, roles.conflict[role], CONTRARY, sure, turned, source, h, target, d)
        elif (
            not bound
            and not roles.symmetric[role]
            and bound_elsewhere(
                x, i, y, j, like, back, roles, role, source, target, h, d, step, across
            )
        ):
            note(trace, BINDING, BOUND, sure, turned, source, h, target, d)
        elif not bound and (
            filled_by_another(
                x, i, y, j, like, back, roles, role, source, target, h, d, step, across
            )
            or filled_by_newcomer(x, i, y, j, back, roles, role, source, target, h, d)
        ):
            note(trace, BINDING, FILLED, sure, turned, source, h, target, d)
        elif not bound and filled_by_relative(x, i, y, j, back, roles, role, h, d):
            note(trace, ROLES, FILLED, sure * _BY_RELATIVE, turned, source, h, target, d)


def _find_exchanged(
    a: Any, i: int, b: Any, j: int, like: Any, mapping: Any, inverse: Any, roles: Any, m: int,
    trace: Trace,
) -> None:  # fmt: skip
    """The two concepts whose edges, in both sentences, would agree best if they changed places."""
    first = a.node[i]
    best, one, other = 0.0, -1, -1
    for p in range(a.node[i + 1] - first):
        if mapping[p] < 0 or like[p * m + mapping[p]] <= SURE:
            continue
        disagrees = _disagrees(a, i, b, j, p, mapping, roles)
        if not disagrees and not _disagrees(b, j, a, i, mapping[p], inverse, roles):
            continue
        for q in range(a.node[i + 1] - first):
            if q == p or mapping[q] < 0 or like[q * m + mapping[q]] <= SURE:
                continue
            same_kind = _one_kind(a.kind[first + p], a.kind[first + q])
            # "The first flat", "than the first": one is an attribute, the other stands for a flat.
            contrast = a.contrast[a.lemma[first + p]]
            same_kind |= contrast > 0 and contrast == a.contrast[a.lemma[first + q]]
            if not same_kind or a.key[a.lemma[first + p]] == a.key[a.lemma[first + q]]:
                continue
            # "Salt and rope", "rope and salt": an order that says nothing.
            one_list = _listed(a, i, p, q, roles)
            if one_list or _listed(b, j, mapping[p], mapping[q], roles):
                continue
            # What is said of two events that share a concept may be said of either.
            events = a.kind[first + p] == _EVENT
            near = events and have_neighbour(a, i, p, q, -1, roles)
            gain, total = _gain(a, i, b, j, p, q, mapping, roles, near)
            near = events and have_neighbour(b, j, mapping[p], mapping[q], -1, roles)
            back, whole = _gain(b, j, a, i, mapping[p], mapping[q], inverse, roles, near)
            if total + whole > 0.0 and (gain + back) / (total + whole) > best + 1e-9:
                best, one, other = (gain + back) / (total + whole), p, q
    if best < _MOVED_WORDS:
        p, q = _find_moved_words(a, i, b, j, mapping, inverse, roles)
        if p >= 0:
            best, one, other = _MOVED_WORDS, p, q
    if one >= 0:
        note(trace, ROLES, EXCHANGED, best, False, one, mapping[one], other, mapping[other])


def _find_moved_words(
    a: Any, i: int, b: Any, j: int, mapping: Any, inverse: Any, roles: Any
) -> tuple[int, int]:
    """Return a concept of each of two wordings that have changed places, -1 where none have.

    Their relations, too, would agree better if they changed places.
    """
    p, p_end, q, q_end = find_exchange(a, i, b, j)
    for v in range(p, p_end):
        one = a.concept[v]
        for w in range(q, q_end):
            other = a.concept[w]
            if one < 0 or other < 0 or a.featured[v] or a.featured[w]:
                return -1, -1
            x, y = mapping[one], mapping[other]
            if x < 0 or y < 0 or _listed(a, i, one, other, roles) or _listed(b, j, x, y, roles):
                continue
            gain, _ = _gain(a, i, b, j, one, other, mapping, roles, False)
            back, _ = _gain(b, j, a, i, x, y, inverse, roles, False)
            if gain + back > 0.0:
                return one, other
    return -1, -1


def _listed(x: Any, i: int, p: int, q: int, roles: Any) -> bool:
    """Whether two concepts are coordinated."""
    for e in range(x.edge[i], x.edge[i + 1]):
        if meets(x, e, p, q) and roles.loose[x.role[e]]:
            return True
    return False


def _disagrees(a: Any, i: int, b: Any, j: int, p: int, mapping: Any, roles: Any) -> bool:
    """Whether an edge at a node does not agree with the other sentence."""
    for e in range(a.edge[i], a.edge[i + 1]):
        source, target = a.source[e], a.target[e]
        if (source == p or target == p) and not roles.loose[a.role[e]]:
            h, d = mapping[source], mapping[target]
            if h >= 0 and d >= 0 and edge_agreement(b, j, a.role[e], h, d, roles) < _AGREES:
                return True
    return False


def _gain(
    a: Any, i: int, b: Any, j: int, p: int, q: int, mapping: Any, roles: Any, arguments: bool
) -> tuple[float, float]:
    """What edges at p and q would agree more if p and q changed places, and their whole weight.

    ``arguments``: gains are those of arguments and what is within phrases alone. Where p and q both
    would gain as arguments, the rest of their phrases changes places with them.
    """
    gain, total, phrases = 0.0, 0.0, 0.0
    p_gains, q_gains = False, False
    for e in range(a.edge[i], a.edge[i + 1]):
        source, target = a.source[e], a.target[e]
        if roles.loose[a.role[e]] or not (source in (p, q) or target in (p, q)):
            continue
        total += float(a.confidence[e])
        h, d = mapping[source], mapping[target]
        role = a.role[e]
        if h < 0 or d < 0 or (arguments and not roles.core[role] and not roles.inner[role]):
            continue
        # Which noun of a phrase is its head says little: "sleeping hours", "hours of sleep".
        if roles.inner[role] and meets(a, e, p, q):
            continue
        u = mapping[q] if source == p else mapping[p] if source == q else h
        v = mapping[q] if target == p else mapping[p] if target == q else d
        now = edge_agreement(b, j, role, h, d, roles)
        then = edge_agreement(b, j, role, u, v, roles)
        gain += float(a.confidence[e]) * (then - now)
        if roles.inner[role] and then < now:
            phrases += float(a.confidence[e])
        elif roles.core[role] and then > now:
            p_gains |= source == p or target == p
            q_gains |= source == q or target == q
    if p_gains and q_gains:
        return gain + phrases, total - phrases
    return gain, total
