"""Exclusions of queries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.retrieval.exclusions import exclusions


@pytest.mark.parametrize(
    ("query", "wanted", "excluded"),
    [
        ("cheap phones but not refurbished ones", "cheap phones", ["refurbished ones"]),
        ("laws on tax, excluding those on land; since 1990", "laws on tax; since 1990",
         ["those on land"]),
        ("fruit other than apples?", "fruit?", ["apples"]),
        ("all rivers (except the Nile) of Africa", "all rivers of Africa", ["the Nile"]),
        ("Describe Rome, without mentioning Nero.", "Describe Rome.", ["Nero"]),
        ("Describe Rome. Please do not mention Nero.", "Describe Rome.", ["Nero"]),
        ("Tell of bees, but don\u2019t talk about any wasps.", "Tell of bees.", ["wasps"]),
        ("bees (omitting honey) and birds, apart from eagles", "bees and birds",
         ["honey", "eagles"]),
    ],
)  # fmt: skip
def test_what_is_left_out(query: str, wanted: str, excluded: list[str]) -> None:
    assert exclusions(query) == (wanted, tuple(sorted(excluded, key=query.index)))


@pytest.mark.parametrize(
    "query",
    [
        "wings without flaps",
        "Who did not sleep?",
        "Which laws exclude women?",
        "I do not mind.",
        "He refused, but she did not.",
        "excluding Paris",
        "but not ...",
        "all (except)",
        "The dog bit the man, not the cat.",
        "",
    ],
)
def test_what_is_no_exclusion(query: str) -> None:
    assert exclusions(query) == (query, ())


@given(st.text(alphabet=" ,;.-()a", max_size=30), st.text(alphabet=" ,;.-()b", max_size=30))
def test_any_text_has_an_answer(before: str, after: str) -> None:
    result = exclusions(f"{before} excluding {after}")
    assert result.wanted.strip() or not before.strip()


def test_a_long_query_takes_no_longer_than_it_is() -> None:
    for query in ("a " + "-" * 100_000, "a" + " " * 100_000 + "b", "a but not " * 10_000):
        exclusions(query)
