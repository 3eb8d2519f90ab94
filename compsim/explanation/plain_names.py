"""The names of rows in plain words: roles, types of conflicts, and the rest of a score.

>>> plain_name("Agent"), plain_name("Theme~Patient"), plain_name("conflict: roles")
('who does it', 'what it is about / to whom or what', 'who does what to whom')
>>> plain_name("unheard of")
'unheard of'
"""

from __future__ import annotations

from typing import Final

__all__ = ["CONCEPT", "LIMIT", "WHOLES", "plain_name"]

#: The row of two aligned concepts.
CONCEPT: Final = "concept"
#: The row of what keeps a score in its range.
LIMIT: Final = "limit"
#: The rows of all that two sentences say.
WHOLES: Final = ("whole sentence", "whole graph")
_NAMES: Final = {
    CONCEPT: "concepts that agree",
    "whole sentence": "whole sentences",
    "whole graph": "whole graphs",
    "word": "words",
    "rest": "the rest, taken together",
    "roles": "concepts in the same roles",
    LIMIT: "limited to 0 to 1",
    "conflict: roles": "who does what to whom",
    "conflict: binding": "which property belongs to which thing",
    "conflict: direction": "direction of a relation",
    "conflict: attribute": "properties",
    "conflict: participant": "who or what it is",
    "conflict: quantity": "how many",
    "conflict: name": "names",
    "conflict: polarity": "affirmed or denied",
    "conflict: modality": "fact, possible or asked",
    "conflict: time": "when",
    "conflict: limit": "limits such as only or almost",
    "conflict: wording": "different wording, the rest unchanged",
    "Verb": "what happens",
    "Agent": "who does it",
    "Patient": "to whom or what",
    "Theme": "what it is about",
    "Time": "when",
    "Manner": "how",
    "Location": "where",
    "Trajectory": "from where to where",
    "ARG0": "who does it",
    "ARG1": "to whom or what",
    "ARG2": "for or with whom or what",
    "ARGM-TMP": "when",
    "ARGM-LOC": "where",
    "ARGM-DIR": "which way",
    "ARGM-GOL": "where to",
    "ARGM-MNR": "how",
    "ARGM-EXT": "how much",
    "ARGM-COM": "together with whom",
    "ARGM-PRP": "what for",
    "ARGM-CAU": "why",
    "ARGM-NEG": "that it is not so",
    "ARGM-MOD": "that it may or must be",
}


def plain_name(role: str) -> str:
    """Return the name of a row in plain words; one that has none is itself."""
    return " / ".join(dict.fromkeys(_NAMES.get(name, name) for name in role.split("~")))
