from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import alignment as naive

from compsim.alignment import Alignment, align_graphs, graphs, kernel
from compsim.alignment.scratch import Scratch, make_scratch
from compsim.errors import InputError

Edge = tuple[int, int, int, float]


class Case(NamedTuple):
    """Two graphs to align."""

    unary: list[list[float]]
    a: list[Edge]
    b: list[Edge]
    compat: list[list[float]]
    turned: list[list[float]]

    def exchanged(self) -> Case:
        n, m = len(self.unary), len(self.unary[0])
        return Case(
            [[self.unary[i][j] for i in range(n)] for j in range(m)],
            self.b,
            self.a,
            np.transpose(self.compat).tolist(),
            np.transpose(self.turned).tolist(),
        )

    def align(self, **limits: int) -> Alignment:
        return align_graphs(
            self.unary,
            [edge[:3] for edge in self.a],
            [edge[:3] for edge in self.b],
            weights_a=[edge[3] for edge in self.a],
            weights_b=[edge[3] for edge in self.b],
            compat=self.compat,
            turned=self.turned,
            **limits,
        )

    def twin(self) -> float:
        return naive.best_score(self.unary, self.a, self.b, self.compat, self.turned)

    def arguments(self, scratch: Scratch, lists: bool = False) -> list[Any]:
        """What ``align`` takes, as lists or arrays."""
        sides: list[Any] = []
        for edges in (self.a, self.b):
            columns = [list(column) for column in zip(*edges, strict=True)] or [[]] * 4
            kinds = [np.int32, np.int32, np.int32, np.float64]
            for column, kind in zip(columns, kinds, strict=True):
                sides.append(column if lists else np.array(column, dtype=kind))
        cells: Any = [worth for row in self.unary for worth in row]
        if not lists:
            cells = np.array(cells, dtype=np.float64)
        tables = np.array(self.compat), np.array(self.turned)
        limits = 100, 1 << 20
        return [len(self.unary), len(self.unary[0]), cells, *sides, *tables, *limits, scratch]


#: Few values, so that many mappings are equally good, and some that are no binary fractions.
WORTHS = st.sampled_from([0.0, 0.0, 0.5, 1.0, 1.0, 0.3, 0.7])


@st.composite
def cases(draw: st.DrawFn, most: int = 5, worths: st.SearchStrategy[float] = WORTHS) -> Case:
    n, m = draw(st.integers(1, most)), draw(st.integers(1, most))
    unary = [[draw(worths) for _ in range(m)] for _ in range(n)]
    roles = draw(st.integers(1, 3))

    def edges(size: int) -> list[Edge]:
        ends = st.integers(0, size - 1)
        weights = st.sampled_from([1.0, 1.0, 0.5, 2.0])
        return draw(st.lists(st.tuples(ends, ends, st.integers(0, roles - 1), weights), max_size=6))

    compat = [[draw(worths) for _ in range(roles)] for _ in range(roles)]
    turned = [[draw(worths) for _ in range(roles)] for _ in range(roles)]
    return Case(unary, edges(n), edges(m), compat, turned)


def check(case: Case, result: Alignment) -> None:
    """Hold a result to what it says: the pairs have the score, the edges have their worths."""
    mapping = dict(result.pairs)
    assert len(set(mapping.values())) == len(mapping)
    tables = case.compat, case.turned
    score = naive.score(mapping, case.unary, case.a, case.b, *tables)
    assert result.score == pytest.approx(score, abs=1e-9)
    assert result.upper_bound >= result.score
    assert result.exact == (result.upper_bound == result.score)
    assert len({e.a for e in result.edges}) == len({e.b for e in result.edges}) == len(result.edges)
    for e in result.edges:
        worth = naive.edge_worth(mapping, case.a[e.a], case.b[e.b], *tables)
        assert e.worth == pytest.approx(worth, abs=1e-12)
        assert e.worth > 0
    total = sum(case.unary[i][j] for i, j in result.pairs) + sum(e.worth for e in result.edges)
    assert total == pytest.approx(result.score, abs=1e-9)


@settings(max_examples=100)
@given(cases())
def test_the_best_of_all_mappings_is_found(case: Case) -> None:
    result = case.align()
    check(case, result)
    assert result.exact
    assert result.score == pytest.approx(case.twin(), abs=1e-9)


