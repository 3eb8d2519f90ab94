"""States that hold, held or may hold, in constructions that share no verb.

The suite is scored: a trained model reads the sentences.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from conflicting import share_with_conflict

from compsim import load

#: How a state holds: a verb in the third person, its base and participle, or a form of "be".
WAYS = (
    ("{third}", "is"), ("does not {base}", "is not"), ("used to {base}", "used to be"),
    ("no longer {third}", "is no longer"), ("may {base}", "may be"),
    ("has never {part}", "has never been"), ("will {base}", "will be"),
)  # fmt: skip
#: These ways say nearly the same, whatever the state.
NEAR = frozenset((1, 3, 5))
OWN, BELONG = ("owns", "own", "owned"), ("belongs", "belong", "belonged")
STAND, WORK = ("stands", "stand", "stood"), ("works", "work", "worked")
#: Constructions of one state each: before the verb, the verb or none for "be", behind it.
STATES = (
    (("Martha", OWN, "the kiln"), ("The kiln", BELONG, "to Martha"), ("The kiln", None, "Martha's"),
     ("Martha", None, "the owner of the kiln"), ("The kiln", None, "owned by Martha")),
    (("The kiosk", STAND, "behind the station"), ("The kiosk", None, "behind the station"),
     ("The kiosk", None, "located behind the station")),
    (("Oscar", None, "a plumber"), ("Oscar", WORK, "as a plumber"),
     ("Oscar", None, "employed as a plumber")),
    (("Oscar", None, "a member of the crew"), ("Oscar", BELONG, "to the crew")),
    (("Martha", None, "responsible for the archive"), ("Martha", None, "in charge of the archive")),
)  # fmt: skip


def sentence(construction: tuple[Any, ...], way: int) -> str:
    """Return a construction in one of the ways."""
    first, verb, rest = construction
    by_verb, by_be = WAYS[way]
    if verb is None:
        return f"{first} {by_be} {rest}."
    third, base, part = verb
    return f"{first} {by_verb.format(third=third, base=base, part=part)} {rest}."


@pytest.fixture(scope="module")
def method() -> Any:
    return load("verbnet-cn", vectors="builtin", cache=False)


def test_constructions_of_a_state_agree(method: Any) -> None:
    pairs = [
        (sentence(one, way), sentence(other, way))
        for state in STATES
        for one, other in combinations(state, 2)
        for way in range(len(WAYS))
    ]
    assert share_with_conflict(method, pairs) <= 0.08


def test_the_other_ways_do_not(method: Any) -> None:
    pairs = [
        (sentence(one, way), sentence(other, another))
        for state in STATES
        for one, other in product(state, repeat=2)
        for way, another in combinations(range(len(WAYS)), 2)
        if not {way, another} <= NEAR
    ]
    assert share_with_conflict(method, pairs) >= 0.9
