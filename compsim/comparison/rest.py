"""Similarity of the rests of two sentences: what an alignment leaves of them.

An alignment has one concept for one concept. What is said in other words often takes more or fewer
of them ("a bicycle path", "a route for cyclists"): what the aligned concepts leave of either
sentence is compared as a whole, by the means of the word vectors. The functions run as they are or
compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["compare_rest", "rest_likeness"]

#: The power of the cosine: that of words taken at random is seldom 0, and counts little so.
_POWER: Final = 1.5


def compare_rest(
    a: Any, i: int, b: Any, j: int, like: Any, mapping: Any, inverse: Any, sums: Any
) -> float:
    """Return the similarity of the rests of sentences i of ``a`` and j of ``b``, 0 to 1.

    That is a power of the cosine of the weighted mean vectors, 0 where nothing is left of one.
    A concept is left as far as it is unlike its partner, one without a partner wholly. ``like``
    (n * m), ``mapping`` (n) and ``inverse`` (m) are likeness and alignment, ``sums`` float64
    (2, dim) room to work in.
    """
    m = b.node[j + 1] - b.node[j]
    _sum_rest(a, i, like, mapping, m, 1, sums[0])
    _sum_rest(b, j, like, inverse, 1, m, sums[1])
    product, first, second = 0.0, 0.0, 0.0
    for k in range(sums.shape[1]):
        product += sums[0, k] * sums[1, k]
        first += sums[0, k] * sums[0, k]
        second += sums[1, k] * sums[1, k]
    if first * second <= 0.0:
        return 0.0
    return rest_likeness(product / (first * second) ** 0.5)


def rest_likeness(cosine: float) -> float:
    """Return the similarity of two rests by the cosine of their vectors."""
    return float(min(1.0, max(0.0, cosine)) ** _POWER)


def _sum_rest(x: Any, i: int, like: Any, partner: Any, step: int, across: int, out: Any) -> None:
    """Fill ``out`` (dim) with the vectors of a sentence, each by the weight that is left of it.

    ``like[p * step + partner[p] * across]`` is the likeness of node p and its partner.
    """
    for k in range(len(out)):
        out[k] = 0.0
    first = x.node[i]
    for p in range(x.node[i + 1] - first):
        left = float(x.weight[first + p])
        if partner[p] >= 0:
            left *= 1.0 - like[p * step + partner[p] * across]
        if left > 0.0:
            vector = x.vector[x.lemma[first + p]]
            for k in range(len(out)):
                out[k] += left * float(vector[k])
