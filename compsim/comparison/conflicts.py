"""What two aligned role graphs say against each other, conflict by conflict.

A conflict needs evidence in both sentences: a concept in the place of another one (*replaced*), a
relation that the other sentence has the other way round (*contrary*), an argument or a modifier
that is bound to another concept there (*bound*), a role that another concept of both fills there
(*filled*), two concepts that have changed places (*exchanged*), something that is denied in one
sentence alone (*denied*), a feature with another value (``features``: possible or necessary, some
or all, past or to come). Its strength, up to 1, is how sure the alignment and the edges are. The
functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from compsim.comparison.bindings import (
    SLOT,
    SURE,
    bound_elsewhere,
    changed_places,
    filled_by_another,
    filled_by_relative,
    has_other_voice,
    role_taken,
)
from compsim.comparison.concepts import CONFLICTS, KINDS
from compsim.comparison.edges import (
    FIRM,
    edge_agreement,
    firmly_joined,
    have_neighbour,
    is_plain,
    meets,
)
from compsim.comparison.features import BITS, FEATURES, MASK
from compsim.comparison.likeness import LEAST, OPPOSITE_DENIED, QUESTION, SAME
from compsim.comparison.wording import has_word
from compsim.vectors.relations import Kind

__all__ = ["CAUSES", "Trace", "find_conflicts"]

#: What brings a conflict about.
CAUSES: Final = (
    "replaced", "contrary", "role", "bound", "filled", "exchanged", "denied", *FEATURES,
    "asked for",
)  # fmt: skip
(_ROLES, _BINDING, _DIRECTION, _ATTRIBUTE, _PARTICIPANT, _QUANTITY, _NAME, _POLARITY
 ) = range(CONFLICTS.index("modality"))  # fmt: skip
_REPLACED, _CONTRARY, _ROLE, _BOUND, _FILLED, _EXCHANGED, _DENIED, _FEATURE = range(8)
_ASKED_FOR: Final = _FEATURE + len(FEATURES)
_MODALITY: Final = CONFLICTS.index("modality")
#: The bits of the modality in packed features.
_MODAL: Final = MASK << BITS * FEATURES.index("modality")
#: The type of a conflict by the kind of the concept that is replaced.
_TYPE_OF_KIND: Final = tuple(
    {"attribute": _ATTRIBUTE, "quantity": _QUANTITY}.get(kind, _PARTICIPANT) for kind in KINDS
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
#: How much it says that one sentence asks for what the other tells, or does not tell.
_ANSWERED, _UNANSWERED = 0.2, 0.8
#: How sure it is that a sentence does not say what a feature, or a denial, says in the other one,
#: where it says so of a concept without a partner, or may say so in words that are not understood.
#: Set by hand: of pairs with a denial in one sentence alone, .47 of the written triples and .50 of
#: STSb train say the same in the first case, .28 and .17 in the second, .16 and .11 in neither.
_SAID_ELSEWHERE, _SAID_PERHAPS = 0.3, 0.5
#: How much it says that a feature of one concept is another one's in the other sentence.
_MOVED: Final = 0.7
#: How much it says that somebody of a concept stands in its place.
_BY_RELATIVE: Final = 0.5
#: How sure a change of role is where the sentence's own concept did not take the role.
_HALF_ROLE: Final = 0.6


class Trace(NamedTuple):
    """The conflicts of a pair in the order in which they were found.

    ``kind`` and ``cause`` int8 (numbers in ``CONFLICTS`` and ``CAUSES``), ``strength`` float64,
    ``nodes`` int32 (room, 4): a concept of the first sentence and its partner in the conflict of
    the second, then another such pair, -1 for none; ``count`` int64 (1,).
    """

    kind: Any
    cause: Any
    strength: Any
    nodes: Any
    count: Any


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
    _find_features(a, i, b, j, like, kinds, mapping, inverse, roles, m, trace)
    _find_asked_for(a, i, b, j, like, mapping, roles, m, 1, False, trace)
    _find_asked_for(b, j, a, i, like, inverse, roles, 1, m, True, trace)


def _note(
    trace: Trace, kind: int, cause: int, strength: float, turned: bool,
    x: int, y: int, other_x: int, other_y: int,
) -> None:  # fmt: skip
    """Add a conflict; of several replacements of the same two concepts the first is enough."""
    if turned:
        x, y, other_x, other_y = y, x, other_y, other_x
    count = trace.count[0]
    if count >= len(trace.kind) or strength <= 0.0:
        return
    if cause == _REPLACED:
        for k in range(count):
            if trace.cause[k] == cause and trace.nodes[k, 0] == x and trace.nodes[k, 1] == y:
                return
    trace.kind[count] = kind
    trace.cause[count] = cause
    trace.strength[count] = min(1.0, strength)
    trace.nodes[count, 0], trace.nodes[count, 1] = x, y
    trace.nodes[count, 2], trace.nodes[count, 3] = other_x, other_y
    trace.count[0] = count + 1


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
            kind = _NAME if named else _TYPE_OF_KIND[x.kind[first + p]]
            if x.kind[first + p] == _EVENT and relation == _ANTONYM:
                kind = _POLARITY  # who rejects does not approve
            elif kind == _PARTICIPANT and relation not in (_SISTER, _ANTONYM):
                continue  # merely other words are no agreement, but no contradiction either
            elif x.kind[first + p] == _EVENT:
                best *= _EVENTS
            _note(trace, kind, _REPLACED, best, turned, p, rival, -1, -1)


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
    if answers or not alike or _best(like, q * across, step, n) > SAME:
        return 0.0
    value = 1.0 - like[cell]
    if _STRENGTHS[kinds[cell]] >= 0.0:
        value += (_STRENGTHS[kinds[cell]] - value) * strengths[cell]
    if s == _PRONOUN and t == _PRONOUN and kinds[cell] == _SISTER:
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
            _note(trace, _BINDING, _BOUND, sure_h * sure_d, turned, source, h, target, d)
            continue
        agreement = edge_agreement(y, j, role, h, d, roles)
        if agreement >= SLOT or (agreement >= _AGREES and not roles.core[role]):
            continue
        sure = sure_h * sure_d * float(x.confidence[e])
        contrary, other_role, bound, reversed_role, unlike = 0.0, False, False, False, False
        for f in range(y.edge[j], y.edge[j + 1]):
            if y.source[f] == h and y.target[f] == d:
                bound = True
                contrary = max(contrary, roles.contrary[role, y.role[f]])
                argument = roles.core[y.role[f]] or roles.transfer[y.role[f]]
                if roles.core[role] and argument and y.role[f] != role:
                    other_role = True
                if sure_h > SAME and has_other_voice(x, i, e, y, j, f, roles):
                    contrary = max(contrary, _VOICE)
                unlike |= is_plain(y, f, roles)
            elif y.source[f] == d and y.target[f] == h:
                bound = True
                contrary = max(contrary, roles.contrary_turned[role, y.role[f]])
                # What is done to one event cannot be another argument of its own argument.
                alike = roles.compatible[role, y.role[f]] >= _AGREES
                if alike and roles.core[role] and roles.core[y.role[f]]:
                    reversed_role = True
                # Places are told from either side, times and causes are not.
                unlike |= roles.conflict[role] != _DIRECTION and is_plain(y, f, roles)
        if other_role:
            taken, exchanged = role_taken(x, i, y, j, role, source, h, d, back)
            # Of two like roles ("tell", "give") either may be meant, unless somebody else has it.
            if exchanged or contrary > 0.0 or (taken and agreement < _AGREES):
                strength = sure * (1.0 if exchanged else max(contrary, _HALF_ROLE * taken))
                _note(trace, _ROLES, _ROLE, strength, turned, source, h, target, d)
        elif agreement >= _AGREES:
            continue
        elif reversed_role:
            _note(trace, _ROLES, _ROLE, sure, turned, source, h, target, d)
        elif contrary > 0.0:
            sure *= contrary
            _note(trace, roles.conflict[role], _CONTRARY, sure, turned, source, h, target, d)
        elif unlike and is_plain(x, e, roles) and min(sure_h, sure_d) > SAME:
            # One thing related to another in two ways: "until" or "from the first of June".
            sure *= _UNLIKE_RELATION
            _note(trace, roles.conflict[role], _CONTRARY, sure, turned, source, h, target, d)
        elif (
            not bound
            and not roles.symmetric[role]
            and bound_elsewhere(
                x, i, y, j, like, back, roles, role, source, target, h, d, step, across
            )
        ):
            _note(trace, _BINDING, _BOUND, sure, turned, source, h, target, d)
        elif not bound and filled_by_another(
            x, i, y, j, like, back, roles, role, source, target, h, d, step, across
        ):
            _note(trace, _BINDING, _FILLED, sure, turned, source, h, target, d)
        elif not bound and filled_by_relative(x, i, y, j, back, roles, role, h, d):
            _note(trace, _ROLES, _FILLED, sure * _BY_RELATIVE, turned, source, h, target, d)


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
    if one >= 0:
        _note(trace, _ROLES, _EXCHANGED, best, False, one, mapping[one], other, mapping[other])


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

    ``arguments``: gains are those of arguments and what is within phrases alone.
    """
    gain, total = 0.0, 0.0
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
        now = edge_agreement(b, j, a.role[e], h, d, roles)
        then = edge_agreement(b, j, a.role[e], u, v, roles)
        gain += float(a.confidence[e]) * (then - now)
    return gain, total