@settings(max_examples=15)
@given(cases(6, st.floats(0, 1)))
def test_the_best_is_found_among_any_worths(case: Case) -> None:
    result = case.align()
    check(case, result)
    assert result.exact
    assert result.score == pytest.approx(case.twin(), abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_the_integer_program_has_the_same_optimum(seed: int) -> None:
    chance = np.random.default_rng(seed)
    n, m = chance.integers(7, 11, 2).tolist()
    unary = (chance.random((n, m)) * (chance.random((n, m)) < 0.7)).tolist()

    def edges(size: int) -> list[Edge]:
        pairs = [chance.choice(size, 2, replace=False).tolist() for _ in range(size + 3)]
        return [(*pair, int(chance.integers(3)), float(chance.random())) for pair in pairs]

    tables = chance.random((2, 3, 3)).tolist()
    case = Case(unary, edges(n), edges(m), *tables)
    result = case.align()
    check(case, result)
    assert result.exact
    best = naive.best_by_program(*case)
    assert result.score == pytest.approx(best, abs=1e-6)


@given(cases(6), st.sampled_from([1e-3, 100.0]))
def test_worths_of_another_scale_have_the_same_alignment(case: Case, scale: float) -> None:
    larger = case._replace(
        unary=[[scale * worth for worth in row] for row in case.unary],
        a=[(*edge[:3], scale * edge[3]) for edge in case.a],
        b=[(*edge[:3], scale * edge[3]) for edge in case.b],
    )
    result, scaled = case.align(), larger.align()
    assert scaled.exact
    assert scaled.score == pytest.approx(scale * result.score, rel=1e-9, abs=1e-9)


@given(cases(7))
def test_exchanging_the_graphs_changes_neither_score_nor_bound(case: Case) -> None:
    for limits in ({}, {"nodes": 1, "steps": 1}):
        result, exchanged = case.align(**limits), case.exchanged().align(**limits)
        assert (exchanged.score, exchanged.upper_bound) == (result.score, result.upper_bound)


@given(cases(7), st.randoms(use_true_random=False))
def test_the_order_of_edges_changes_nothing(case: Case, chance: Any) -> None:
    a, b = list(case.a), list(case.b)
    chance.shuffle(a)
    chance.shuffle(b)
    result, shuffled = case.align(), case._replace(a=a, b=b).align()
    assert replace(shuffled, edges=()) == replace(result, edges=())


@given(cases(8), st.sampled_from([(1, 1), (1, 1 << 20), (3, 1 << 20), (50, 3_000)]))
def test_a_search_cut_short_has_a_bound(case: Case, limits: tuple[int, int]) -> None:
    nodes, steps = limits
    result = case.align(nodes=nodes, steps=steps)
    check(case, result)
    best = case.align().score
    assert result.score <= best + 1e-9
    assert best <= result.upper_bound + 1e-9


def test_a_bound_of_bonuses_alone_is_no_better_alignment() -> None:
    case = Case(
        unary=[[0.5, 0.0], [0.0, 0.0], [0.5, 0.0], [0.0, 0.0], [0.0, 0.5], [0.0, 0.5]],
        a=[(0, 5, 0, 1.0), (2, 4, 0, 1.0)],
        b=[(0, 1, 0, 1.0)],
        compat=[[0.5]],
        turned=[[0.0]],
    )
    for nodes, steps in ((1, 1), (1, 1 << 20), (3, 1 << 20), (50, 3_000)):
        result = case.align(nodes=nodes, steps=steps)
        check(case, result)
        assert (result.score, result.upper_bound) == (1.5, 1.5)


@given(cases(6))
def test_plain_python_finds_what_the_kernel_finds(case: Case) -> None:
    size = len(case.unary), len(case.unary[0]), len(case.a), len(case.b)
    plain, compiled = make_scratch(*size, lists=True), make_scratch(*size)
    one = graphs.align(*case.arguments(plain, lists=True))
    two = kernel.align(*case.arguments(compiled))
    assert one == two
    assert plain.mapping == compiled.mapping.tolist()
    assert plain.partner == compiled.partner.tolist()
    assert plain.partner_turned == compiled.partner_turned.tolist()


@given(cases(4), cases(5))
def test_a_scratch_keeps_nothing_of_the_pair_before(first: Case, second: Case) -> None:
    used, fresh = make_scratch(9, 9, 30, 30), make_scratch(9, 9, 30, 30)
    kernel.align(*first.arguments(used))
    assert kernel.align(*second.arguments(used)) == kernel.align(*second.arguments(fresh))
    n, edges = len(second.unary), len(second.a)
    assert used.mapping[:n].tolist() == fresh.mapping[:n].tolist()
    assert used.partner[:edges].tolist() == fresh.partner[:edges].tolist()


@pytest.mark.parametrize(("n", "m"), [(3, 3), (3, 5), (5, 3), (1, 4)])
def test_among_equals_nodes_at_nearer_positions_are_aligned(n: int, m: int) -> None:
    pairs = align_graphs(np.ones((n, m)), [], []).pairs
    assert pairs == tuple(sorted(pairs))
    apart = [abs((2 * i + 1) / (2 * n) - (2 * j + 1) / (2 * m)) for i, j in pairs]
    assert len(pairs) == min(n, m)
    assert max(apart) < 1 / min(n, m)


def test_among_equals_edges_do_not_hide_positions() -> None:
    star = [(0, k, 0) for k in range(1, 6)]
    result = align_graphs(np.ones((6, 6)), star, star)
    assert result.pairs == tuple((i, i) for i in range(6))
    assert result.score == 11.0


def test_parallel_edges_are_matched_one_to_one() -> None:
    twice, once = [(0, 1, 0), (0, 1, 0)], [(0, 1, 0)]
    assert align_graphs(np.eye(2), twice, once).score == 3.0
    assert align_graphs(np.eye(2), twice, twice).score == 4.0
    # The first edge leaves its better partner to the second, which has no other.
    compat = [[1.0, 0.9], [0.8, 0.0]]
    result = align_graphs(np.eye(2), [(0, 1, 0), (0, 1, 1)], [(0, 1, 0), (0, 1, 1)], compat=compat)
    assert result.score == pytest.approx(2 + 0.9 + 0.8)
    assert [(e.a, e.b) for e in result.edges] == [(0, 1), (1, 0)]


def test_an_edge_against_its_partner_is_turned() -> None:
    result = align_graphs(np.eye(2), [(0, 1, 0)], [(1, 0, 0)], turned=[[0.25]])
    assert result.score == 2.25
    assert result.edges == ((0, 0, 0.25, True),)
    assert align_graphs(np.eye(2), [(0, 1, 0)], [(1, 0, 0)]).edges == ()


def test_a_loop_counts_where_its_node_is_aligned() -> None:
    loop, other = [(0, 0, 0)], [(1, 1, 0)]
    assert align_graphs(np.ones((2, 2)), loop, other).pairs == ((0, 1), (1, 0))
    assert align_graphs(np.eye(2), loop, other).score == 2.0
    result = align_graphs([[1.0]], loop, loop, compat=[[0.2]], turned=[[0.6]])
    assert result.edges == ((0, 0, 0.6, True),)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_an_empty_graph_has_score_0(shape: tuple[int, int]) -> None:
    result = align_graphs(np.zeros(shape), [], [])
    assert result == Alignment((), 0.0, 0.0, ())


def test_graphs_too_large_to_search_are_aligned_greedily() -> None:
    size = 400
    chain = [(i, i + 1, 0) for i in range(size - 1)] + [(3, 3, 0)]
    unary = np.ones((size, size)) + np.eye(size)
    result = align_graphs(unary, chain, chain)
    assert result.pairs == tuple((i, i) for i in range(size))
    assert result.score == result.upper_bound == 3 * size
    worse = align_graphs(np.ones((size, size)), chain, chain[::-1][:7])
    assert worse.score <= worse.upper_bound


def test_graphs_with_too_many_edges_have_an_answer_and_a_bound() -> None:
    size = 30
    dense = [(i, j, (i + j) % 2) for i in range(size) for j in range(size) if i != j]
    chance = np.random.default_rng(0)
    result = align_graphs(chance.random((size, size)), dense, dense)
    assert len(result.pairs) == size
    assert result.score <= result.upper_bound


def test_sixty_nodes_stay_within_the_limits() -> None:
    chance = np.random.default_rng(0)
    unary = chance.random((60, 60))
    sides = [
        np.stack([chance.integers(0, 60, 80), chance.integers(0, 60, 80), np.arange(80) % 4], 1)
        for _ in range(2)
    ]
    result = align_graphs(unary, *sides, compat=np.full((4, 4), 0.5), nodes=20)
    assert 0 < result.score <= result.upper_bound


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unary": [1.0]}, "unary has 1 dimensions"),
        ({"unary": [[-1.0, 0.0]]}, "negative or not finite"),
        ({"unary": [[float("nan"), 0.0]]}, "negative or not finite"),
        ({"edges_a": [(0, 1, 0)]}, "edges_a has an end that is none of the 1 nodes"),
        ({"edges_b": [(0, -1, 0)]}, "edges_b has an end"),
        ({"edges_b": [(0, 1)]}, "edges_b is no table"),
        ({"edges_b": [(0.5, 1.0, 0.0)]}, "edges_b is no table"),
        ({"edges_b": [(0, 1, 3)], "compat": [[1.0]]}, "too small for role 3"),
        ({"compat": [[2.0]]}, "compat has a value above 1"),
        ({"edges_b": [(0, 1, 0)], "weights_b": [1.0, 1.0]}, "1 edges but 2 weights"),
        ({"nodes": 0}, "leave no search"),
    ],
)
def test_wrong_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"unary": [[1.0, 0.0]], "edges_a": [], "edges_b": []}
    with pytest.raises(InputError, match=message):
        align_graphs(**(arguments | change))
