"""Recipe of the event tables (``weights/roles/events.json``): one event, several ways to tell it.

::

    python -m compsim.weights.build_events --data FOLDER --out weights/roles

``FOLDER`` holds ``propbank/{propbank-frames.zip,frame-examples.jsonl.gz}``,
``ewt-propbank/train.conll.gz``, ``lexicons/oewn-relations.tsv.gz`` and ``verbnet/verbnet3.4.zip``.
The tables:

- ``converses``: roleset -> rolesets of the same event seen from the other side, each with
  ``{its label: our label}`` (:mod:`compsim.weights.converses`; of verbs of feeling by VerbNet's
  chapter and the built-in vectors: *frighten*, *fear*; of verbs with two objects by its frames:
  *send*, *get*)
- ``feelings``: rolesets whose ARG1 feels what ARG0 is the cause of (*surprise*)
- ``inchoative``: rolesets of verbs whose subject undergoes the event where nobody is named who
  acts (*the ice melted*)
- ``places``: roleset -> where a place, or who gets it, may stand for the theme, ``subject`` or
  ``object``, the preposition that the theme then has (*load the truck with hay*, *provide a school
  with desks*), and PropBank's label of the place or of who gets it
- ``nouns``: noun -> the roleset of the verb whose event it names (*destruction*)
- ``seldom``: those of the nouns that name it seldom (:mod:`compsim.weights.deverbal`)
- ``obliques``: rolesets and, for each preposition, which role the phrase after it has in most of
  VerbNet's frames of their classes (:mod:`compsim.weights.obliques`)
- ``markers``: roleset (``""``: any) -> preposition -> role, beside such a noun
- ``light``: light verb -> nouns known to carry its meaning (*make a decision*)
- ``transitive``: rolesets whose ARG1 is mostly a direct object, and verbs of feeling
- ``first``: rolesets without ARG0 -> their first role
- ``sides``: roleset of who rents *from* somebody, or *to* one -> the other preposition and roleset
- ``symmetric``: roleset -> pairs of labels whose arguments may change places (*X met Y*)
- ``positions``: rolesets of verbs that tell how something is in its place (*hang*, *lie*)
- ``receivers``: verb that may have two objects (*give*, *buy*) -> the share of its sentences that
  say who gets the thing
- ``raising``: rolesets that only say how sure something is of what the verb below says (*seem*)
- ``causing``: rolesets that only say that somebody makes an event happen (*cause*, *make*)
- ``moving``: verbs that tell how somebody moves by themselves (*run*, *stroll*, *ski*)
- ``object_control``: verbs whose object does what their infinitive says (*ask*)
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from compsim.kernels.cosine import unit_rows
from compsim.parsers.roles.events import verb_of
from compsim.vectors import WordVectors
from compsim.weights.build_amr import PREPOSITIONS, read_rolesets
from compsim.weights.build_amr import tables as amr_tables
from compsim.weights.converses import (
    Converses,
    Role,
    Words,
    classes_of,
    converses,
    read_role,
    symmetric,
)
from compsim.weights.deverbal import event_nouns, markers_of_verbs
from compsim.weights.lexicons.wordnet import RELATIONS, relations
from compsim.weights.obliques import obliques
from compsim.weights.propbank import Proposition, frame_rolesets, read_ewt, read_examples
from compsim.weights.verbnet import SyntacticFrame, VerbClass, read_classes

__all__ = ["inchoative", "moving", "places", "sent", "sides", "transitive"]

#: A roleset is transitive if at least this share of its examples with ARG1 has it as an object.
_SHARE = 0.4
#: Prepositions that only mark a theme.
_OF_THEMES = ("of", "with")
#: Where a thing is or goes, and PropBank's label of that; who gets it has a number.
_PLACES = {
    "Destination": "ARGM-GOL",
    "Initial_Location": "ARGM-DIR",
    "Location": "ARGM-LOC",
    "Source": "ARGM-DIR",
    "Recipient": "ARG2",
}
#: VerbNet's classes of moving in a manner (run) and by a vehicle (vehicle).
_MOVING = ("51.3.2", "51.4.1")
#: VerbNet's class of position (spatial_configuration).
_POSITIONS = ("47.6", "47.6-1")
#: VerbNet's roles of who gets what a second object names, and of that object.
_RECEIVERS = frozenset(("Recipient", "Beneficiary", "Destination", "Goal"))
_RECEIVED = frozenset(("Theme", "Topic", "Asset", "Product", "Patient"))
#: PropBank's links of who gets something, and two objects of which the first gets the second.
_ENDS = frozenset(("recipient", "destination", "goal"))
_SENT = [["Agent", "V", end.capitalize(), "Theme"] for end in sorted(_ENDS)]
_BE = frozenset(["be", "is", "are", "was", "were", "been", "being"])
#: Labels of who gives or gets something, told from the other side.
_TURNED = {"ARG0": "ARG2", "ARG1": "ARG1", "ARG2": "ARG0"}
#: VerbNet's chapter of feelings; how like a verb its converse is, and how many are taken.
_FEELINGS = "31"
_ALIKE, _NEAREST = 0.45, 2
#: What somebody is called who only makes something happen, and what happens then.
_CAUSER = re.compile(r"caus|impel|forc|instigat")
_CAUSED = re.compile(r"^(impelled |a clause -- )?action")

Sentence = tuple[list[str], list[Proposition]]
Roles = dict[str, dict[str, Role]]


def _shape(frame: SyntacticFrame) -> str:
    """A frame on one line: ``Agent V Theme with Destination``, a preposition not named ``P``."""
    words = []
    for kind, value, _ in frame:
        words.append({"VERB": "V", "PREP": value or "P", "ADV": "ADV"}.get(kind, value or kind))
    return " ".join(words)


def inchoative(classes: Iterable[VerbClass]) -> set[str]:
    """Classes in which what is acted on can be the subject, and an agent alone can not."""
    seen = set()
    for each in classes:
        shapes = {_shape(frame) for frame in each.frames}
        for role in ("Patient", "Theme"):
            if {f"Agent V {role}", f"{role} V"} <= shapes and "Agent V" not in shapes:
                seen.add(each.name)
    return seen


def places(classes: Iterable[VerbClass]) -> dict[str, list[str]]:
    """Class -> where a place can stand instead of the theme, the theme's preposition, the role."""
    result: dict[str, list[str]] = {}
    for each in classes:
        shapes = {_shape(frame) for frame in each.frames}
        for place, marker in ((p, m) for p in sorted(_PLACES) for m in _OF_THEMES):
            role = _PLACES[place]
            if f"Agent V {place} {marker} Theme" in shapes and any(
                shape.startswith("Agent V Theme ") and shape.endswith(" " + place)
                for shape in shapes
            ):
                result[each.name] = ["object", marker, role]
            elif (
                f"{place} V {marker} Theme" in shapes
                and not any("Agent" in s for s in shapes)
                and any(
                    shape.startswith("Theme V ") and shape.endswith(" " + place) for shape in shapes
                )
            ):
                result[each.name] = ["subject", marker, role]
    return result