def _find_features(
    a: Any, i: int, b: Any, j: int, like: Any, kinds: Any, mapping: Any, inverse: Any, roles: Any,
    m: int, trace: Trace,
) -> None:  # fmt: skip
    """Aligned concepts of which one alone is denied, or that differ in a feature."""
    first, second = a.node[i], b.node[j]
    for p in range(a.node[i + 1] - first):
        q = mapping[p]
        if q < 0:
            continue
        sure = like[p * m + q] if like[p * m + q] >= LEAST else 0.0
        # Of two opposites one is denied: they say the same.
        opposites = kinds[p * m + q] == OPPOSITE_DENIED
        one, other = a.features[first + p], b.features[second + q]
        denied = a.negated[first + p] and b.negated[second + q]
        contrary = a.negated[first + p] != b.negated[second + q] and not opposites
        if contrary and not _absolved(one, other, roles.features):
            keys = roles.features.denying
            if a.negated[first + p]:
                sure_of_denial = sure * _affirms(b, j, a, i, inverse, keys)
            else:
                sure_of_denial = sure * _affirms(a, i, b, j, mapping, keys)
            _note(trace, _POLARITY, _DENIED, sure_of_denial, False, p, q, -1, -1)
        if one == other:
            continue
        unlike = roles.features.denied if denied else roles.features.unlike
        for k in range(len(roles.features.conflict)):
            u, v = (one >> BITS * k) & MASK, (other >> BITS * k) & MASK
            strength = sure * unlike[k, u, v]
            if strength > 0.0 and u == 0:
                strength *= _lacks(a, i, b, j, mapping, k, v)
            elif strength > 0.0 and v == 0:
                strength *= _lacks(b, j, a, i, inverse, k, u)
            if strength <= 0.0 and roles.features.moves[k]:
                strength = sure * _MOVED * _has_moved(a, i, b, j, like, mapping, k, p, u, v, m)
            _note(trace, roles.features.conflict[k], _FEATURE + k, strength, False, p, q, -1, -1)


