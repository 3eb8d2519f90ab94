"""Inventories of semantic roles: their roles, and the alignment of roles that may match.

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

__all__ = ["FRAMENET", "INVENTORIES", "PROPBANK", "UCCA", "VERBNET", "Inventory"]


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

#: Frame elements of FrameNet that many frames share, by name; those of single frames are left out.
#: Its relations between frames pair elements (a seller is a donor), and some pairs are aligned so.
FRAMENET: Final = Inventory(
    "framenet",
    (
        *("Verb", "Agent", "Cause", "Protagonist", "Self_mover", "Creator", "Killer", "Speaker"),
        *("Communicator", "Addressee", "Message", "Topic", "Medium", "Cognizer", "Content"),
        *("Experiencer", "Stimulus", "Perceiver_agentive", "Perceiver_passive", "Phenomenon"),
        *("Patient", "Undergoer", "Victim", "Theme", "Entity", "Item", "Event", "Activity"),
        *("Created_entity", "Product", "Donor", "Recipient", "Seller", "Buyer", "Goods", "Money"),
        *("Owner", "Possession", "Whole", "Part", "Role", "Attribute", "Value", "Standard_item"),
        *("Source", "Path", "Goal", "Area", "Direction", "Distance", "Place", "Vehicle"),
        *("Instrument", "Means", "Manner", "Degree", "Result", "Depictive", "Beneficiary"),
        *("Co-participant", "Purpose", "Reason", "Explanation", "Circumstances", "Time"),
        *("Duration", "Frequency", "Iteration"),
    ),
    (
        ("Agent", "Cause"),
        ("Agent", "Protagonist"),
        ("Agent", "Self_mover"),
        ("Agent", "Creator"),
        ("Agent", "Killer"),
        ("Donor", "Seller"),
        ("Recipient", "Buyer"),
        ("Theme", "Goods"),
        ("Theme", "Possession"),
        ("Speaker", "Communicator"),
        ("Message", "Topic"),
        ("Content", "Message"),
        ("Content", "Topic"),
        ("Experiencer", "Cognizer"),
        ("Experiencer", "Perceiver_passive"),
        ("Cognizer", "Perceiver_agentive"),
        ("Stimulus", "Phenomenon"),
        ("Patient", "Undergoer"),
        ("Patient", "Victim"),
        ("Patient", "Theme"),
        ("Theme", "Entity"),
        ("Created_entity", "Product"),
        ("Goal", "Path"),
        ("Place", "Goal"),
        ("Place", "Area"),
        ("Means", "Instrument"),
        ("Manner", "Means"),
        ("Reason", "Explanation"),
        ("Purpose", "Reason"),
    ),
)

#: The categories of UCCA that a scene has beside its process or state, each up to some times:
#: participants (A), adverbials (D), times (T) and comments on the scene (G).
UCCA: Final = Inventory(
    "ucca",
    ("Verb", "A", "A2", "A3", "A4", "D", "D2", "D3", "T", "T2", "G"),
    (("D", "T"), ("D", "G"), ("A2", "D"), ("A3", "D")),
)

#: The inventories that a scheme may name.
INVENTORIES: Final = {
    inventory.name: inventory for inventory in (VERBNET, PROPBANK, FRAMENET, UCCA)
}
