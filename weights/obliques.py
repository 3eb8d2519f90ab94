"""Roles of prepositional phrases by VerbNet's frames (a table of ``build_events``).

PropBank's links say what a numbered argument is in the classes that somebody looked at, and miss
the others: *toss* has none for the place where something is tossed, and the ARG2 of *sing* is who
listens, also on a stage. VerbNet's frames give the role by the preposition: "Agent V Theme to
Destination". A frame names its prepositions, or their kind in VerbNet's hierarchy; of a kind those
count that can tell the role (a path is not *at* something).

Prepositions that a class names for one role say the same with its verbs (*talk to* and *talk with*
somebody, *agree on* and *about* something), but of those of places, which say where.

A roleset has the frames of the classes that it is linked to, or without a link those of its verb,
if the verb has no other roleset. Where two thirds of them agree on the role after a preposition,
that is its role. Copulas are left out: what their phrase says of the subject has one role, be it a
place or not.

>>> to = ("PREP", "to towards", ()), ("NP", "Destination", ())
>>> tosses = ("NP", "Agent", ()), ("VERB", "", ()), ("NP", "Theme", ()), *to
>>> obliques([VerbClass("17.1", frozenset(["toss"]), (tosses,))], {"toss.01": {}}, ["to"])
[('toss.01', {'Trajectory': 'to towards'}, [])]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import Final, NamedTuple, TypeAlias

from compsim.parsers.pipeline.tree import word_set
from compsim.parsers.roles.consolidation import consolidate
from compsim.parsers.roles.events import spelled
from compsim.weights.converses import Role, classes_of
from compsim.weights.verbnet import SyntacticFrame, VerbClass

__all__ = ["obliques"]

#: Rolesets in one string, role -> prepositions, and groups of those that say the same.
Row: TypeAlias = tuple[str, dict[str, str], list[str]]

_PLACES: Final = ("Location", "Trajectory")
_NONE: Final[frozenset[str]] = frozenset()
#: The share of the frames that have to agree.
_AGREED: Final = 2 / 3
#: VerbNet's hierarchy of prepositions (Kipper Schuler 2005, section 3.1.3).
_SOURCE: Final = word_set("from off out")
_CONFINED: Final = word_set("into onto")
_TOWARDS: Final = word_set("at for to toward towards")
_DIRECTION: Final = word_set("across along around down over past round through toward towards up")
_LOCATION: Final = word_set("""
    about above against along alongside amid among amongst around astride at athwart before behind
    below beneath beside between beyond by from in inside near off on opposite outside over round
    throughout under underneath upon within
""")
_PATH: Final = _SOURCE | _CONFINED | _TOWARDS | _DIRECTION
_KINDS: Final = {
    "src": _SOURCE,
    "dest": _CONFINED | _TOWARDS,
    "dest_conf": _CONFINED,
    "dest_dir": _TOWARDS,
    "dir": _DIRECTION,
    "path": _PATH,
    "loc": _LOCATION,
    "spatial": _PATH | _LOCATION,
}
#: Which prepositions of a kind can tell a role.
_WAY: Final = _CONFINED | _DIRECTION | word_set("to off out")
_TELLING: Final = {
    "Trajectory": _WAY,
    "Path": _WAY,
    "Initial_Location": _SOURCE,
    "Source": _SOURCE,
    "Location": _LOCATION - _SOURCE,
    "Destination": (_PATH | _LOCATION) - _SOURCE,
}


class _Phrase(NamedTuple):
    """A phrase of a frame: its preposition, its role, and whether the frame names the former."""

    preposition: str
    role: str
    named: bool


def obliques(
    classes: Iterable[VerbClass],
    rolesets: Mapping[str, Mapping[str, Role]],
    words: Iterable[str],
) -> list[Row]:
    """The rows of the table, in the order of their first rolesets.

    ``words`` are the most common ones first: the first of a group stands for all.
    """
    by_class: dict[str, list[_Phrase]] = {}
    by_verb: dict[str, set[str]] = defaultdict(set)
    for each in classes:
        by_class[each.name] = [phrase for frame in each.frames for phrase in _phrases(frame)]
        for verb in each.verbs:
            by_verb[verb.lower()].add(each.name)
    used = {phrase.preposition for phrases in by_class.values() for phrase in phrases}
    common = [word for word in words if word in used]
    senses = Counter(map(spelled, rolesets))
    same_classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, own in sorted(rolesets.items()):
        verb = spelled(name)
        known = classes_of(own) & by_class.keys()
        if not known and senses[verb] == 1:
            known = by_verb[verb]
        if verb != "be":
            same_classes[tuple(sorted(known))].append(name)
    rows: dict[tuple[frozenset[tuple[str, str]], tuple[str, ...]], list[str]] = defaultdict(list)
    for kinds, names in same_classes.items():
        phrases = [by_class[kind] for kind in kinds]
        if roles := _agreed(chain.from_iterable(phrases)):
            rows[frozenset(roles.items()), tuple(_alike(phrases, roles, common))] += names
    return sorted(
        (" ".join(names), _joined(roles), list(alike)) for (roles, alike), names in rows.items()
    )


def _agreed(phrases: Iterable[_Phrase]) -> dict[str, str]:
    """Return for each preposition the commonest of the eight roles of its phrases."""
    counts: dict[str, Counter[str | None]] = defaultdict(Counter)
    for preposition, thematic, _ in phrases:
        counts[preposition][consolidate(thematic)] += 1
    result = {}
    for preposition, roles in counts.items():
        role, count = roles.most_common(1)[0]
        if role and count >= _AGREED * roles.total():
            result[preposition] = role
    return result


def _joined(roles: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the prepositions of each role, from (preposition, role)."""
    groups: dict[str, list[str]] = defaultdict(list)
    for preposition, role in sorted(roles):
        groups[role].append(preposition)
    return {role: " ".join(prepositions) for role, prepositions in sorted(groups.items())}


def _alike(
    classes: Iterable[Iterable[_Phrase]], roles: Mapping[str, str], common: Iterable[str]
) -> list[str]:
    """Groups of prepositions that a class names for one role, none of them in two groups."""
    groups = set()
    for phrases in classes:
        named: dict[str, set[str]] = defaultdict(set)
        for preposition, role, is_named in phrases:
            result = consolidate(role)
            if is_named and result not in _PLACES and result == roles.get(preposition):
                named[role].add(preposition)
        groups |= {frozenset(group) for group in named.values() if len(group) > 1}
    counts = Counter(chain.from_iterable(groups))
    single = ([word for word in common if word in group and counts[word] == 1] for group in groups)
    return sorted(" ".join(group) for group in single if len(group) > 1)


def _phrases(frame: SyntacticFrame) -> Iterator[_Phrase]:
    """The phrases with a preposition after the verb of a frame, one for each preposition."""
    verb = next((at for at, (kind, *_) in enumerate(frame) if kind == "VERB"), len(frame))
    for (kind, named, restrictions), (phrase, value, _) in pairwise(frame[verb:]):
        if kind == "PREP" and phrase == "NP":
            role = value.split()[0]
            words = {word.partition("_")[0] for word in named.replace("|", " ").lower().split()}
            kinds = [_KINDS.get(name[1:], _NONE) for name in restrictions if name[:1] == "+"]
            result = {word for of_kind in kinds for word in of_kind & _TELLING.get(role, of_kind)}
            for word in sorted(words | result):
                yield _Phrase(word, role, word in words)
