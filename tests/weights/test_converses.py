"""Converse verbs, which describe one event from two sides."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

from compsim.vectors import WordVectors
from compsim.weights.build_events import (
    felt,
    inchoative,
    moving,
    places,
    raising,
    receivers,
    sent,
    sides,
)
from compsim.weights.converses import Role, Words, converses, read_role, symmetric
from compsim.weights.propbank import Proposition
from compsim.weights.verbnet import VerbClass


def role(description: str, *thematic: str) -> Role:
    return Role(description, frozenset(), frozenset(thematic), frozenset())


def words(
    antonyms: dict[str, set[str]],
    derived: dict[str, set[str]],
    hypernyms: dict[str, set[str]] | None = None,
) -> Words:
    tables = antonyms, derived, {}, hypernyms or {}
    return Words(*(defaultdict(set, table) for table in tables))


SELL = {
    "0": role("seller", "agent"), "1": role("thing sold", "theme"), "2": role("buyer", "recipient")
}  # fmt: skip
BUY = {
    "0": role("buyer", "agent"), "1": role("thing bought", "theme"), "2": role("seller", "source")
}  # fmt: skip
LISTEN = {"0": role("listener", "agent"), "1": role("seller", "theme")}
DERIVED = {"seller": {"sell"}, "buyer": {"buy"}}


def test_each_actor_is_a_role_of_the_other() -> None:
    result = converses(
        {"sell.01": SELL, "buy.01": BUY, "listen.01": LISTEN}, words({}, DERIVED), Counter()
    )
    assert result == {
        "buy.01": [("sell.01", {"ARG1": "ARG1", "ARG0": "ARG2", "ARG2": "ARG0"})],
        "sell.01": [("buy.01", {"ARG1": "ARG1", "ARG0": "ARG2", "ARG2": "ARG0"})],
    }


def test_kinds_of_giving_meet_kinds_of_getting() -> None:
    give = {**SELL, "0": role("giver", "agent"), "2": role("getter", "recipient")}
    get = {**BUY, "0": role("getter", "agent"), "2": role("giver", "source")}
    inherit = {"0": role("heir", "agent"), "1": role("estate", "theme"), "2": role("", "source")}
    result = converses(
        {"sell.01": SELL, "buy.01": BUY, "give.01": give, "get.01": get, "inherit.01": inherit,
         "steal.01": {**inherit, "2": role("", "initial-location")}},
        words({}, {**DERIVED, "giver": {"give"}, "getter": {"get"}},
              {"sell": {"give"}, "buy": {"get"}, "inherit": {"get"}, "steal": {"get"}}),
        Counter(),
    )  # fmt: skip
    assert result["inherit.01"] == [
        ("give.01", {"ARG0": "ARG2", "ARG1": "ARG1", "ARG2": "ARG0"}),
        ("get.01", {"ARG0": "ARG0", "ARG1": "ARG1", "ARG2": "ARG2"}),
    ]
    assert "steal.01" not in result
    assert [other for other, _ in result["give.01"]] == ["get.01"]


def test_words_alone_make_no_pair() -> None:
    speak = {"0": role("speaker or so", "agent"), "1": role("a listener", "theme")}
    listen = {"0": role("some listener", "agent"), "1": role("the speaker", "theme")}
    result = converses({"speak.01": speak, "listen.01": listen}, words({}, {}), Counter())
    assert result == {}


def test_two_of_a_kind_may_change_places() -> None:
    result = symmetric(
        {
            "fight.01": {"0": role("first fighter"), "1": role("second fighter")},
            "wed.01": {"1": role("one half", "agent"), "2": role("other half", "co-agent")},
            "kiss.01": {"0": role("kisser", "agent"), "1": role("kissed", "co-agent")},
            "repeat.01": {"0": role("first or second"), "1": role("the other")},
        }
    )
    assert result == {
        "fight.01": [["ARG0", "ARG1"]],
        "wed.01": [["ARG1", "ARG2"], ["ARG0", "ARG1"]],
    }


def test_a_role_of_a_frame_file() -> None:
    entry = ElementTree.fromstring(
        '<role descr="Student(s)" n="2"><rolelinks>'
        '<rolelink class="teach-1" resource="VerbNet">Co_Agent</rolelink>'
        '<rolelink class="Teaching" resource="FrameNet">student</rolelink>'
        "</rolelinks></role>"
    )
    result = read_role(entry)
    assert result.description == "student"
    assert result.thematic == {"co-agent"}
    assert result.frame_elements == {"student"}
    assert result.classes == {"1"}


def _class(name: str, *shapes: str) -> VerbClass:
    kinds = {"V": "VERB", "with": "PREP", "P": "PREP"}
    frames = tuple(
        tuple(
            (kinds.get(word, "NP"), "" if word in ("V", "P") else word, ())
            for word in shape.split()
        )
        for shape in shapes
    )
    return VerbClass(name, frozenset(["verb"]), frames)


def test_alternations_are_read_off_the_frames_of_a_class() -> None:
    melt = _class("45", "Agent V Patient", "Patient V")
    eat = _class("39", "Agent V Patient", "Patient V", "Agent V")
    load = _class("9.7", "Agent V Destination with Theme", "Agent V Theme P Destination")
    teem = _class("47", "Location V with Theme", "Theme V P Location")
    assert inchoative([melt, eat, load]) == {"45"}
    assert places([melt, load, teem]) == {
        "9.7": ["object", "with", "ARGM-GOL"],
        "47": ["subject", "with", "ARGM-LOC"],
    }
    assert raising([melt, load]) == set()


def test_verbs_of_moving_by_oneself() -> None:
    classes = [
        VerbClass("51.3.2-1", frozenset(["stroll", "goose_step"]), ()),
        VerbClass("51.4.1", frozenset(["ski"]), ()),
        VerbClass("51.4.2", frozenset(["drive"]), ()),
    ]
    assert moving(classes) == ["ski", "stroll"]


def feeling(name: str, number: str) -> Role:
    """A role of VerbNet's chapter of feelings."""
    return Role("", frozenset(), frozenset([name]), frozenset([f"31.{number}"]))


