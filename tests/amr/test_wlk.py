from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import wlk as naive
from new_process import in_a_new_process, in_this_process
from strategies import LABELS, ROLES
from strategies import meaning_graphs as graphs
from toys import KNOWN, toy_vectors

from compsim.amr.wlk.methods import AmrWlk, AmrWwlk
from compsim.amr.wlk.refinement import (
    FeatureBatch,
    Refinement,
    feature_cosines,
    label_features,
)
from compsim.amr.wlk.wasserstein import NodeBatch, alignment, edge_weight, node_vectors, wasserstein
from compsim.errors import DataError, InputError
from compsim.graph import Edge, RoleGraph
from compsim.graph.penman_reader import read_amr
from compsim.graph_method import GraphBatch
from compsim.kernels.ragged import Ragged
from compsim.kernels.transport import transport

VECTORS = toy_vectors()
directions = st.sampled_from(["both", "out", "in"])
steps = st.integers(0, 3)


def renamed(graph: RoleGraph, order: list[int]) -> RoleGraph:
    """The same graph with its nodes and edges in another order."""
    place = {old: new for new, old in enumerate(order)}
    edges = [Edge(place[e.source], e.role, place[e.target]) for e in graph.edges]
    return RoleGraph(
        tuple(graph.nodes[i] for i in order), tuple(edges[::-1]), place[graph.root or 0]
    )


# --- WLK -----------------------------------------------------------------------------------------


def wlk(a: str, b: str, k: int = 2, direction: str = "both") -> float:
    graphs = [RoleGraph.from_penman(text) for text in (a, b)]
    batch = label_features(graphs, Refinement(k, direction))  # type: ignore[arg-type]
    return float(feature_cosines(batch[:1], batch[1:])[0])


@given(a=graphs(), b=graphs(), k=steps, direction=directions)
@settings(max_examples=100)
def test_wlk_is_the_reference_with_strings(
    a: RoleGraph, b: RoleGraph, k: int, direction: str
) -> None:
    # Without the comment that keeps another order of nodes and edges than that of reading.
    texts = [re.sub("^#.*\n", "", graph.to_penman()) for graph in (a, b)]
    assert wlk(*texts, k, direction) == pytest.approx(naive.wlk(*texts, k, direction), abs=1e-12)


def test_wlk_is_the_reference_on_published_parses(data_dir: Path) -> None:
    folder = data_dir / "compositional-semantics-eval" / "Data-model" / "Sentence Parses"
    files = [folder / "AMR Parsing" / f"STS3k_all_{side}_AMR_parse.txt" for side in "ab"]
    if not files[0].is_file():
        pytest.skip(f"no {files[0]}: the STS3k development part is not at hand")
    sides = [list(read_amr(file)) for file in files]
    result = feature_cosines(*(label_features(side, Refinement()) for side in sides))
    blocks = [file.read_text(encoding="utf-8").strip().split("\n\n") for file in files]
    expected = [naive.wlk(a, b) for a, b in zip(*blocks, strict=True)]
    np.testing.assert_allclose(result, expected, atol=1e-9)


def test_details_of_the_reference() -> None:
    # Words and roles are lower-cased; a string is not the concept of the same letters.
    assert wlk("(n / Malaria :Op1 A)", "(n / malaria :op1 a)") == pytest.approx(1)
    assert wlk("(a / cure :ARG1 (b / cancer))", '(a / cure :ARG1 "cancer")') < 0.6
    # Both sides of an edge hear the same, so only the triples tell a part from its whole.
    a, b = "(c / cat :part (t / tail))", "(c / cat :part-of (t / tail))"
    assert wlk(a, b, 2) == pytest.approx(1 - 1 / (3 + 2 / 4 + 2 / 9))
    # What occurs twice counts once.
    twice = "(a / and :op1 (b / cat) :op1 (c / cat))"
    assert wlk(twice, "(a / and :op1 (b / cat))", 0) == pytest.approx(1)


def test_wlk_tells_roles_apart() -> None:
    chase = "(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))"
    chased = "(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog))"
    for k, expected in ((0, 3 / 5), (1, 3 / (5 + 3 / 4)), (2, 3 / (5 + 3 / 4 + 3 / 9))):
        assert wlk(chase, chased, k) == pytest.approx(expected)


