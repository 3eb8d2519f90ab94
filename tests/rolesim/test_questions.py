"""Questions: what they ask for is a phrase of its own, by the kind of what is asked for."""

from __future__ import annotations

import pytest

import compsim
from compsim.parsers.roles.srl import SrlParser


@pytest.fixture(scope="module")
def method() -> compsim.Method:
    return compsim.load("verbnet-cn", vectors="builtin")


@pytest.mark.parametrize(
    ("sentence", "same", "other"),
    [
        (
            "Where did the boys hide the money?",
            "In what place did the boys hide the money?",
            "When did the boys hide the money?",
        ),
        (
            "When does the bank open?",
            "At what time does the bank open?",
            "Where does the bank open?",
        ),
        ("How did she open it?", "In what way did she open it?", "Why did she open it?"),
        (
            "Who composed this song?",
            "This song was composed by whom?",
            "What composed this song?",
        ),
        ("Who banished the king?", "What person banished the king?", "Whom did the king banish?"),
    ],
)
def test_kinds_of_questions(method: compsim.Method, sentence: str, same: str, other: str) -> None:
    alike, unlike = method.similarity_pairwise([sentence] * 2, [same, other])
    assert alike > 0.9 > unlike


@pytest.mark.parametrize(
    ("sentence", "role", "word"),
    [
        ("Who stole the car?", "Agent", "Who"),
        ("Where did the boys hide the money?", "Location", "Where"),
        ("The man who stole the car left.", "Agent", "The man"),
    ],
)
def test_who_asks_is_no_relative_word(sentence: str, role: str, word: str) -> None:
    (graph,) = SrlParser().parse([sentence])
    found = graph.frames()[-1].roles
    assert found[role].label == word


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who stole the car?", "The boy stole the car."), ("What did she eat?", "She ate a cake.")],
)
def test_an_answer_fills_the_open_role(method: compsim.Method, question: str, answer: str) -> None:
    assert 0.85 < method.similarity([question], [answer])[0, 0] < 0.98