def raising(classes: Iterable[VerbClass]) -> set[str]:
    """Classes without an agent whose subject belongs to an infinitive."""
    return {
        each.name
        for each in classes
        if any("+rs_to_inf" in marks for frame in each.frames for _, _, marks in frame)
        and not any(value == "Agent" for frame in each.frames for _, value, _ in frame)
    }


def object_control(classes: Iterable[VerbClass], sentences: Iterable[Sentence]) -> list[str]:
    """Verbs whose infinitive is said of their object: by VerbNet, or by annotated sentences."""
    verbs = {
        verb
        for each in classes
        if any("+oc_to_inf" in marks for frame in each.frames for _, _, marks in frame)
        for verb in each.verbs
    }
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for words, propositions in sentences:
        for above, below in permutations([each for each in propositions if each.verbal], 2):
            actor = next((a[1:] for a in below.arguments if a[0] == "ARG0"), None)
            known = {a[1:]: a[0] for a in above.arguments}
            start = below.predicate[0] - 1
            infinitive = any(first == start and words[first].lower() == "to" for first, _ in known)
            if infinitive and actor in known and above.predicate[0] < start:
                is_object = known[actor] != "ARG0" and actor[0] > above.predicate[-1]
                counts[verb_of(above.roleset)][is_object] += 1
    for verb, seen in counts.items():
        if seen[True] > max(seen[False], 1):
            verbs.add(verb)
        elif seen[False] > seen[True] + 1:
            verbs.discard(verb)
    return sorted(verb for verb in verbs if "_" not in verb)