def test_words_stand_in_for_a_graph() -> None:
    class NoParser:
        name, version = "none", "1"

        def parse(self, sentences: list[str]) -> list[RoleGraph]:
            return [RoleGraph.failed(text, "no parse") for text in sentences]

    method = AmrWlk(parser=NoParser())
    texts = ["Cats chase cats", "", "the", " the ", "cats"]
    first, second = [[texts[i] for i in rows] for rows in ((0, 1, 2, 1, 0), (4, 1, 3, 2, 0))]
    expected = [2 / 5**0.5, 0, 1, 0, 1]
    np.testing.assert_allclose(method.similarity_pairwise(first, second), expected)
    np.testing.assert_allclose(method.similarity(first, second).diagonal(), expected, rtol=1e-6)


# --- transport -----------------------------------------------------------------------------------


@given(
    n=st.integers(1, 9),
    m=st.integers(1, 9),
    levels=st.sampled_from([1, 2, 5, 1000]),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=100)
def test_transport_is_exact(n: int, m: int, levels: int, seed: int) -> None:
    cost = np.random.default_rng(seed).integers(0, levels, (n, m)) / levels
    distance, flow = transport(cost)
    uniform = np.full(n, 1 / n), np.full(m, 1 / m)
    assert distance == pytest.approx(float(ot.emd2(*uniform, cost)), abs=1e-12)
    np.testing.assert_allclose(flow.sum(axis=1), uniform[0])
    np.testing.assert_allclose(flow.sum(axis=0), uniform[1])
    assert (flow * cost).sum() == pytest.approx(distance, abs=1e-12)
    assert transport(cost.T)[0] == pytest.approx(distance, abs=1e-12)


# --- WWLK ----------------------------------------------------------------------------------------


@given(
    a=graphs(),
    b=graphs(),
    k=steps,
    direction=directions,
    weights=st.sampled_from(["min-entropy", "constant"]),
)
@settings(max_examples=50)
def test_wwlk_is_the_naive_one(
    a: RoleGraph, b: RoleGraph, k: int, direction: str, weights: str
) -> None:
    refinement = Refinement(k, direction)  # type: ignore[arg-type]
    batch = node_vectors([a, b], VECTORS, refinement, weights)  # type: ignore[arg-type]
    distance = wasserstein(batch[:1], batch[1:], refinement)[0]
    expected = naive.wwlk(a, b, VECTORS, k, direction, weights)
    assert 1 - distance == pytest.approx(expected, abs=2e-6)
    moves = alignment(batch[:1], batch[1:], refinement)
    assert sum(flow for *_, flow, _ in moves) == pytest.approx(1)
    assert sum(flow * d for *_, flow, d in moves) == pytest.approx(distance, abs=2e-6)


@given(several=st.lists(graphs(), min_size=1, max_size=6), data=st.data())
def test_kernels_hold_what_they_promise(several: list[RoleGraph], data: st.DataObject) -> None:
    refinement = Refinement()
    shuffled = [renamed(g, data.draw(st.permutations(range(len(g.nodes))))) for g in several]
    nodes = node_vectors(several, VECTORS, refinement)
    features = label_features(several, refinement)
    other = node_vectors(shuffled, VECTORS, refinement)
    # Identity, for WWLK of graphs that are written differently too; for WLK where no label repeats.
    np.testing.assert_allclose(wasserstein(nodes, nodes, refinement), 0, atol=1e-9)
    np.testing.assert_allclose(wasserstein(nodes, other, refinement), 0, atol=2e-6)
    np.testing.assert_allclose(feature_cosines(features, features), 1, atol=1e-12)
    unique = [len({n.label for n in g.nodes}) == len(g.nodes) for g in several]
    same = feature_cosines(features, label_features(shuffled, refinement))
    np.testing.assert_allclose(same[unique], 1, atol=1e-12)
    # Symmetry, range, batches.
    matrix = wasserstein(nodes, nodes, refinement, matrix=True)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-6)
    assert ((matrix >= 0) & (matrix <= 2)).all()
    for i in range(len(several)):
        for j in range(len(several)):
            one = wasserstein(nodes[i], node_vectors([several[j]], VECTORS, refinement), refinement)
            assert one[0] == pytest.approx(matrix[i, j], abs=1e-6)


