from __future__ import annotations

import gzip
import io
import os
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import smatch as naive

from compsim.amr.smatch import SmatchResult, smatch, smatch_pairwise, warm_up
from compsim.amr.smatch.large import solve_large
from compsim.amr.smatch.pair import OPEN, SETTLED, STEPS, Results, solve_plainly
from compsim.amr.smatch.problem import Options
from compsim.amr.smatch.triples import TripleBatch, Triples, encode, triples, variables
from compsim.errors import InputError
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.penman_reader import read_amr
from compsim.vectors import WordVectors

#: Interpreted kernels are a hundred times slower: the corpora are then sampled.
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

PARSES = "compositional-semantics-eval/Data-model/Sentence Parses/AMR Parsing"

Pairs = tuple[list[RoleGraph], list[RoleGraph]]
PublicTool = Callable[[str, str], tuple[int, int, int]]


def amr(text: str) -> RoleGraph:
    return RoleGraph.from_penman(text)


def sample(pairs: Pairs, size: int) -> Pairs:
    chosen = sorted(random.Random(0).sample(range(len(pairs[0])), min(size, len(pairs[0]))))
    return [pairs[0][i] for i in chosen], [pairs[1][i] for i in chosen]


@pytest.fixture(scope="session")
def sts3k_pairs(data_dir: Path) -> Pairs:
    folder = data_dir / PARSES
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the STS3k development part is not at hand")
    first, second = (list(read_amr(folder / f"STS3k_all_{side}_AMR_parse.txt")) for side in "ab")
    assert len(first) == len(second) == 1140
    return first, second


@pytest.fixture(scope="session")
def bamboo_pairs(data_dir: Path) -> Pairs:
    path = data_dir / "amr" / "bamboo-train-dev.zip"
    if not path.is_file():
        pytest.skip(f"no {path}: BAMBOO is not at hand")
    first, second = list[RoleGraph](), list[RoleGraph]()
    with zipfile.ZipFile(path) as archive:
        for part in ("sts", "sick", "para"):
            for kind in ("main", "role_confusion"):
                for side, graphs in (("src", first), ("tgt", second)):
                    with archive.open(f"{part}/{kind}/{side}.dev.amr") as file:
                        graphs += read_amr(io.TextIOWrapper(file, encoding="utf-8"))
    assert len(first) == len(second)
    return sample((first, second), 500)


@st.composite
def small_graphs(draw: st.DrawFn, most: int = 4) -> RoleGraph:
    """Few concepts and roles, so that much matches; loops, repeated triples, constants."""
    size = draw(st.integers(0, most))
    concepts = st.sampled_from(["go-01", "go-02", "Boy", "boy_", ""])
    nodes = [Node(draw(concepts), variable=f"x{i}") for i in range(size)]
    edges = []
    if size:
        places = st.integers(0, size - 1)
        roles = st.sampled_from(["ARG0", "arg0", "ARG1", "mod", "domain"])
        edges = draw(st.lists(st.builds(Edge, places, roles, places), max_size=7))
        for place, role, value in draw(
            st.lists(
                st.tuples(
                    places, st.sampled_from(["polarity", "op1"]), st.sampled_from(["-", "1"])
                ),
                max_size=4,
            )
        ):
            edges.append(Edge(place, role, len(nodes)))
            nodes.append(Node(value))
    return RoleGraph(tuple(nodes), tuple(edges), draw(places) if size else None)


def check(a: RoleGraph, b: RoleGraph, result: SmatchResult) -> None:
    """Check any result: the mapping has the score, and the bound bounds it."""
    first, second = triples(a), triples(b)
    mapping = dict(result.mapping)
    assert len(set(mapping.values())) == len(mapping)
    assert naive.matched(first, second, mapping) == result.matched
    assert (result.total_a, result.total_b) == (first.total, second.total)
    assert result.upper_bound >= result.matched
    assert result.optimal == (result.upper_bound == result.matched)
    assert 0 <= result.f1 <= 1


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    warm_up()


@given(small_graphs(), small_graphs())
def test_the_best_of_all_mappings_is_found(a: RoleGraph, b: RoleGraph) -> None:
    result = smatch(a, b)
    check(a, b, result)
    assert result.optimal
    assert result.matched == naive.by_enumeration(triples(a), triples(b))
    turned = smatch(b, a)
    assert (turned.matched, turned.f1) == (result.matched, result.f1)
    assert (turned.precision, turned.recall) == (result.recall, result.precision)


