"""Tables of rolesets: ``weights/roles/events.json``.

Made by ``weights/build_events.py`` from PropBank, VerbNet and WordNet. Read once, when it is first
asked for::

    from compsim.parsers.roles.events import events
    events().subject_of("fall.01")     # ARG1
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from compsim.errors import DataError
from compsim.storage.places import weights_folder

__all__ = ["Events", "Oblique", "events", "spelled", "verb_of"]


class Oblique(NamedTuple):
    """VerbNet's prepositional phrases: ``roles``, one of the eight, after each, and
    for each that says the same as others (*talk to, with*) one that stands for them all.
    """

    roles: Mapping[str, str]
    same: Mapping[str, str]


_NOTHING: Final = Oblique({}, {})


@dataclass(frozen=True)
class Events:
    """Those of the tables that the parsers need; ``weights/build_events.py`` describes all."""

    first: Mapping[str, str]
    obliques: Mapping[str, Oblique]

    def subject_of(self, sense: str | None) -> str:
        """Return the label of a roleset's subject in the active voice."""
        return self.first.get(sense or "", "ARG0")

    def oblique(self, sense: str | None) -> Oblique:
        """Return what VerbNet says of phrases with prepositions beside a roleset, maybe nothing."""
        return self.obliques.get(sense or "", _NOTHING)


@cache
def events() -> Events:
    """Return the tables of the package. Raises DataError where they can not be read."""
    path = weights_folder() / "roles" / "events.json"
    try:
        tables = json.loads(path.read_text(encoding="utf8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} can not be read ({error}): reinstall compsim") from error
    return Events(tables["first"], dict(_obliques(tables["obliques"])))


def _obliques(
    rows: Iterable[tuple[str, Mapping[str, str], Sequence[str]]],
) -> Iterator[tuple[str, Oblique]]:
    for names, roles, groups in rows:
        role = {word: role for role, words in roles.items() for word in words.split()}
        same = {word: group.split()[0] for group in groups for word in group.split()}
        row = Oblique(role, same)
        for name in names.split():
            yield name, row


def spelled(sense: str) -> str:
    """The verb of a roleset with its particle: ``give_up`` of ``give-up.08``."""
    return sense.rsplit(".", 1)[0].replace("-", "_")


def verb_of(sense: str) -> str:
    """The verb of a roleset: ``give`` of ``give_up.08``."""
    return spelled(sense).partition("_")[0]
