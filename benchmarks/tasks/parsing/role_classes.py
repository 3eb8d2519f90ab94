"""Classes of roles that parsers are compared by, and the F1 of what was found.

>>> CLASSES["Theme"], CLASSES["Agent"]
('Patient/Theme', 'Agent')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compsim.benchmarks.task import Figure
from compsim.roles import VERBNET

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["CLASSES", "scores"]

#: The class that a role counts as.
CLASSES: Final = {
    role: {
        "Patient": "Patient/Theme",
        "Theme": "Patient/Theme",
        "Location": "Location/Trajectory",
        "Trajectory": "Location/Trajectory",
    }.get(role, role)
    for role in VERBNET.roles
}


def scores(table: npt.NDArray[np.float64]) -> dict[str, Figure]:
    """Precision, recall and F1 of items of both, found and expected, in each sentence (3, n).

    A figure without a denominator is 0.
    """
    from compsim.amr.smatch.corpus import corpus_score

    score, n, there = corpus_score(*table), table.shape[1], float(table.any())
    return {
        "precision": Figure(there * score.precision, n),
        "recall": Figure(there * score.recall, n),
        "F1": Figure(there * score.f1, n, *(score.interval or () if there else ())),
    }