@given(small_graphs(), small_graphs(), st.booleans())
def test_top_may_have_the_concept_of_the_root(a: RoleGraph, b: RoleGraph, senses: bool) -> None:
    def rooted(graph: RoleGraph) -> Triples:
        outcome = triples(graph)
        if not senses:
            bare = {node: re.sub(r"-\d\d$", "", text) for node, text in outcome.concepts.items()}
            outcome = outcome._replace(concepts=bare)
        if outcome.top is None:
            return outcome
        top = {("TOP", outcome.top, outcome.concepts[outcome.top]): 1}
        return outcome._replace(attributes=outcome.attributes | top, top=None)

    result = smatch(a, b, top_concept=True, senses=senses)
    assert result.optimal
    assert result.matched == naive.by_enumeration(rooted(a), rooted(b))
    assert (result.total_a, result.total_b) == (rooted(a).total, rooted(b).total)
    assert smatch(a, b, top=False, top_concept=True) == smatch(a, b, top=False)
    large, bound, _ = solve_large(
        encode([a]),
        encode([b]).recoded(encode([a]).words),
        Options(True, True, senses, 0.5, True),
        np.zeros((0, 0), np.float32),
    )
    assert large <= result.matched <= bound


def test_the_inverse_of_mod_is_no_domain(public_tool: PublicTool) -> None:
    texts = [
        "(a / cat :mod-of (b / dog))",
        "(a / cat :domain (b / dog))",
        "(b / dog :mod (a / cat))",
        "(b / dog :mod (a / cat :mod-of (c / cat)))",
        "(g / go-01 :ARG0 (a / cat) :ARG1 (b / dog :mod a))",
        "(g / go-01 :ARG0 (a / cat :mod-of (b / dog)) :ARG1 b)",
        "(a / cat :mod-of (b / dog :mod a))",
    ]
    assert triples(amr(texts[0])).relations == {("mod", 1, 0): 1}
    for one in texts:
        for other in texts:
            result = smatch(amr(one), amr(other))
            outcome = int(result.matched), result.total_a, result.total_b
            # Its search starts at random and may miss the optimum.
            best = max(public_tool(one, other) for _ in range(20))
            assert outcome == best


@settings(max_examples=50)
@given(small_graphs(8), small_graphs(8))
def test_the_integer_program_has_the_same_optimum(a: RoleGraph, b: RoleGraph) -> None:
    result = smatch(a, b)
    check(a, b, result)
    assert result.matched == pytest.approx(naive.by_program(triples(a), triples(b)), abs=1e-6)


@settings(max_examples=50)
@given(small_graphs(7), st.randoms(use_true_random=False))
def test_a_graph_is_like_itself_in_any_order(graph: RoleGraph, chance: random.Random) -> None:
    order = list(range(len(graph.nodes)))
    chance.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    # A :mod is read as it is written, which depends on the order.
    graph = replace(graph, edges=tuple(e for e in graph.edges if e.role != "mod"))
    edges = [Edge(place[e.source], e.role, place[e.target]) for e in graph.edges]
    chance.shuffle(edges)
    root = None if graph.root is None else place[graph.root]
    turned = RoleGraph(tuple(graph.nodes[i] for i in order), tuple(edges), root)
    result = smatch(graph, turned)
    assert (result.f1, result.optimal) == (1.0, True)


def corpus_agrees(pairs: Pairs) -> None:
    pairs = sample(pairs, 40) if INTERPRETED else pairs
    assert smatch_pairwise(encode(pairs[0]), encode(pairs[1])).optimal.all()
    pairs = pairs if INTERPRETED else sample(pairs, 250)  # the program takes 5 ms for a pair
    scores = smatch_pairwise(encode(pairs[0]), encode(pairs[1]))
    best = [naive.by_program(triples(a), triples(b)) for a, b in zip(*pairs, strict=True)]
    np.testing.assert_allclose(scores.matched, best, atol=1e-6)


