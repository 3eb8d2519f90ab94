"""Inventories of semantic roles: which roles there are, and which of them may stand for another.

>>> VERBNET.roles[:3], VERBNET.predicate
(('Verb', 'Agent', 'Patient'), 'Verb')
>>> Inventory("toy", ("Verb", "Agent"), align=(("Agent", "Goal"),))
Traceback (most recent call last):
...
compsim.errors.InputError: inventory 'toy' aligns Agent with Goal: pair two unlike roles of it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from compsim.errors import InputError

__all__ = ["INVENTORIES", "PROPBANK", "VERBNET", "Inventory"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """A set of roles: its name, the roles with the predicate's own first, and their alignment.

    ``align`` lists pairs (x, y) in the order in which they are tried: where one sentence has x and
    not y and the other has y and not x, y is treated as x. Raises ``InputError`` for a role
    named twice, or a pair that is not of two of the roles.
    """

    name: str
    roles: tuple[str, ...]
    align: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        known = set(self.roles)
        if len(known) < len(self.roles):
            raise InputError(f"inventory {self.name!r} names a role twice: mend it")
        for x, y in self.align:
            if x == y or not known.issuperset((x, y)):
                raise InputError(
                    f"inventory {self.name!r} aligns {x} with {y}: pair two unlike roles of it"
                )

    @property
    def predicate(self) -> str:
        """The name under which the predicate stands beside its roles."""
        return self.roles[0]


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

#: PropBank's numbered arguments and the modifiers that say something of the event itself.
PROPBANK: Final = Inventory(
    "propbank",
    (
        *("Verb", "ARG0", "ARG1", "ARG2", "ARG3", "ARG4", "ARG5"),
        *("ARGM-TMP", "ARGM-LOC", "ARGM-DIR", "ARGM-GOL", "ARGM-MNR", "ARGM-EXT", "ARGM-COM"),
        *("ARGM-PRP", "ARGM-CAU", "ARGM-PRD", "ARGM-ADV", "ARGM-NEG", "ARGM-MOD"),
    ),
    (
        ("ARGM-DIR", "ARGM-GOL"),
        ("ARGM-LOC", "ARGM-DIR"),
        ("ARG2", "ARGM-GOL"),
        ("ARG4", "ARGM-GOL"),
    ),
)

#: The inventories that a scheme may name.
INVENTORIES: Final = {inventory.name: inventory for inventory in (VERBNET, PROPBANK)}
