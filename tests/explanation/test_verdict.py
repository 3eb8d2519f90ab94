"""The one sentence that an explanation begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from explanations import CONFLICTS, LONG, SINGLE, WORDS

from compsim.explanation import Conflict, Explanation, RoleRow
from compsim.explanation.verdict import LEVELS, level
from compsim.graph import Node

RAN = RoleRow("concept", Node("ran"), Node("ran"), 1.0, 0.9, 0.9)


def verdict(*rows: RoleRow) -> str:
    return Explanation("any", ("", ""), rows).verdict


def conflict(cost: float) -> RoleRow:
    result = Conflict("it is so, and not so", (), (), 1.0, "and more of it")
    return RoleRow("conflict: polarity", None, None, 1.0, -cost, -cost, conflicts=(result,))


def test_a_costly_conflict_makes_them_different_and_a_cheap_one_does_not() -> None:
    assert verdict(RAN, conflict(0.2)) == "Different: it is so, and not so."
    assert verdict(RAN, conflict(0.02)) == "Nearly the same: it is so, and not so."
    assert verdict(RAN, conflict(0.06), conflict(0.06)).startswith("Different: ")


def test_the_costliest_conflict_is_told() -> None:
    assert CONFLICTS.verdict == 'Different: "dog" and "man" changed places.'
    rows = (*CONFLICTS.rows[:5], CONFLICTS.rows[5])
    assert replace(CONFLICTS, rows=rows).verdict.startswith('Different: "Rome" in the first')


def test_nothing_that_is_told_is_called_the_same() -> None:
    assert verdict(RAN) == "The same: no conflicts."
    gap = RoleRow("concept", None, Node("quickly"), None, 0.05, 0.0)
    assert verdict(RAN, gap) == ('Nearly the same: no conflicts; only the second says "quickly".')
    assert SINGLE.verdict == "The same."


def test_methods_without_conflicts_tell_what_is_unlike_and_what_is_missing() -> None:
    cat = RoleRow("Agent", Node("cat"), Node("dog"), 0.5, 1.0, 0.5)
    assert verdict(cat) == 'Related: the first says "cat", the second "dog".'
    assert WORDS.verdict == "Little in common, compared as a whole."
    assert LONG.verdict.startswith(
        'Related: only the first says "The committee of the ministers" and'
    )
    gaps = [RoleRow("Agent", Node(word), None, None, 2.0, 0.0) for word in "abcb"]
    assert verdict(cat, *gaps) == 'Related: only the first says "a", "b" and more.'


def test_a_score_that_is_none_has_no_word() -> None:
    nothing = Explanation("any", ("", ""), undefined=True)
    assert nothing.verdict == "No score: at least one sentence could not be compared."
    assert nothing.level == ""


@pytest.mark.parametrize(("score", "word"), [(1.0, "the same"), (-1.0, "far apart"), *LEVELS])
def test_each_word_begins_at_its_threshold(score: float, word: str) -> None:
    assert level(score) == word
