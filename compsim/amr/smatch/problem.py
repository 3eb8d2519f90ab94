"""Two graphs as an alignment problem: what their triples are worth as cells and ties.

A cell (i, a) stands for mapping variable i of one graph to variable a of the other: it is worth the
number of instance, attribute and TOP triples that match then. A tie joins two cells with which a
relation of each graph, of the same role, match.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> from compsim.amr.smatch.problem import Options, concept_worth
>>> kinds = Options(top=True, attributes=True, senses=False, threshold=0.5)
>>> concept_worth(3, 4, 7, 7, kinds, []), concept_worth(3, 4, 7, 8, kinds, [])  # not graded
(1.0, 0.0)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.alignment.problem import Problem, sort_halves

__all__ = ["Options", "Side", "build", "concept_worth", "count_ties"]

#: What two senses of one word are worth where concepts are graded and senses told apart.
_OTHER_SENSE: Final = 0.5


class Side(NamedTuple):
    """The arrays of a ``TripleBatch``; ``variable``, ``relation`` and ``attribute`` are indptr."""

    variable: Any
    node: Any
    concept: Any
    stem: Any
    relation: Any
    role: Any
    source: Any
    target: Any
    relation_count: Any
    same_source: Any
    same_target: Any
    attribute: Any
    key: Any
    holder: Any
    attribute_count: Any
    top: Any


class Options(NamedTuple):
    """Options of matching: the triples that count, and the cosine from which concepts are similar.

    With ``top_concept`` two TOP triples are the same only where the concepts at the roots are.
    """

    top: bool
    attributes: bool
    senses: bool
    threshold: float
    top_concept: bool = False


def concept_worth(x: int, y: int, x_stem: int, y_stem: int, options: Options, vector: Any) -> float:
    """Return the credit of two concepts, by code with and without sense: 1 if equal, else graded.

    ``vector`` (codes, dim) float32 has a unit vector or zeros for each concept, or no row.
    """
    if x == y or (x_stem == y_stem and not options.senses):
        return 1.0
    if len(vector) == 0:
        return 0.0
    if x_stem == y_stem:
        return _OTHER_SENSE if options.threshold <= _OTHER_SENSE else 0.0
    cosine = 0.0
    for k in range(vector.shape[1]):
        cosine += vector[x_stem, k] * vector[y_stem, k]
    return min(cosine, 1.0) if cosine >= options.threshold else 0.0


def count_ties(a: Side, b: Side, p: int, q: int) -> int:
    """Return the number of relations of a and of b with the same role; both are sorted by role."""
    a_role, b_role = a.role, b.role
    e, e_stop = a.relation[p], a.relation[p + 1]
    f, f_stop = b.relation[q], b.relation[q + 1]
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


def build(
    a: Side, b: Side, p: int, n: int, m: int, options: Options, vector: Any, problem: Problem
) -> int:
    """Fill in cells and ties of graph p of a (n variables) and of b (m); return the ties."""
    unary = problem.unary
    u, v = a.variable[p], b.variable[p]
    a_concept, b_concept, a_stem, b_stem = a.concept, b.concept, a.stem, b.stem
    for i in range(n):
        x, x_stem = a_concept[u + i], a_stem[u + i]
        for j in range(m):
            y, y_stem = b_concept[v + j], b_stem[v + j]
            unary[i * m + j] = concept_worth(x, y, x_stem, y_stem, options, vector)
    if options.top and a.top[p] >= 0 and b.top[p] >= 0:
        x, y = u + a.top[p], v + b.top[p]
        same = a_stem[x] == b_stem[y] if not options.senses else a_concept[x] == b_concept[y]
        if same or not options.top_concept:
            unary[a.top[p] * m + b.top[p]] += 1.0
    if options.attributes:
        f, stop = b.attribute[p], b.attribute[p + 1]
        a_key, b_key = a.key, b.key
        for e in range(a.attribute[p], a.attribute[p + 1]):
            while f < stop and b_key[f] < a_key[e]:
                f += 1
            g = f
            while g < stop and b_key[g] == a_key[e]:
                both = min(a.attribute_count[e], b.attribute_count[g])
                unary[a.holder[e] * m + b.holder[g]] += both
                g += 1
    ties = _tie(a, b, p, n * m, m, problem)
    sort_halves(n * m, ties, problem)
    return ties


def _tie(a: Side, b: Side, p: int, cells: int, m: int, problem: Problem) -> int:
    """Tie the cells of relations of one role; ``tie_ptr[cell + 1]`` counts the cell's halves."""
    unary, tie_ptr, tie_cell, tie_worth, line = (
        problem.unary,
        problem.tie_ptr,
        problem.tie_cell,
        problem.tie_worth,
        problem.line,
    )
    a_role, a_source, a_target, a_count = a.role, a.source, a.target, a.relation_count
    b_role, b_source, b_target, b_count = b.role, b.source, b.target, b.relation_count
    for cell in range(cells + 1):
        tie_ptr[cell] = 0
    count = 0
    first = a.relation[p]
    relations = a.relation[p + 1] - first
    start, stop = b.relation[p], b.relation[p + 1]
    other_first = start
    for e in range(first, first + relations):
        while start < stop and b_role[start] < a_role[e]:
            start += 1
        f = start
        while f < stop and b_role[f] == a_role[e]:
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
                mine = e - first
                other = relations + f - other_first
                few = a.same_source[e] <= b.same_source[f]
                line[2 * count] = mine if few else other
                few = a.same_target[e] <= b.same_target[f]
                line[2 * count + 1] = mine if few else other
                tie_ptr[source + 1] += 1
                tie_ptr[target + 1] += 1
                count += 1
            f += 1
    return count
