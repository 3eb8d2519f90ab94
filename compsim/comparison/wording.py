"""Wordings that stand against each other in texts that are else alike word for word.

Whoever says the same in other words changes many of them. Where two texts are word for word alike
but for one place, and the lexicon does not make its two wordings one, they are seldom meant to be
the same: "the nurse paid", "the porter paid". In how few places they differ is their nearness. The
functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.concepts import KINDS
from compsim.comparison.features import BITS, FEATURES, MASK
from compsim.comparison.likeness import (
    OPPOSITE_DENIED,
    QUESTION,
    SAME,
    lemma_relation,
    same_word,
)
from compsim.comparison.packed import packed_cosine
from compsim.vectors.relations import Kind

__all__ = ["CELLS", "compare_wording", "has_word"]

#: Words of a place at most: a longer one is another way to say it.
_LONGEST: Final = 2
#: Words of a text between its first and its last change at most: further apart there are many.
_WINDOW: Final = 48
_WIDTH: Final = _WINDOW + 1
#: Numbers of which the work needs room.
CELLS: Final = _WIDTH * _WIDTH
#: How alike two words are by what the lexicon says of them; 0 for any other relation.
_ALIKE: Final = tuple(
    {Kind.SAME: 1.0, Kind.SYNONYM: 1.0, Kind.DERIVED: 1.0, Kind.SIMILAR: 0.5, Kind.NARROWER: 0.5,
     Kind.WIDER: 0.5}.get(kind, 0.0)
    for kind in Kind
)  # fmt: skip
_PRONOUN: Final = KINDS.index("pronoun")
#: How alike two words are at most by their vectors, which do not tell a lessee from a lessor.
_BY_VECTORS: Final = 0.4


def compare_wording(
    a: Any, i: int, b: Any, j: int, lexical: Any, like: Any, kinds: Any, mapping: Any,
    inverse: Any, cells: Any, place: Any,
) -> tuple[float, float]:  # fmt: skip
    """Return how strongly two sentences differ in one wording alone, and their nearness, 0 to 1.

    The first is how unlike the two wordings are, over the number of places where the sentences
    differ, and 0 where fewer than half of the words of the shorter one stand in the other in the
    same order. Nearness is the inverse of the geometric mean of the number of places and that of
    the words in them, 1 where there is none, and 0 where fewer than half of the words of the
    shorter one stand in the other at all. ``place`` int32 (4,) becomes the first word of the
    wording in a, the one after the last, and those in b; it stays as it is where there is none.
    ``a`` and ``b`` are ``ConceptArrays``, i and j sentences, ``lexical`` ``RelationArrays``,
    ``like``, ``kinds``, ``mapping`` and ``inverse`` the likeness, the relations and the alignment
    of their concepts, ``cells`` int16 (CELLS,) room to work in.
    """
    first, second = a.word[i], b.word[j]
    n, m = a.word[i + 1] - first, b.word[j + 1] - second
    start, least = 0, min(n, m)
    while start < least and same_word(a, first + start, b, second + start):
        start += 1
    end = 0
    while end < least - start and same_word(a, first + n - 1 - end, b, second + m - 1 - end):
        end += 1
    rows, columns = n - start - end, m - start - end
    if rows > _WINDOW or columns > _WINDOW:
        return 0.0, 0.0
    first, second = first + start, second + start
    _count_common(a, first, rows, b, second, columns, cells)
    in_order = 2 * (start + end + cells[0]) >= least
    if not in_order:
        if rows <= columns:
            shared = _count_shared(a, first, rows, b, second, columns)
        else:
            shared = _count_shared(b, second, columns, a, first, rows)
        if 2 * (start + end + shared) < least:
            return 0.0, 0.0
    changes, words, best = 0, 0, 0.0
    p, q = 0, 0
    while p < rows or q < columns:
        r, s = p, q
        # A change goes on as long as no pair of the longest common sequence begins.
        while (r < rows or s < columns) and not _match(a, first, rows, b, second, columns, r, s):
            if s >= columns or (
                r < rows and cells[(r + 1) * _WIDTH + s] >= cells[r * _WIDTH + s + 1]
            ):
                r += 1
            else:
                s += 1
        if r > p or s > q:
            changes += 1
            words += max(r - p, s - q)
            if in_order and 0 < r - p <= _LONGEST and 0 < s - q <= _LONGEST:
                unlike = _unlikeness(
                    a, i, first + p, first + r, b, j, second + q, second + s, lexical, like,
                    kinds, mapping, inverse,
                )  # fmt: skip
                if unlike > best:
                    best = unlike
                    place[0], place[1] = start + p, start + r
                    place[2], place[3] = start + q, start + s
        p, q = r + 1, s + 1
    return best / float(max(1, changes)), float(max(1, changes * words)) ** -0.5


def _match(
    a: Any, first: int, rows: int, b: Any, second: int, columns: int, r: int, s: int
) -> bool:
    return r < rows and s < columns and same_word(a, first + r, b, second + s)


def _count_shared(a: Any, first: int, rows: int, b: Any, second: int, columns: int) -> int:
    """Return how many of some words of a stand among some of b."""
    count = 0
    for p in range(first, first + rows):
        count += _stands_among(a, p, b, second, second + columns)
    return count


def _count_common(
    a: Any, first: int, rows: int, b: Any, second: int, columns: int, cells: Any
) -> None:
    """Fill the cell (p, q) with the length of the longest common sequence from there to the end."""
    for p in range(rows, -1, -1):
        for q in range(columns, -1, -1):
            if p == rows or q == columns:
                value = 0
            elif same_word(a, first + p, b, second + q):
                value = cells[(p + 1) * _WIDTH + q + 1] + 1
            else:
                value = max(cells[(p + 1) * _WIDTH + q], cells[p * _WIDTH + q + 1])
            cells[p * _WIDTH + q] = value


def _unlikeness(
    a: Any, i: int, p: int, p_end: int, b: Any, j: int, q: int, q_end: int, lexical: Any, like: Any,
    kinds: Any, mapping: Any, inverse: Any,
) -> float:  # fmt: skip
    """Return how unlike the most similar words of two wordings are, 0 to 1.

    Words that the other sentence has elsewhere have moved there, and so have those whose concept is
    aligned with one that is the same. They are none of the wording. A wording without other words
    stands against nothing, nor does a pronoun, or what is asked for, against what it may stand for.
    """
    m = b.node[j + 1] - b.node[j]
    least = 2.0
    if _stands_in(a, i, p, p_end) != _stands_in(b, j, q, q_end):
        return 0.0
    for r in range(p, p_end):
        if has_word(b, j, a, r) or _is_matched(a, i, r, b, j, mapping, like, kinds, m, 1):
            continue
        for s in range(q, q_end):
            matched = _is_matched(b, j, s, a, i, inverse, like, kinds, 1, m)
            if not matched and not has_word(a, i, b, s):
                least = min(least, 1.0 - _likeness(a, a.form[r], b, b.form[s], lexical))
    return least if least <= 1.0 else 0.0


def _stands_in(a: Any, i: int, p: int, p_end: int) -> bool:
    """Return whether words p to p_end of sentence i have no concept but a pronoun or question."""
    count = 0
    for r in range(p, p_end):
        if a.concept[r] >= 0 and not a.featured[r]:
            if a.kind[a.node[i] + a.concept[r]] not in (_PRONOUN, QUESTION):
                return False
            count += 1
    return count > 0


def has_word(b: Any, j: int, a: Any, p: int) -> bool:
    """Return whether sentence j of b has word p of a."""
    return _stands_among(a, p, b, b.word[j], b.word[j + 1])


def _stands_among(a: Any, p: int, b: Any, q: int, q_end: int) -> bool:
    """Return whether word p of a is one of the words q to q_end of b."""
    result = False
    for r in range(q, q_end):
        result = result or same_word(a, p, b, r)
    return result


def _is_matched(
    x: Any, i: int, p: int, y: Any, j: int, partner: Any, like: Any, kinds: Any, step: int,
    across: int,
) -> bool:  # fmt: skip
    """Return whether word p of x has a concept that is in y, or whose denied opposite is.

    A word that is a feature of a concept is matched where the other one has that feature too.
    ``like[concept * step + other * across]`` is the likeness of it and another one.
    """
    concept = x.concept[p]
    if concept < 0 or partner[concept] < 0:
        return False
    cell = concept * step + partner[concept] * across
    if x.featured[p]:
        u, v = x.node[i] + concept, y.node[j] + partner[concept]
        return bool(like[cell] >= SAME and _shares_features(x, u, y, v))
    return bool(like[cell] >= SAME or kinds[cell] == OPPOSITE_DENIED)


def _shares_features(x: Any, u: int, y: Any, v: int) -> bool:
    """Return whether concepts u and v have a feature in common, and none with two values."""
    if x.negated[u] != y.negated[v]:
        return False
    one, other = x.features[u], y.features[v]
    shared = x.negated[u] > 0
    for k in range(len(FEATURES)):
        p, q = (one >> BITS * k) & MASK, (other >> BITS * k) & MASK
        if p > 0 and q > 0:
            if p != q:
                return False
            shared = True
    return bool(shared)


def _likeness(a: Any, x: int, b: Any, y: int, lexical: Any) -> float:
    """Return how alike two lemmas are, by their rows, 0 to 1."""
    kind, strength = lemma_relation(a, x, b, y, lexical)
    cosine = packed_cosine(a.vector[x], b.vector[y])
    return min(1.0, max(min(max(0.0, cosine), _BY_VECTORS), _ALIKE[kind] * strength))