def test_every_sts3k_pair_reaches_the_optimum(sts3k_pairs: Pairs) -> None:
    corpus_agrees(sts3k_pairs)


def test_bamboo_pairs_reach_the_optimum(bamboo_pairs: Pairs) -> None:
    corpus_agrees(bamboo_pairs)


@pytest.fixture(scope="session")
def public_tool() -> PublicTool:
    """Matched and total triples by the public tool."""
    tool = pytest.importorskip("smatch", reason="the public smatch tool is not installed")
    if not hasattr(tool, "get_amr_match"):
        pytest.skip("the package named smatch is another one")

    def score(a: str, b: str) -> tuple[int, int, int]:
        tool.match_triple_dict.clear()
        matched, first, second = tool.get_amr_match(a, b)
        return matched, first, second

    return score


def one_line(graph: RoleGraph) -> str:
    lines = graph.to_penman().split("\n")
    return "".join(line.strip() for line in lines if not line.startswith("#"))


def test_no_pair_scores_less_than_with_the_public_tool(
    sts3k_pairs: Pairs,
    bamboo_pairs: Pairs,
    public_tool: PublicTool,
) -> None:
    pairs = [*zip(*sts3k_pairs, strict=True), *zip(*sample(bamboo_pairs, 150), strict=True)]
    if INTERPRETED:
        pairs = random.Random(0).sample(pairs, 40)
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    scores = smatch_pairwise(encode(a), encode(b))
    for i, (x, y) in enumerate(pairs):
        matched, first, second = public_tool(one_line(x), one_line(y))
        assert (scores.total_a[i], scores.total_b[i]) == (first, second)
        # Triples that a graph repeats are all matched with one another there: F1 may pass 1.
        if not repeats(x) and not repeats(y):
            assert scores.matched[i] >= matched


def repeats(graph: RoleGraph) -> bool:
    result = triples(graph)
    return any(count > 1 for count in (*result.relations.values(), *result.attributes.values()))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("(c / chapter :mod 1)", "(c / chapter :mod 2)"),
        ('(n / name :op1 "New York")', '(n / name :op1 "new" :op2 1)'),
        ("(a / tall :domain (m / man))", "(m / man :mod (a / Tall))"),
        ('(a / x_ :op1 "1" :op1-of (b / y))', "(a / X :op1 1 :consist-of (b / y))"),
        ('(p / person :ARG0-of "work")', '(p / person :ARG0-of "work" :op1 2)'),
        ("(a / x :ARG0 a)", "(a / x :ARG0 (b / x))"),
    ],
)
def test_triples_are_built_as_by_the_public_tool(
    a: str, b: str, public_tool: Callable[[str, str], tuple[int, int, int]]
) -> None:
    result = smatch(amr(a), amr(b))
    assert (result.matched, result.total_a, result.total_b) == public_tool(a, b)


def test_repeated_triples_count_as_often_as_both_have_them() -> None:
    twice = amr("(a / and :op1 (b / boy) :op1 b)")
    once = amr("(a / and :op1 (b / boy))")
    assert smatch(twice, twice).f1 == 1.0
    result = smatch(twice, once)
    assert (result.matched, result.total_a, result.total_b) == (4.0, 5, 4)


@pytest.mark.parametrize(
    ("a", "b", "f1"), [("()", "()", 1.0), ("()", "(d / dog)", 0.0), ("(d / dog)", "()", 0.0)]
)
def test_empty_graphs_have_a_score(a: str, b: str, f1: float) -> None:
    result = smatch(amr(a), amr(b))
    assert (result.f1, result.matched, result.optimal, result.mapping) == (f1, 0.0, True, ())


def test_options_choose_what_counts() -> None:
    a = amr("(g / go-01 :ARG0 (b / boy) :polarity -)")
    b = amr("(g / go-02 :ARG0 (b / boy) :polarity -)")
    assert smatch(a, b).matched == 4
    assert smatch(a, b, top=False).matched == 3
    assert smatch(a, b, attributes=False).matched == 3
    assert smatch(a, b, senses=False).matched == 5
    assert smatch(a, b, top=False, attributes=False).total_a == 3


