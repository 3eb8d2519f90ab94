"""Inventories of semantic roles: which roles there are, and which of them may stand for another.

>>> VERBNET.roles[:3]
('Verb', 'Agent', 'Patient')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PREDICATE", "VERBNET", "Inventory"]

#: The name under which a frame's predicate stands beside its roles.
PREDICATE: Final = "Verb"


@dataclass(frozen=True, slots=True)
class Inventory:
    """A set of roles, the predicate first, and the pairs of unlike roles that may be compared.

    ``align`` lists pairs (x, y) in the order in which they are tried: where one sentence has x and
    not y and the other has y and not x, y is treated as x.
    """

    name: str
    roles: tuple[str, ...]
    align: tuple[tuple[str, str], ...] = ()


#: The eight roles of VerbNet-CN and their alignment (STS3k paper, sections 4.3 and 4.6).
VERBNET: Final = Inventory(
    "verbnet",
    ("Verb", "Agent", "Patient", "Theme", "Time", "Manner", "Location", "Trajectory"),
    (
        ("Location", "Trajectory"),
        ("Theme", "Patient"),
        ("Theme", "Manner"),
        ("Manner", "Trajectory"),
        ("Patient", "Location"),
        ("Patient", "Manner"),
    ),
)
