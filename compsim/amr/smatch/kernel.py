"""The numba kernel behind Smatch: many pairs of graphs in one call, without the interpreter lock.

>>> from compsim.amr.smatch import smatch_pairwise
>>> from compsim.amr.smatch.triples import encode
>>> from compsim.graph import RoleGraph
>>> batch = encode([RoleGraph.from_penman("(d / dog)"), RoleGraph.from_penman("(c / cat)")])
>>> smatch_pairwise(batch, batch[[0, 0]]).matched  # what calls the kernel
array([2., 1.])
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from compsim.amr.smatch.problem import build, count_ties
from compsim.amr.smatch.search import search
from compsim.kernels.compilation import compiled

__all__ = ["LARGE", "SETTLED", "UNSOLVED", "WORK", "solve_pairs"]

#: Pairs with more cells or ties than this are not searched: their assignment alone takes too long.
LARGE: Final = 1 << 17

#: In visited: the pair is too large, or the caller has solved it already.
UNSOLVED: Final = -1
SETTLED: Final = -2

#: Elementary steps, about half a second, that a search with a limit on its nodes may take besides.
WORK: Final = 1 << 28


@compiled()
def solve_pairs(
    a: Any,
    b: Any,
    start: int,
    end: int,
    options: Any,
    vector: Any,
    limits: Any,
    stop: Any,
    results: Any,
) -> None:
    """Solve graph i of a against graph i of b for i in start..end.

    a and b are tuples of arrays (``smatch._arrays``); options are (top, attributes, senses,
    threshold), limits (nodes, work); vector (codes, dim) float32 has a unit vector or zeros for
    each concept code, or no row where concepts are equal or not; stop uint8 (1,) ends the search
    once it is not 0. Results: matched, bound float64 (n,), visited int64 (n,), the nodes of the
    search or UNSOLVED, mapping int32 (variables of a): the variable of b or -1.
    """
    matched, bound, visited, mapping = results
    nodes, work_limit = limits
    a_variable, a_relation, a_role = a[0], a[1], a[6]
    b_variable, b_relation, b_role = b[0], b[1], b[6]
    most_cells = 0
    most_ties = 0
    most_wide = 0
    for p in range(start, end):
        if visited[p] == SETTLED:
            continue
        n = a_variable[p + 1] - a_variable[p]
        m = b_variable[p + 1] - b_variable[p]
        visited[p] = UNSOLVED
        if n * m > LARGE:
            continue
        ties = count_ties(
            a_role, a_relation[p], a_relation[p + 1], b_role, b_relation[p], b_relation[p + 1]
        )
        if ties > LARGE:
            continue
        visited[p] = 0
        most_cells = max(most_cells, n * m)
        most_ties = max(most_ties, ties)
        most_wide = max(most_wide, n, m)
    unary = np.zeros(most_cells, dtype=np.float64)
    worth = np.zeros(most_cells, dtype=np.float64)
    alive = np.zeros(most_cells, dtype=np.uint8)
    in_use = np.zeros(most_cells, dtype=np.uint8)
    tied = np.zeros(most_cells, dtype=np.int32)
    trail = np.zeros(most_cells + 1, dtype=np.int32)
    frame = np.zeros((3, most_cells + 1), dtype=np.int32)
    tie_ptr = np.zeros(most_cells + 1, dtype=np.int32)
    tie = np.zeros(2 * most_ties, dtype=np.int32)
    tie_cell = np.zeros(2 * most_ties, dtype=np.int32)
    tie_worth = np.zeros(most_ties, dtype=np.float64)
    line = np.zeros(2 * most_ties, dtype=np.int32)
    share = np.zeros(2 * most_ties, dtype=np.float64)
    used = np.zeros(2 * most_ties, dtype=np.uint8)
    used_list = np.zeros(2 * most_ties, dtype=np.int32)
    rows = np.zeros(most_wide + 1, dtype=np.int32)
    duals = np.zeros((3, most_wide + 1), dtype=np.float64)
    ints = np.zeros((4, most_wide + 1), dtype=np.int32)
    current = np.zeros(most_wide, dtype=np.int32)
    answer = np.zeros(most_wide, dtype=np.int32)
    tally = np.zeros(1, dtype=np.int64)
    problem = (unary, tie_ptr, tie, tie_cell, tie_worth, line)
    work = (
        share,
        worth,
        alive,
        in_use,
        used,
        used_list,
        tied,
        trail,
        frame,
        rows,
        duals,
        ints,
        tally,
    )
    for p in range(start, end):
        if visited[p] < 0:
            continue
        n = a_variable[p + 1] - a_variable[p]
        m = b_variable[p + 1] - b_variable[p]
        first = a_variable[p]
        for i in range(n):
            mapping[first + i] = -1
        if n == 0 or m == 0:
            matched[p] = 0.0
            bound[p] = 0.0
            continue
        flipped = n > m
        if flipped:
            ties = build(b, a, p, p, m, n, options, vector, problem)
            n, m = m, n
        else:
            ties = build(a, b, p, p, n, m, options, vector, problem)
        score, limit, count = search(
            n,
            m,
            ties,
            problem,
            vector.shape[0] == 0,
            nodes,
            work_limit,
            stop,
            work,
            current,
            answer,
        )
        matched[p] = score
        bound[p] = limit
        visited[p] = count
        for i in range(n):
            # Variables mapped without a matching triple are left unmapped.
            c = answer[i]
            if c >= 0:
                cell = i * m + c
                gain = unary[cell]
                for place in range(tie_ptr[cell], tie_ptr[cell + 1]):
                    other = tie_cell[tie[place] ^ 1]
                    if answer[other // m] == other % m:
                        gain += 1.0
                if gain > 0.0:
                    if flipped:
                        mapping[first + c] = i
                    else:
                        mapping[first + i] = c
