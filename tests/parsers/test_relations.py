"""Where one thing is, told from the other."""

from __future__ import annotations

import pytest

import compsim
from compsim.parsers.roles.srl import SrlParser

METHOD = compsim.load("verbnet-cn", vectors="builtin")


def relations(text: str) -> list[tuple[str, str, str]]:
    """Lemma, upper or first thing, and the other one, of each reading."""
    found = []
    for frame in SrlParser().parse([text])[0].frames():
        if frame.reading_of is not None and {"Agent", "Patient"} <= frame.roles.keys():
            sides = [frame.roles[role].label.split()[-1] for role in ("Agent", "Patient")]
            found.append((frame.predicate.feature("lemma"), sides[0], sides[1]))
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lamp hangs above the table.", [("above", "lamp", "table")]),
        ("The table is below the lamp.", [("above", "lamp", "table")]),
        ("The dog lies behind the stove.", [("in_front_of", "stove", "dog")]),
        ("The church is to the right of the inn.", [("left_of", "inn", "church")]),
        ("The village lies south of the harbour.", [("north_of", "harbour", "village")]),
        ("The concert is after the dinner.", [("precede", "dinner", "concert")]),
        ("The coins are in the jar.", [("contain", "jar", "coins")]),
        ("The knife is near the fork.", [("near", "knife", "fork"), ("near", "fork", "knife")]),
        ("The girl sat next to the boy.", []),
        ("The jar is on the shelf.", []),
        ("The rope is over ten metres long.", []),
        ("The tourists are in the middle of the square.", [("contain", "square", "tourists")]),
        ("The boy put the jar under the bench.", []),
        ("The wolf howled behind the barn.", []),
    ],
)
def test_a_place_is_a_relation(text: str, found: list[tuple[str, str, str]]) -> None:
    assert relations(text) == found


def test_in_a_relative_clause_the_noun_is_one_of_the_two() -> None:
    text = "The girl who sat behind the boy laughed."
    (turned,) = [f for f in SrlParser().parse([text])[0].frames() if f.reading_of is not None]
    assert turned.roles["Patient"].label == "The girl"
    assert turned.roles["Agent"].label == "the boy"


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("The lamp hangs above the table.", "The table is below the lamp.",
         "The table hangs above the lamp."),
        ("The bakery is to the left of the inn.", "The inn is to the right of the bakery.",
         "The inn is to the left of the bakery."),
        ("The cellar is under the kitchen.", "The kitchen is above the cellar.",
         "The kitchen is under the cellar."),
        ("The coins are in the jar.", "The jar contains the coins.",
         "The coins contain the jar."),
        ("The nurse is not behind the curtain.", "The curtain is not in front of the nurse.",
         "The curtain is in front of the nurse."),
    ],
)  # fmt: skip
def test_sentences_meet_from_the_other_thing(text: str, same: str, other: str) -> None:
    alike, unlike = METHOD.similarity_pairwise([text, text], [same, other])
    assert alike > 0.9
    assert unlike < 0.8