def transitive(sentences: Iterable[Sentence], roles: Roles) -> set[str]:
    """Rolesets whose ARG1 is mostly there and a direct object, or the subject of a passive.

    Those with hardly any sentence count if they have an ARG1 beside an ARG0.
    """
    objects, total = Counter[str](), Counter[str]()
    for words, propositions in sentences:
        for item in (each for each in propositions if each.verbal):
            at = item.predicate[-1]
            total[item.roleset] += 1
            first = {label: start for label, start, _ in reversed(item.arguments)}
            place = first.get("ARG1", -1)
            passive = place < at and first.get("ARG0", at) >= at and words[at - 1].lower() in _BE
            after = place > at and words[place].lower() not in PREPOSITIONS | {"that"}
            objects[item.roleset] += "ARG1" in first and (after or passive)
    seldom = {name for name, own in roles.items() if {"0", "1"} <= own.keys() and total[name] < 3}
    return seldom | {name for name, n in total.items() if n > 2 and objects[name] >= _SHARE * n}


def receivers(
    classes: Iterable[VerbClass], sentences: Iterable[Sentence], roles: Roles
) -> dict[str, float]:
    """Verb with two objects by VerbNet -> share of annotated sentences that name the receiver.

    It is half where there is hardly any sentence, and none where VerbNet only knows who something
    is done for (*take*).
    """
    groups: dict[str, set[str]] = defaultdict(set)
    for each in classes:
        for frame in each.frames:
            match _shape(frame).split():
                case [_, "V", receiver, thing] if receiver in _RECEIVERS and thing in _RECEIVED:
                    for verb in each.verbs:
                        groups[verb].add(receiver)
    result, total = Counter[str](), Counter[str]()
    for proposition in (p for _, each in sentences for p in each if p.verbal):
        own = roles.get(proposition.roleset, {})
        ends = {
            "ARG" + number
            for number, role in own.items()
            if number not in "01" and {name.capitalize() for name in role.thematic} & _RECEIVERS
        }
        labels = {label for label, *_ in proposition.arguments}
        if "ARG1" in labels:
            total[verb_of(proposition.roleset)] += 1
            result[verb_of(proposition.roleset)] += not ends.isdisjoint(labels)
    return {
        verb: (kinds != {"Beneficiary"})
        * (round(result[verb] / total[verb], 2) if total[verb] > 2 else 0.5)
        for verb, kinds in sorted(groups.items())
        if "_" not in verb
    }


def felt(roles: Roles, vectors: WordVectors) -> dict[str, Converses]:
    """Converses of verbs of feeling: what frightens somebody is feared.

    VerbNet has both sides in one chapter. Of the verbs whose subject feels, the nearest by their
    vectors are taken. A verb that has both sides itself (*worry*) says by its objects which it is.
    """
    causes = [name for name, own in roles.items() if _psychic(own, "1") and "0" in own]
    feels = [name for name, own in roles.items() if _psychic(own, "0") and "1" in own]
    one, other = (
        unit_rows(vectors.texts([verb_of(name) for name in names])) for names in (causes, feels)
    )
    result = {}
    for name, row in zip(causes, one @ other.T, strict=True):
        others = (i for i in np.argsort(-row, kind="stable") if row[i] >= _ALIKE)
        near = [feels[i] for i in others if verb_of(feels[i]) != verb_of(name)]
        if near:
            result[name] = [(other, {"ARG0": "ARG1", "ARG1": "ARG0"}) for other in near[:_NEAREST]]
    return result


def _psychic(own: dict[str, Role], number: str) -> bool:
    """Return whether this role is who feels, in VerbNet's chapter of feelings."""
    role = own.get(number)
    chapters = {kind.partition(".")[0] for kind in role.classes} if role else ()
    return role is not None and "experiencer" in role.thematic and _FEELINGS in chapters


