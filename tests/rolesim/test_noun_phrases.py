"""A bare noun phrase stands in whatever role a sentence has it in."""

import pytest

from compsim import explain, load, similarity

OPTIONS = {"method": "verbnet-cn", "vectors": "builtin"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The old bridge collapsed.",
        "Engineers rebuilt the old bridge.",
        "The old bridge was painted by volunteers.",
        "A treaty was signed on the old bridge.",
        "They gave the old bridge a new name.",
    ],
)
def test_a_phrase_is_found_in_any_role(sentence: str) -> None:
    found = similarity("the old bridge", sentence, **OPTIONS)
    assert found > 0.6
    assert found > similarity("the young actor", sentence, **OPTIONS) + 0.3


def test_another_phrase_is_not_found() -> None:
    assert similarity("the old bridge", "Prices fell sharply.", **OPTIONS) < 0.2


def test_two_phrases_are_compared_as_such() -> None:
    phrases = ["the old bridge", "the new bridge", "a bridge over the river"]
    scores = load("verbnet-cn", vectors="builtin").similarity(phrases, phrases)
    assert scores.diagonal() == pytest.approx(1.0)
    assert scores[0, 1] < 0.95


def test_the_explanation_names_the_phrase_and_adds_up() -> None:
    why = explain("heavy rain", "The farmers prayed for heavy rain.", **OPTIONS)
    (frame,) = why.frames
    assert "rain: the whole phrase, in any role" in frame.notes
    assert not any("tense" in note for note in frame.notes)
    assert sum(row.contribution for row in why.rows) == pytest.approx(why.score)


def test_a_phrase_with_a_clause_is_a_sentence() -> None:
    graph = load("verbnet-cn", vectors="builtin").encode(["the bridge that collapsed"]).graphs[0]
    assert all("any" not in frame.roles for frame in graph.frames())
