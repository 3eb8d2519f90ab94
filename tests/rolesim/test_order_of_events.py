"""Which event comes first, however the clauses that tell it hang together."""

import pytest

from compsim import explain, load

TOLD = [
    (
        "The nurse washed her hands before she touched the baby.",
        "The nurse touched the baby after she washed her hands.",
        "The nurse washed her hands after she touched the baby.",
    ),
    (
        "After paying the bill, the guests left the hotel.",
        "The guests left the hotel after paying the bill.",
        "Before paying the bill, the guests left the hotel.",
    ),
    (
        "The roof leaked because the storm broke the tiles.",
        "The storm broke the tiles, so the roof leaked.",
        "The storm broke the tiles because the roof leaked.",
    ),
    (
        "If the bank agrees, we will buy the farm.",
        "We will buy the farm if the bank agrees.",
        "The bank will agree if we buy the farm.",
    ),
    (
        "The waiter peeled the carrots. Then he boiled the rice.",
        "The waiter boiled the rice after he peeled the carrots.",
        "The waiter boiled the rice. Then he peeled the carrots.",
    ),
    (
        "As soon as the bell rang, the pupils ran home.",
        "The pupils ran home after the bell rang.",
        "The bell rang after the pupils ran home.",
    ),
]


@pytest.fixture(scope="module")
def method():
    return load("verbnet-cn", vectors="builtin")


@pytest.mark.parametrize(("sentence", "same", "other"), TOLD)
def test_the_order_counts_not_its_telling(method, sentence, same, other) -> None:
    alike, turned = method.similarity_pairwise([sentence] * 2, [same, other])
    assert alike > 0.9
    assert turned < alike - 0.05


def test_clauses_that_tell_no_order_may_change_places(method) -> None:
    told = "The choir sang while the band played.", "While the band played, the choir sang."
    assert method.similarity_pairwise([told[0]], [told[1]])[0] > 0.9
    (graph,) = method.parse([told[0]])
    assert not any(frame.predicate.feature("order") for frame in graph.frames())


def test_an_event_between_two_is_not_marked(method) -> None:
    (graph,) = method.parse(["She ate before she slept after she bathed."])
    marks = {frame.predicate.label: frame.predicate.feature("order") for frame in graph.frames()}
    assert "first" in marks.values()
    assert list(marks.values()).count("") <= 1


def test_an_asked_if_is_no_condition(method) -> None:
    (graph,) = method.parse(["She asked if the shop was open."])
    assert not any(frame.predicate.feature("order") for frame in graph.frames())


def test_what_else_a_clause_says_is_kept() -> None:
    why = explain(
        "He called two days after he left.", "He called three days after he left.",
        method="verbnet-cn", vectors="builtin",
    )  # fmt: skip
    assert 0.5 < why.score < 1
    same = explain(
        "She sang before he spoke.", "He spoke before she sang.",
        method="verbnet-cn", vectors="builtin",
    )  # fmt: skip
    assert any("order: first / then" in note for note in same.frames[0].notes)
