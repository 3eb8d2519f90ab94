"""Two graphs side by side: no line runs through a word, nothing covers anything, all is there."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from explanations import LONG, SEVERAL, UNCOMMON
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import graphs

from compsim.explanation import Explanation
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.drawing.outline import outline, tops, trees
from compsim.graph.drawing.pairs import side_by_side
from compsim.graph.drawing.pieces import text_width

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


class Drawing:
    """Content of a drawing, in the coordinates of the whole: lines, boxes and words."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.lines: list[tuple[str, list[tuple[float, float]]]] = []
        self.boxes: list[Box] = []
        self.words: list[Box] = []
        self.texts: list[str] = []
        self._look(self.root, 0.0, 0.0)

    def _look(self, element: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag == f"{SVG}path":
            points = [(a + x, b + y) for a, b in sampled(element.get("d", ""))]
            self.lines.append((element.get("class", ""), points))
        elif element.tag == f"{SVG}rect":
            left, top = float(element.get("x", 0)) + x, float(element.get("y", 0)) + y
            right, bottom = float(element.get("width", 0)), float(element.get("height", 0))
            self.boxes.append((left, top, left + right, top + bottom))
        elif element.tag == f"{SVG}text":
            left, base = float(element.get("x", 0)) + x, float(element.get("y", 0)) + y
            size = 12 if element.get("class") == "role" else 14
            width = text_width(element.text or "") * size / 13
            self.words.append((left, base - 0.8 * size, left + width, base + 0.2 * size))
            self.texts.append(element.text or "")
        for child in element:
            self._look(child, x, y)


def sampled(path: str) -> list[tuple[float, float]]:
    """Points on a path, close together."""
    start, *steps = [
        (kind, [float(number) for number in re.findall(r"-?[\d.]+", rest)])
        for kind, rest in re.findall(r"([MCVH])([^MCVH]*)", path)
    ]
    x, y = start[1]
    points = [(x, y)]
    for kind, values in steps:
        if kind == "V":
            values = [x, y, x, values[0], x, values[0]]
        elif kind == "H":
            values = [x, y, values[0], y, values[0], y]
        xs, ys = [x, *values[0::2]], [y, *values[1::2]]
        points += [(bezier(xs, i / 100), bezier(ys, i / 100)) for i in range(1, 101)]
        x, y = points[-1]
    return points


def bezier(values: list[float], t: float) -> float:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def check(svg: str) -> Drawing:
    drawing = Drawing(svg)
    view = [float(number) for number in drawing.root.get("viewBox", "").split()]
    for kind, points in drawing.lines:
        # The lines between the graphs keep off the boxes too, but for the ends that touch them.
        for left, top, right, bottom in drawing.words + drawing.boxes * (kind == "pair"):
            inside = [
                (x, y)
                for x, y in points
                if left + 0.2 < x < right - 0.2 and top + 0.2 < y < bottom - 0.2
            ]
            assert not inside
    for one, other in combinations(drawing.boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart
    for left, top, right, bottom in drawing.boxes + drawing.words:
        assert 0 <= left <= right <= view[2]
        assert 0 <= top <= bottom <= view[3]
    return drawing


@pytest.mark.parametrize("explanation", [SEVERAL, UNCOMMON, LONG])
def test_lines_keep_off_words(explanation: Explanation) -> None:
    assert explanation.figure is not None
    drawing = check(explanation.figure())
    matched = [row for row in explanation if row.cosine is not None]
    assert [kind for kind, _ in drawing.lines].count("pair") == len(matched)
    # A phone shows it at four fifths of its size, or more.
    assert float(drawing.root.get("width", "")) < 470


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(graphs(), graphs(), st.data())
def test_whatever_the_graphs_lines_keep_off_words(
    first: RoleGraph, second: RoleGraph, data: st.DataObject
) -> None:
    pairs = []
    if first.nodes and second.nodes:
        ends = st.integers(0, len(first.nodes) - 1), st.integers(0, len(second.nodes) - 1)
        pairs = data.draw(st.lists(st.tuples(*ends), max_size=8))
    drawing = check(side_by_side(first, second, pairs))
    assert [kind for kind, _ in drawing.lines].count("pair") == len(pairs)
    assert len(drawing.boxes) == len(first.nodes) + len(second.nodes)


@given(graphs())
def test_an_outline_tells_each_node_once_and_each_edge_once(graph: RoleGraph) -> None:
    items = outline(graph)
    assert sorted(item.node for item in items if not item.again) == list(range(len(graph.nodes)))
    ids = [id(item.edge) for item in items if item.edge is not None]
    assert sorted(ids) == sorted(map(id, graph.edges))
    for place, item in enumerate(items):
        if item.parent is not None:
            assert item.parent < place
            assert item.depth == items[item.parent].depth + 1
    assert sum(map(len, trees(items))) == len(items)


def test_what_no_edge_leads_to_is_found_backwards() -> None:
    graph = RoleGraph.from_penman(
        "(w / want-01 :ARG0 (d / dog :ARG1-of (f / feed-01)) :ARG1 (c / chase-01 :ARG0 d))"
    )
    results = [(item.role, graph.nodes[item.node].label, item.again) for item in outline(graph)]
    assert results == [
        ("", "want-01", False),
        ("ARG0", "dog", False),
        ("ARG1-of", "feed-01", False),
        ("ARG1", "chase-01", False),
        ("ARG0", "dog", True),
    ]


def clauses(count: int) -> tuple[RoleGraph, RoleGraph, list[tuple[int, int]]]:
    """Two graphs of so many clauses in opposite order, and which nodes are alike."""

    def graph(order: list[int]) -> RoleGraph:
        nodes = [node for i in order for node in (Node(f"verb {i}"), Node(f"who {i}"))]
        edges = tuple(Edge(2 * place, "Agent", 2 * place + 1) for place in range(count))
        return RoleGraph(tuple(nodes), edges, 0)

    order = list(range(count))
    pairs = [(2 * i + k, 2 * (count - 1 - i) + k) for i in order for k in (0, 1)]
    return graph(order), graph(order[::-1]), pairs


def test_clauses_that_were_matched_stand_beside_each_other() -> None:
    first, second, pairs = clauses(20)
    drawing = check(side_by_side(first, second, pairs))
    lines = [points for kind, points in drawing.lines if kind == "pair"]
    assert len(lines) == 40
    assert all(points[0][1] == pytest.approx(points[-1][1]) for points in lines)
    assert float(drawing.root.get("width", "")) < 300


def test_trees_without_a_partner_come_last() -> None:
    first, _, _ = clauses(2)
    second = RoleGraph((Node("verb 1"), Node("who 1")), (Edge(0, "Agent", 1),), 0)
    left, right = outline(first), outline(second)
    place = tops((left, [20.0] * 4), (right, [30.0] * 2), [(2, 0), (3, 1)])
    assert place[0][2] == place[1][0] == 0
    assert place[0][0] > place[0][3]
    assert outline(second, {1: 0.0}) == right
    assert tops(([], []), ([], []), []) == ([], [], 0.0)


def test_roles_that_no_inventory_has_are_told_in_words() -> None:
    nodes = (
        Node("gave", None, "give.01", features=(("lemma", "give"),)),
        Node("who"),
        Node("never"),
    )
    edges = (
        Edge(0, "R-Agent", 1),
        Edge(0, "ARGM-NEG", 2, "ARGM-NEG"),
    )
    drawing = check(side_by_side(RoleGraph(nodes, edges, 0), RoleGraph()))
    assert drawing.texts[:-1] == [
        *("gave", "Agent, relative word", "who", "negation", "never"),
    ]


def test_a_graph_that_failed_says_so_beside_the_other() -> None:
    failed = RoleGraph.failed("Gibberish", "no verb was found anywhere in the whole sentence")
    drawing = check(side_by_side(failed, RoleGraph.star("Go!", {"Verb": "Go"})))
    assert " ".join(drawing.texts[:-1]) == f"failed: {failed.reason}"


def test_a_deep_graph_is_no_matter() -> None:
    nodes = tuple(Node(f"c{i}", variable=f"v{i}") for i in range(1500))
    deep = RoleGraph(nodes, tuple(Edge(i, "ARG1", i + 1) for i in range(1499)), 0)
    drawn = side_by_side(deep, deep, [(99, 99), (1499, 1499)])
    assert (drawn.count("<rect"), drawn.count('class="pair"')) == (1000, 1)


def test_of_thousands_of_rows_the_first_are_drawn() -> None:
    def flat(size: int) -> RoleGraph:
        nodes = (Node("say"), *(Node(f"word{n}") for n in range(size)))
        return RoleGraph(nodes, tuple(Edge(0, "Theme", n + 1) for n in range(size)), 0)

    drawn = side_by_side(flat(600), flat(499), [(0, 0), (600, 1), (5, 5)])
    assert "101 rows more are not drawn" in drawn
    assert "word498" in drawn
    assert "word560" not in drawn
    assert drawn.count('class="pair"') == 2
    assert "not drawn" not in side_by_side(flat(499), flat(499))
