"""The earth mover's distance as a linear program, solved by scipy: a slow, obvious twin."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog


def earth_movers_distance(cost: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """The least cost of moving the masses of one side, which sum to 1, to the other's."""
    n, m = cost.shape
    rows = np.kron(np.eye(n), np.ones((1, m)))
    columns = np.kron(np.ones((1, n)), np.eye(m))
    # One of the sums follows from the others.
    equal = np.vstack([rows, columns])[:-1]
    sums = np.concatenate([first / first.sum(), second / second.sum()])[:-1]
    result = linprog(cost.ravel(), A_eq=equal, b_eq=sums, bounds=(0, None), method="highs")
    assert result.success, result.message
    return float(result.fun)
