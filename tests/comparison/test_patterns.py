"""Sentences made of patterns: in which constructions graphs agree, and in which they must not.

``patterns.tsv`` has pairs of constructions that say the same of the same people and things, or
something else. What a pair scores depends on the trained parser, so shares are tested.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from conflicting import clear_conflicts

from compsim import load

#: The forms of a verb, by their names in the patterns.
_FORMS = ("do", "does", "past", "done", "ing")
_VERBS = (
    "watch watches watched watched watching",
    "help helps helped helped helping",
    "greet greets greeted greeted greeting",
    "blame blames blamed blamed blaming",
    "see sees saw seen seeing",
    "push pushes pushed pushed pushing",
    "thank thanks thanked thanked thanking",
    "interrupt interrupts interrupted interrupted interrupting",
    "hire hires hired hired hiring",
    "follow follows followed followed following",
)
_ACTIONS = (
    ("holding", "held", "a camera"),
    ("reading", "read", "a letter"),
    ("wearing", "wore", "a helmet"),
    ("painting", "painted", "a fence"),
)
_PEOPLE = (
    ("nurse", "farmer", "girl", "singer", "lawyer", "pilot", "waiter", "teacher"),
    ("queen", "miller", "sailor", "cook", "priest", "widow", "tailor", "captain"),
)
_OTHERS = {
    "person": ("old", "tall", "young", "tired", "angry", "rich"),
    "colour": ("red", "green", "black", "wooden", "heavy", "dusty"),
    "thing": ("box", "lamp", "chair", "bag", "clock", "table"),
    "place": ("garden", "kitchen", "station", "library", "market", "cellar"),
}


class Pattern(NamedTuple):
    """Two constructions, and whether they say the same."""

    label: str
    first: str
    second: str


def patterns(label: str) -> list[Pattern]:
    path = Path(__file__).with_name("patterns.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [Pattern(**row) for row in csv.DictReader(file, delimiter="\t")]
    return [row for row in rows if row.label == label]


def filled(pattern: Pattern, people: tuple[str, ...], draw: random.Random) -> tuple[str, str]:
    """Return the two sentences of a pattern about some of these people."""
    words: dict[str, str] = dict(zip("abc", draw.sample(people, 3), strict=True))
    words |= zip(_FORMS, draw.choice(_VERBS).split(), strict=True)
    words |= zip(("doing", "did", "object"), draw.choice(_ACTIONS), strict=True)
    words["done2"] = draw.choice(_VERBS).split()[3]
    words |= {name: draw.choice(choices) for name, choices in _OTHERS.items()}
    return pattern.first.format_map(words), pattern.second.format_map(words)


def made(chosen: list[Pattern], times: int) -> Iterator[tuple[str, str]]:
    draw = random.Random(1)
    for pattern in chosen:
        for _ in range(times):
            yield filled(pattern, _PEOPLE[0], draw)


@pytest.fixture(scope="module")
def method() -> Any:
    return load("verbnet-cn", vectors="builtin", cache=False)


def measured(method: Any, pairs: list[tuple[str, str]]) -> tuple[Any, Any]:
    """Return the scores of pairs, and which have a clear conflict."""
    first, second = (method.encode(list(side)) for side in zip(*pairs, strict=True))
    return method.similarity_pairwise(first, second), clear_conflicts(first, second)


def test_constructions_that_say_the_same_agree(method: Any) -> None:
    scores, against = measured(method, list(made(patterns("same"), 8)))
    assert len(scores) > 500
    assert against.mean() < 0.07
    assert np.mean(scores) > 0.95


def test_constructions_that_say_something_else_conflict(method: Any) -> None:
    scores, against = measured(method, list(made(patterns("other"), 8)))
    assert len(scores) > 500
    assert against.mean() > 0.95
    assert np.mean(scores > 0.75) < 0.06


def test_clauses_agree_beside_other_clauses(method: Any) -> None:
    draw = random.Random(2)
    chosen = patterns("same")
    pairs = []
    for _ in range(400):
        one, other = (
            filled(pattern, people, draw)
            for pattern, people in zip(draw.sample(chosen, 2), _PEOPLE, strict=True)
        )
        if all(text.endswith(".") for text in (*one, *other)):
            pairs.append((f"{one[0]} {other[0]}", f"{one[1]} {other[1]}"))
    scores, against = measured(method, pairs)
    assert against.mean() < 0.12
    assert np.mean(scores) > 0.95
