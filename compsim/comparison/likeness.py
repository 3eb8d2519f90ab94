"""How alike two concepts are: by lemma, by lexical relation, by vectors.

Vectors put opposites and members of one class near each other ("black", "white"; "two", "three"),
so lexical relations come first. The functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.concepts import BARE, KINDS, PARTICLES, SOUNDS, UNKNOWN
from compsim.comparison.packed import packed_cosine
from compsim.vectors.relations import Kind, pair_relation

__all__ = [
    "LEAST",
    "OPPOSITE_DENIED",
    "QUESTION",
    "SAME",
    "fill_likeness",
    "lemma_relation",
    "same_word",
]

#: Concepts that are less alike are not aligned.
LEAST: Final = 0.35
#: From here on two concepts count as the same.
SAME: Final = 0.93
#: The likeness of concepts by their lexical relation, where vectors do not say more.
_BY_RELATION: Final = (*(
    {Kind.SAME: 1.0, Kind.SYNONYM: 0.95, Kind.DERIVED: 0.9, Kind.NARROWER: 0.8, Kind.WIDER: 0.8,
     Kind.SIMILAR: 0.85}.get(kind, 0.0)
    for kind in Kind
), 0.85)  # fmt: skip
#: What vectors alone may make of two lemmas, and of those that exclude each other.
_RELATED_LIMIT: Final = 0.97
_CLASH_LIMIT: Final = 0.6
#: The likeness at least of two opposites: one stands in the place of the other.
_OPPOSITES_LEAST: Final = 0.5
#: The likeness at most of two words that both sentences have: whoever uses both tells them apart.
_APART_LIMIT: Final = 0.3
#: What is left of the likeness of two kinds of concepts.
_OTHER_KIND: Final = 0.8
#: In place of a ``Kind``: two opposites of which one is denied.
OPPOSITE_DENIED: Final = len(Kind)
_SAME, _SYNONYM, _DERIVED = int(Kind.SAME), int(Kind.SYNONYM), int(Kind.DERIVED)
_SISTER, _ANTONYM = int(Kind.SISTER), int(Kind.ANTONYM)
#: The likeness at least of what is asked for and of what stands in its role.
_ANSWER: Final = 0.85
#: How alike what a question word belongs to must be, and the relations to it how compatible.
_ASKED_OF: Final = 0.6
_ONE_ROLE: Final = 0.75
_ATTRIBUTE, _ENTITY, _NAME, QUESTION = (
    KINDS.index(kind) for kind in ("attribute", "entity", "name", "question")
)


def fill_likeness(
    a: Any, i: int, b: Any, j: int, lexical: Any, roles: Any, like: Any, kinds: Any,
    strengths: Any,
) -> None:  # fmt: skip
    """Fill ``like`` float64, ``kinds`` int8 and ``strengths`` float64 (n * m) for pairs of nodes.

    They are the likeness of two concepts, the relation of their lemmas, and how sure it is. ``a``
    and ``b`` are ``ConceptArrays``, i and j sentences, ``lexical`` ``RelationArrays``, ``roles``
    ``RoleArrays``.
    """
    first, second = a.node[i], b.node[j]
    n, m = a.node[i + 1] - first, b.node[j + 1] - second
    for p in range(n):
        x = a.lemma[first + p]
        vector = a.vector[x]
        for q in range(m):
            y = b.lemma[second + q]
            kind, strength = lemma_relation(a, x, b, y, lexical)
            if kind == _ANTONYM and a.negated[first + p] != b.negated[second + q]:
                kind = OPPOSITE_DENIED
            value = 1.0
            if kind != _SAME:
                # Words have several senses: the surer the relation, the less the vectors say.
                value = min(_RELATED_LIMIT, max(0.0, packed_cosine(vector, b.vector[y])))
                limit = _CLASH_LIMIT if kind in (_SISTER, _ANTONYM) else _BY_RELATION[kind]
                clashes = kind in (_SISTER, _ANTONYM)
                if (clashes and value > limit) or (not clashes and value < limit):
                    value += (limit - value) * strength
                if kind == _ANTONYM:
                    value = max(value, _OPPOSITES_LEAST * strength)
                if kind != _SYNONYM and kind != _DERIVED:
                    s, t = a.kind[first + p], b.kind[second + q]
                    if s != t and not _nominal(s, t):
                        value *= _OTHER_KIND
            like[p * m + q] = value
            kinds[p * m + q] = kind
            strengths[p * m + q] = strength
    _tell_apart(n, m, like, kinds)
    _fill_answers(a, i, b, j, roles, like, kinds, m, 1)
    _fill_answers(b, j, a, i, roles, like, kinds, 1, m)


def _fill_answers(
    x: Any, i: int, y: Any, j: int, roles: Any, like: Any, kinds: Any, step: int, across: int
) -> None:
    """Let what x asks for be like what stands in its role in y, unless the other has it as well.

    ``like[p * step + q * across]`` is the likeness of node p of x and q of y.
    """
    first, second = x.node[i], y.node[j]
    n, m = x.node[i + 1] - first, y.node[j + 1] - second
    for e in range(x.edge[i], x.edge[i + 1]):
        for end in range(2):
            p, of = (x.target[e], x.source[e]) if end == 0 else (x.source[e], x.target[e])
            if x.kind[first + p] != QUESTION or _has_twin(p * step, across, m, kinds):
                continue
            for f in range(y.edge[j], y.edge[j + 1]):
                for turned in range(2):
                    q, owner = y.target[f], y.source[f]
                    if turned != end:
                        q, owner = owner, q
                    fits = (roles.turned if turned else roles.compatible)[x.role[e], y.role[f]]
                    asked_of = like[of * step + owner * across]
                    kind = y.kind[second + q]
                    if fits < _ONE_ROLE or asked_of < _ASKED_OF or kind in (QUESTION, _ATTRIBUTE):
                        continue
                    if not _has_twin(q * across, step, n, kinds):
                        cell = p * step + q * across
                        like[cell] = max(like[cell], _ANSWER)


def _tell_apart(n: int, m: int, like: Any, kinds: Any) -> None:
    """Limit the likeness of two different words each of which the other sentence has as well.

    In "the dog chased the poodle" and "the poodle chased the dog", a poodle is not a dog.
    """
    for p in range(n):
        if not _has_twin(p * m, 1, m, kinds):
            continue
        for q in range(m):
            if kinds[p * m + q] != _SAME and _has_twin(q, m, n, kinds):
                like[p * m + q] = min(like[p * m + q], _APART_LIMIT)


def _has_twin(start: int, step: int, count: int, kinds: Any) -> bool:
    """Whether one of ``count`` relations from ``start`` on, ``step`` apart, is of one lemma."""
    result = False
    for k in range(count):
        result = result or kinds[start + k * step] == _SAME
    return result


def same_word(a: Any, p: int, b: Any, q: int) -> bool:
    """Return whether words p of a and q of b have one lemma."""
    return bool(a.key[a.form[p]] == b.key[b.form[q]])


def lemma_relation(a: Any, x: int, b: Any, y: int, lexical: Any) -> tuple[int, float]:
    """Return the lexical relation of two lemmas, by their rows, and how sure it is."""
    if a.key[x] == b.key[y]:
        return _SAME, 1.0
    if SOUNDS <= a.contrast[x] < PARTICLES and a.contrast[x] == b.contrast[y]:
        # Another spelling, but where both are words that are known.
        if a.member[x] == UNKNOWN or b.member[y] == UNKNOWN:
            return _SYNONYM, 1.0
    elif a.contrast[x] > 0 and a.contrast[x] == b.contrast[y]:
        if a.member[x] == BARE or b.member[y] == BARE:
            return _particle_relation(a, x, b, y, lexical)
        if a.member[x] != b.member[y]:
            opposites = a.contrast[x] >= PARTICLES and (a.member[x] ^ b.member[y]) == 1
            return (_ANTONYM if opposites else _SISTER), 1.0
        if a.member[x] > 1 or a.contrast[x] < PARTICLES:
            return _SYNONYM, 1.0
    kind, strength = pair_relation(a.entry[x], b.entry[y], lexical)
    return int(kind), float(strength)


def _particle_relation(a: Any, x: int, b: Any, y: int, lexical: Any) -> tuple[int, float]:
    """Return the relation of a verb and the same with a particle: to give up is not to give.

    Where a lexicon relates them, as it does "sit" and "sit down", or has no entry for one of them,
    a particle says no more than the verb does.
    """
    kind, strength = pair_relation(a.entry[x], b.entry[y], lexical)
    if kind == 0 and a.entry[x] >= 0 and b.entry[y] >= 0:
        return _SISTER, 1.0
    return int(kind), float(strength)


def _nominal(s: int, t: int) -> bool:
    return (s in (_ENTITY, _NAME, QUESTION)) and (t in (_ENTITY, _NAME, QUESTION))
