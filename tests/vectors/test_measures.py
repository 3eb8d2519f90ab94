"""Measures written otherwise: those of one amount are one, and spans lead to what was written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.parsers import load
from compsim.plain_text import PlainText
from compsim.vectors.measures import measured

#: How many seconds, milligrams, millimetres or millilitres each unit is.
SIZES = {
    "seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800,
    "milligrams": 1, "grams": 1000, "kilograms": 10**6, "tonnes": 10**9,
    "millimeters": 1, "centimeters": 10, "meters": 1000, "kilometers": 10**6,
    "milliliters": 1, "liters": 1000,
}  # fmt: skip
KINDS = (
    ("seconds", "minutes", "hours", "days", "weeks"),
    ("milligrams", "grams", "kilograms", "tonnes"),
    ("millimeters", "centimeters", "meters", "kilometers"),
    ("milliliters", "liters"),
)


def written(text: str) -> str:
    return measured(PlainText.of(text)).text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It took an hour and a half.", "It took ninety minutes."),
        ("half an hour", "30 minutes"),
        ("three quarters of an hour", "45 minutes"),
        ("two years and a half", "30 months"),
        ("a half-hour talk", "a 30-minute talk"),
        ("2.5 kg", "two thousand five hundred grams"),
        ("1500 m", "1.5 kilometres"),
        ("72 hours", "3 days"),
        ("fourteen days", "a fortnight"),
        ("$0.50", "50 cents"),
        ("at six o'clock", "at six"),
        ("at 15:00", "at 3 p.m."),
        ("a quarter of the votes", "25% of the votes"),
        ("3 centiliters", "30 ml"),
        ("two hours and ten minutes", "130 minutes"),
        ("an hour and ten minutes", "70 minutes"),
        ("five feet ten inches", "70 inches"),
        ("Twelve dollars and fifty cents", "12.5 dollars"),
        ("twice a day", "2 times a day"),
        ("once a week", "1 time a week"),
        ("He rang two times.", "He rang twice."),
        ("2 times as large", "twice as large"),
    ],
)
def test_one_amount(first: str, second: str) -> None:
    assert written(first) == written(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("30 mg", "300 mg"),
        ("40 litres", "40 gallons"),
        ("an hour", "an hour and a half"),
        ("at 3 am", "at 3 pm"),
        ("two weeks", "two months"),
        ("thirty days", "a month"),
    ],
)
def test_other_amounts(first: str, second: str) -> None:
    assert written(first) != written(second)


@pytest.mark.parametrize(
    "text",
    [
        "Half of the class left.", "He waited for hours.", "It opens seven days a week.",
        "An hour later they had left.", "A second man came.", "Half time is near.",
        "It is twice as large.", "Once a child is born", "two times a day",
        "a day and two nights", "5 kilograms and 3 liters",
    ],
)  # fmt: skip
def test_no_amount(text: str) -> None:
    assert written(text) == text


@given(st.sampled_from(KINDS), st.data())
def test_units_of_a_kind_are_converted(kind: tuple[str, ...], data: st.DataObject) -> None:
    unit, other = data.draw(st.sampled_from(kind)), data.draw(st.sampled_from(kind))
    amount = data.draw(st.integers(1, 5000))
    same = Fraction(amount * SIZES[unit], SIZES[other])
    first = written(f"Wait {amount} {unit} here")
    number, name = first.split()[1:3]
    size = SIZES[f"{name.removesuffix('s')}s"]
    assert Fraction(number) * size == amount * SIZES[unit]
    if same.denominator == 1:
        again = written(f"Wait {same} {other} here").split()
        assert (again[1], again[2].removesuffix("s")) == (number, name.removesuffix("s"))


@given(st.lists(st.sampled_from(["an hour and a half", "2.5 kg,", "noon", "the", "$3", "cat"])))
def test_spans_lead_to_what_was_written(words: list[str]) -> None:
    text = " ".join(words)
    result = measured(PlainText.of(text))
    for start in range(len(result.text)):
        first, last = result.outside((start, start + 1))
        assert 0 <= first < last <= len(text)
    if "cat" in words:
        at = result.text.index("cat")
        first, last = result.outside((at, at + 3))
        assert text[first:last] == "cat"


def test_concepts_are_labelled_as_they_were_written() -> None:
    (graph,) = load("concepts").parse(["The talk lasted an hour and a half."])
    labels = {node.feature("lemma"): node.label for node in graph.nodes}
    assert labels["1.5"] == labels["hour"] == "an hour and a half"
    assert labels["talk"] == "talk"
    assert graph.text == "The talk lasted an hour and a half."
