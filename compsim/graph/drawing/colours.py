"""Colours of roles, the same in sentences, tables and drawings.

Eight colours, of which no two come near each other for readers with any of the three kinds of
colour blindness, and which stand out from white and from black; no more would do both. Roles of
other inventories get that of the VerbNet role that is most like them, or any one by their name.

>>> colour("Agent"), colour("Agent~Theme"), colour("ARG0"), colour("MAIN.ARG0")
(1, 1, 1, 1)
>>> hex_of("Agent")
'#0f61d3'
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

__all__ = ["COLOURS", "colour", "hex_of"]

#: Red, green and blue of each colour; the first, a grey, is that of predicates.
COLOURS: Final = (
    (0x76, 0x76, 0x76),
    (0x0F, 0x61, 0xD3),
    (0xBD, 0x88, 0x07),
    (0x23, 0x75, 0x42),
    (0x76, 0x45, 0x9E),
    (0x76, 0xA1, 0x50),
    (0x0A, 0x97, 0xE5),
    (0x73, 0x57, 0x05),
)

_OWN: Final = ("Verb", "Agent", "Patient", "Theme", "Time", "Manner", "Location", "Trajectory")
_NAMES: Final = {
    **{name: place for place, name in enumerate(_OWN)},
    **dict.fromkeys(("V", "MAIN", "instance", "TOP", "word", "whole sentence", "whole graph"), 0),
    **{"ARG0": 1, "ARG1": 2, "ARG2": 3, "ARG3": 7, "ARG4": 7},
    **{"ARGM-TMP": 4, "ARGM-MNR": 5, "ARGM-LOC": 6, "ARGM-DIR": 7, "direction": 7, "path": 7},
    **{"Experiencer": 1, "Recipient": 3, "Topic": 3, "Stimulus": 3, "Goal": 7, "Source": 7},
}
_PLACES: Final = {name.lower(): place for name, place in _NAMES.items()}


def colour(role: str) -> int:
    """The place of a role's colour; of two that were aligned, and of a path, one decides."""
    name = role.partition("~")[0].rpartition(".")[2]
    known = _NAMES.get(name)
    return (
        1 + crc32(name.encode("utf-8", "replace")) % (len(COLOURS) - 1) if known is None else known
    )


def hex_of(role: str) -> str:
    """The colour of a role as CSS and rich write it."""
    return "#{:02x}{:02x}{:02x}".format(*COLOURS[colour(role)])