def test_many_graphs_in_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        f"(a / {x} :ARG0 (b / {y} :mod (c / {z})))"
        for x in KNOWN
        for y in KNOWN
        for z in LABELS[:2]
    ]
    several = [RoleGraph.from_penman(text) for text in texts]
    nodes = node_vectors(several, VECTORS, Refinement())
    features = label_features(several, Refinement())
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("COMPSIM_THREADS", threads)
        results.append(
            (
                wasserstein(nodes, nodes[::-1], Refinement()),
                wasserstein(nodes[:50], nodes, Refinement(), matrix=True),
                wasserstein(nodes, nodes[:50], Refinement(), matrix=True).T,
                feature_cosines(features, features[::-1]),
            )
        )
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(results[0][1], results[0][2])


def test_weights_and_unknown_words_depend_on_nothing_else() -> None:
    code = (
        "from toys import toy_vectors\n"
        "from compsim.amr.wlk.wasserstein import edge_weight, label_vectors\n"
        "print([edge_weight(r) for r in ('ARG1', 'brand-new', 'edge')])\n"
        "print(label_vectors(['zzyzx', 'qwrt-01'], toy_vectors()).tobytes().hex())\n"
    )
    assert in_a_new_process(code, PYTHONHASHSEED="5") == in_this_process(code)
    weights = [edge_weight(role) for role in ROLES]
    assert all(0.2 <= weight <= 0.35 for weight in weights)
    assert len(set(weights)) == len(weights)


# --- batches and options -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [FeatureBatch, NodeBatch])
def test_batches_slice_join_and_survive_the_disk(kind: type[GraphBatch], tmp_path: Path) -> None:
    several = [
        RoleGraph.from_penman(f"(a / {x} :ARG0 (b / {y}))") for x in KNOWN for y in KNOWN[:3]
    ]
    several[4] = RoleGraph.failed("nothing", "no reason")

    def encode(part: list[RoleGraph]) -> GraphBatch:
        if kind is NodeBatch:
            return node_vectors(part, VECTORS, Refinement())
        return label_features(part, Refinement())

    def scores(a: GraphBatch, b: GraphBatch) -> np.ndarray:
        if kind is NodeBatch:
            return wasserstein(a, b, Refinement())  # type: ignore[arg-type]
        return feature_cosines(a, b)  # type: ignore[arg-type]

    whole = encode(several)
    expected = scores(whole, whole[::-1])
    joined = kind.concat([whole[:3], whole[3:9], encode(several[9:])])
    np.testing.assert_array_equal(scores(joined, whole[::-1]), expected)
    assert joined.failed.tolist() == whole.failed.tolist() == [i == 4 for i in range(len(several))]
    for mmap in (True, False):
        joined.save(tmp_path / "batch")
        back = kind.load(tmp_path / "batch", mmap=mmap)
        np.testing.assert_array_equal(scores(back, whole[::-1]), expected)
        assert list(back.graphs) == several
        assert list(back[[5, 2]].graphs) == [several[5], several[2]]
    empty = whole[:0]
    empty.save(tmp_path / "empty")
    assert len(kind.load(tmp_path / "empty")) == len(scores(empty, empty)) == 0
    assert len(kind.concat([empty, whole])) == len(whole)
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="another path"):
        whole.save(tmp_path / "folder")
    with pytest.raises(DataError, match=f"of {kind.__name__}, not of GraphBatch"):
        GraphBatch.load(tmp_path / "batch")
    (tmp_path / "batch" / "status.npy").write_bytes(b"junk")
    with pytest.raises(DataError, match="encode and save it again"):
        kind.load(tmp_path / "batch")
    with pytest.raises(InputError, match="has no 99"):
        whole[99]


def test_wrong_options_and_batches_are_named() -> None:
    graph = RoleGraph.from_penman("(c / cat)")
    parser = object()
    for wrong in ({"k": -1}, {"k": True}, {"direction": "up"}):
        with pytest.raises(InputError):
            Refinement(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="edge_weights='heavy'"):
        AmrWwlk(parser, edge_weights="heavy")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="on_failure"):
        AmrWlk(parser, on_failure="ignore")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="encoded differently"):
        feature_cosines(
            label_features([graph], Refinement(1)), label_features([graph], Refinement(2))
        )
    one = label_features([graph], Refinement())
    with pytest.raises(InputError, match="1 and 2 graphs"):
        feature_cosines(one, one[[0, 0]])
    with pytest.raises(InputError, match="fit together"):
        Ragged(np.array([0, 2]), {"code": np.zeros(3)})
    with pytest.raises(InputError, match="one stretch"):
        GraphBatch({}, status=np.zeros(2), graphs=[graph])
