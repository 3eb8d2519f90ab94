"""VerbNet's frames of prepositional phrases."""

from __future__ import annotations

from compsim.weights.converses import Role
from compsim.weights.obliques import obliques
from compsim.weights.verbnet import SyntacticFrame, VerbClass

WORDS = ["to", "of", "in", "for", "on", "with", "at", "by", "from", "about", "into", "after"]


def frame(role: str, named: str = "", *kinds: str) -> SyntacticFrame:
    """An agent, a verb, and a phrase in a role after some prepositions."""
    oblique = ("PREP", named, kinds), ("NP", role, ())
    return (("NP", "Agent", ()), ("VERB", "", ()), *oblique)


def kind(name: str, *frames: SyntacticFrame, verbs: str = "") -> VerbClass:
    return VerbClass(name, frozenset(verbs.split()), frames)


def linked(*classes: str) -> dict[str, Role]:
    return {"1": Role("thing", frozenset(), frozenset(), frozenset(classes))}


def roles(classes: list[VerbClass], *names: str) -> dict[str, str]:
    """Preposition -> role of a roleset that is linked to these classes."""
    ((_, result, _),) = obliques(classes, {"hop.01": linked(*names)}, WORDS)
    return {word: role for role, words in result.items() for word in words.split()}


def test_a_kind_of_preposition_stands_for_those_that_can_tell_the_role():
    moves = kind("51", frame("Trajectory", "", "+spatial"), frame("Initial_Location", "", "+path"))
    result = roles([moves], "51")
    assert result["across"] == result["into"] == result["from"] == "Trajectory"
    assert "in" not in result  # what is in something is nowhere else before or after
    assert roles([kind("47", frame("Location", "", "+loc"))], "47")["in"] == "Location"


def test_most_of_the_frames_decide():
    to = frame("Destination", "to")
    assert roles([kind("1", to, to, frame("Recipient", "to"))], "1") == {"to": "Trajectory"}
    assert obliques([kind("1", to, frame("Recipient", "to"))], {"hop.01": linked("1")}, WORDS) == []


def test_a_roleset_has_the_frames_of_its_classes_else_of_its_verb():
    classes = [kind("1", frame("Location", "in"), verbs="hop"), kind("2", frame("Topic", "on"))]
    assert roles(classes, "2") == {"on": "Theme"}
    assert roles(classes) == {"in": "Location"}
    assert roles(classes, "no such class") == {"in": "Location"}


def test_rolesets_of_the_same_frames_share_a_row_and_copulas_have_none():
    classes = [kind("1", frame("Topic", "on"), verbs="muse brood be")]
    result = obliques(classes, {"muse.01": {}, "brood.01": {}, "be.01": {}}, WORDS)
    assert result == [("brood.01 muse.01", {"Theme": "on"}, [])]


def test_prepositions_of_one_role_say_the_same_but_for_places():
    talks = kind(
        "37", frame("Co-Agent", "to"), frame("Co-Agent", "with"), frame("Topic", "about on")
    )
    ((_, _, groups),) = obliques([talks], {"talk.01": linked("37")}, WORDS)
    assert groups == ["on about", "to with"]  # the most common first
    ((_, _, groups),) = obliques(
        [kind("9", frame("Location", "in on"))], {"x.01": linked("9")}, WORDS
    )
    assert groups == []


def test_a_preposition_of_two_groups_says_something():
    one, other = kind("1", frame("Theme", "for with")), kind("2", frame("Theme", "with to"))
    ((_, _, groups),) = obliques([one, other], {"x.01": linked("1", "2")}, WORDS)
    assert groups == []
