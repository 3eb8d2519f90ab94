"""An exact search for the variable mapping that matches most triples.

Mapping variable i of one graph to variable a of the other, a *cell* (i, a), matches a number of
instance and attribute triples, ``unary[i, a]``; a relation e of one graph and f of the other with
the same role match too where both their ends are mapped so, which ties two cells together. The sum
over a one-to-one mapping is to be made as large as can be.

Upper bound. The worth of each tie is split in two shares, one for each of its cells. A cell then
has a best worth of its own: its unary part, and for each of its relations the largest share among
the relations it may be matched with. An assignment problem over these worths bounds the sum from
above, whatever the split. A subgradient walk moves shares from cells that the assignment uses to
those it does not, which lowers the bound towards that of the linear program (Lagrangian
decomposition as for the quadratic assignment problem). The assignment itself is a mapping, so each
step also tries an answer, and its dual values rule out cells that can take part in no better one.
What is left is settled by branching on a cell.

Where all worths are whole numbers the bound is rounded down, which ends most searches at once.

>>> from compsim.amr.smatch import smatch
>>> from compsim.graph import RoleGraph
>>> a = RoleGraph.from_penman("(a / and :op1 (d / dog) :op2 (c / cat))")
>>> b = RoleGraph.from_penman("(a / and :op1 (c / cat) :op2 (d / dog))")
>>> result = smatch(a, b)
>>> result.matched, result.upper_bound
(4.0, 4.0)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from compsim.kernels.assignment import assign
from compsim.kernels.compilation import compiled

__all__ = ["SMALL", "search"]

_ROOT_STEPS: Final = 120
_STEPS: Final = 12

#: Sums that differ by less are equal.
SMALL: Final = 1e-6


@compiled()
def _gain(cell: int, mapping: Any, m: int, problem: Any) -> float:
    """What a cell adds to the mapping (n,), which maps its row to nothing yet."""
    unary, tie_ptr, tie, tie_cell, tie_worth, _ = problem
    gain: float = unary[cell]
    for place in range(tie_ptr[cell], tie_ptr[cell + 1]):
        other = tie_cell[tie[place] ^ 1]
        if mapping[other // m] == other % m:
            gain += tie_worth[tie[place] >> 1]
    return gain


@compiled()
def _climb(
    mapping: Any, row_of: Any, score: float, n: int, m: int, problem: Any, tally: Any, limit: int
) -> float:
    """Improve a mapping by moving one variable or swapping two, until nothing helps."""
    unary, tie_ptr, _, _, _, _ = problem
    improved = True
    while improved and tally[0] < limit:
        improved = False
        tally[0] += 4 * (n * m + tie_ptr[n * m])
        for i in range(n):
            for a in range(m):
                old = mapping[i]
                cell = i * m + a
                if a == old or (unary[cell] == 0.0 and tie_ptr[cell] == tie_ptr[cell + 1]):
                    continue
                k = row_of[a + 1] - 1
                new = score
                mapping[i] = -1
                if old >= 0:
                    new -= _gain(i * m + old, mapping, m, problem)
                if k >= 0:
                    mapping[k] = -1
                    new -= _gain(k * m + a, mapping, m, problem)
                new += _gain(cell, mapping, m, problem)
                mapping[i] = a
                if k >= 0 and old >= 0:
                    new += _gain(k * m + old, mapping, m, problem)
                    mapping[k] = old
                if new > score + SMALL:
                    score = new
                    row_of[a + 1] = i + 1
                    if old >= 0:
                        row_of[old + 1] = k + 1
                    improved = True
                else:
                    mapping[i] = old
                    if k >= 0:
                        mapping[k] = a
    return score


@compiled()
def _best_share(
    place: int, stop: int, problem: Any, share: Any, alive: Any, in_use: Any
) -> tuple[int, int]:
    """The half of the largest share in the line that starts at place, or -1, and the line's end.

    Among equal shares one whose other cell is in use comes first.
    """
    _, _, tie, tie_cell, _, line = problem
    best = 0.0
    chosen = -1
    current = line[tie[place]]
    while place < stop and line[tie[place]] == current:
        half = tie[place]
        other = tie_cell[half ^ 1]
        # Shares above 1e-12 only: a tie with the best, 0 at first, is no reason to choose.
        better = share[half] > best + 1e-12
        equal = chosen >= 0 and share[half] > best - 1e-12 and in_use[other] != 0
        if alive[other] != 0 and (better or equal):
            best = share[half]
            chosen = half
        place += 1
    return chosen, place


@compiled()
def _branch(
    row_of: Any,
    n: int,
    m: int,
    alive: Any,
    worth: Any,
    used: Any,
    used_list: Any,
    count: int,
    tie_cell: Any,
    work: Any,
) -> int:
    """The assigned cell that has a rival and the most shares in dispute, or -1."""
    for i in range(n):
        work[i] = 0.0
    for t in range(count):
        half = used_list[t]
        if used[half ^ 1] == 0:
            work[tie_cell[half] // m] += 1.0
            work[tie_cell[half ^ 1] // m] += 1.0
    chosen = -1
    most = -1.0
    for a in range(m):
        if row_of[a + 1] == 0:
            continue
        i = row_of[a + 1] - 1
        cell = i * m + a
        if alive[cell] == 0:
            continue
        weight = work[i] + worth[cell] * 1e-3
        if weight <= most:
            continue
        rival = False
        for b in range(m):
            if b != a and alive[i * m + b] != 0:
                rival = True
                break
        if not rival:
            for k in range(n):
                if k != i and alive[k * m + a] != 0:
                    rival = True
                    break
        if rival:
            most = weight
            chosen = cell
    if chosen >= 0:
        return chosen
    for cell in range(n * m):
        if alive[cell] != 0:
            for b in range(m):
                other = cell - cell % m + b
                if other != cell and alive[other] != 0:
                    return cell
            for k in range(n):
                other = k * m + cell % m
                if other != cell and alive[other] != 0:
                    return cell
    return -1


@compiled()
def search(
    n: int,
    m: int,
    ties: int,
    problem: Any,
    whole: bool,
    budget: int,
    limit_work: int,
    stop: Any,
    work: Any,
    mapping: Any,
    answer: Any,
) -> tuple[float, float, int]:
    """The best mapping of n rows to m columns into answer (n,); its score, a bound, the nodes used.

    The score is the largest possible where it equals the bound.
    """
    unary, tie_ptr, tie, tie_cell, tie_worth, line = problem
    share, worth, alive, in_use, used, used_list, tied, trail, frame, rows, duals, ints, tally = (
        work
    )
    cells = n * m
    row_of = ints[0]
    row_dual, column_dual, least = duals[0], duals[1], duals[2]
    for half in range(2 * ties):
        share[half] = tie_worth[half >> 1] / 2
        used[half] = 0
    tied_count = 0
    for cell in range(cells):
        tied_here = tie_ptr[cell + 1] > tie_ptr[cell]
        alive[cell] = 1 if unary[cell] > 0.0 or tied_here else 0
        in_use[cell] = 0
        if tied_here:
            tied[tied_count] = cell
            tied_count += 1
    for i in range(n):
        answer[i] = -1
    tally[0] = 0
    best = 0.0
    least_gain = 1.0 - SMALL if whole else SMALL
    root_bound = np.inf
    nodes = 0
    dead = 0
    depth = 0
    while True:
        # A node: lower the bound until it is closed, or until that gets slow.
        nodes += 1
        closed = False
        steps = _ROOT_STEPS if depth == 0 else _STEPS
        bound = np.inf
        lowest = np.inf
        stalled = 0
        branch = -1
        for step in range(steps):
            for cell in range(cells):
                worth[cell] = unary[cell] if alive[cell] != 0 else 0.0
            for t in range(tied_count):
                cell = tied[t]
                if alive[cell] == 0:
                    continue
                place = tie_ptr[cell]
                end = tie_ptr[cell + 1]
                total = 0.0
                while place < end:
                    # The largest share of each line, 0 if none is positive.
                    current = line[tie[place]]
                    top = 0.0
                    while place < end and line[tie[place]] == current:
                        half = tie[place]
                        if share[half] > top and alive[tie_cell[half ^ 1]] != 0:
                            top = share[half]
                        place += 1
                    total += top
                worth[cell] += total
            bound = assign(worth, n, m, row_dual, column_dual, least, ints, tally)
            # The assignment is a mapping: take its score.
            for i in range(n):
                mapping[i] = -1
            score = 0.0
            for a in range(m):
                if row_of[a + 1] != 0:
                    i = row_of[a + 1] - 1
                    score += _gain(i * m + a, mapping, m, problem)
                    mapping[i] = a
            if score > best + SMALL or (depth == 0 and step % 16 == 0):
                for j in range(m + 1):
                    rows[j] = row_of[j]
                if score + SMALL < bound:
                    score = _climb(mapping, rows, score, n, m, problem, tally, limit_work)
                if score > best + SMALL:
                    best = score
                    for i in range(n):
                        answer[i] = mapping[i]
            if depth == 0 and bound < root_bound:
                root_bound = bound
            limit = np.floor(bound + SMALL) if whole else bound
            if limit < best + least_gain:
                closed = True
                break
            # Cells whose use would push the bound down to the best score need no more thought.
            for cell in range(cells):
                if alive[cell] != 0:
                    slack = -worth[cell] - row_dual[cell // m + 1] - column_dual[cell % m + 1]
                    if bound - slack < best + least_gain:
                        alive[cell] = 0
                        trail[dead] = cell
                        dead += 1
            # Which shares the assignment counts without their other half.
            count = 0
            for a in range(m):
                if row_of[a + 1] != 0:
                    in_use[(row_of[a + 1] - 1) * m + a] = 1
            for a in range(m):
                if row_of[a + 1] == 0:
                    continue
                cell = (row_of[a + 1] - 1) * m + a
                if alive[cell] == 0:
                    continue
                place = tie_ptr[cell]
                while place < tie_ptr[cell + 1]:
                    half, place = _best_share(
                        place, tie_ptr[cell + 1], problem, share, alive, in_use
                    )
                    if half >= 0:
                        used[half] = 1
                        used_list[count] = half
                        count += 1
            lonely = 0
            for t in range(count):
                if used[used_list[t] ^ 1] == 0:
                    lonely += 1
            tally[0] += 4 * (cells + ties)
            tired = tally[0] > limit_work or stop[0] != 0
            last = step == steps - 1 or stalled >= 20 or lonely == 0 or tired
            if last:
                branch = _branch(
                    row_of, n, m, alive, worth, used, used_list, count, tie_cell, least
                )
            else:
                size = (bound - best - least_gain + 0.05) / lonely
                for t in range(count):
                    half = used_list[t]
                    if used[half ^ 1] == 0:
                        share[half] -= size
                        share[half ^ 1] += size
            for t in range(count):
                used[used_list[t]] = 0
            for a in range(m):
                if row_of[a + 1] != 0:
                    in_use[(row_of[a + 1] - 1) * m + a] = 0
            if last:
                break
            if bound < lowest - 0.01:
                lowest = bound
                stalled = 0
            else:
                stalled += 1
        if not closed and branch < 0:
            # No cell has a rival: all that are left are mapped.
            for i in range(n):
                mapping[i] = -1
            score = 0.0
            for cell in range(cells):
                if alive[cell] != 0:
                    score += _gain(cell, mapping, m, problem)
                    mapping[cell // m] = cell % m
            if score > best + SMALL:
                best = score
                for i in range(n):
                    answer[i] = mapping[i]
            closed = True
        if not closed:
            if nodes >= budget or tally[0] > limit_work or stop[0] != 0:
                limit = np.floor(root_bound + SMALL) if whole else root_bound
                return best, limit, nodes
            # First with the cell, all its rivals ruled out.
            frame[0, depth] = branch
            frame[1, depth] = dead
            frame[2, depth] = 0
            depth += 1
            i = branch // m
            a = branch % m
            for b in range(m):
                cell = i * m + b
                if b != a and alive[cell] != 0:
                    alive[cell] = 0
                    trail[dead] = cell
                    dead += 1
            for k in range(n):
                cell = k * m + a
                if k != i and alive[cell] != 0:
                    alive[cell] = 0
                    trail[dead] = cell
                    dead += 1
            continue
        while depth > 0:
            depth -= 1
            while dead > frame[1, depth]:
                dead -= 1
                alive[trail[dead]] = 1
            if frame[2, depth] == 0:
                # Then without it.
                frame[2, depth] = 1
                alive[frame[0, depth]] = 0
                trail[dead] = frame[0, depth]
                dead += 1
                depth += 1
                break
        if depth == 0:
            return best, best, nodes
