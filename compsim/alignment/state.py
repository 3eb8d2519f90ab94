"""The memory of a search: arrays made once for the largest problem and used for many.

The arrays are numpy's, or lists of Python, with which plain Python is faster.

>>> problem, state = make_workspace(cells=4, ties=1, width=2, lists=True)
>>> problem.tie_worth, state.mapping
([0.0], [0, 0, 0])
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from compsim.alignment.problem import Problem
from compsim.kernels.assignment import Assignment

__all__ = [
    "BEST",
    "BOUND",
    "EXCLUDED",
    "GAIN",
    "SMALL",
    "TIED",
    "UNIT",
    "WORK",
    "SearchState",
    "flags",
    "floats",
    "integers",
    "make_assignment",
    "make_workspace",
    "totals",
]

#: Scores that differ by less are equal.
SMALL: Final = 5e-10

#: Indices of ``SearchState.count``: elementary steps, cells excluded, cells with ties.
WORK: Final = 0
EXCLUDED: Final = 1
TIED: Final = 2

#: Indices of ``SearchState.score``: the best mapping's, the bound of all mappings, by how much a
#: mapping has to be better to be looked for, and what a tie is worth on average.
BEST: Final = 0
BOUND: Final = 1
GAIN: Final = 2
UNIT: Final = 3


class SearchState(NamedTuple):
    """Arrays that a search reads and writes.

    For each half: ``share`` float64, whether the assignment has ``used`` it uint8, ``used_list``
    int32. For each cell: ``worth`` float64; ``alive`` and ``in_use`` by the assignment uint8; int32
    those ``tied``, the ``trail`` of those excluded, the ``branch`` at each depth, the length of the
    trail there (``branch_trail``) and whether the branch is the second (``branch_second``). For
    each row, int32: ``mapping`` to a column or -1, and the best one (``answer``); for each column,
    from 1, its row from 1 or 0 (``row_of``). ``count`` int64 (3) and ``score`` float64 (4) are
    totals.
    """

    share: Any
    used: Any
    used_list: Any
    worth: Any
    alive: Any
    in_use: Any
    tied: Any
    trail: Any
    branch: Any
    branch_trail: Any
    branch_second: Any
    mapping: Any
    answer: Any
    row_of: Any
    assignment: Assignment
    count: Any
    score: Any


def floats(size: int, lists: bool) -> Any:
    """Return zeros: a float64 array, or in plain Python a list where ``lists`` asks for one."""
    return [0.0] * size if lists else np.zeros(size)


def integers(size: int, lists: bool) -> Any:
    """Return zeros: an int32 array, or a list."""
    return [0] * size if lists else np.zeros(size, dtype=np.int32)


def flags(size: int, lists: bool) -> Any:
    """Return zeros: a uint8 array, or a list."""
    return [0] * size if lists else np.zeros(size, dtype=np.uint8)


def totals(size: int, lists: bool) -> Any:
    """Return zeros: an int64 array, or a list."""
    return [0] * size if lists else np.zeros(size, dtype=np.int64)


def make_assignment(width: int, lists: bool) -> Assignment:
    """Return the arrays of an assignment problem with at most ``width`` rows and columns."""
    size = width + 1
    return Assignment(
        floats(size, lists),
        floats(size, lists),
        floats(size, lists),
        integers(size, lists),
        integers(size, lists),
        integers(size, lists),
        integers(size, lists),
    )


def make_workspace(cells: int, ties: int, width: int, lists: bool) -> tuple[Problem, SearchState]:
    """Return the arrays of a problem of at most this size and of its search.

    ``width`` is the larger number of rows or columns; ``lists`` asks for lists in place of arrays,
    with which plain Python is faster.
    """
    halves, size = 2 * ties, width + 1
    problem = Problem(
        floats(cells, lists),
        integers(cells + 1, lists),
        integers(halves, lists),
        integers(halves, lists),
        floats(ties, lists),
        integers(halves, lists),
    )
    state = SearchState(
        floats(halves, lists),
        flags(halves, lists),
        integers(halves, lists),
        floats(cells, lists),
        flags(cells, lists),
        flags(cells, lists),
        integers(cells, lists),
        integers(cells + 1, lists),
        integers(cells + 1, lists),
        integers(cells + 1, lists),
        integers(cells + 1, lists),
        integers(size, lists),
        integers(size, lists),
        integers(size, lists),
        make_assignment(width, lists),
        totals(3, lists),
        floats(4, lists),
    )
    return problem, state
