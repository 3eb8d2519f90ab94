"""Reader of VerbNet's classes: their verbs and the frames in which these stand.

VerbNet 3.4 (Kipper Schuler 2005) is a zip file with one XML file a class::

    classes = list(read_classes(Path("verbnet3.4.zip")))
    classes[0].frames[0]      # (("NP", "Agent", ()), ("VERB", "", ()), ("NP", "Theme", ()))

PropBank names a class with its verb or by its number alone:

>>> class_number("other_cos-45.4"), class_number("26.6.2-1"), class_number("break")
('45.4', '26.6.2-1', 'break')
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

__all__ = ["SyntacticFrame", "VerbClass", "class_number", "read_classes"]

#: The parts of a frame in order: kind, value and restrictions of each.
SyntacticFrame: TypeAlias = tuple[tuple[str, str, tuple[str, ...]], ...]


class VerbClass(NamedTuple):
    """A VerbNet class or subclass: its verbs, and its frames with those of the classes above.

    A frame is a row of (kind, value, restrictions), such as ``("NP", "Agent", ())``.
    """

    name: str
    verbs: frozenset[str]
    frames: tuple[SyntacticFrame, ...]


def class_number(name: str) -> str:
    """The number of a class, its name where that has none."""
    match = re.search(r"\d.*", name)
    return match[0] if match else name


def read_classes(archive: Path) -> Iterator[VerbClass]:
    """The classes of a zip file of VerbNet's XML files."""
    with zipfile.ZipFile(archive) as files:
        for name in sorted(name for name in files.namelist() if name.endswith(".xml")):
            yield from _classes(ElementTree.fromstring(files.read(name)), ())


def _classes(entry: ElementTree.Element, above: tuple[Any, ...]) -> Iterator[VerbClass]:
    own = tuple(
        tuple((part.tag, part.get("value") or "", tuple(_restrictions(part))) for part in syntax)
        for syntax in entry.iterfind("FRAMES/FRAME/SYNTAX")
    )
    verbs = (member.get("name", "") for member in entry.iterfind("MEMBERS/MEMBER"))
    name = class_number(entry.get("ID", ""))
    yield VerbClass(name, frozenset(verbs), above + own)
    for below in entry.iterfind("SUBCLASSES/VNSUBCLASS"):
        yield from _classes(below, above + own)


def _restrictions(part: ElementTree.Element) -> Iterator[str]:
    # A preposition's restriction says which kind it is; those of phrases are left out.
    for restriction in part.iter("SELRESTR" if part.tag == "PREP" else "SYNRESTR"):
        yield restriction.get("Value", "") + restriction.get("type", "")
