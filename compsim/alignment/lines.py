"""Lines of halves: which ties at a cell exclude each other.

At a cell (i, a) a bundle of row i can lie on one bundle of column a only, and the other way round.
So halves of one row bundle exclude each other, and so do halves of one column bundle; a half is in
one line only, and each cell takes the division by which it is worth less: a lower bound.

The functions run as they are, over lists, or compiled, over arrays (``kernel``).
"""

from __future__ import annotations

from typing import Any

from compsim.alignment.problem import Problem, count_halves, sort_halves, sort_lines

__all__ = ["sort_ties"]


def sort_ties(
    cells: int, ties: int, columns: int, problem: Problem, other_line: Any, best: Any
) -> None:
    """List the halves of each cell, in the lines that bound it lower.

    ``line`` has the row bundle of each half, ``other_line`` its column bundle, one of ``columns``;
    ``best`` float64 (columns) is scratch.
    """
    tie_ptr, tie, tie_worth, line = problem.tie_ptr, problem.tie, problem.tie_worth, problem.line
    count_halves(cells, ties, problem)
    sort_halves(cells, ties, problem)
    for y in range(columns):
        best[y] = 0.0
    for cell in range(cells):
        first, end = tie_ptr[cell], tie_ptr[cell + 1]
        if end - first < 2:
            continue
        by_rows = 0.0
        largest = 0.0
        for index in range(first, end):
            half = tie[index]
            worth = tie_worth[half >> 1]
            if index > first and line[half] != line[tie[index - 1]]:
                by_rows += largest
                largest = 0.0
            largest = max(largest, worth)
            best[other_line[half]] = max(best[other_line[half]], worth)
        by_rows += largest
        by_columns = 0.0
        for index in range(first, end):
            half = tie[index]
            by_columns += best[other_line[half]]
            best[other_line[half]] = 0.0
        if by_columns < by_rows:
            for index in range(first, end):
                line[tie[index]] = other_line[tie[index]]
            sort_lines(cell, problem)