def _affirms(x: Any, i: int, y: Any, j: int, partner: Any, denying: Any) -> float:
    """Return how sure it is that sentence i of x does not deny what sentence j of y denies.

    It may do so by another concept that is denied, or by a word that often denies and has become no
    feature of a concept; not where each of them denies what the other one affirms. ``partner`` is
    the alignment of its concepts, ``denying`` the keys of such words, in order.
    """
    sure = 1.0
    for p in range(x.node[i + 1] - x.node[i]):
        if x.negated[x.node[i] + p]:
            if partner[p] < 0:
                sure = _SAID_ELSEWHERE
            elif not y.negated[y.node[j] + partner[p]]:
                return 1.0
    if sure < 1.0:
        return sure
    for w in range(x.word[i], x.word[i + 1]):
        concept = x.concept[w]
        if x.featured[w] or (concept >= 0 and partner[concept] >= 0):
            continue
        key = x.key[x.form[w]]
        place = np.searchsorted(denying, key)
        if place < len(denying) and denying[place] == key and not has_word(y, j, x, w):
            return _SAID_PERHAPS
    return 1.0


def _lacks(x: Any, i: int, y: Any, j: int, partner: Any, k: int, value: int) -> float:
    """Return how sure it is that sentence i of x does not say what a feature says in j of y.

    It may say so of a concept that has no partner, or by such a concept or a word that has become
    no feature of one. ``value`` is that of feature k in sentence j.
    """
    sure = 1.0
    for p in range(x.node[i + 1] - x.node[i]):
        if partner[p] < 0:
            if (x.features[x.node[i] + p] >> BITS * k) & MASK == value:
                return _SAID_ELSEWHERE
            sure = _SAID_PERHAPS
    for w in range(x.word[i], x.word[i + 1]):
        if sure == 1.0 and x.concept[w] < 0 and not has_word(y, j, x, w):
            sure = _SAID_PERHAPS
    return sure


