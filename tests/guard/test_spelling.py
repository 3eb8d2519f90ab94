"""Misspelt words that are put right before texts are compared."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim import Guard
from compsim.guard.names import LIGHT_METHOD
from compsim.guard.spelling import corrected

#: As they are written, and as they are meant.
SLIPS = [
    ("recieve", "receive"), ("adress", "address"), ("passwrod", "password"),
    ("subscribtion", "subscription"), ("keybord", "keyboard"), ("restrat", "restart"),
    ("cemetary", "cemetery"), ("accomodation", "accommodation"), ("fligth", "flight"),
]  # fmt: skip
#: Words, names, codes and addresses that are right as they are.
RIGHT = [
    "violin", "wept", "skis", "lessee", "tina", "wifi", "kubernetes", "numpy", "Zorblat", "abc123",
    "don't", "me@exampel.org", "a.recieve", "and", "teh", "colour", "them", "24-hour", "restarted",
]  # fmt: skip


@pytest.mark.parametrize(("slip", "meant"), SLIPS)
def test_a_slip_is_put_right(slip: str, meant: str) -> None:
    assert corrected(f"the {slip} here").text == f"the {meant} here"


@pytest.mark.parametrize("word", RIGHT)
def test_other_words_stay(word: str) -> None:
    assert corrected(f"the {word} here").text == f"the {word} here"


@given(st.lists(st.one_of(st.sampled_from(SLIPS), st.sampled_from(RIGHT)), max_size=8))
@settings(max_examples=50, deadline=None)
def test_places_lead_back(parts: list[str | tuple[str, str]]) -> None:
    written = " ".join(part if isinstance(part, str) else part[0] for part in parts)
    result = corrected(written)
    assert result.text == " ".join(part if isinstance(part, str) else part[1] for part in parts)
    here = there = 0
    for part in parts:
        before, after = (part, part) if isinstance(part, str) else part
        assert result.before((here, here + len(after))) == (there, there + len(before))
        here, there = here + len(after) + 1, there + len(before) + 1


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    result = corrected(text)
    assert corrected(result.text).text == result.text
    assert result.before((0, len(result.text))) == (0, len(text))


def test_a_guard_takes_a_slip_for_what_it_is() -> None:
    guard = Guard(LIGHT_METHOD, vectors="builtin")
    assert guard.same("When will I recieve the parcel?", "When will I receive the parcel?")
    first = "Did you recieve the parcel at work?"
    verdict = guard.same(first, "Did you receive the parcel at home?")
    assert not verdict
    places = [first[start:end] for each in verdict.differences for start, end in each.first]
    assert "work" in places
