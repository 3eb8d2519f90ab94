"""Content words and base forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.vectors.words import content_words, lemma_candidates, normalize, spellings, stop_words


def test_there_are_179_stop_words() -> None:
    assert len(stop_words()) == 179
    assert {"the", "don't", "won", "ain", "shouldn't", "very"} <= stop_words()
    assert not {"may", "would", "us", "he's"} & stop_words()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The friendly dog", ["friendly", "dog"]),
        ("the dog's bone", ["dog", "bone"]),
        ("the dogs' bones", ["dogs", "bones"]),
        ("the dog\u2019s bone", ["dog", "bone"]),
        ("the dog 's bone", ["dog", "bone"]),
        ("He's gone", ["gone"]),
        ("It's, they DON'T!", []),
        ("a T-shirt and/or jeans.", ["tshirt", "andor", "jeans"]),
        ("\u201cquoted\u201d (words)\u2026", ["quoted", "words"]),
        ("U.S. troops", ["us", "troops"]),
        ("cafe\u0301 CAF\u00c9", ["caf\u00e9", "caf\u00e9"]),
        ("3 o'clock", ["3", "oclock"]),
        ("snake_case", ["snakecase"]),
        ("-- ... !", []),
        ("", []),
        (" \t\n ", []),
        ("\u72ac \U0001f415 dog", ["\u72ac", "dog"]),
        ("bad \ud800 half", ["bad", "half"]),
    ],
)
def test_content_words(text: str, words: list[str]) -> None:
    assert content_words(text) == words


@given(st.text(max_size=60))
def test_content_words_are_lower_case_and_alphanumeric(text: str) -> None:
    for word in content_words(text):
        assert word
        assert word == word.lower()
        assert all(letter.isalnum() for letter in word)


@given(st.lists(st.sampled_from(["The", "dog's", "T-shirt", "ran.", "isn't", "\u2014"])))
def test_a_text_is_the_sum_of_its_tokens(tokens: list[str]) -> None:
    expected = [word for word in map(normalize, tokens) if word]
    assert content_words(" ".join(tokens)) == expected


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("stopping", "stop"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("travelling", "travel"),
        ("traveling", "travel"),
        ("falling", "fall"),
        ("controlled", "control"),
        ("missed", "miss"),
        ("singing", "sing"),
        ("dancing", "dance"),
        ("opening", "open"),
        ("tried", "try"),
        ("chases", "chase"),
        ("watches", "watch"),
        ("goes", "go"),
        ("studies", "study"),
        ("dogs", "dog"),
        ("horses", "horse"),
        ("women", "woman"),
        ("bigger", "big"),
        ("happiest", "happy"),
        ("nicer", "nice"),
    ],
)
def test_the_likeliest_base_form_comes_first(word: str, base: str) -> None:
    assert lemma_candidates(word)[0] == base


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("knives", "knife"),
        ("wolves", "wolf"),
        ("dying", "die"),
        ("picnicking", "picnic"),
        ("quizzes", "quiz"),
        ("agreed", "agree"),
        ("buses", "bus"),
        ("heroes", "hero"),
        ("modelled", "model"),
    ],
)
def test_rarer_base_forms_are_among_the_candidates(word: str, base: str) -> None:
    assert base in lemma_candidates(word)


@pytest.mark.parametrize("word", ["bus", "glass", "king", "thing", "bring", "red", "this", "s", ""])
def test_words_that_only_look_inflected(word: str) -> None:
    assert lemma_candidates(word) == ()


@given(st.text("abdegilnorsty", max_size=12))
def test_candidates_differ_from_the_word_and_from_each_other(word: str) -> None:
    bases = lemma_candidates(word)
    assert word not in bases
    assert len(set(bases)) == len(bases)
    assert all(len(base) > 1 for base in bases)


@pytest.mark.parametrize(
    ("token", "forms"),
    [
        ("T-shirt,", ("tshirt", "t_shirt")),
        ("take_off", ("take_off", "takeoff")),
        ("Dog's", ("dog",)),
        ("The", ("the",)),
        ("...", ()),
    ],
)
def test_spellings(token: str, forms: tuple[str, ...]) -> None:
    assert spellings(token) == forms