def sent(classes: Iterable[VerbClass], roles: Roles) -> dict[str, Converses]:
    """Converses of verbs that VerbNet has with two objects: who is sent a thing gets it.

    Two objects say that the first comes to have the second (Goldberg 1995, chapter 2). PropBank
    sends things to a place or to somebody alike.
    """
    double = {
        each.name
        for each in classes
        if any(_shape(frame).split() in _SENT for frame in each.frames)
    }
    result: dict[str, Converses] = {}
    for name, _ in _linked(roles, double):
        own = roles[name]
        ends = [n for n in sorted(own) if n not in "01" and own[n].thematic & _ENDS]
        if ends and "0" in own and own["0"].thematic == {"agent"} and _is_theme(own.get("1")):
            labels = {**_TURNED, "ARG0": "ARG" + ends[0]}
            result[name] = [("get.01", labels)]
    return result


def sides(roles: Roles) -> dict[str, list[str]]:
    """Roleset -> the other side's preposition, and the same verb's roleset of that side.

    Who rents a flat "from" somebody is who somebody rents it "to".
    """
    by_verb: dict[str, list[str]] = defaultdict(list)
    for name, own in roles.items():
        if {"0", "1", "2"} <= own.keys():
            by_verb[verb_of(name)].append(name)
    result: dict[str, list[str]] = {}
    for name, other in (pair for names in by_verb.values() for pair in permutations(names, 2)):
        one, two = roles[name], roles[other]
        gets, gives = "source" in one["2"].thematic, bool(two["2"].thematic & _ENDS)
        if gets and gives and one["1"].description == two["1"].description:
            result |= {name: ["to", other], other: ["from", name]}
    return result


def _is_theme(role: Role | None) -> bool:
    return role is not None and "theme" in role.thematic


def light(frames: Path) -> dict[str, list[str]]:
    """Light verb -> nouns, of the multiword aliases in PropBank's frame files."""
    groups: dict[str, set[str]] = defaultdict(set)
    for entry in frame_rolesets(frames):
        for alias in entry.iter("alias"):
            parts = (alias.text or "").lower().split("_")
            if alias.get("pos") == "l" and len(parts) > 1:
                groups[parts[0]].add(parts[-1])
    return {verb: sorted(nouns) for verb, nouns in sorted(groups.items())}


def read_words(path: Path) -> Words:
    """Antonyms, derived words, synonyms and hypernyms of a table of WordNet's relations."""
    groups: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for first, relation, second in relations(path):
        groups[relation][first].add(second)
        if relation != "hypernym":
            groups[relation][second].add(first)
    return Words(groups["antonym"], groups["derivation"], groups["synonym"], groups["hypernym"])


def read_roles(frames: Path) -> Roles:
    """Roleset -> number -> role, of the verbs in PropBank's frame files."""
    return {
        entry.get("id", ""): {
            role.get("n", ""): read_role(role)
            for role in entry.iter("role")
            if role.get("n", "").isdigit()
        }
        for entry in frame_rolesets(frames)
        if any(alias.get("pos") == "v" for alias in entry.iter("alias"))
    }


def _acts(own: dict[str, Role]) -> bool:
    """Return whether a roleset has an ARG0 that VerbNet does not call a mere theme or place."""
    names = own["0"].thematic if "0" in own else {"theme"}
    return not names or not names <= {"theme", "location"}


def _linked(roles: Roles, classes: Iterable[str], number: str = "") -> Iterator[tuple[str, str]]:
    """(roleset, class) of the rolesets one of whose roles, or this role, is linked to a class."""
    wanted = set(classes)
    for name, own in roles.items():
        result = {place: role for place, role in own.items() if number in ("", place)}
        for kind in sorted(classes_of(result) & wanted):
            yield name, kind


def _moves(own: dict[str, Role], place: Sequence[str], acted: set[str]) -> bool:
    """Return whether what VerbNet says of a class is so of this roleset; ``acted`` have agents."""
    function, _, label = place
    if label.startswith("ARGM"):
        # Who can also do it on purpose may do it with joy ("sing", "scream").
        return function == "object" or not (_acts(own) or acted & classes_of(own))
    return "recipient" in own[label[3:]].thematic


