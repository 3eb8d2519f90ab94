"""Two things on a scale, in eight constructions: which is more, and which is less.

The suite is scored: a trained model reads the sentences.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from conflicting import share_with_conflict

from compsim import load

#: What is more and what is less so, how it is, and its comparatives up and down the scale.
SCALES = (
    ("the attic", "the hall", "dark", "darker", "brighter"),
    ("the soup", "the stew", "thin", "thinner", "thicker"),
    ("the novel", "the poem", "long", "longer", "shorter"),
    ("the nurse", "the clerk", "kind", "kinder", "less kind"),
    ("the wool coat", "the linen coat", "soft", "softer", "harder"),
    ("the canal", "the stream", "dirty", "dirtier", "cleaner"),
    ("the mule", "the donkey", "clever", "cleverer", "less clever"),
    ("the mustard", "the pepper", "mild", "milder", "less mild"),
)
SAME = (
    "{a} is {more} than {b}.", "{b} is {less} than {a}.", "{b} is not as {how} as {a}.",
    "{b} isn't as {how} as {a} is.", "Compared with {b}, {a} is {more}.",
    "{b} is less {how} than {a}.", "Of {a} and {b}, {a} is the {more}.",
    "Between {a} and {b}, {a} is the {more} one.",
)  # fmt: skip
OTHER = (
    "{b} is {more} than {a}.", "{a} is {less} than {b}.", "{a} is not as {how} as {b}.",
    "{a} is as {how} as {b}.", "Compared with {a}, {b} is {more}.", "{a} is not {more} than {b}.",
)  # fmt: skip


def filled(patterns: tuple[str, ...], scale: tuple[str, ...]) -> list[str]:
    a, b, how, more, less = scale
    texts = [each.format(a=a, b=b, how=how, more=more, less=less) for each in patterns]
    return [text[0].upper() + text[1:] for text in texts]


@pytest.fixture(scope="module")
def method() -> Any:
    return load("verbnet-cn", vectors="builtin", cache=False)


def test_constructions_of_a_scale_agree(method: Any) -> None:
    pairs = [pair for scale in SCALES for pair in combinations(filled(SAME, scale), 2)]
    assert share_with_conflict(method, pairs) <= 0.12


def test_the_other_order_does_not(method: Any) -> None:
    pairs = [
        pair for scale in SCALES for pair in product(filled(SAME, scale), filled(OTHER, scale))
    ]
    assert share_with_conflict(method, pairs) >= 0.93
