"""Semi-modals say what auxiliaries say, and have no event of their own."""

from __future__ import annotations

import pytest

import compsim
from compsim.parsers.roles.srl import SrlParser


def told(sentence: str) -> list[tuple[str, str, str, str]]:
    """Lemma, modality, tense and polarity of each predicate."""
    (graph,) = SrlParser().parse([sentence])
    names = ("lemma", "modality", "tense", "polarity")
    frames = [frame for frame in graph.frames() if frame.reading_of is None]
    return [tuple(frame.predicate.feature(name) for name in names) for frame in frames]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She was able to open the jar.", ("open", "possible", "past", "")),
        ("Guests are obliged to leave their keys.", ("leave", "necessary", "present", "")),
        ("Pupils are allowed to use the library.", ("use", "possible", "present", "")),
        ("He is supposed to water the plants.", ("water", "necessary", "present", "")),
        ("The pilot is about to land the plane.", ("land", "", "future", "")),
        ("They are going to sell the farm.", ("sell", "", "future", "")),
        ("My uncle used to own a mill.", ("own", "", "past", "")),
        ("You had better lock the gate.", ("lock", "necessary", "", "")),
        ("I've got to finish the report.", ("finish", "necessary", "present", "")),
        ("The letter has yet to come.", ("come", "", "present", "-")),
        ("Maybe the king lied.", ("lie", "possible", "past", "")),
        ("It is possible that the king lied.", ("lie", "possible", "past", "")),
        ("It is impossible to climb the wall.", ("climb", "necessary", "present", "-")),
        ("The driver is unable to hear us.", ("hear", "necessary", "present", "-")),
        ("The king is certain to come.", ("come", "necessary", "present", "")),
        ("The king is unlikely to come.", ("come", "possible", "present", "-")),
        ("It is unlikely that the king lied.", ("lie", "possible", "past", "-")),
        ("Nobody was able to hear us.", ("hear", "necessary", "past", "-")),
        ("You don't have to pay.", ("pay", "possible", "present", "-")),
        ("You must not pay.", ("pay", "necessary", "", "-")),
    ],
)
def test_one_event(sentence: str, expected: tuple[str, ...]) -> None:
    assert told(sentence) == [expected]


@pytest.mark.parametrize(
    "sentence",
    [
        "The law required them to leave.",
        "He used the knife to cut bread.",
        "I need you to come.",
        "She went to buy milk.",
        "He was allowed by his mother to stay.",
    ],
)
def test_two_events(sentence: str) -> None:
    assert len(told(sentence)) == 2


def test_circumstances_are_those_of_the_event() -> None:
    (graph,) = SrlParser().parse(["In 1990 he was able to buy a house."])
    (frame,) = graph.frames()
    assert frame.roles["Time"].label == "In 1990"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The driver is going to leave.", "The driver will leave."),
        ("The driver is unlikely to leave.", "The driver is not likely to leave."),
        ("The guests are supposed to pay.", "The guests should pay."),
        ("It is possible that the pilot sings.", "Perhaps the pilot sings."),
    ],
)
def test_the_words_that_say_it_are_not_compared(first: str, second: str) -> None:
    assert compsim.similarity(first, second, vectors="builtin") == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("sentence", "same", "other"),
    [
        (
            "Guests must leave their keys.",
            "Guests are obliged to leave their keys.",
            "Guests may leave their keys.",
        ),
        (
            "The boat may sink.",
            "Perhaps the boat will sink.",
            "The boat must sink.",
        ),
        (
            "You don't have to pay.",
            "You need not pay.",
            "You must not pay.",
        ),
    ],
)
def test_what_is_alike(sentence: str, same: str, other: str) -> None:
    method = compsim.load("verbnet-cn", vectors="builtin")
    alike, unlike = method.similarity_pairwise([sentence] * 2, [same, other])
    assert alike > unlike
