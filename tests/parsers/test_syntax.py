"""Trees as lists: their parts, and what changes them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from toys import make_tree

from compsim.parsers.pipeline.subtrees import stretches
from compsim.parsers.pipeline.tree import Tree


def test_parts_do_not_overlap() -> None:
    tree = Tree("", [0] * 4, [0] * 4, [1, 1, 1, 2], *([[""] * 4] * 4))
    assert tree.parts([1, 2]) == {1: [0, 1], 2: range(2, 4)}
    assert tree.parts([0]) == {0: range(1)}
    assert tree.kids(1) == [0, 2]
    assert tree.children() == [[], [0, 2], [3], []]


@given(st.data())
def test_parts_are_those_of_a_walk(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    order = data.draw(st.permutations(range(n)))
    heads = list(range(n))
    for place, i in enumerate(order[1:], start=1):
        heads[i] = order[data.draw(st.integers(0, place - 1))]
    tree = Tree("", [0] * n, [0] * n, heads, *([[""] * n] * 4))
    tops = data.draw(st.sets(st.integers(0, n - 1)))
    besides = data.draw(st.sets(st.integers(0, n - 1)))
    expected: dict[int, list[int]] = {top: [] for top in tops}
    for i in range(n):
        here, steps = i, 0
        while here not in tops | besides and heads[here] != here:
            here = heads[here]
        if here in tops:
            expected[here].append(i)
        here = i
        while heads[here] != here:
            here, steps = heads[here], steps + 1
        assert tree.steps_up()[i] == (here, steps)
    result = {top: list(words) for top, words in tree.parts(tops, besides).items()}
    assert result == expected
    first, stop = stretches(np.array(heads, dtype=np.int32), np.array([0, n]))
    assert tree.stretches in (None, (first.tolist(), stop.tolist()))


def test_a_tree_that_has_changed_is_walked_anew() -> None:
    tree = Tree("", [0] * 3, [0] * 3, [1, 1, 1], *([[""] * 3] * 4))
    assert tree.kids(1) == [0, 2]
    tree.heads[2] = 0
    tree.rehung()
    assert tree.kids(1) == [0]
    assert tree.parts([0]) == {0: [0, 2]}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_what_is_hung_elsewhere_is_found_there(moves: list[tuple[int, int]]) -> None:
    tree = make_tree("a b c d e", "NN NN NN NN NN", [0, 0, 1, 1, 0], "ROOT dep dep dep dep")
    for i, head in moves:
        tree.kids(0)
        tree.hang(i, head, "dep")
    results = [list(tree.kids(i)) for i in range(5)]
    tree.rehung()
    assert results == tree.children()
