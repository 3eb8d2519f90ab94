"""A clause says the same in either voice in any context, and no more where it is denied.

Contexts are what stands before an infinitive, or denies a clause; each is filled with several
clauses. The suites are scored: a trained model reads the sentences.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from conflicting import share_with_conflict

from compsim import load


class Clause(NamedTuple):
    """The words of a clause: who does what, in the forms of its verb, to what."""

    doer: str
    verb: str
    past: str
    participle: str
    gerund: str
    thing: str


CLAUSES = (
    Clause("baker", "knead", "kneaded", "kneaded", "kneading", "dough"),
    Clause("groom", "saddle", "saddled", "saddled", "saddling", "mare"),
    Clause("tailor", "hide", "hid", "hidden", "hiding", "coat"),
)
BEFORE_AN_INFINITIVE = (
    "seems to", "appears to", "is expected to", "is said to", "is sure to", "tends to",
    "continued to", "started to", "failed to", "happened to", "was about to", "is scheduled to",
    "is bound to", "is going to", "used to", "needs to", "has to", "had to", "must", "can", "may",
    "should", "will", "would", "did not have to", "cannot", "must not", "is not going to",
    "never had to", "is likely to", "is unlikely to", "has yet to",
)  # fmt: skip
WHOEVER_WANTS_IT = (
    "ordered", "expected", "wanted", "allowed", "intended", "preferred", "would like",
)  # fmt: skip
DENIED = (
    "No {doer} {past} the {thing}.",
    "Nobody {past} the {thing}.",
    "The {doer} never {past} the {thing}.",
    "The {doer} was far from {gerund} the {thing}.",
    "The {doer} was prevented from {gerund} the {thing}.",
    "The {doer} decided against {gerund} the {thing}.",
    "The {doer} stopped short of {gerund} the {thing}.",
    "The {doer} missed the chance to {verb} the {thing}.",
    "The {doer} neglected to {verb} the {thing}.",
    "The {doer} gave up {gerund} the {thing}.",
    "There is no way the {doer} {past} the {thing}.",
    "It is not the case that the {doer} {past} the {thing}.",
    "Far from {gerund} the {thing}, the {doer} slept.",
    "Without {gerund} the {thing}, the {doer} slept.",
    "Under no circumstances did the {doer} {verb} the {thing}.",
    "The {doer} neither {past} nor saw the {thing}.",
    "The {thing} was neither {participle} nor seen by the {doer}.",
    "The {doer} did not sleep, nor did he {verb} the {thing}.",
    "The duke asked the {doer} to {verb} the {thing}.",
    "The duke forbade the {doer} to {verb} the {thing}.",
)


@pytest.fixture(scope="module")
def method() -> Any:
    return load("verbnet-cn", vectors="builtin", cache=False)


@pytest.mark.parametrize(
    ("contexts", "active", "passive", "at_most"),
    [
        (
            BEFORE_AN_INFINITIVE,
            "The {doer} {context} {verb} the {thing}.",
            "The {thing} {context} be {participle} by the {doer}.",
            0.05,
        ),
        (
            WHOEVER_WANTS_IT,
            "The duke {context} the {doer} to {verb} the {thing}.",
            "The duke {context} the {thing} to be {participle} by the {doer}.",
            0.2,
        ),
    ],
    ids=["before an infinitive", "behind whoever wants it"],
)
def test_either_voice_says_the_same(
    method: Any, contexts: tuple[str, ...], active: str, passive: str, at_most: float
) -> None:
    pairs = [
        (
            active.format(context=context, **clause._asdict()),
            passive.format(context=context, **clause._asdict()),
        )
        for clause in CLAUSES
        for context in contexts
    ]
    assert share_with_conflict(method, pairs) <= at_most


def test_what_is_denied_or_asked_for_is_not_done(method: Any) -> None:
    pairs = [
        (denied.format(**clause._asdict()), f"The {clause.doer} {clause.past} the {clause.thing}.")
        for clause in CLAUSES
        for denied in DENIED
    ]
    assert share_with_conflict(method, pairs) >= 0.9
