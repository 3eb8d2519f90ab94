from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from new_process import in_a_new_process

from compsim.graph import Node, RoleGraph
from compsim.vectors import WordVectors
from compsim.vectors.all_words import AllWords
from compsim.vectors.axes import axis, spelled
from compsim.vectors.means import stretch_means
from compsim.vectors.numbers import number, value_vector
from compsim.vectors.pronouns import PRONOUNS, pronoun_vector
from compsim.vectors.rarity import information, rarity


@pytest.fixture(scope="module")
def encoder() -> AllWords:
    return AllWords(WordVectors.open("builtin"))


def cosine(encoder: AllWords, first: str, second: str) -> float:
    x, y = encoder.texts([first, second])
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


@given(text=st.text())
def test_every_text_with_a_letter_or_digit_has_a_vector(encoder: AllWords, text: str) -> None:
    vector = encoder.texts([text])[0]
    assert np.isfinite(vector).all()
    # Unicode has an apostrophe among the letters, which is a mark here as the others are.
    if any(c.isalnum() for c in text.replace("\u02bc", "")):
        assert vector.any()


def test_bare_apostrophes_have_none(encoder: AllWords) -> None:
    assert not encoder.texts(["'", "\u2019", "\u02bc"]).any()


def test_names_are_compared_by_spelling(encoder: AllWords) -> None:
    assert cosine(encoder, "Krazzelby", "Krazzelby's") > 0.99
    assert cosine(encoder, "Krazzelby", "Krazelby") > 0.6
    assert abs(cosine(encoder, "Krazzelby", "Omvirst")) < 0.2


def test_numbers_are_compared_by_value(encoder: AllWords) -> None:
    assert cosine(encoder, "5", "five") > 0.999
    assert cosine(encoder, "1,200", "1200") > 0.999
    assert cosine(encoder, "12", "13") > cosine(encoder, "12", "4000")
    assert number("3rd") == 3
    assert number("x") is None
    assert number("9" * 400) is None
    same, near, far = (value_vector(value, 300) for value in (7.0, 8.0, 7e6))
    assert same @ near > same @ far


@pytest.mark.parametrize(
    ("first", "same", "other"),
    [
        ("Monday", "Mondays", "Friday"),
        ("March", "Mar.", "May"),
        ("October's", "Oct.", "june"),
        ("Yesterday", "yesterday's", "tomorrow"),
        ("hours", "hour", "days"),
    ],
)
def test_times_are_compared_by_which_they_are(
    encoder: AllWords, first: str, same: str, other: str
) -> None:
    own, again, apart = encoder.texts([first, same, other])
    assert own @ again > 0.99
    assert own @ apart < 0.6
    assert encoder.how(first) == encoder.how(same) == encoder.how(other) == "date"


@pytest.mark.parametrize("word", ["may", "march", "dec", "mayor", "second"])
def test_verbs_and_other_words_are_no_times(encoder: AllWords, word: str) -> None:
    assert encoder.how(word) in ("", "spelling")


def test_pronouns_are_compared_by_features(encoder: AllWords) -> None:
    assert cosine(encoder, "I", "me") > 0.999
    assert cosine(encoder, "he", "she") > cosine(encoder, "he", "we")
    assert cosine(encoder, "he", "man") > cosine(encoder, "it", "man")
    assert all(pronoun_vector(word, 64, None) is not None for word in PRONOUNS)


def test_abbreviations_are_no_pronouns(encoder: AllWords) -> None:
    def cosine(first: str, second: str) -> float:
        x, y = (row / np.linalg.norm(row) for row in encoder.texts([first, second]))
        return float(x @ y)

    assert cosine("the U.S.", "America") > 0.8
    assert cosine("(U.S)", "the U.S.") > 0.99 > 0.5 > cosine("us", "U.S.")
    assert cosine("US farmers", "U.S. farmers") > 0.99 > cosine("us farmers", "U.S. farmers")
    assert encoder.how("I.T.") == "spelling"
    assert encoder.how("us.") == encoder.how("he.") == "pronoun"


def test_a_pronoun_is_compared_as_what_it_stands_for(encoder: AllWords) -> None:
    graph = RoleGraph.star("It fell.", {"Verb": "fell", "Agent": "It"})
    plain = Node("It", (0, 2))
    meant = Node("It", (0, 2), features=(("antecedent", "the bridge"),))
    it, bridge = encoder.phrases([graph], [[plain, meant]])
    expected = encoder.texts(["the bridge"])[0]
    assert np.allclose(bridge, expected)
    assert not np.allclose(it, expected)


