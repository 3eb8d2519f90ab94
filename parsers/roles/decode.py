"""From label scores to arguments: each numbered label at most once for a predicate.

The candidate that is surest of its label has it; another that wants the same takes its next best.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from compsim.parsers.roles.extraction import Candidates

__all__ = ["IN", "NONE", "PLACE", "decode"]

#: Numbers of the first two labels, and of one that the model does not have: a place inside an
#: argument ("an explosion *at a plant*"), for which PropBank has no label.
NONE, IN, PLACE = 0, 1, -1


def decode(
    scores: npt.NDArray[np.float32],
    found: Candidates,
    numbered: npt.NDArray[np.bool_],
    location: int,
) -> npt.NDArray[np.int64]:
    """The label number of each candidate (n,).

    ``scores`` (n, labels) are unnormalised log-probabilities; ``numbered`` (labels,) marks those
    that a predicate has at most once; ``location`` is the label of places.
    """
    chances = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    chances /= chances.sum(axis=1, keepdims=True)
    # A phrase inside an argument that would be a place if it were an argument itself.
    others = chances[:, IN + 1 :]
    place = found.places & (2 * chances[:, location] > others.sum(axis=1))
    # What hangs on the predicate itself is rather an argument than part of one.
    chances[found.direct, IN] = 0.0
    chosen: npt.NDArray[np.int64] = chances.argmax(axis=1)
    _share(chances, found.starts, numbered, chosen)
    chosen[place & (chosen <= IN)] = PLACE
    return chosen


def _share(
    chances: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    numbered: npt.NDArray[np.bool_],
    chosen: npt.NDArray[np.int64],
) -> None:
    """Settle, in place, who has a numbered label that two candidates of a predicate want."""
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    wanted = owners * chances.shape[1] + np.where(numbered[chosen], chosen, 0)
    _, inverse, count = np.unique(wanted, return_inverse=True, return_counts=True)
    disputed = numbered[chosen] & (count[inverse] > 1)
    for q in np.unique(owners[disputed]).tolist():
        own = slice(int(starts[q]), int(starts[q + 1]))
        ranked = (-chances[own]).argsort(axis=1, kind="stable").tolist()
        taken: set[int] = set()
        for i in (-chances[own].max(axis=1)).argsort(kind="stable").tolist():
            label = next(label for label in ranked[i] if label not in taken)
            chosen[own.start + i] = label
            if numbered[label]:
                taken.add(label)