def test_concepts_are_graded_by_their_vectors() -> None:
    vectors = WordVectors.from_arrays(["cat", "kitten", "bus"], [[1, 0], [0.8, 0.6], [0, 1]])
    cat, kitten, bus = (amr(f"(x / {word})") for word in ("cat", "kitten", "bus"))
    assert smatch(cat, kitten, vectors=vectors).matched == pytest.approx(1.8)
    assert smatch(cat, kitten, vectors=vectors, threshold=0.9).matched == 1
    assert smatch(kitten, bus, vectors=vectors).matched == pytest.approx(1.6)
    assert smatch(cat, bus, vectors=vectors).matched == 1
    assert smatch(cat, cat, vectors=vectors).f1 == 1
    assert smatch(amr("(x / cat-01)"), amr("(x / cat-02)"), vectors=vectors).matched == 1.5
    unknown = smatch(amr("(x / zzyzx)"), amr("(x / qwrt)"), vectors=vectors)
    assert unknown.matched == 1


@settings(max_examples=30)
@given(small_graphs(), small_graphs())
def test_graded_scores_are_no_lower_and_symmetric(a: RoleGraph, b: RoleGraph) -> None:
    vectors = WordVectors.from_arrays(["go", "boy"], [[1, 0], [0.8, 0.6]])
    graded = smatch(a, b, vectors=vectors)
    assert graded.matched >= smatch(a, b).matched - 1e-6
    assert graded.matched == pytest.approx(smatch(b, a, vectors=vectors).matched, abs=1e-5)
    assert graded.f1 <= 1 + 1e-9


def random_graph(size: int, concepts: int, roles: int, seed: int) -> RoleGraph:
    chance = random.Random(seed)
    nodes = [Node(f"c{chance.randrange(concepts)}", variable=f"x{i}") for i in range(size)]
    edges = [Edge(chance.randrange(i), f"ARG{chance.randrange(roles)}", i) for i in range(1, size)]
    return RoleGraph(tuple(nodes), tuple(edges), 0)


@pytest.mark.parametrize(("concepts", "roles"), [(50, 8), (1, 1)])
def test_huge_graphs_get_an_answer(concepts: int, roles: int) -> None:
    a, b = (random_graph(5000, concepts, roles, seed) for seed in (1, 2))
    check(a, b, smatch(a, b))
    same = smatch(a, a)
    assert (same.f1, same.optimal) == (1.0, True)
    check(a, amr("(d / dog)"), smatch(a, amr("(d / dog)")))


@pytest.mark.parametrize("limits", [{"nodes": 1}, {"seconds": 1e-4, "nodes": None}])
def test_a_search_cut_short_says_so(limits: dict[str, float]) -> None:
    a, b = random_graph(60, 1, 2, 1), random_graph(60, 1, 2, 2)
    result = smatch(a, b, **limits)  # type: ignore[arg-type]
    check(a, b, result)
    assert not result.optimal
    assert result.matched > 60


def test_the_default_limit_gives_the_same_answer_each_time() -> None:
    a, b = random_graph(40, 2, 2, 1), random_graph(40, 2, 2, 2)
    limit = 3 if INTERPRETED else 200
    assert smatch(a, b, nodes=limit) == smatch(a, b, nodes=limit)


@pytest.mark.parametrize("option", [{"nodes": 0}, {"seconds": 0}, {"threshold": 0}, {"threads": 0}])
def test_options_out_of_range_are_refused(option: dict[str, int]) -> None:
    batch = encode([amr("(d / dog)")])
    with pytest.raises(InputError):
        smatch_pairwise(batch, batch, **option)  # type: ignore[arg-type]


def test_batches_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="1 graphs on one side and 2"):
        smatch_pairwise(encode([amr("(d / dog)")]), encode([amr("()"), amr("()")]))


@given(small_graphs(6), small_graphs(6), st.booleans(), st.booleans(), st.booleans())
def test_plain_python_finds_what_the_kernel_finds(
    a: RoleGraph, b: RoleGraph, top: bool, attributes: bool, senses: bool
) -> None:
    first, second = encode([a]), encode([b])
    second = second.recoded(first.words)
    result = smatch_pairwise(first, second, top=top, attributes=attributes, senses=senses)
    size = len(triples(a).concepts)
    plain = Results([0.0], [0.0], [OPEN], [-1] * size)
    options = Options(top, attributes, senses, 0.5)
    solve_plainly(first, second, options, (20_000, STEPS), plain, most=STEPS)
    assert plain.visited == [SETTLED]
    assert (plain.matched, plain.bound) == (result.matched.tolist(), result.upper_bound.tolist())
    assert plain.mapping == result.mapping.tolist()
    assert result.optimal.all()


