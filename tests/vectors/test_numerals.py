"""Numbers written otherwise: those of one value are one, those of another stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.vectors.cardinals import plain_decimal, value_of
from compsim.vectors.numerals import in_digits


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("thirty-two years", "32 years"),
        ("two thousand and five people", "2005 people"),
        ("four million five hundred thousand", "4500000"),
        ("nineteen eighty-seven", "1987"),
        ("half a dozen eggs", "6 eggs"),
        ("two and a half million litres", "2.5 million litres"),
        ("€3 billion", "three billion euros"),
        ("£1.2bn", "1.2 billion pounds"),
        ("$40", "40 dollars"),
        ("7%", "7 per cent"),
        ("12km", "12 kilometres"),
        ("the twenty-first floor", "the 21st floor"),
        ("2nd", "second"),
        ("the sixties", "the 1960s"),
        ("the '60s", "the 1960s"),
        ("15:45", "3:45 p.m."),
        ("quarter to four", "3:45"),
        ("noon", "12 pm"),
        ("a decade", "10 years"),
        ("two and a half centuries", "250 years"),
        ("three fortnights", "6 weeks"),
        ("3/4 of them", "three quarters of them"),
        ("one fifth of it", "20% of it"),
    ],
)
def test_one_value(written: str, other: str) -> None:
    assert in_digits(written) == in_digits(other)


@pytest.mark.parametrize(
    "text",
    [
        "five or six cats",
        "five and six",
        "twenty and thirty",
        "three five",
        "9/11",
        "24/7",
        "in 1987 300 people",
        "10:30:22",
        "1.2.3",
        "in his sixties",
        "the second half",
        "three quarters later",
        "a third man",
        "between 20 and 30",
        "half a century",
        "this decade",
        "one",
        "m",
        "the green hills",
    ],
)
def test_no_number_of_several_words(text: str) -> None:
    assert in_digits(text) == text


@pytest.mark.parametrize("words", ["thousand million", "five and", "a", "and", ""])
def test_no_value(words: str) -> None:
    assert value_of(words.split()) is None


@given(text=st.text(alphabet="0123456789,. :%$/-amphlf") | st.text())
def test_any_text_is_read(text: str) -> None:
    in_digits(text)


@given(number=st.integers(0, 10**9))
def test_digits_have_their_value(number: int) -> None:
    value = value_of([f"{number:,}"])
    assert value is not None
    assert plain_decimal(value) == str(number)
