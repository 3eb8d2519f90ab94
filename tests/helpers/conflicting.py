"""Which pairs of sentences have a conflict, for tests of shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.method import terms_of_pairs
from compsim.comparison.pairs import TERMS

__all__ = ["clear_conflicts"]

#: Strength from which a conflict counts.
_CLEAR = 0.2


def clear_conflicts(first: Any, second: Any) -> npt.NDArray[np.bool_]:
    """Return which rows of two batches of concepts have a clear conflict, (n,)."""
    places = [TERMS.index(name) for name in CONFLICTS]
    conflicts: npt.NDArray[np.bool_] = terms_of_pairs(first, second)[:, places] > _CLEAR
    return conflicts.any(axis=1)
