from __future__ import annotations

import contextlib
import gzip
import json
import sys

import networkx as nx
import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st
from new_process import in_a_new_process
from strategies import graphs, labels

from compsim.errors import CompsimError, DataError, InputError, MissingExtraError
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.penman_reader import read_amr
from compsim.graph.spans import locate, token_spans

CHASE = RoleGraph.star(
    "The dog chased a cat.", {"Verb": "chased", "Agent": "The dog", "Theme": "a cat"}, parser="srl"
)


@given(graphs())
def test_penman_round_trip_is_exact(graph: RoleGraph) -> None:
    written = graph.to_penman()
    assert RoleGraph.from_penman(written) == graph
    assert RoleGraph.from_penman(written.encode().decode()) == graph  # fits a UTF-8 file


def test_loops_and_a_second_component_round_trip() -> None:
    loops = [(2, 2), (1, 1), (2, 0), (0, 0)]
    graph = RoleGraph((Node(""),) * 3, tuple(Edge(s, "Agent", t) for s, t in loops), 1)
    assert RoleGraph.from_penman(graph.to_penman()) == graph


@given(graphs())
def test_json_round_trip_is_exact(graph: RoleGraph) -> None:
    again = RoleGraph.from_json(json.loads(json.dumps(graph.to_json())))
    assert again == graph
    assert hash(again) == hash(graph)


@given(graphs())
def test_networkx_keeps_every_node_and_edge(graph: RoleGraph) -> None:
    out = graph.to_networkx()
    assert isinstance(out, nx.MultiDiGraph)
    assert out.graph["root"] == graph.root
    assert [data["label"] for _, data in sorted(out.nodes(data=True))] == [
        node.label for node in graph.nodes
    ]
    results = [(s, d["role"], t, d["confidence"]) for s, t, d in out.edges(data=True)]
    assert sorted(results) == sorted(
        (edge.source, edge.role, edge.target, edge.confidence) for edge in graph.edges
    )


def test_networkx_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtraError, match=r'networkx.*pip install "\.\[networkx\]"'):
        RoleGraph.failed("A dog sleeps.", "no reason").to_networkx()


@given(st.recursive(st.none() | st.booleans() | st.integers() | labels, st.lists) | graphs())
def test_from_json_raises_data_error_and_nothing_else(value: object) -> None:
    data = value.to_json() if isinstance(value, RoleGraph) else value
    if isinstance(data, dict):
        data["nodes"] = data.get("edges", 3)
    with contextlib.suppress(DataError):
        RoleGraph.from_json(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", ["0.5", True, 0, 1.5, -1, float("nan"), [1]])
def test_a_confidence_that_is_none_is_a_data_error(confidence: object) -> None:
    data = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}).to_json()
    data["edges"] = [[0, "Agent", 1, None, 0.5]]
    assert RoleGraph.from_json(data).edges[0].confidence == 0.5
    data["edges"] = [[0, "Agent", 1, None, confidence]]
    with pytest.raises(DataError, match="confidence"):
        RoleGraph.from_json(data)


@given(st.text(max_size=40) | st.text('()/:"ab -~#\n', max_size=40))
def test_from_penman_raises_compsim_errors_and_nothing_else(text: str) -> None:
    with contextlib.suppress(CompsimError):
        RoleGraph.from_penman(text)


def test_star_reads_as_penman_with_its_comments() -> None:
    assert CHASE.to_penman().splitlines() == [
        "# ::snt The dog chased a cat.",
        '# ::compsim {"parser":"srl","spans":[[8,14],[0,7],[15,20]],"unnamed":"all"}',
        "(v0 / chased",
        '    :Agent (v1 / "The dog")',
        '    :Theme (v2 / "a cat"))',
    ]


def test_repr_is_one_short_line() -> None:
    assert repr(CHASE) == "<RoleGraph by srl, ok: chased(Agent: The dog, Theme: a cat), 3 nodes>"
    failed = RoleGraph.failed("Hm.\n", "no predicate", "srl")
    assert repr(failed) == "<RoleGraph by srl, failed (no predicate): 'Hm.\\n'>"
    assert repr(RoleGraph()) == "<RoleGraph, ok: ''>"
    long = RoleGraph.star("", {"Verb": "go", "Agent": "a\nvery " * 50})
    assert len(repr(long)) == 100
    assert repr(long).endswith("very ...>")


@given(graphs())
def test_repr_stays_on_one_line(graph: RoleGraph) -> None:
    assert len(repr(graph)) <= 100
    assert len(repr(graph).splitlines()) == 1


def test_a_constant_that_reads_like_a_variable_stays_one() -> None:
    nodes = (Node("x", variable="0"), Node("y", variable="-"), Node("0"), Node("-"))
    edges = tuple(Edge(0, "op1", index) for index in (1, 2, 3))
    graph = RoleGraph(nodes, edges, 0)
    assert ':op1 "-"' in graph.to_penman()
    assert RoleGraph.from_penman(graph.to_penman()) == graph


def test_a_graph_is_written_as_penman_would() -> None:
    text = """\
(w / want-01
   :ARG0 (d / dog
            :name (n / name
                     :op1 "Rex")
            :ARG1-of (f / feed-01))
   :ARG1 (s / sleep-01
            :ARG0 d))"""
    assert RoleGraph.from_penman(text).to_penman() == text == penman.format(penman.parse(text))


def test_stars_without_a_shared_phrase_hang_below_one_node() -> None:
    graph = RoleGraph(
        (Node("said"), Node("She"), Node("sleep"), Node("cats")),
        (Edge(0, "Agent", 1, "ARG0"), Edge(2, "Agent", 3)),
        2,
    )
    assert ":snt2 (v0 / said" in graph.to_penman()
    assert RoleGraph.from_penman(graph.to_penman()) == graph
    assert [list(frame.phrases()) for frame in graph.frames()] == [["Verb", "Agent"]] * 2
    assert [frame.predicate.label for frame in graph.frames()] == ["sleep", "said"]


