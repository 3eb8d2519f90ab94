"""Persons, opposites and what is wished for, as the comparison takes them."""

from __future__ import annotations

import pytest

from compsim.comparison.batch import contrast_of
from compsim.comparison.concepts import BARE, NUMBERS, PARTICLES
from compsim.method import Method
from compsim.parsers import load as load_parser
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.registry import load


@pytest.fixture(scope="module")
def method() -> Method:
    return load("verbnet-cn", vectors="builtin")


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("She mended the gate.", "The gate was mended by her.", "He mended the gate."),
        ("My uncle snores.", "The uncle of mine snores.", "Your uncle snores."),
        ("The herd doubled.", "The herd has doubled.", "The herd halved."),
        ("The rally was postponed.", "The rally was delayed.", "The rally was brought forward."),
        ("Ruth told Paul that she won.", "Paul was told by Ruth that she won.",
         "Ruth told Paul that he did not win."),
        ("The heir gave up the house.", "The house was given up by the heir.",
         "The heir gave the house."),
        ("The rower sat down.", "The rower sat.", "The rower sat up."),
        ("Few tiles broke.", "Not many tiles broke.", "Many tiles broke."),
    ],
)  # fmt: skip
def test_what_excludes_scores_less_than_what_is_reworded(
    text: str, same: str, other: str, method: Method
) -> None:
    scores = method.similarity_pairwise([text, text], [same, other])
    assert scores[0] > scores[1] + 0.1


def test_opposites_differ_in_the_last_bit() -> None:
    lexicon = Lexicon.open()
    for word in sorted(lexicon.members("opposite")):
        group, other = (lexicon.feature("opposite", word, name) for name in ("group", "opposite"))
        (kind, member), (kind_of_other, member_of_other) = contrast_of(group), contrast_of(other)
        assert contrast_of(word) == (kind, member)
        assert kind == kind_of_other >= PARTICLES > NUMBERS
        assert member ^ member_of_other == 1


def test_a_verb_is_one_of_those_that_it_makes_with_particles() -> None:
    for verb, particle in (("give", "up"), ("turn", "down"), ("carry", "out")):
        kind, member = contrast_of(verb)
        assert (kind, member) == (contrast_of(f"{verb}_{particle}")[0], BARE)
        assert contrast_of(f"{verb}_{particle}")[1] ^ BARE != 1
    assert contrast_of("astonish")[0] < PARTICLES


def test_a_name_may_be_spelt_in_several_ways(method: Method) -> None:
    text = "The president met {} in the capital."
    spellings = ("Hezbollah", "Hizbullah"), ("Morsi", "Mursi"), ("Rouhani", "Rohani")
    for first, second in spellings:
        pair = text.format(first), text.format(second)
        assert method.similarity(*pair) > 0.85, (first, second)
    # Both are names that are known, or one has a consonant more.
    for first, second in (("Sweden", "Sudan"), ("Mursik", "Morsi")):
        assert method.similarity(text.format(first), text.format(second)) < 0.6, (first, second)


@pytest.mark.parametrize(("name", "pronoun"), [("Karen", "he"), ("Robert", "she")])
def test_a_first_name_of_the_other_sex_is_no_antecedent(name: str, pronoun: str) -> None:
    parser = load_parser("concepts")
    own = {"he": "she", "she": "he"}[pronoun]
    texts = [f"{name} said that {word} was tired." for word in (own, pronoun)]
    first, second = parser.parse(texts)
    assert [node.label for node in second.nodes if node.label == pronoun] == [pronoun]
    assert own not in [node.label for node in first.nodes]
