"""What is said of one verb: the notes from which its features are made."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clause"]


@dataclass(slots=True)
class Clause:
    """What is said of one verb; ``base`` is its truth without what its objects say.

    ``modality`` is as in :mod:`.semi_modals`, before its scope is known.
    """

    auxiliaries: tuple[int, ...] = ()
    particle: str = ""
    subject: int = -1
    mark: str = ""
    joint: str = ""
    base: bool = True
    truth: bool = True
    empty: bool = False
    modality: str = ""
    tense: str = ""
    aspect: str = ""
    mood: str = ""
