"""From PropBank labels and VerbNet's thematic roles to the eight roles of VerbNet-CN.

In the paper (001, section 4.6) Agent, Patient and Theme are kept, "most of the less common roles"
are grouped into Location, Trajectory, Manner and Time. Which goes where follows VerbNet's own role
hierarchy: kinds of actors are Agents, what undergoes a change or is affected is a Patient, what is
moved, used, perceived or talked about is a Theme, places that paths begin or end at belong to the
Trajectory (VerbNet's Source and Goal are no places: the giver and the getter of a transfer), and
what tells how or why belongs to Manner.

>>> consolidate("Initial_Location"), consolidate("experiencer"), consolidate("Axis")
('Trajectory', 'Agent', None)
>>> from_propbank("ARG1", "experiencer", "object"), from_propbank("ARGM-TMP")
('Patient', 'Time')
"""

from __future__ import annotations

from functools import cache

__all__ = ["MODIFIERS", "VERBNET_TO_EIGHT", "consolidate", "from_propbank"]

VERBNET_TO_EIGHT: dict[str, str] = {
    "Actor": "Agent",
    "Affector": "Agent",
    "Agent": "Agent",
    "Asset": "Theme",
    "Attribute": "Theme",
    "Beneficiary": "Patient",
    "Cause": "Agent",
    "Causer": "Agent",
    "Circumstance": "Manner",
    "Co-Agent": "Theme",
    "Co-Patient": "Theme",
    "Co-Theme": "Theme",
    "Destination": "Trajectory",
    "Duration": "Time",
    "Eventuality": "Theme",
    "Experiencer": "Agent",
    "Extent": "Manner",
    "Goal": "Patient",
    "Initial_Location": "Trajectory",
    "Initial_State": "Theme",
    "Instrument": "Theme",
    "Location": "Location",
    "Maleficiary": "Patient",
    "Manner": "Manner",
    "Material": "Theme",
    "Path": "Trajectory",
    "Patient": "Patient",
    "Pivot": "Agent",
    "Predicate": "Theme",
    "Product": "Theme",
    "Proposition": "Theme",
    "Purpose": "Manner",
    "Recipient": "Patient",
    "Reflexive": "Patient",
    "Result": "Theme",
    "Source": "Theme",
    "Stimulus": "Theme",
    "Subeventuality": "Theme",
    "Theme": "Theme",
    "Time": "Time",
    "Topic": "Theme",
    "Trajectory": "Trajectory",
    "Value": "Theme",
}

# Mood, negation, discourse markers and light-verb bookkeeping name no participant or circumstance.
MODIFIERS: dict[str, str] = {
    "ARGM-ADV": "Manner",
    "ARGM-CAU": "Manner",
    "ARGM-COM": "Theme",
    "ARGM-DIR": "Trajectory",
    "ARGM-EXT": "Manner",
    "ARGM-GOL": "Trajectory",
    "ARGM-LOC": "Location",
    "ARGM-MNR": "Manner",
    "ARGM-PRD": "Theme",
    "ARGM-PRP": "Manner",
    "ARGM-PRR": "Theme",
    "ARGM-TMP": "Time",
}


def consolidate(role: str) -> str | None:
    """Return which of the eight a VerbNet role or PropBank modifier is, None where none fits."""
    return MODIFIERS.get(role) or VERBNET_TO_EIGHT.get(_spelling(role))


@cache
def from_propbank(label: str, verbnet: str | None = None, function: str = "") -> str | None:
    """Return which of the eight roles a PropBank argument counts as, None where none fits.

    ``verbnet`` is the thematic role that VerbNet's frames give to the argument, or its roleset
    links it to, or the modifier label that says what a numbered argument without either is;
    ``function`` is its grammatical function, ``"subject"`` (of an active clause), ``"object"`` or
    neither.

    - A subject is the Agent and an object the Patient, as in every one of the paper's hand-fixed
      pilot sentences, whatever VerbNet calls them (an Experiencer that sees, a Stimulus that
      disgusts, a Theme that is moved, a place that is entered). In the paper's own prompt (section
      8.2.2) even the food of "Food is what people eat" is an Agent. A subject that changes ("the
      ice melted") has no such function: it is a Patient by its link.
    - PropBank's ARG0 is the proto-agent of every verb, its ARG4 the end point, if VerbNet does not
      say that it is somebody affected ("bought it for her": the Beneficiary).
    """
    role = consolidate(verbnet) if verbnet else None
    if not label.startswith("ARG") or label.startswith("ARGM"):
        return role or MODIFIERS.get(label)
    if label == "ARG0" or function == "subject":
        return "Agent"
    if function == "object":
        return "Patient"
    if label == "ARG4" and role != "Patient":
        return "Trajectory"
    if role == "Agent" or (role is None and label == "ARG1"):
        return "Patient"
    return role or "Theme"


def _spelling(role: str) -> str:
    parts = role.strip().replace("_", "-").split("-")
    name = "-".join(part.capitalize() for part in parts)
    return name if name.startswith("Co-") else name.replace("-", "_")