def test_plain_python_leaves_what_takes_long_to_the_kernel() -> None:
    batch = encode([random_graph(30, 1, 1, 1), amr("(d / dog)"), random_graph(30, 1, 1, 2)])
    results = Results([0.0] * 3, [0.0] * 3, [OPEN] * 3, [-1] * 61)
    options = Options(True, True, True, 0.5)
    solve_plainly(batch, batch[[2, 1, 0]], options, (20_000, STEPS), results, most=60_000)
    assert results.visited[0] == OPEN
    solve_plainly(batch[[1]], batch[[1]], options, (20_000, STEPS), results, most=0)
    assert results.visited == [OPEN, OPEN, OPEN]


@settings(max_examples=30)
@given(st.lists(st.tuples(small_graphs(), small_graphs()), min_size=1, max_size=5))
def test_a_batch_scores_as_its_pairs_do(pairs: list[tuple[RoleGraph, RoleGraph]]) -> None:
    a, b = encode([pair[0] for pair in pairs]), encode([pair[1] for pair in pairs])
    alone = [smatch(*pair) for pair in pairs]
    scores = smatch_pairwise(a, b)
    assert scores.f1.tolist() == [result.f1 for result in alone]
    assert scores.precision.tolist() == [result.precision for result in alone]
    turned = smatch_pairwise(a[::-1], b[::-1])
    assert turned.matched.tolist() == scores.matched.tolist()[::-1]
    joined = TripleBatch.concat([b[i : i + 1] for i in range(len(b))] + [encode([pairs[0][0]])])
    again = smatch_pairwise(a, joined[: len(b)])
    assert again.matched.tolist() == scores.matched.tolist()
    assert again.mapping.tolist() == scores.mapping.tolist()


def test_threads_do_not_change_the_result(sts3k_pairs: Pairs) -> None:
    if INTERPRETED:
        pytest.skip("needs more pairs than interpreted kernels can score")
    a, b = encode(sts3k_pairs[0]), encode(sts3k_pairs[1])
    one, two = smatch_pairwise(a, b, threads=1), smatch_pairwise(a, b, threads=2)
    assert one.matched.tolist() == two.matched.tolist()
    assert one.mapping.tolist() == two.mapping.tolist()


def test_a_batch_tells_what_it_has_not() -> None:
    batch = encode([amr("(d / dog)")])
    assert repr(batch) == "TripleBatch(1 sentences)"
    with pytest.raises(InputError, match="a batch of 1 sentences has no 3"):
        batch[3]
    with pytest.raises(InputError, match="no batch to join"):
        TripleBatch.concat([])


def test_a_parse_into_phrases_has_no_constants() -> None:
    star = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
    assert triples(star).concepts == {0: "sleep", 1: "cats"}
    assert smatch(star, star).matched == 4


def test_constants_are_told_from_variables() -> None:
    graph = amr('(a / x :op1 1 :ARG0-of "y" :ARG1 (b))')
    assert variables(graph) == [True, False, False, True]
    nodes = (Node("a", variable="a"), Node("p"), Node("q"), Node("c"))
    phrases = RoleGraph(nodes, (Edge(1, "ARG0", 2), Edge(0, "op1", 3), Edge(0, "op2", 3)), 0)
    assert variables(phrases) == [True, True, False, True]


def test_little_prince_releases_agree(data_dir: Path) -> None:
    folder = data_dir / "amr"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the AMR corpora are not at hand")
    graphs = []
    for version in ("v1.6", "v3.0"):
        with gzip.open(folder / f"amr-bank-struct-{version}.txt.gz", "rt", encoding="utf-8") as f:
            graphs.append(list(read_amr(f)))
    a, b = sample((graphs[0], graphs[1]), 40 if INTERPRETED else 1562)
    scores = smatch_pairwise(encode(a), encode(b))
    assert scores.optimal.all()
    assert 0.9 < scores.f1.mean() < 1
