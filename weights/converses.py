"""Pairs of verbs that tell one event from two sides: to sell is to be bought from.

PropBank describes the roles of *sell* as seller, thing sold and buyer, those of *buy* as buyer,
thing bought and seller. Who acts in the one is another role of the other, and the other way round.
Descriptions are free text, so a match of words alone finds many false pairs (*propose*, *listen*).
A pair counts where more speaks for it:

- the verbs are antonyms in WordNet, or one gives and the other gets by VerbNet's roles, and each
  describes the other's actor, or
- both are described in single words (owner, possession), one of which is the verb's own actor, or
- they are antonyms that put things in an order (*precede*, *follow*)

and where each is the best partner of the other. Verbs that WordNet calls synonyms of one of a pair
share its partner if VerbNet gives them the same roles (*purchase*, *loan*).

One pair stands above others by WordNet, *give* and *get* above *sell* and *buy*. Whatever else is a
kind of one of the two and has its roles in VerbNet (*award*, *inherit*) is told by it too, and by
its partner: so all kinds of giving meet all kinds of getting.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compsim.parsers.roles.events import verb_of
from compsim.weights.verbnet import class_number

__all__ = ["Converses", "Role", "Words", "classes_of", "converses", "read_role", "symmetric"]

#: Words of descriptions that fit too many roles.
_VAGUE = frozenset((
    "thing", "entity", "agent", "person", "cause", "causer", "something", "someone", "patient",
    "theme", "goal", "source", "taken", "from", "with", "party", "group", "other", "second",
    "first", "being", "that", "item",
))  # fmt: skip
_ACTORS = ("er", "or", "ent", "ant", "ee")
#: How PropBank tells the two sides of a symmetric verb: "first fighter", "second fighter".
_FIRST = re.compile(r"\b(first|1st|one)\b")
_SECOND = re.compile(r"\b(second|2nd|other|another)\b")
_SURE, _LIKELY = 3.0, 1.0
#: What changes hands, or is heard from who says it, in VerbNet's terms.
_THINGS = frozenset(("theme", "topic", "stimulus"))
#: The ends of a transfer.
_ENDS = {"source": "source", "recipient": "goal", "goal": "goal"}


class Role(NamedTuple):
    """A numbered role: its description, other resources' names, numbers of VerbNet's classes."""

    description: str
    frame_elements: frozenset[str]
    thematic: frozenset[str]
    classes: frozenset[str]


class Words(NamedTuple):
    """WordNet's relations: word -> words; all but the last one in both directions."""

    antonyms: Mapping[str, set[str]]
    derived: Mapping[str, set[str]]
    synonyms: Mapping[str, set[str]]
    hypernyms: Mapping[str, set[str]]


Roles = Mapping[str, Role]
#: Rolesets of the same event, each with ``{its label: our label}``.
Converses = list[tuple[str, dict[str, str]]]


def read_role(role: ElementTree.Element) -> Role:
    """The role of a PropBank frame file."""
    links = [
        (link.get("resource"), link.get("class", ""), _plain(link.text or ""))
        for link in role.iter("rolelink")
    ]
    return Role(
        re.sub(r"\(s\)", "", role.get("descr", "").lower()).strip(),
        frozenset(name for source, _, name in links if source == "FrameNet"),
        frozenset(name for source, _, name in links if source == "VerbNet"),
        frozenset(class_number(kind) for source, kind, _ in links if source == "VerbNet"),
    )


def classes_of(roles: Roles) -> set[str]:
    """Numbers of the VerbNet classes that the roles of a roleset are linked to."""
    return {kind for role in roles.values() for kind in role.classes}


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-")


class _Pair(NamedTuple):
    """Converse pair: certainty, the second's frequency, and the label of each of its labels."""

    sureness: float
    frequency: int
    other: str
    labels: dict[str, str]


def converses(
    rolesets: Mapping[str, Roles], words: Words, counts: Counter[str]
) -> dict[str, Converses]:
    """Roleset -> [(converse, {its label: our label})]; ``counts`` say how common each is."""
    simple = {
        name: roles for name, roles in rolesets.items() if "_" not in name and "-" not in name
    }
    verbs = {verb_of(name) for name in simple}
    names = {
        (name, number): _names(role, words, verbs)
        for name, roles in simple.items()
        for number, role in roles.items()
    }
    groups: dict[str, list[_Pair]] = defaultdict(list)
    for first, second in _near(simple, names, words):
        pair = _compare(first, second, simple, names, words)
        if pair is not None:
            groups[first].append(_Pair(pair[0], counts[second], second, pair[1]))
    best = {
        name: max(pairs, key=lambda pair: (pair[:2], pair.other)) for name, pairs in groups.items()
    }
    mutual = {
        name: pair
        for name, pair in best.items()
        if pair.sureness >= _SURE and best[pair.other].other == name
    }
    chosen = {name: [(pair.other, pair.labels)] for name, pair in mutual.items()}
    for name, pairs in groups.items():
        known = [
            pair
            for pair in pairs
            if pair.other in mutual
            and verb_of(mutual[pair.other].other) in words.synonyms[verb_of(name)]
        ]
        if name not in chosen and known:
            top = max(known, key=lambda pair: (pair[:2], pair.other))
            chosen[name] = [(top.other, top.labels)]
    chosen |= _kinds(simple, chosen, mutual, words, counts)
    return dict(sorted(chosen.items()))


