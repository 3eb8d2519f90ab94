"""Questions: what stands in the role of a question word answers it."""

from __future__ import annotations

import pytest

from compsim import Reranker, load
from compsim.comparison.method import ConceptMethod


@pytest.fixture(scope="module")
def method() -> ConceptMethod:
    result = load("verbnet-cn", vectors="builtin")
    assert isinstance(result, ConceptMethod)
    return result


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        ("Who baked the bread?", "Ida baked the bread.", ["The bread was baked."]),
        ("Who baked the bread?", "The bread was baked by a nun.", ["The bread baked for an hour."]),
        ("What scares geese?", "Foxes scare geese.", ["Geese scare easily.", "Geese scare foxes."]),
        ("When did Ida leave the farm?", "Ida left the farm in 1990.", ["Ida left the farm."]),
        (
            "Where did Ida hide the key?",
            "Ida hid the key in a drawer.",
            ["Ida hid the key."],
        ),
        ("Where was Ida born?", "Ida was born in Turin.", ["Ida was born in 1990."]),
        ("When was Ida born?", "Ida was born on a Monday.", ["Ida was born at home."]),
        ("Whose goat escaped?", "The nun's goat escaped.", ["The goat escaped."]),
        ("How many goats escaped?", "Nine goats escaped.", ["Goats escaped."]),
        (
            "Which town did Ida drive to?",
            "Ida drove to Turin.",
            ["Ida drove.", "Ida drove a tram."],
        ),
    ],
)
def test_answers_come_before_what_leaves_the_question_open(
    question: str, answer: str, others: list[str]
) -> None:
    reranker = Reranker("hybrid", vectors="builtin")
    answered, *open_ = reranker.scores(question, [answer, *others])
    assert answered > max(open_)


def test_a_question_word_takes_what_stands_in_its_role_alone(method: ConceptMethod) -> None:
    why = method.explain("Who baked the bread?", "The bread was baked in May.")
    (told,) = (one.sentence for row in why.conflicts for one in row.conflicts)
    assert told == 'the first sentence asks "Who", which the second does not answer'
    why = method.explain("Ida baked the bread.", "Who baked the bread?")
    (told,) = (one.sentence for row in why.conflicts for one in row.conflicts)
    assert told == 'the second sentence asks "Who", the first answers "Ida"'


def test_two_questions_and_requests_ask_alike(method: ConceptMethod) -> None:
    for first, second in (
        ("Who baked the bread?", "By whom was the bread baked?"),
        ("What are the opening hours?", "Tell me the opening hours."),
        ("Which bread did the nun bake?", "Which bread was baked by the nun?"),
    ):
        assert not method.explain(first, second).conflicts


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ida sold the goat.", "Ida bought the goat."),
        ("The nun lent a ladder.", "The nun borrowed a ladder."),
        ("Who sold the goat?", "Who bought the goat?"),
        ("The clerk sent two letters.", "The clerk received two letters."),
    ],
)
def test_who_gives_is_not_who_gets(method: ConceptMethod, first: str, second: str) -> None:
    why = method.explain(first, second)
    assert why.verdict.startswith("Different: ")
    assert "goes to" in why.verdict
    assert why.score < method.explain(first, first).score - 0.2


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("You can't camp here.", "You cannot camp here."),
        ("The goat won't eat.", "The goat will not eat."),
        ("She'll bake bread.", "She will bake bread."),
        ("He'd sing if you asked.", "He would sing if you asked."),
        ("He'd left the farm.", "He had left the farm."),
        ("We'd have left the farm.", "We would have left the farm."),
        ("The goat ain't ill.", "The goat is not ill."),
        ("We shan't leave.", "We shall not leave."),
    ],
)
def test_contractions_say_what_they_stand_for(method: ConceptMethod, short: str, long: str) -> None:
    assert not method.explain(short, long).conflicts
    first, second = method.parse([short, long])
    told = [
        sorted(f for n in g.nodes for f in n.features if f[0] != "lemma") for g in (first, second)
    ]
    assert told[0] == told[1]
