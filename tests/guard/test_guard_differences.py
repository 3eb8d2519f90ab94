"""Differences in a verdict: each thing once, and the content that one text adds."""

from __future__ import annotations

import pytest

from compsim import Guard
from compsim.guard.names import LIGHT_METHOD
from compsim.guard.verdict import Verdict


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(LIGHT_METHOD, vectors="builtin")


def added_to(text: str, verdict: Verdict, side: int) -> list[str]:
    """Return the words that the differences of the kind "missing" mark in one text."""
    return [
        text[start:end]
        for each in verdict.differences
        if each.kind == "missing"
        for start, end in (each.first, each.second)[side]
    ]


@pytest.mark.parametrize(
    ("first", "second", "added"),
    [
        ("Find a cabin near Bergen.", "Find a cabin near Bergen with a sauna.", ["sauna"]),
        ("List trains to Graz.", "List direct trains to Graz.", ["direct"]),
    ],
)
def test_what_one_text_adds_is_told(
    guard: Guard, first: str, second: str, added: list[str]
) -> None:
    verdict = guard.same(first, second)
    assert added_to(second, verdict, 1) == added
    assert added_to(first, verdict, 0) == []
    assert added_to(second, guard.same(second, first), 0) == added


def test_what_changed_places_is_told_once(guard: Guard) -> None:
    verdict = guard.same(
        "Turn the poem from Danish into Greek.", "Turn the poem from Greek into Danish."
    )
    places = [
        each for each in verdict.differences if each.kind in ("roles", "binding", "direction")
    ]
    assert len(places) == 1
    assert "missing" not in [each.kind for each in verdict.differences]


def test_a_concept_in_a_conflict_is_not_told_as_missing(guard: Guard) -> None:
    verdict = guard.same("The tub holds 60 litres.", "The tub holds 60 pints.")
    assert [each.kind for each in verdict.differences] == ["participant"]


def test_measures_are_told_as_they_were_written(guard: Guard) -> None:
    assert guard.same("Boil it for half an hour.", "Boil it for thirty minutes.").differences == ()
    verdict = guard.same("Boil it for half an hour.", "Boil it for three quarters of an hour.")
    assert verdict.answer != "same"
    assert any('"half an hour"' in each.sentence for each in verdict.differences)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Rent a boat in Split.", "Rent a boat with a skipper in Split."),
        ("Which ferries go to Hvar?", "Which ferries that take cars go to Hvar?"),
    ],
)
def test_a_request_for_more_is_another_one(guard: Guard, first: str, second: str) -> None:
    assert guard.same(first, second).answer != "same"
    assert guard.same(second, first).answer != "same"
