"""What aligned concepts deny, or say by a feature, in one sentence and not in the other.

Something may be denied in one sentence alone, a feature may have another value (``features``:
possible or necessary, some or all, past or to come), and one sentence may ask for what the other
tells. The functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from compsim.comparison.bindings import SURE
from compsim.comparison.features import BITS, FEATURES, MASK
from compsim.comparison.likeness import LEAST, OPPOSITE_DENIED, QUESTION
from compsim.comparison.trace import ASKED_FOR, DENIED, FEATURE, MODALITY, POLARITY, Trace, note
from compsim.comparison.wording import has_word

__all__ = ["find_asked_for", "find_features"]

#: The bits of the modality in packed features.
_MODAL: Final = MASK << BITS * FEATURES.index("modality")
#: How much it says that one sentence asks for what the other tells, or does not tell.
_ANSWERED, _UNANSWERED = 0.2, 0.8
#: How sure it is that a sentence does not say what a feature, or a denial, says in the other one,
#: where it says so of a concept without a partner, or may say so in words that are not understood.
#: Set by hand: of pairs with a denial in one sentence alone, .47 of the written triples and .50 of
#: STSb train say the same in the first case, .28 and .17 in the second, .16 and .11 in neither.
_SAID_ELSEWHERE, _SAID_PERHAPS = 0.3, 0.5
#: How much it says that a feature of one concept is another one's in the other sentence.
_MOVED: Final = 0.7


def find_features(
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
            note(trace, POLARITY, DENIED, sure_of_denial, False, p, q, -1, -1)
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
            note(trace, roles.features.conflict[k], FEATURE + k, strength, False, p, q, -1, -1)


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


def find_asked_for(
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
                note(trace, MODALITY, ASKED_FOR, strength, turned, p, partner[p], -1, -1)
                return