def _kinds(
    simple: Mapping[str, Roles],
    chosen: Mapping[str, Converses],
    mutual: Mapping[str, _Pair],
    words: Words,
    counts: Counter[str],
) -> dict[str, Converses]:
    """The kinds of the verbs of a general pair, each with the partner and the verb itself."""
    above = {verb for name in mutual for verb in words.hypernyms[verb_of(name)]}
    general = {
        name: pair
        for name, pair in mutual.items()
        if {verb_of(name), verb_of(pair.other)} <= above and _ends(simple[name], pair)
    }
    kinds: dict[str, Converses] = {}
    for name, roles in simple.items():
        near = words.synonyms[verb_of(name)] | words.hypernyms[verb_of(name)]
        known = [
            (counts[base], base, number)
            for base, pair in general.items()
            if verb_of(base) in near
            for number in _same_parties(roles, simple[base], pair)
        ]
        known = [] if name in mutual else known
        if not known:
            continue
        _, base, number = max(known)
        pair = general[base]
        if all(other == pair.other for other, _ in chosen.get(name, ())):
            there = next(n for n, ours in pair.labels.items() if ours == "ARG0")
            party, label = pair.labels["ARG0"], "ARG" + number
            turned = {"ARG0": label, "ARG1": "ARG1", there: "ARG0"}
            kinds[name] = [
                (pair.other, turned),
                (base, {"ARG0": "ARG0", "ARG1": "ARG1", party: label}),
            ]
    return kinds


def _ends(roles: Roles, pair: _Pair) -> set[str]:
    """Return the source or goal role of a transfer's theme, in VerbNet's terms; else nothing."""
    number = pair.labels.get("ARG0", "ARG1").removeprefix("ARG")
    return _end(roles[number]) if number != "1" else set()


def _end(role: Role) -> set[str]:
    return {_ENDS[name] for name in role.thematic if name in _ENDS}


def _same_parties(roles: Roles, base: Roles, pair: _Pair) -> list[str]:
    """The roles of the other party, where agent and thing are those of the pair's verb too."""
    if not {"0", "1"} <= roles.keys() or roles["0"].thematic != base["0"].thematic:
        return []
    if not roles["1"].thematic & base["1"].thematic:
        return []
    ends = _ends(base, pair)
    return [n for n in sorted(roles, reverse=True) if n not in "01" and _end(roles[n]) == ends]


def symmetric(rolesets: Mapping[str, Roles]) -> dict[str, list[list[str]]]:
    """Roleset -> pairs of labels whose arguments may change places.

    PropBank calls them the first and the second of a kind; its other rolesets of the verb with the
    same actors in VerbNet are so too.
    """
    result = {}
    for name, roles in rolesets.items():
        for a, b in (("0", "1"), ("1", "2")):
            if {a, b} <= roles.keys() and _are_two(roles[a], roles[b]):
                result[name] = [["ARG" + a, "ARG" + b]]
                # Who marries somebody is one half, and is labelled as who makes it happen too.
                if a == "1" and _co_agents(roles[a], roles[b]):
                    result[name].append(["ARG0", "ARG1"])
    for name, roles in rolesets.items():
        for near in (n for n in list(result) if verb_of(n) == verb_of(name)):
            if name not in result and {"0", "1"} <= roles.keys():
                shared = roles["0"].classes & rolesets[near].get("0", roles["0"]).classes
                if shared and _co_agents(roles["0"], roles["1"]):
                    result[name] = [["ARG0", "ARG1"]]
    return dict(sorted(result.items()))


def _are_two(one: Role, other: Role) -> bool:
    first, second = one.description, other.description
    result = _FIRST.search(first) and _SECOND.search(second)
    return bool(result) and not (_SECOND.search(first) or _FIRST.search(second))


def _co_agents(one: Role, other: Role) -> bool:
    return "agent" in one.thematic and "co-agent" in other.thematic


