"""What the search for a variable mapping works on: cells and ties of two graphs.

A *cell* (i, a) stands for mapping variable i of one graph to variable a of the other: ``unary``
(n * m) is how many instance, attribute and TOP triples match then. A *tie* joins two cells: with
both, a relation of each graph, of the same role, match too. Tie t has the halves 2 t and 2 t + 1,
one for each of its cells, so ``half ^ 1`` is the other half.

A problem is the tuple ``(unary, tie_ptr, tie, tie_cell, tie_worth, line)``: float64 (n * m); int32
(n * m + 1), the halves of a cell are ``tie[tie_ptr[cell] : tie_ptr[cell + 1]]``; int32 (2 ties);
int32 (2 ties), the cell of each half; float64 (ties); int32 (2 ties). The halves of a cell that
have one ``line`` exclude each other, and stand together in ``tie``.

>>> import numpy as np
>>> from compsim.amr.smatch.problem import concept_worth
>>> plain = np.zeros((0, 0), np.float32)  # concepts are not graded
>>> concept_worth(3, 4, 7, 7, True, plain, 0.5), concept_worth(3, 4, 7, 7, False, plain, 0.5)
(0.0, 1.0)
"""

from __future__ import annotations

from typing import Any, Final

from compsim.kernels.compilation import compiled

__all__ = ["build", "concept_worth", "count_ties"]

#: What two senses of one word are worth where concepts are graded and senses told apart.
_OTHER_SENSE: Final = 0.5


@compiled()
def concept_worth(
    x: int, y: int, x_stem: int, y_stem: int, senses: bool, vector: Any, threshold: float
) -> float:
    """What two concepts, by code with and without sense, are worth: 1 if equal, else graded."""
    if x == y or (x_stem == y_stem and not senses):
        return 1.0
    if vector.shape[0] == 0:
        return 0.0
    if x_stem == y_stem:
        return _OTHER_SENSE if threshold <= _OTHER_SENSE else 0.0
    cosine = 0.0
    for k in range(vector.shape[1]):
        cosine += vector[x_stem, k] * vector[y_stem, k]
    return min(cosine, 1.0) if cosine >= threshold else 0.0


@compiled()
def count_ties(a_role: Any, e: int, e_stop: int, b_role: Any, f: int, f_stop: int) -> int:
    """How many relations of a and b have the same role; both are sorted by role."""
    count = 0
    while e < e_stop and f < f_stop:
        if a_role[e] < b_role[f]:
            e += 1
        elif b_role[f] < a_role[e]:
            f += 1
        else:
            role = a_role[e]
            n = 0
            while e < e_stop and a_role[e] == role:
                e += 1
                n += 1
            m = 0
            while f < f_stop and b_role[f] == role:
                f += 1
                m += 1
            count += n * m
    return count


@compiled()
def build(
    a: Any, b: Any, p: int, q: int, n: int, m: int, options: Any, vector: Any, problem: Any
) -> int:
    """Fill in cells and ties of graph p of a (n variables) and q of b (m); return the ties."""
    top, attributes, senses, threshold = options
    unary, tie_ptr, tie, tie_cell, tie_worth, line = problem
    (
        a_variable,
        a_relation,
        a_attribute,
        a_top,
        a_concept,
        a_stem,
        a_role,
        a_source,
        a_target,
        a_count,
        a_same_source,
        a_same_target,
        a_key,
        a_holder,
        a_times,
    ) = a
    (
        b_variable,
        b_relation,
        b_attribute,
        b_top,
        b_concept,
        b_stem,
        b_role,
        b_source,
        b_target,
        b_count,
        b_same_source,
        b_same_target,
        b_key,
        b_holder,
        b_times,
    ) = b
    u = a_variable[p]
    v = b_variable[q]
    for i in range(n):
        for j in range(m):
            unary[i * m + j] = concept_worth(
                a_concept[u + i],
                b_concept[v + j],
                a_stem[u + i],
                b_stem[v + j],
                senses,
                vector,
                threshold,
            )
    if top and a_top[p] >= 0 and b_top[q] >= 0:
        unary[a_top[p] * m + b_top[q]] += 1.0
    if attributes:
        e = a_attribute[p]
        start = b_attribute[q]
        while e < a_attribute[p + 1]:
            while start < b_attribute[q + 1] and b_key[start] < a_key[e]:
                start += 1
            f = start
            while f < b_attribute[q + 1] and b_key[f] == a_key[e]:
                unary[a_holder[e] * m + b_holder[f]] += min(a_times[e], b_times[f])
                f += 1
            e += 1
    cells = n * m
    for cell in range(cells + 1):
        tie_ptr[cell] = 0
    count = 0
    relations = a_relation[p + 1] - a_relation[p]
    start = b_relation[q]
    for e in range(a_relation[p], a_relation[p + 1]):
        while start < b_relation[q + 1] and b_role[start] < a_role[e]:
            start += 1
        f = start
        while f < b_relation[q + 1] and b_role[f] == a_role[e]:
            both = min(a_count[e], b_count[f])
            source = a_source[e] * m + b_source[f]
            target = a_target[e] * m + b_target[f]
            if source == target:
                unary[source] += both
            elif a_source[e] != a_target[e] and b_source[f] != b_target[f]:
                # Of the relations with this role at the two variables, each of the fewer can be
                # matched once: a line holds the rivals for one of these.
                tie_worth[count] = both
                tie_cell[2 * count] = source
                tie_cell[2 * count + 1] = target
                mine = e - a_relation[p]
                other = relations + f - b_relation[q]
                few = a_same_source[e] <= b_same_source[f]
                line[2 * count] = mine if few else other
                few = a_same_target[e] <= b_same_target[f]
                line[2 * count + 1] = mine if few else other
                tie_ptr[source + 1] += 1
                tie_ptr[target + 1] += 1
                count += 1
            f += 1
    for cell in range(cells):
        tie_ptr[cell + 1] += tie_ptr[cell]
    for half in range(2 * count - 1, -1, -1):
        cell = tie_cell[half]
        tie_ptr[cell + 1] -= 1
        tie[tie_ptr[cell + 1]] = half
    # Now tie_ptr[c + 1] is the start of cell c: shift, and sort the halves of a cell by line.
    for cell in range(cells):
        tie_ptr[cell] = tie_ptr[cell + 1]
    tie_ptr[cells] = 2 * count
    for cell in range(cells):
        for place in range(tie_ptr[cell] + 1, tie_ptr[cell + 1]):
            half = tie[place]
            back = place
            while back > tie_ptr[cell] and line[tie[back - 1]] > line[half]:
                tie[back] = tie[back - 1]
                back -= 1
            tie[back] = half
    return count
