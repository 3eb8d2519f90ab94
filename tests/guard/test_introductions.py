"""A question, request or statement says the same with an introduction before it.

Introductions are put before several of them. The suite is scored: a
trained model reads the sentences.
"""

from __future__ import annotations

from typing import Any

import pytest

from compsim import Guard

#: A question inside a sentence, by itself, and another one of nearly the same words.
QUESTIONS = (
    ("where the tour starts", "Where does the tour start?", "When does the tour start?"),
    ("when the bakery closes", "When does the bakery close?", "Why does the bakery close?"),
    ("how I can renew my licence", "How can I renew my licence?", "Where can I renew my licence?"),
    ("whether the garden is public", "Is the garden public?", "Is the garden private?"),
    ("why the alarm went off", "Why did the alarm go off?", "When did the alarm go off?"),
    ("who designed the stadium", "Who designed the stadium?", "Who financed the stadium?"),
)
ASKING = (
    "Can you tell me {}?", "Could you please tell us {}?", "Does anybody know {}?",
    "Do you happen to know {}?", "Would you mind telling me {}?", "May I ask {}?",
    "I would like to know {}.", "We need to find out {}.", "I was wondering {}.",
    "My question is {}.", "What I want to know is {}.", "Hello, do you know {}?",
)  # fmt: skip
REQUESTS = (
    ("repair the fence", "Repair the fence.", "Replace the fence."),
    ("post the parcel", "Post the parcel.", "Open the parcel."),
    ("book a room for Anna", "Book a room for Anna.", "Cancel the room for Anna."),
)
REQUESTING = (
    "Could you {}?", "Can you please {}?", "I need you to {}.", "I ask you to {}.",
    "It would be great if you could {}.", "I would appreciate it if you could {}.",
    "Would it be possible for you to {}?", "Make sure to {}.", "Please remember to {}.",
    "I was hoping you could {}.", "Perhaps you could {}.", "Go ahead and {}.",
)  # fmt: skip
STATEMENTS = (
    ("the concert has been cancelled", "The concert has been cancelled.", "The concert is on."),
    ("the road is flooded", "The road is flooded.", "The road is dry."),
    ("your order has arrived", "Your order has arrived.", "Your order has been lost."),
)
TELLING = (
    "I am writing to inform you that {}.", "We regret to tell you that {}.",
    "I just wanted to let you know that {}.", "Please note that {}.", "Please be aware that {}.",
    "Just so you know, {}.", "Just to let you know, {}.", "This is to inform you that {}.",
    "It has come to our attention that {}.", "I hereby confirm that {}.", "The thing is that {}.",
    "Let me tell you that {}.",
)  # fmt: skip


@pytest.fixture(scope="module")
def guard() -> Any:
    return Guard(whole="static", vectors="builtin", cache=False)


@pytest.mark.parametrize(
    ("introductions", "said", "at_least"),
    [(ASKING, QUESTIONS, 0.9), (REQUESTING, REQUESTS, 0.9), (TELLING, STATEMENTS, 0.9)],
    ids=["questions", "requests", "statements"],
)
def test_an_introduction_says_nothing_more(
    guard: Any, introductions: tuple[str, ...], said: Any, at_least: float
) -> None:
    rows = [(each.format(inside), *alone) for each in introductions for inside, *alone in said]
    first, *rest = map(list, zip(*rows, strict=True))
    answers = [[v.answer for v in guard.same(first, second)] for second in rest]
    shares = [each.count("same") / len(each) for each in answers]
    print(f"{shares[0]:.3f} of the same and {shares[1]:.3f} of others are called the same")
    assert shares[0] >= at_least
    assert shares[1] <= 0.02