def _names(role: Role, words: Words, verbs: set[str]) -> frozenset[str]:
    """Return the names of a role, and the verbs of which they are actors (marked by ``+``)."""
    said = (set(re.findall(r"[a-z]{4,}", role.description)) | role.frame_elements) - _VAGUE
    return frozenset(said | {verb + "+" for name in said for verb in _does(name, words, verbs)})


def _does(name: str, words: Words, verbs: set[str]) -> set[str]:
    """The verbs that a name of an actor comes from, and their synonyms."""
    if not name.endswith(_ACTORS):
        return set()
    return {verb for verb in words.derived[name] & verbs if verb != name}


def _near(
    simple: Mapping[str, Roles], names: Mapping[tuple[str, str], frozenset[str]], words: Words
) -> Iterator[tuple[str, str]]:
    """Pairs of rolesets with an ARG0 that share a name of a role, or are antonyms."""
    by_name: dict[str, set[str]] = defaultdict(set)
    by_verb: dict[str, list[str]] = defaultdict(list)
    for roleset, number in names:
        by_verb[verb_of(roleset)] += [roleset] if number == "1" else []
        for word in names[roleset, number]:
            by_name[word].add(roleset)
    for first, roles in sorted(simple.items()):
        near = {name for number in roles for word in names[first, number] for name in by_name[word]}
        near.update(*(by_verb[verb] for verb in words.antonyms[verb_of(first)]))
        yield from ((first, second) for second in sorted(near - {first}))


def _compare(
    first: str,
    second: str,
    simple: Mapping[str, Roles],
    names: Mapping[tuple[str, str], frozenset[str]],
    words: Words,
) -> tuple[float, dict[str, str]] | None:
    """Return the certainty that two rolesets are converses, None without evidence."""
    ours, theirs = simple[first], simple[second]
    opposite = verb_of(second) in words.antonyms[verb_of(first)]
    if opposite and _order(ours) and _order(theirs):
        return 6.0, {"ARG1": "ARG2", "ARG2": "ARG1"}
    result: tuple[float, dict[str, str]] | None = None
    for number, place in ((n, p) for n in ours for p in theirs if "0" in ours and "0" in theirs):
        if "0" in (number, place):
            continue
        actor, undergoer = names[first, "0"], names[first, number]
        actor_there, undergoer_there = names[second, "0"], names[second, place]
        if actor & actor_there or actor & undergoer or actor_there & undergoer_there:
            continue
        ways = bool(actor & undergoer_there) + bool(actor_there & undergoer)
        transfer = "1" not in (number, place) and _transfer(ours, number, theirs, place)
        sure = 0.0
        if ways == 2 and opposite:
            sure = 5.0
        elif ways == 2 and transfer:
            sure = 4.0
        elif (transfer and opposite) and (
            _kin(actor_there, undergoer, words) or _kin(actor, undergoer_there, words)
        ):
            sure = 3.5
        elif _single(ours, number, theirs, place) and {
            verb_of(first) + "+",
            verb_of(second) + "+",
        } & (actor | actor_there):
            sure = 3.0
        elif transfer and ways:
            sure = _LIKELY
        if sure and (result is None or sure > result[0]):
            kept = {"ARG" + n: "ARG" + n for n in theirs if n in ours and n not in ("0", number)}
            result = sure, {**kept, "ARG0": "ARG" + number, "ARG" + place: "ARG0"}
    return result


def _kin(actor: frozenset[str], undergoer: frozenset[str], words: Words) -> bool:
    """Return whether a role is called by a synonym of the other's actor (*loaner*, *lender*)."""
    return any(words.synonyms[name] & actor for name in undergoer if name.endswith(_ACTORS))


def _order(roles: Roles) -> bool:
    """Return whether ARG1 and ARG2 stand in an order that another verb may turn round."""
    return (
        "1" in roles
        and "2" in roles
        and (roles["1"].thematic == {"theme"} and roles["2"].thematic == {"co-theme"})
    )


def _transfer(ours: Roles, number: str, theirs: Roles, place: str) -> bool:
    """Return whether the one gives what the other gets, by VerbNet's roles."""
    if "1" not in ours or "1" not in theirs:
        return False
    things = ours["1"].thematic & _THINGS and theirs["1"].thematic & _THINGS
    agents = "agent" in ours["0"].thematic & theirs["0"].thematic
    ends = {"recipient", "goal"}, {"source"}
    return bool(things and agents) and any(
        ours[number].thematic & one and theirs[place].thematic & other
        for one, other in (ends, ends[::-1])
    )


def _single(ours: Roles, number: str, theirs: Roles, place: str) -> bool:
    """Return whether each actor is described by one word, which begins the other's description."""
    return all(
        one["0"].description.isalpha()
        and other[n].description.split(" or ")[0] == one["0"].description
        for one, other, n in ((ours, theirs, place), (theirs, ours, number))
    )
