"""Find pairs of sentences that have a clear conflict, for tests of shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.method import terms_of_pairs
from compsim.comparison.pairs import TERMS

__all__ = ["clear_conflicts", "share_with_conflict"]

#: Strength from which a conflict counts.
_CLEAR = 0.2


def clear_conflicts(first: Any, second: Any) -> npt.NDArray[np.bool_]:
    """Return which rows of two batches of concepts have a clear conflict, (n,)."""
    places = [TERMS.index(name) for name in CONFLICTS]
    conflicts: npt.NDArray[np.bool_] = terms_of_pairs(first, second)[:, places] > _CLEAR
    return conflicts.any(axis=1)


def share_with_conflict(method: Any, pairs: list[tuple[str, str]]) -> float:
    """Return the share of pairs that have a clear conflict, and print it; texts are parsed once."""
    rows = {text: i for i, text in enumerate(dict.fromkeys(sum(pairs, ())))}
    batch = method.encode(list(rows))
    first, second = ([rows[text] for text in side] for side in zip(*pairs, strict=True))
    share = float(clear_conflicts(batch[first], batch[second]).mean())
    print(f"{share:.3f} of {len(pairs)} pairs have a clear conflict")
    return share
