"""Pictures of role graphs: well-formed, nothing over anything, and safe for any text."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compsim.errors import InputError
from compsim.explanation import Explanation
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.drawing.layers import Placed, downward, layered
from compsim.graph.drawing.pairs import side_by_side
from compsim.graph.drawing.svg import to_dot, to_svg
from compsim.parsers.files.stored_roles import write_jsonl

SVG = "{http://www.w3.org/2000/svg}"
AMR = """\
# ::snt The dog that Mary fed wants to chase a cat, not to sleep.
(w / want-01
   :ARG0 (d / dog :ARG1-of (f / feed-01 :ARG0 (p / person :name (n / name :op1 "Mary"))))
   :ARG1 (a / and
      :op1 (c / chase-01 :ARG0 d :ARG1 (c2 / cat))
      :op2 (s / sleep-01 :polarity - :ARG0 d)))"""


def tree(svg: str) -> ElementTree.Element:
    assert "\n" not in svg
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in tree(svg).iter(f"{SVG}text")]


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in tree(svg).iter(f"{SVG}title")]


def test_an_amr_is_drawn_whole() -> None:
    graph = RoleGraph.from_penman(AMR)
    svg = graph.to_svg()
    assert sorted(texts(svg)) == sorted(
        [
            "The dog that Mary fed wants to chase a cat, not to sleep.",
            *(node.label for node in graph.nodes),
            *(edge.role for edge in graph.edges),
        ]
    )
    assert [g.get("class") for g in tree(svg).iter(f"{SVG}g")].count("root") == 1
    assert [g.get("class") for g in tree(svg).iter(f"{SVG}g")].count("constant") == 2
    # The four edges into the dog are four arrows, each with a head.
    assert sum(title.endswith("\u2192 dog") for title in titles(svg)) == 4
    assert len(list(tree(svg).iter(f"{SVG}polygon"))) == len(graph.edges)
    assert "want-01\nvariable w" in titles(svg)
    assert svg == graph._repr_svg_()
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_phrases_show_their_characters_and_propbank_labels() -> None:
    text = "The very friendly dog that lives next door chased cats."
    phrase = text[: text.index(" chased")]
    graph = RoleGraph.star(text, {"Verb": "chased", "Agent": phrase})
    graph = RoleGraph(graph.nodes, (Edge(0, "Agent", 1, "ARG0"),), 0, text)
    assert f"{phrase}\ncharacters 0-42" in titles(to_svg(graph))
    assert f"Agent (ARG0): chased \u2192 {phrase}" in titles(to_svg(graph))
    unsure = RoleGraph(graph.nodes, (Edge(0, "Agent", 1, confidence=0.4),), 0, text)
    assert f"Agent, confidence 0.4: chased \u2192 {phrase}" in titles(to_svg(unsure))
    assert 'tooltip="Agent, confidence 0.4"' in to_dot(unsure)
    # A long phrase is broken into lines.
    assert phrase not in texts(to_svg(graph))
    assert phrase in " ".join(texts(to_svg(graph)))
    parts = Node("gave up", (0, 15), "give.01", None, ((0, 4), (13, 15)))
    graph = RoleGraph((parts,), (), 0, "gave the idea up")
    assert "gave up\nsense give.01\ncharacters 0-4, 13-15" in titles(to_svg(graph))


def test_a_failed_parse_shows_its_reason() -> None:
    graph = RoleGraph.failed("Gibberish <b> & so on", "no verb & no <noun>")
    assert texts(to_svg(graph)) == ["failed: no verb & no <noun>", "Gibberish <b> & so on"]
    assert "failed: no verb &amp; no <noun>" in to_dot(graph)
    assert texts(to_svg(RoleGraph())) == ["an empty graph"]


def test_mapped_nodes_share_a_colour_and_the_others_are_pale() -> None:
    first = RoleGraph.from_penman(AMR)
    second = RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :ARG1 (r / rat))")
    place = {node.label: index for index, node in enumerate(first.nodes)}
    svg = side_by_side(first, second, [(place["dog"], 1), (place["cat"], 2)])
    assert titles(svg)[:2] == ["dog \u2194 dog", "cat \u2194 rat"]
    fills = [box.get("style") for box in tree(svg).iter(f"{SVG}rect") if box.get("class") == "box"]
    colours = [fill for fill in fills if fill]
    assert sorted(colours) == sorted(2 * list(dict.fromkeys(colours)))
    pale = [g for g in tree(svg).iter(f"{SVG}g") if "unpaired" in (g.get("class") or "")]
    assert len(pale) == len(first.nodes) + len(second.nodes) - 4
    assert "mask" not in side_by_side(RoleGraph(), RoleGraph()).split("<g")[0]
    with pytest.raises(InputError, match="nodes 0 and 3"):
        side_by_side(first, second, [(0, 3)])


def test_the_figure_of_an_explanation_is_in_its_html() -> None:
    figure = to_svg(RoleGraph.from_penman("(c / cat)"))
    plain = Explanation("amr-smatch", ("Cats.", "A cat."))
    drawn = Explanation("amr-smatch", ("Cats.", "A cat."), figure=lambda: figure)
    assert f"<figure>{figure}</figure>" in drawn.to_html()
    assert f"<figure>{figure}</figure>" in drawn._repr_html_()
    assert "compsim-graph" not in plain.to_html()
    assert str(drawn) == str(plain)
    assert drawn.to_dict() == plain.to_dict()


words = st.text(max_size=40)


@st.composite
def graphs(draw: st.DrawFn) -> RoleGraph:
    size = draw(st.integers(1, 7))
    nodes = [
        Node(draw(words), None, draw(st.none() | words), f"v{i}" if draw(st.booleans()) else None)
        for i in range(size)
    ]
    ends = st.integers(0, size - 1)
    edges = draw(
        st.lists(st.builds(Edge, ends, st.sampled_from(["ARG0", "op1"]), ends), max_size=9)
    )
    return RoleGraph(tuple(nodes), tuple(edges), draw(ends), draw(words))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(graphs())
def test_any_graph_gives_well_formed_svg_and_dot(graph: RoleGraph) -> None:
    svg = to_svg(graph)
    root = tree(svg)
    assert len(list(root.iter(f"{SVG}polygon"))) == len(graph.edges)
    assert "nan" not in re.sub(r">[^<]*<|\"[^\"]*[a-z]{4}[^\"]*\"", "", svg)
    dot = to_dot(graph)
    # Outside of strings there is only DOT's own syntax, one statement a line.
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot)
    assert bare.count("->") == len(graph.edges)
    assert bare.count("\n") == 3 + len(graph.nodes) + len(graph.edges)
    assert tree(side_by_side(graph, graph, [(i, i) for i in range(len(graph.nodes))])) is not None


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(abs(a[i] - b[i]) < (a[i + 2] + b[i + 2]) / 2 - 1e-6 for i in (0, 1))


def check_placed(
    placed: Placed,
    boxes: list[tuple[float, float]],
    edges: list[tuple[int, int]],
    labels: list[tuple[float, float]],
) -> None:
    things = [(*centre, *box) for centre, box in zip(placed.centres, boxes, strict=True)]
    things += [(*r.label, *size) for r, size in zip(placed.routes, labels, strict=True)]
    for i, thing in enumerate(things):
        assert not any(overlap(thing, other) for other in things[:i])
        for axis in (0, 1):
            low, high = thing[axis] - thing[axis + 2] / 2, thing[axis] + thing[axis + 2] / 2
            assert -1e-6 <= low <= high <= placed.size[axis] + 1e-6
    for (source, target), route in zip(edges, placed.routes, strict=True):
        for end, node in ((route.curves[0][0], source), (route.curves[-1][-1], target)):
            reach = [abs(end[axis] - placed.centres[node][axis]) for axis in (0, 1)]
            assert all(reach[axis] <= boxes[node][axis] / 2 + 1 for axis in (0, 1))
        assert all(len(curve) % 3 == 1 for curve in route.curves)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_nothing_covers_anything(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    edges = data.draw(st.lists(ends, max_size=12))
    lengths = st.sampled_from([20.0, 45.0, 160.0])
    boxes = [(data.draw(lengths), data.draw(st.sampled_from([28.0, 44.0]))) for _ in range(size)]
    labels = [(data.draw(st.sampled_from([10.0, 60.0])), 16.0) for _ in edges]
    root = data.draw(st.integers(0, size - 1))
    placed = layered(boxes, edges, labels, root)
    check_placed(placed, boxes, edges, labels)
    assert placed == layered(boxes, edges, labels, root)
    rows, parts = downward(size, edges, root)
    assert parts[0][0] == root
    assert rows[root] == 0
    assert sorted(node for part in parts for node in part) == list(range(size))
    assert all(rows[source] != rows[target] for source, target in edges if source != target)


def test_a_tree_is_drawn_without_crossings_and_parents_over_children() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (2, 4), (1, 5), (2, 6)]
    placed = layered([(40, 28)] * 7, edges, [(30, 16)] * 6, 0)
    x = [centre[0] for centre in placed.centres]
    assert x[3] < x[5] < x[4] < x[6]
    assert math.isclose(x[1], (x[3] + x[5]) / 2, abs_tol=1)
    assert math.isclose(x[0], (x[1] + x[2]) / 2, abs_tol=1)


def test_a_deep_graph_is_no_matter() -> None:
    nodes = tuple(Node(f"c{i}", variable=f"v{i}") for i in range(1500))
    edges = tuple(Edge(i, "ARG1", i + 1) for i in range(1499))
    assert to_svg(RoleGraph(nodes, edges, 0)).count("<rect") == 1500


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_graphviz_reads_our_dot(graph: RoleGraph) -> None:
    pygraphviz = pytest.importorskip("pygraphviz")
    read = pygraphviz.AGraph(string=to_dot(graph))
    assert (len(read.nodes()), len(read.edges())) == (len(graph.nodes), len(graph.edges))
    read.close()


def test_the_command_line_draws_a_line_for_each_sentence(tmp_path: Path) -> None:
    first = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
    second = RoleGraph.star("Dogs\u2028bark.", {"Verb": "bark"})
    write_jsonl([first, second], tmp_path / "parses.jsonl")
    source = tmp_path / "lines.txt"
    source.write_text("Cats sleep.\nDogs\u2028bark.\n\n", encoding="utf-8")
    result = {}
    for form in ("svg", "dot"):
        options = [str(source), "--parser", f"stored:{tmp_path / 'parses.jsonl'}", "--format", form]
        done = subprocess.run(
            [sys.executable, "-m", "compsim.cli", "parse", *options],
            capture_output=True,
            timeout=120,
            check=True,
        )
        result[form] = done.stdout.decode("utf-8")
    svgs = result["svg"].rstrip("\n").split("\n")
    assert svgs[:2] == [to_svg(first), to_svg(second)]
    assert texts(svgs[2]) == ["failed: empty line"]
    assert result["dot"].startswith(to_dot(first) + "\n" + to_dot(second) + "\n")
