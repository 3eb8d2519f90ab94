"""What is known of events and the words that tell them: ``weights/roles/events.json``.

Made by ``weights/build_events.py`` from PropBank, VerbNet and WordNet. Read once, when it is first
asked for::

    from compsim.parsers.roles.events import events
    events().nouns["destruction"]     # destroy.01
    events().converses["sell.01"]     # (("buy.01", {"ARG0": "ARG2", "ARG1": "ARG1", ...}),)
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
    """What VerbNet says of phrases with prepositions: ``roles``, one of the eight, after each, and
    for each that says the same as others (*talk to, with*) one that stands for them all.
    """

    roles: Mapping[str, str]
    same: Mapping[str, str]


_NOTHING: Final = Oblique({}, {})


@dataclass(frozen=True)
class Events:
    """The tables, as ``weights/build_events.py`` describes them."""

    causing: frozenset[str]
    converses: Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]]
    feelings: frozenset[str]
    first: Mapping[str, str]
    inchoative: frozenset[str]
    light: Mapping[str, frozenset[str]]
    markers: Mapping[str, Mapping[str, str]]
    moving: frozenset[str]
    nouns: Mapping[str, str]
    object_control: frozenset[str]
    obliques: Mapping[str, Oblique]
    places: Mapping[str, tuple[str, str, str]]
    positions: frozenset[str]
    raising: frozenset[str]
    receivers: Mapping[str, float]
    seldom: frozenset[str]
    sides: Mapping[str, tuple[str, str]]
    symmetric: Mapping[str, tuple[tuple[str, str], ...]]
    transitive: frozenset[str]

    def subject_of(self, sense: str | None) -> str:
        """The label of a roleset's subject in the active voice."""
        return self.first.get(sense or "", "ARG0")

    def oblique(self, sense: str | None) -> Oblique:
        """What VerbNet says of phrases with prepositions beside a roleset, maybe nothing."""
        return self.obliques.get(sense or "", _NOTHING)

    def marked(self, sense: str, marker: str) -> str | None:
        """The role that a preposition marks beside the noun of an event."""
        return self.markers.get(sense, {}).get(marker) or self.markers[""].get(marker)


@cache
def events() -> Events:
    """The tables of the package. Raises DataError where they can not be read."""
    path = weights_folder() / "roles" / "events.json"
    try:
        tables = json.loads(path.read_text(encoding="utf8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} can not be read ({error}): reinstall compsim") from error
    return Events(
        causing=frozenset(tables["causing"]),
        converses={name: tuple(map(tuple, rows)) for name, rows in tables["converses"].items()},
        feelings=frozenset(tables["feelings"]),
        first=tables["first"],
        inchoative=frozenset(tables["inchoative"]),
        light={verb: frozenset(nouns) for verb, nouns in tables["light"].items()},
        markers=tables["markers"],
        moving=frozenset(tables["moving"]),
        nouns=tables["nouns"],
        object_control=frozenset(tables["object_control"]),
        obliques=dict(_obliques(tables["obliques"])),
        places={name: tuple(row) for name, row in tables["places"].items()},
        positions=frozenset(tables["positions"]),
        raising=frozenset(tables["raising"]),
        receivers=tables["receivers"],
        seldom=frozenset(tables["seldom"]),
        sides={name: tuple(row) for name, row in tables["sides"].items()},
        symmetric={name: tuple(map(tuple, rows)) for name, rows in tables["symmetric"].items()},
        transitive=frozenset(tables["transitive"]),
    )


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