def test_what_frightens_is_feared() -> None:
    roles = {
        "frighten.01": {"0": feeling("stimulus", "1"), "1": feeling("experiencer", "1")},
        "fear.01": {"0": feeling("experiencer", "2"), "1": feeling("stimulus", "2")},
        "enjoy.01": {"0": feeling("experiencer", "2"), "1": feeling("stimulus", "2")},
        "frighten.02": {"0": feeling("experiencer", "3"), "1": feeling("stimulus", "3")},
        "see.01": {"0": role("viewer", "experiencer"), "1": role("seen", "stimulus")},
    }
    result = felt(roles, WordVectors.open("builtin"))
    assert result == {"frighten.01": [("fear.01", {"ARG0": "ARG1", "ARG1": "ARG0"})]}


def test_who_gets_a_thing_is_named_by_some_verbs_often() -> None:
    def frame(who: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        return (
            ("NP", "Agent", ()), ("VERB", "", ()), ("NP", who, ()), ("NP", "Theme", ()),
        )  # fmt: skip

    classes = [
        VerbClass("13.1", frozenset(["sell", "lend"]), (frame("Recipient"),)),
        VerbClass("13.5", frozenset(["buy"]), (frame("Beneficiary"),)),
        VerbClass("9.1", frozenset(["put"]), (frame("Destination")[:3],)),
    ]
    sold = Proposition((1,), "sell.01", (("ARG1", 2, 2), ("ARG2", 3, 3)), True)
    seen = Proposition((1,), "sell.01", (("ARG1", 2, 2),), True)
    sentences = [(["w"] * 4, [each]) for each in (sold, seen, seen, seen)]
    result = receivers(classes, sentences, {"sell.01": SELL})
    assert result == {"buy": 0.0, "lend": 0.5, "sell": 0.25}


def test_who_is_sent_a_thing_gets_it() -> None:
    kind = frozenset(["11.1"])
    thing = Role("sent", frozenset(), frozenset(["theme"]), kind)
    own = {"0": role("sender", "agent"), "1": thing, "2": role("sent-to", "destination")}
    rolesets = {"send.01": own, "put.01": {**own, "1": role("thing put", "theme")}}
    double = _class("11.1", "Agent V Theme P Destination", "Agent V Destination Theme")
    assert sent([double], rolesets) == {
        "send.01": [("get.01", {"ARG0": "ARG2", "ARG1": "ARG1", "ARG2": "ARG0"})]
    }
    assert sent([_class("11.1", "Agent V Theme P Destination")], rolesets) == {}


def test_a_message_is_heard_from_who_tells_it() -> None:
    tell = {"0": role("speaker", "agent"), "1": role("talk", "topic"),
            "2": role("hearer", "recipient")}  # fmt: skip
    hear = {"0": role("hearer", "agent", "experiencer"), "1": role("sound", "stimulus"),
            "2": role("speaker", "source")}  # fmt: skip
    result = converses({"tell.01": tell, "hear.01": hear}, words({}, {}), Counter())
    assert [result[name][0][0] for name in ("tell.01", "hear.01")] == ["hear.01", "tell.01"]


def test_who_rents_from_somebody_is_who_somebody_rents_to() -> None:
    rolesets = {
        "rent.01": {**BUY, "1": role("flat", "theme")},
        "rent.02": {**SELL, "1": role("flat", "theme")},
        "sell.01": SELL,
    }
    assert sides(rolesets) == {"rent.01": ["to", "rent.02"], "rent.02": ["from", "rent.01"]}