def _absolved(one: int, other: int, features: Any) -> bool:
    """Return whether a concept with some features says what one with others does that is denied."""
    for k in range(len(features.conflict)):
        if features.absolves[k, (one >> BITS * k) & MASK, (other >> BITS * k) & MASK]:
            return True
    return False


def _has_moved(
    a: Any, i: int, b: Any, j: int, like: Any, mapping: Any, k: int, p: int, u: int, v: int, m: int
) -> float:
    """Return how sure the value that p alone has, in one sentence alone, is another one's there.

    "Every nurse fed the child", "the nurse fed every child".
    """
    if (u > 0) == (v > 0):
        return 0.0
    first, second = a.node[i], b.node[j]
    best = 0.0
    for r in range(a.node[i + 1] - first):
        s = mapping[r]
        if r == p or s < 0 or like[r * m + s] < SURE:
            continue
        one = (a.features[first + r] >> BITS * k) & MASK
        other = (b.features[second + s] >> BITS * k) & MASK
        if (one, other) == (v, u):
            best = max(best, like[r * m + s])
    return float(best)


def _find_asked_for(
    x: Any, i: int, y: Any, j: int, like: Any, partner: Any, roles: Any, step: int, across: int,
    turned: bool, trace: Trace,
) -> None:  # fmt: skip
    """Note what x asks for of something that both have, where y asks and requests nothing.

    What something is may be asked for without a question: "what are the hours", "the hours".
    """
    first, told = x.node[i], roles.features.told
    for q in range(y.node[j], y.node[j + 1]):
        modality = y.features[q] & _MODAL
        if y.kind[q] == QUESTION or modality == told:
            return
    for e in range(x.edge[i], x.edge[i + 1]):
        for end in range(2):
            p, of = (x.target[e], x.source[e]) if end == 0 else (x.source[e], x.target[e])
            match = partner[of]
            if x.kind[first + p] != QUESTION or match < 0 or roles.symmetric[x.role[e]]:
                continue
            sure = like[of * step + match * across]
            if sure >= SURE:
                strength = sure * (_UNANSWERED if partner[p] < 0 else _ANSWERED)
                _note(trace, _MODALITY, _ASKED_FOR, strength, turned, p, partner[p], -1, -1)
                return
