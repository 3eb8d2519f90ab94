"""What is compared with what, told from either side."""

from __future__ import annotations

import pytest

import compsim
from compsim.graph import Frame
from compsim.parsers.roles.srl import SrlParser

METHOD = compsim.load("verbnet-cn", vectors="builtin")


def frames(text: str) -> tuple[Frame, ...]:
    return SrlParser().parse([text])[0].frames()


def labels(frame: Frame) -> dict[str, str]:
    return {role: node.label for role, node in frame.roles.items()}


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("The oak is older than the elm.", {"Theme": "older", "Patient": "than the elm"}),
        ("The clerk eats less than the sailor does.", {"Patient": "less", "Theme": "the sailor"}),
        ("The judge speaks more slowly than the lawyer.", {"Patient": "than the lawyer"}),
        ("Iron is not as soft as lead.", {"Theme": "as soft", "Patient": "as lead"}),
        ("Cycling is more dangerous than walking.", {"Patient": "than walking"}),
    ],
)
def test_the_standard_is_a_participant(text: str, roles: dict[str, str]) -> None:
    found = labels(frames(text)[0])
    found = {role: label.removesuffix(" than does") for role, label in found.items()}
    assert roles.items() <= found.items()


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("The oak is older than the elm.", 1),
        ("The oak is less old than the elm.", -1),
        ("The oak is not less old than the elm.", 1),
        ("The bank employs fewer men than the school.", -1),
    ],
)
def test_less_denies_more_and_so_does_the_other_side(text: str, polarity: int) -> None:
    own, turned = frames(text)
    assert own.polarity == polarity
    assert turned.polarity == -polarity
    assert turned.reading_of == 0
    assert "older" not in labels(turned)["Agent"]


def test_equals_are_equal_from_either_side() -> None:
    assert [f.polarity for f in frames("The pond is as deep as the lake.")] == [1, 1]
    assert [f.polarity for f in frames("The pond is not as deep as the lake.")] == [-1, 1]


def test_an_object_may_be_compared_too() -> None:
    _, of_subject, of_object = frames("She reads novels more than poems.")
    assert labels(of_subject)["Agent"] == "poems"
    assert labels(of_object)["Patient"] == "poems"


@pytest.mark.parametrize(
    "text",
    [
        "The dog ate more than ten biscuits.",
        "She would rather walk than drive.",
        "The exam was easier than I thought.",
        "The cat as well as the dog slept.",
        "She left as soon as he came.",
        "The tower is taller.",
    ],
)
def test_nothing_to_exchange(text: str) -> None:
    assert all(frame.reading_of is None for frame in frames(text))


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("The oak is older than the elm.", "The elm is younger than the oak.",
         "The elm is older than the oak."),
        ("The baker gets up earlier than the butcher.",
         "The butcher gets up later than the baker.",
         "The butcher gets up earlier than the baker."),
        ("Cycling is more dangerous than walking.", "Walking is less dangerous than cycling.",
         "Walking is more dangerous than cycling."),
        ("The twins are not as tall as their cousin.", "Their cousin is taller than the twins.",
         "The twins are taller than their cousin."),
        ("The clerk eats less than the sailor.", "The sailor eats more than the clerk.",
         "The clerk eats more than the sailor."),
        ("She reads novels more than poems.", "She reads poems less than novels.",
         "She reads poems more than novels."),
        ("The priest is younger than the monk.", "The monk is not younger than the priest.",
         "The monk is younger than the priest."),
    ],
)  # fmt: skip
def test_sentences_meet_from_the_other_side(text: str, same: str, other: str) -> None:
    alike, unlike = METHOD.similarity_pairwise([text, text], [same, other])
    assert alike > 0.85
    assert unlike < 0.8