def test_a_predicate_is_its_lemma_mixed_with_its_form() -> None:
    table = WordVectors.open("builtin")
    graph = RoleGraph.star("x", {"Verb": "x"})
    forms = [Node(form, features=(("lemma", "bite"),)) for form in ("bit", "bites", "bitten")]
    lemma, *_ = lemmas = AllWords(table, form=0).phrases([graph], [forms])
    assert np.allclose(lemmas, lemma)
    mixed = AllWords(table, form=0.5).phrases([graph], [forms])
    plain = AllWords(table, form=1).phrases([graph], [forms])
    for half, whole in zip(mixed, plain, strict=True):
        assert half @ lemma / np.linalg.norm(half) > whole @ lemma / np.linalg.norm(whole)


def test_a_particle_counts_beside_a_verb_that_has_none_in_the_table() -> None:
    encoder = AllWords(WordVectors.open("builtin"), form=0)
    graph = RoleGraph.star("x", {"Verb": "x"})
    lemmas = ("drift", "drift_up", "drift_down")
    assert (encoder.vectors.rows(lemmas[1:]) < 0).all()
    bare, up, down = encoder.phrases(
        [graph], [[Node("x", features=(("lemma", lemma),)) for lemma in lemmas]]
    )
    assert 0.99 > bare @ up / np.linalg.norm(bare) / np.linalg.norm(up) > 0.8
    assert up @ down < bare @ up


def test_a_head_counts_beside_the_words_of_its_phrase() -> None:
    table = WordVectors.open("builtin")
    graph = RoleGraph.star("x", {"Verb": "x"})
    phrases = [
        Node("the roof of the church", features=(("head", "roof"),)),
        Node("the church of the roof", features=(("head", "church"),)),
        Node("the roof and the church", features=(("head", "roof"),)),
        Node("it", features=(("antecedent", "the roof of the church"), ("head", "it"))),
    ]
    plain = AllWords(table).phrases([graph], [phrases])
    roof, church, both, meant = AllWords(table, head=0.3).phrases([graph], [phrases])
    assert np.allclose(plain[0], plain[1])
    assert not np.allclose(roof, church)
    assert np.allclose(both, plain[2])
    assert np.allclose(meant, plain[3])
    one = AllWords(table).texts(["roof"])[0]
    assert one @ roof / np.linalg.norm(roof) > one @ church / np.linalg.norm(church)


def test_articles_say_next_to_nothing(encoder: AllWords) -> None:
    assert cosine(encoder, "the dog", "by a dog") > 0.999
    assert rarity("the") < 0.05 < rarity("dog") <= rarity("dachshund")
    assert rarity("...") == 0
    assert information("...") > 0


def test_unknown_words_are_the_same_in_another_process() -> None:
    program = (
        "from compsim.vectors.axes import axis, spelled\n"
        "print(axis('number', 8).tolist(), spelled('Omvirst', 8).tolist())"
    )
    result = in_a_new_process(program, PYTHONHASHSEED="7")
    assert result.strip() == f"{axis('number', 8).tolist()} {spelled('Omvirst', 8).tolist()}"


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=5),
    st.lists(st.floats(0.1, 2), min_size=20, max_size=20),
)
def test_means_of_stretches(rows: list[list[int]], weights: list[float]) -> None:
    matrix = np.arange(8, dtype=np.float32).reshape(4, 2)
    flat = np.array([row for listed in rows for row in listed], dtype=np.int64)
    ends = np.cumsum([0, *map(len, rows)])
    weight = np.array(weights[: len(flat)], dtype=np.float32)
    got = stretch_means(matrix, flat, ends, weight)
    for i, listed in enumerate(rows):
        own = weight[ends[i] : ends[i + 1]]
        expected = np.average(matrix[listed], axis=0, weights=own) if listed else np.zeros(2)
        np.testing.assert_allclose(got[i], expected, rtol=1e-5)


def test_means_of_long_stretches() -> None:
    rng = np.random.default_rng(7)
    matrix = rng.normal(size=(50, 3)).astype(np.float32)
    lengths = [3, 9_000, 0, 65, 64, 4_097]
    ends = np.cumsum([0, *lengths])
    rows, weight = rng.integers(0, 50, ends[-1]), rng.random(ends[-1]).astype(np.float32)
    for given_weights in (weight, None):
        got = stretch_means(matrix, rows, ends, given_weights)
        for i, (start, stop) in enumerate(pairwise(ends)):
            own = None if given_weights is None else weight[start:stop]
            some = stop > start
            expected = np.average(matrix[rows[start:stop]], 0, own) if some else np.zeros(3)
            np.testing.assert_allclose(got[i], expected, atol=1e-5)
            alone = stretch_means(matrix, rows, np.array([start, stop]), given_weights)
            np.testing.assert_array_equal(alone[0], got[i])
