"""The alignment problem as cells and ties, which the search solves.

A *cell* (i, a) stands for aligning row i to column a, with number ``i * m + a``; ``unary`` is its
worth. A *tie* joins two cells and adds its worth where both are used. Tie t has the halves 2 t and
2 t + 1, one for each of its cells, so ``half ^ 1`` is the other half.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).

>>> problem = Problem([1.0, 1.0], [0] * 3, [0, 0], [0, 1], [0.5], [0, 0])  # cells 0 and 1 tied
>>> count_halves(2, 1, problem)
>>> sort_halves(2, 1, problem)
>>> problem.tie_ptr, problem.tie
([0, 1, 2], [0, 1])
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Problem", "count_halves", "sort_halves", "sort_lines"]


class Problem(NamedTuple):
    """Cells and ties of n rows and m columns.

    ``unary`` float64 (n * m); ``tie_ptr`` int32 (n * m + 1): the halves of a cell are
    ``tie[tie_ptr[cell] : tie_ptr[cell + 1]]``, int32 (2 ties); ``tie_cell`` int32 (2 ties), the
    cell of each half; ``tie_worth`` float64 (ties); ``line`` int32 (2 ties): of the halves of a
    cell in one line, at most one can be satisfied, and they are neighbours in ``tie``.
    """

    unary: Any
    tie_ptr: Any
    tie: Any
    tie_cell: Any
    tie_worth: Any
    line: Any


def count_halves(cells: int, ties: int, problem: Problem) -> None:
    """Count the halves of each cell, in ``tie_ptr[cell + 1]``."""
    tie_ptr, tie_cell = problem.tie_ptr, problem.tie_cell
    for cell in range(cells + 1):
        tie_ptr[cell] = 0
    for half in range(2 * ties):
        tie_ptr[tie_cell[half] + 1] += 1


def sort_halves(cells: int, ties: int, problem: Problem) -> None:
    """List the halves of each cell, those of one line together, after they were counted."""
    tie_ptr, tie, tie_cell = problem.tie_ptr, problem.tie, problem.tie_cell
    for cell in range(cells):
        tie_ptr[cell + 1] += tie_ptr[cell]
    for half in range(2 * ties - 1, -1, -1):
        cell = tie_cell[half]
        tie_ptr[cell + 1] -= 1
        tie[tie_ptr[cell + 1]] = half
    # Now tie_ptr[c + 1] is the start of cell c.
    for cell in range(cells):
        tie_ptr[cell] = tie_ptr[cell + 1]
    tie_ptr[cells] = 2 * ties
    for cell in range(cells):
        sort_lines(cell, problem)


def sort_lines(cell: int, problem: Problem) -> None:
    """Sort the halves of a cell by their lines; the order within a line stays."""
    tie_ptr, tie, line = problem.tie_ptr, problem.tie, problem.line
    first = tie_ptr[cell]
    for index in range(first + 1, tie_ptr[cell + 1]):
        half = tie[index]
        back = index
        while back > first and line[tie[back - 1]] > line[half]:
            tie[back] = tie[back - 1]
            back -= 1
        tie[back] = half
