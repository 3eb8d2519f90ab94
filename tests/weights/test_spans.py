"""Spans as PropBank writes them: brackets and quotation marks close."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.weights.role_figures import closed


@pytest.mark.parametrize(
    ("words", "span", "expected"),
    [
        ("he saw it", (2, 2), (2, 2)),
        ("the shop ( new ) shut", (0, 3), (0, 4)),
        ("the ( new ) shop", (2, 2), (1, 3)),
        ("( a ) b", (1, 2), (0, 2)),
        ('he said " no " twice', (1, 3), (1, 4)),
        ("( a ( b )", (2, 4), (2, 4)),
    ],
)
def test_marks_that_pair_stay_together(
    words: str, span: tuple[int, int], expected: tuple[int, int]
) -> None:
    count = len(words.split())
    tree = make_tree(words, " ".join(["NN"] * count), [0] * count, " ".join(["dep"] * count))
    assert closed(tree, *span) == expected
