"""The conflicts of two sentences as they are noted: their types, what brings them about, and where.

The functions run as they are or compiled (``kernel``).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.features import FEATURES

__all__ = ["CAUSES", "Trace", "note"]

#: What brings a conflict about.
CAUSES: Final = (
    "replaced", "contrary", "role", "bound", "filled", "exchanged", "denied", *FEATURES,
    "asked for",
)  # fmt: skip
(ROLES, BINDING, DIRECTION, ATTRIBUTE, PARTICIPANT, QUANTITY, NAME, POLARITY
 ) = range(CONFLICTS.index("modality"))  # fmt: skip
REPLACED, CONTRARY, ROLE, BOUND, FILLED, EXCHANGED, DENIED, FEATURE = range(8)
ASKED_FOR: Final = FEATURE + len(FEATURES)
MODALITY: Final = CONFLICTS.index("modality")


class Trace(NamedTuple):
    """The conflicts of a pair in the order in which they were found.

    ``kind`` and ``cause`` int8 (numbers in ``CONFLICTS`` and ``CAUSES``), ``strength`` float64,
    ``nodes`` int32 (room, 4): a concept of the first sentence and its partner in the conflict of
    the second, then another such pair, -1 for none; ``count`` int64 (1,).
    """

    kind: Any
    cause: Any
    strength: Any
    nodes: Any
    count: Any


def note(
    trace: Trace, kind: int, cause: int, strength: float, turned: bool,
    x: int, y: int, other_x: int, other_y: int,
) -> None:  # fmt: skip
    """Add a conflict; of several replacements of the same two concepts the first is enough."""
    if turned:
        x, y, other_x, other_y = y, x, other_y, other_x
    count = trace.count[0]
    if count >= len(trace.kind) or strength <= 0.0:
        return
    if cause == REPLACED:
        for k in range(count):
            if trace.cause[k] == cause and trace.nodes[k, 0] == x and trace.nodes[k, 1] == y:
                return
    trace.kind[count] = kind
    trace.cause[count] = cause
    trace.strength[count] = min(1.0, strength)
    trace.nodes[count, 0], trace.nodes[count, 1] = x, y
    trace.nodes[count, 2], trace.nodes[count, 3] = other_x, other_y
    trace.count[0] = count + 1
