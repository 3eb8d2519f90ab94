"""Two wordings that have changed places."""

from __future__ import annotations

import numpy as np
import pytest
from concept_encoder import opened
from hypothesis import given
from hypothesis import strategies as st

from compsim import load
from compsim.comparison.batch import ConceptBatch
from compsim.comparison.exchange import find_exchange
from compsim.graph import Node, RoleGraph

WORDS = ["goat", "barn", "hill", "moon"]


def encoded(*texts: list[str]) -> ConceptBatch:
    """Encode lists of words, each of which is a concept."""
    graphs = []
    for words in texts:
        ends = np.cumsum([len(word) + 1 for word in words]).tolist()
        nodes = tuple(
            Node(word, (end - 1 - len(word), end - 1))
            for word, end in zip(words, ends, strict=True)
        )
        graphs.append(RoleGraph(nodes, (), 0, " ".join(words)))
    return opened().encode(graphs)


def is_exchange(a: list[str], b: list[str], p: int, p_end: int, q: int, q_end: int) -> bool:
    """Return whether b is a with two stretches of it in each other's place."""
    return b == [*a[:p], *a[q:q_end], *a[p_end:q], *a[p:p_end], *a[q_end:]]


def has_exchange(a: list[str], b: list[str]) -> bool:
    """Try all stretches of up to four words with some between them, however many are the same."""
    n = len(a)
    return a != b and any(
        is_exchange(a, b, p, p_end, q, q_end)
        for p in range(n)
        for p_end in range(p + 1, min(n, p + 4) + 1)
        for q in range(p_end + 1, n)
        for q_end in range(q + 1, min(n, q + 4) + 1)
    )


words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7)


@given(words, st.data())
def test_what_is_found_is_an_exchange(first: list[str], data: st.DataObject) -> None:
    second = data.draw(st.permutations(first))
    batch = encoded(first, second)
    p, p_end, q, q_end = find_exchange(batch.arrays, 0, batch.arrays, 1)
    if q_end:
        assert is_exchange(first, second, p, p_end, q, q_end)
        assert 0 < p_end - p <= 4
        assert 0 < q_end - q <= 4
        assert has_exchange(first, second)


@given(st.lists(st.integers(0, 30).map(str), min_size=3, max_size=9, unique=True), st.data())
def test_an_exchange_of_different_words_is_found(first: list[str], data: st.DataObject) -> None:
    n = len(first)
    p = data.draw(st.integers(0, n - 3))
    p_end = data.draw(st.integers(p + 1, min(n - 2, p + 4)))
    q = data.draw(st.integers(p_end + 1, n - 1))
    q_end = data.draw(st.integers(q + 1, min(n, q + 4)))
    second = [*first[:p], *first[q:q_end], *first[p_end:q], *first[p:p_end], *first[q_end:]]
    batch = encoded(first, second)
    found = find_exchange(batch.arrays, 0, batch.arrays, 1)
    assert [place - int(batch.arrays.word[0]) for place in found] == [p, p_end, q, q_end]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Mrs. Osei lets her tenants paint the hall.", "The tenants let Mrs. Osei paint the hall."),
        ("The old miller chased the goose.", "The goose chased the old miller."),
        ("The judge praised the stubborn witness.", "The stubborn witness praised the judge."),
    ],
)
def test_a_phrase_changes_places_with_its_modifiers(first: str, second: str) -> None:
    explanation = load("verbnet-cn", vectors="builtin").explain(first, second)
    assert "conflict: roles" in [row.role for row in explanation.conflicts]
    assert explanation.score < 0.65


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Plums, pears and figs are ripe.", "Figs, pears and plums are ripe."),
        ("The barn is next to the mill.", "The mill is next to the barn."),
        ("The capital of Peru is Lima.", "Lima is the capital of Peru."),
        ("Tom neither sings nor dances.", "Tom neither dances nor sings."),
    ],
)
def test_another_order_alone_is_no_exchange(first: str, second: str) -> None:
    assert load("verbnet-cn", vectors="builtin").similarity(first, second) > 0.95
