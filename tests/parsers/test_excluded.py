"""What is not meant beside what is: one tree for every way to say it."""

from __future__ import annotations

import pytest

from compsim.parsers.roles.srl import SrlParser


@pytest.mark.parametrize(
    ("text", "role", "meant", "excluded"),
    [
        ("She ordered wine, not beer.", "Patient", "wine", "not beer"),
        ("She ordered wine and not beer.", "Patient", "wine", "and not beer"),
        ("She ordered not beer but wine.", "Patient", "wine", "not beer but"),
        ("Spiders are not insects but arachnids.", "Theme", "arachnids", "not insects but"),
        ("Not the cook but the waiter sang.", "Agent", "the waiter", "Not the cook but"),
        ("The waiter, not the cook, sang.", "Agent", "The waiter", "not the cook"),
        ("He lives in Oslo, not in Bergen.", "Location", "in Oslo", "not in Bergen"),
    ],
)
def test_what_is_meant_is_in_the_role(
    parser: SrlParser, text: str, role: str, meant: str, excluded: str
) -> None:
    (graph,) = parser.parse([text])
    frame = graph.frames()[0]
    told = {name: node.label for name, node in frame.roles.items()}
    assert (told[role], told["EXCLUDED"]) == (meant, excluded)
    assert frame.polarity == 1


@pytest.mark.parametrize("text", ["She did not order wine.", "Not a word was said.", "Not now."])
def test_a_plain_denial_stays_one(parser: SrlParser, text: str) -> None:
    (graph,) = parser.parse([text])
    assert all("EXCLUDED" not in frame.roles for frame in graph.frames())
