"""Texts that differ in one wording alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim import Guard
from compsim.graph import RoleGraph
from compsim.guard.contrast import NONE, Contrast, Word, contrast, words_of
from compsim.guard.features import feature_names, signs
from compsim.guard.names import LIGHT_METHOD

#: Words of which some are synonyms, opposites or numbers.
FORMS = ["sofa", "couch", "hot", "cold", "two", "2", "cat", "violin", "table", "zorblat"]


def words(text: str) -> tuple[Word, ...]:
    return words_of(RoleGraph(text=text))


def between(first: str, second: str) -> Contrast:
    return contrast(words(first), words(second))


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(LIGHT_METHOD, vectors="builtin")


def test_one_place_counts_more_than_two() -> None:
    one = between("red violin near table", "red lawyer near table")
    two = between("red violin near table", "red lawyer near lamp")
    assert one.strength == pytest.approx(1.0, abs=0.01)
    assert two.strength == pytest.approx(0.25, abs=0.01)


def test_related_words_stand_less_against_each_other() -> None:
    related = between("red violin near table", "red orchestra near table")
    unlike = between("red violin near table", "red lawyer near table")
    assert 0.5 < related.strength < unlike.strength


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the red sofa near it", "a red couch near it"),
        ("two violins", "2 violins"),
        ("red colour here", "red color here"),
        ("he can't play violin", "he can not play violin"),
        ("red violin near table", "red violin"),
        ("red violin near table", "tables and lamps and a trumpet"),
        ("", "red violin"),
    ],
)
def test_no_contrast(first: str, second: str) -> None:
    assert between(first, second).strength == 0.0


def test_it_stands_where_the_texts_have_it() -> None:
    first, second = "Is the violin old?", "Is that trumpet old?"
    result = between(first, second)
    assert [first[start:end] for start, end in result.first] == ["violin"]
    assert [second[start:end] for start, end in result.second] == ["trumpet"]


@given(*[st.lists(st.sampled_from(FORMS), max_size=6)] * 2)
@settings(max_examples=200, deadline=None)
def test_strength_is_a_share_and_the_order_of_texts_plays_little_role(
    first: list[str], second: list[str]
) -> None:
    one, two = (tuple(Word(form, (i, i + 1)) for i, form in enumerate(x)) for x in (first, second))
    result = contrast(one, two)
    assert 0.0 <= result.strength <= 1.0
    assert bool(result.first) == bool(result.second) == (result.strength > 0)
    assert contrast(one, one).strength == 0.0
    if len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1:
        assert result.strength == contrast(two, one).strength


def test_it_never_raises_a_probability() -> None:
    names = feature_names("words")
    assert signs(names)[names.index("contrast")] == -1


def test_a_guard_tells_it_apart(guard: Guard) -> None:
    verdict = guard.same("The lessee must insure the barn.", "The lessor must insure the barn.")
    assert verdict.answer != "same"
    (wording,) = [each for each in verdict.differences if each.kind == "wording"]
    assert wording.first == ((4, 10),)
    assert wording.sentence == '"lessee" in the first sentence, "lessor" in the second'


def test_nothing_is_a_contrast() -> None:
    assert contrast((), ()) == NONE


def test_measures_of_one_amount_are_one_wording() -> None:
    assert between("boil for half an hour", "boil for 30 minutes").strength == 0.0
    assert between("boil for half an hour", "boil for 40 minutes").strength == 1.0
