"""The recipe of the table of people, on a small net of words, and the table that is shipped."""

from __future__ import annotations

from compsim.parsers.roles.features.antecedents import Nouns as Table
from compsim.weights.build_nouns import Nouns, tables

HYPERNYMS = (
    "person organism, organism entity, animal organism, woman person, man person, queen woman, "
    "star performer, star sun, performer person, sun entity, canine animal, canid animal, "
    "canine tooth, tooth entity, dog canine, dog canid, teacher person, run move"
)


def nouns() -> Nouns:
    pairs = [pair.split() for pair in HYPERNYMS.split(", ")]
    return Nouns([(a, "hypernym", b) for a, b in pairs] + [("canid", "synonym", "canine")])


def test_words_above_of_one_sense_are_read_together() -> None:
    assert nouns().above(["dog"]) == [frozenset({"canine", "canid"})]
    # What stands above the one only is another sense of it: no dog is a tooth.
    assert nouns().above(["canine", "canid"]) == [frozenset({"animal"})]


def test_verbs_are_no_nouns() -> None:
    assert "run" not in nouns().words


def test_tables() -> None:
    found = tables(nouns(), ["queen", "man", "star", "dog", "sun", "teacher", "run", "unknown"])
    assert found == {
        "person": ["man", "queen", "star", "teacher"],
        "mixed": [],
        "animal": ["dog"],
        "female": ["queen"],
        "male": ["man"],
    }


def test_shipped_table() -> None:
    table = Table.shipped()
    assert {"teacher", "woman", "king", "child"} <= table.person
    assert "dog" in table.animal
    assert "mother" in table.female
    assert "uncle" in table.male
    assert not {"table", "bridge", "storm"} & (table.person | table.mixed | table.animal)