def causing(roles: Roles) -> list[str]:
    """Rolesets of one who makes something happen, and the action that happens."""
    return sorted(
        name
        for name, own in roles.items()
        if {"0", "1"} <= own.keys()
        and _CAUSER.search(own["0"].description)
        and _CAUSED.search(own["1"].description)
    )


def moving(classes: Iterable[VerbClass]) -> list[str]:
    """The verbs of VerbNet's classes of moving in a manner, or by a vehicle."""
    chosen = (each.verbs for each in classes if each.name.partition("-")[0] in _MOVING)
    return sorted({verb for verbs in chosen for verb in verbs if "_" not in verb})


def tables(data: Path) -> dict[str, Any]:
    """All tables, from the folder of the sources."""
    frames = data / "propbank" / "propbank-frames.zip"
    ewt = list(read_ewt(data / "ewt-propbank" / "train.conll.gz"))
    examples = list(read_examples(data / "propbank" / "frame-examples.jsonl.gz"))
    classes = list(read_classes(data / "verbnet" / "verbnet3.4.zip"))
    roles = read_roles(frames)
    counts = Counter(p.roleset for _, result in ewt for p in result if p.verbal)
    pairs = converses(roles, read_words(data / "lexicons" / RELATIONS), counts)
    rolesets = list(read_rolesets(frames))
    markers = amr_tables(rolesets, ewt, examples)["markers"]
    rows = list(relations(data / "lexicons" / RELATIONS))
    vocabulary = (files("compsim.weights") / "builtin" / "words.txt").read_text(encoding="utf8")
    words = vocabulary.split()
    nouns, seldom = event_nouns(rolesets, roles, (ewt, examples), rows, set(words))
    markers = markers_of_verbs([*ewt, *examples], roles, markers)
    moved = places(classes)
    acted = {each.name for each in classes if any("Agent" in _shape(f) for f in each.frames)}
    turned_by = sides(roles)
    for name, (marker, _) in turned_by.items():
        # A verb with both sides tells them by others: any two frames of its own would meet.
        other, same = ("get.01", "give.01") if marker == "from" else ("give.01", "get.01")
        pairs[name] = [(other, _TURNED), (same, {label: label for label in _TURNED})]
    results = {*nouns.values(), *pairs}
    feelings = felt(roles, WordVectors.open("builtin"))
    turned = {name for pairs in feelings.values() for name, _ in pairs}
    return {
        "causing": causing(roles),
        "converses": {**feelings, **sent(classes, roles), **pairs},
        "feelings": sorted(
            name
            for name, own in roles.items()
            if {"0", "1"} <= own.keys() and "experiencer" in own["1"].thematic
        ),
        "first": {name: "ARG" + min(own) for name, own in roles.items() if own and "0" not in own},
        "inchoative": sorted({name for name, _ in _linked(roles, inchoative(classes), "1")}),
        "light": light(frames),
        "markers": {name: row for name, row in markers.items() if not name or name in results},
        "moving": moving(classes),
        "nouns": nouns,
        "object_control": object_control(classes, ewt),
        "obliques": obliques(classes, roles, words),
        "places": {
            name: moved[kind]
            for name, kind in _linked(roles, moved)
            if _moves(roles[name], moved[kind], acted)
        },
        "positions": sorted({name for name, _ in _linked(roles, _POSITIONS)}),
        "raising": sorted({name for name, _ in _linked(roles, raising(classes))}),
        "receivers": receivers(classes, [*ewt, *examples], roles),
        "seldom": seldom,
        "sides": turned_by,
        # What comes first in an order (precede) is not what comes second.
        "symmetric": symmetric({n: own for n, own in roles.items() if n not in pairs}),
        "transitive": sorted(transitive([*ewt, *examples], roles) & results | turned),
    }


def main(
    data: Annotated[Path, typer.Option(help="Folder of the sources.")],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
) -> None:
    """Make the tables."""
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(tables(data), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (out / "events.json").write_text(text + "\n", encoding="utf8")


if __name__ == "__main__":
    typer.run(main)
