"""Commands with a bare object are none of a noun phrase, and noun phrases none of a command."""

from __future__ import annotations

import pytest

from compsim.parsers.roles.srl import SrlParser


@pytest.mark.parametrize(
    ("text", "verb", "thing"),
    [
        ("Wash grapes before lunch.", "Wash", "grapes"),
        ("Sprinkle seeds over the bread.", "Sprinkle", "seeds"),
        ("Feed hens twice a day.", "Feed", "hens"),
        ("Chop leeks finely.", "Chop", "leeks"),
        ("Email pictures to Olga.", "Email", "pictures"),
        ("Please fold napkins neatly.", "fold", "napkins"),
    ],
)
def test_commands(parser: SrlParser, text: str, verb: str, thing: str) -> None:
    (graph,) = parser.parse([text])
    frame = graph.frames()[0]
    assert frame.predicate.label == verb
    assert frame.roles["Patient"].label == thing


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("Market prices.", "prices"),
        ("Clean towels.", "towels"),
        ("Two dogs in snow.", "dogs"),
        ("Release of the hostages.", "Release"),
    ],
)
def test_noun_phrases(parser: SrlParser, text: str, head: str) -> None:
    (graph,) = parser.parse([text])
    frame = graph.frames()[0]
    assert frame.predicate.label == head
    assert not frame.predicate.feature("tense")
    assert not frame.predicate.feature("mood")
