"""Groups of texts that say the same."""

from __future__ import annotations

import numpy as np
import pytest

from compsim import Guard, InputError, deduplicate
from compsim.guard import deduplication
from compsim.guard.names import LIGHT_METHOD

TEXTS = [
    "The dog bit the man.",
    "",
    "The man bit the dog.",
    "THE DOG BIT THE MAN",
    "The man was bitten by the dog.",
    "It rained in March.",
    "",
    "x = f(y); return x;",
    "x = f(y);  return x;",
]
GROUPS = [(0, 3, 4), (1,), (2,), (5,), (6,), (7, 8)]


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(whole="mean-cn", vectors="builtin")


def test_groups(guard: Guard) -> None:
    light = Guard(LIGHT_METHOD, vectors="builtin")
    for judge in (guard, light):
        result = deduplicate(TEXTS, judge)
        assert [group.members for group in result.groups] == GROUPS
        assert [group.representative for group in result.groups] == [rows[0] for rows in GROUPS]
        assert result.texts == [TEXTS[rows[0]] for rows in GROUPS]
    apart = {(each.first, each.second): each.verdict for each in result.apart}
    assert apart[0, 2].answer == "different"
    assert apart[0, 2].differences[0].kind == "roles"


def test_an_index_gives_the_groups_of_a_full_search(
    guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("usearch")
    names = ["dog", "man", "cat", "boy", "girl", "king", "nurse", "thief", "bear", "wolf"]
    texts = [f"The {a} chased the {b}." for a in names for b in names]
    texts += [f"The {b} was chased by the {a}." for a in names for b in names]
    expected = deduplicate(texts, guard).groups
    monkeypatch.setattr(deduplication, "_MANY", 2)
    assert deduplicate(texts, guard).groups == expected
    assert len(expected) < len(texts)


def test_a_group_needs_its_representative_not_a_chain() -> None:
    pairs = np.array([[0, 1], [1, 2]])
    known = {(0, 1): 0.9, (1, 2): 0.9}
    assert deduplication._leaders(3, pairs, known, 0.8) == ([0, 0, 2], {(0, 2)})
    assert deduplication._leaders(3, pairs, {**known, (0, 2): 0.5}, 0.8) == ([0, 0, 2], set())
    assert deduplication._leaders(3, pairs, {**known, (0, 2): 0.8}, 0.8) == ([0, 0, 0], set())
    assert deduplication._leaders(3, pairs, known, None) == ([0, 1, 2], set())


def test_few_texts_and_what_cannot_be(guard: Guard) -> None:
    assert deduplicate([], guard).groups == []
    assert deduplicate(["It rained."], guard).texts == ["It rained."]
    with pytest.raises(InputError, match="either the guard or options"):
        deduplicate([], guard, vectors="builtin")
    with pytest.raises(InputError, match="a single str"):
        deduplicate("It rained.", guard)
