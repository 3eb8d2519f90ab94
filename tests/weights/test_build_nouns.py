"""The recipe of the table of people, on a small net of words, and the table that is shipped."""

from __future__ import annotations

from compsim.parsers.files.conll import Tree
from compsim.parsers.grammar.nouns import Nouns as Table
from compsim.weights.build_nouns import Nouns, masses, tables

HYPERNYMS = (
    "person organism, organism entity, animal organism, woman person, man person, queen woman, "
    "star performer, star sun, performer person, sun entity, canine animal, canid animal, "
    "choir social_group, social_group entity, "
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
    known = ["queen", "man", "star", "dog", "sun", "teacher", "choir", "run", "unknown"]
    result = tables(nouns(), known, {"sun", "man", "unknown"})
    assert result == {
        "person": ["man", "queen", "star", "teacher"],
        "mixed": [],
        "animal": ["dog"],
        "female": ["queen"],
        "male": ["man"],
        "group": ["choir"],
        "site": [],
        "mass": ["sun"],
    }


def test_masses_stand_without_an_article() -> None:
    def tree(words: str, tags: str, heads: list[int], deps: str) -> Tree:
        tokens = words.split()
        return Tree(tokens, tags.split(), tokens, tokens, heads, deps.split(), [True] * len(tokens))

    bare = tree("ink dries", "NN VBZ", [1, 1], "nsubj ROOT")
    counted = tree("a pen dries", "DT NN VBZ", [1, 2, 2], "det nsubj ROOT")
    compound = tree("pen ink dries", "NN NN VBZ", [1, 2, 2], "compound nsubj ROOT")
    assert masses([bare, counted, compound] * 3) == {"ink"}
    assert masses([bare]) == set()


def test_shipped_table() -> None:
    table = Table.shipped()
    assert {"teacher", "woman", "king", "child"} <= table.person
    assert "dog" in table.animal
    assert "mother" in table.female
    assert "uncle" in table.male
    assert not {"table", "bridge", "storm"} & (table.person | table.mixed | table.animal)
    assert {"money", "rice", "advice"} <= table.mass
    assert not {"book", "car", "teacher"} & table.mass
    assert {"committee", "family"} <= table.group - table.site
    assert {"village", "hospital"} <= table.site <= table.group