def test_plain_amr_is_read_forward_with_reentrancy_and_constants() -> None:
    graph = RoleGraph.from_penman(
        """# ::snt Ann, who did not leave, sang.
        (s / sing-01 :ARG0 (p / person
            :name (n / name :op1 "Ann" :op2 "7")
            :ARG0-of (l / leave-11 :polarity - :ARG1 p :part-of (c / city) :quant 2.5)
            :consist-of s) :mode imperative)"""
    )
    result = {
        (graph.nodes[edge.source].label, edge.role, graph.nodes[edge.target].label)
        for edge in graph.edges
    }
    assert ("leave-11", "ARG0", "person") in result
    assert ("leave-11", "polarity", "-") in result
    assert ("name", "op1", "Ann") in result
    assert ("city", "part", "leave-11") in result
    assert ("person", "consist-of", "sing-01") in result
    assert [node.variable for node in graph.nodes if node.label == "-"] == [None]
    assert graph.text.startswith("Ann,")
    written = graph.to_penman()
    assert ':op2 "7"' in written
    assert ":mode imperative" in written
    assert "compsim" not in written  # a plain AMR stays one
    assert RoleGraph.from_penman(written) == graph


def test_roles_of_a_star_without_verb_and_of_a_failed_parse() -> None:
    assert list(RoleGraph.star("Cats", {"Agent": "Cats"}).roles()) == ["Agent"]
    failed = RoleGraph.failed("Hm.", "no predicate", "srl")
    assert (failed.roles(), list(failed.frames()), failed.status) == ({}, [], "failed")
    assert RoleGraph.from_penman(failed.to_penman()) == failed


def test_a_long_chain_is_read_but_not_written() -> None:
    size = 20_000
    chain = RoleGraph(
        tuple(Node(f"c{index}") for index in range(size)),
        tuple(Edge(index, "op1", index + 1) for index in range(size - 1)),
        0,
    )
    assert RoleGraph.from_json(chain.to_json()) == chain
    with pytest.raises(InputError, match="nested too deeply"):
        chain.to_penman()
    deep = "(a0 / x" + "".join(f" :op1 (a{index} / x" for index in range(1, size)) + ")" * size
    read = RoleGraph.from_penman(deep)
    assert len(read.nodes) == size
    assert [node.variable for node in read.nodes[:2]] == ["a0", "a1"]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: RoleGraph((Node("a"),)), "needs a root"),
        (lambda: RoleGraph(root=0), "root 0"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "Agent", 1),), 0), "points outside"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "Agent", -1),), 0), "points outside"),
        (lambda: RoleGraph((Node("a", (0, 2)),), (), 0, "a"), "outside the text"),
        (lambda: RoleGraph((Node("a", (1, 0)),), (), 0, "a"), "outside the text"),
        (lambda: RoleGraph((Node("a", parts=((0, 9),)),), (), 0, "a"), "outside the text"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "ARG0-of", 0),), 0), "inverse"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "a b", 0),), 0), "role 'a b'"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "r", 0, None, 0),), 0), "confidence 0"),
        (lambda: RoleGraph((Node("a"),), (Edge(0, "r", 0, None, 1.5),), 0), "confidence 1.5"),
        (lambda: RoleGraph((Node("a", variable="x"),) * 2, (), 0), "names two"),
        (lambda: RoleGraph((Node("a", variable="a b"),), (), 0), "not a variable"),
    ],
)
def test_invalid_graphs_are_refused(make: object, match: str) -> None:
    with pytest.raises(InputError, match=match):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "(a / b",
        "word",
        "(a / b) (c / d)",
        "(a / b))",
        "(a / b) dog",
        "(a / b)\n\ndog",
        "(a / b :ARG0 ())",
        '# ::compsim {"spans":[1,2]}\n(a / b)',
        "# ::compsim {\n(a / b)",
        '# ::compsim {"nodes":[3]}\n(a / b)',
    ],
)
def test_bad_penman_is_a_data_error(bad: str) -> None:
    with pytest.raises(DataError):
        RoleGraph.from_penman(bad)


def test_locate_prefers_free_places_and_whole_words() -> None:
    text = "The dog saw the dog's DOG, doggedly."
    assert locate(text, ["dog", "dog", "DOG"]) == [(4, 7), (16, 19), (22, 25)]
    assert locate(text, ["the dog 's", "the dog", "gged", ""]) == [(12, 21), (0, 7), None, None]


@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5)))
def test_tokens_find_their_characters(tokens: list[str]) -> None:
    text = " ".join(tokens)
    assert [text[start:end] for start, end in token_spans(text, tokens)] == tokens  # type: ignore[misc]


def test_token_spans_survive_a_rewritten_token() -> None:
    assert token_spans('He said "no".', ["He", "said", "``", "no", "''", "."]) == [
        (0, 2), (3, 7), None, (9, 11), None, (12, 13)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["amr-bank-struct-v3.0.txt.gz", "amr-release-test-bio.txt.gz"])
def test_gold_amrs_round_trip(data_dir: object, name: str) -> None:
    path = data_dir / "amr" / name  # type: ignore[operator]
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        read = list(read_amr(file))
    assert len(read) >= 500
    for graph in read[:300]:
        assert graph.text
        assert RoleGraph.from_penman(graph.to_penman()) == graph


def test_importing_the_graph_is_light() -> None:
    code = "import sys, compsim.graph, compsim.parsers.cache; print(*sys.modules)"
    loaded = in_a_new_process(code).split()
    assert not {"penman", "networkx", "spacy", "numba", "torch"} & set(loaded)
