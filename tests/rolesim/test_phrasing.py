from __future__ import annotations

from hypothesis import given
from strategies import graphs

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import READING
from compsim.roles import EVERYDAY
from compsim.rolesim.features import GROUPS, points
from compsim.rolesim.phrasing import PLAIN, PhrasedFrame, Phrasing, phrased

ALL = Phrasing(frames="all", words="all", inner=0.3)


def graph_of(text: str, *stars: dict[str, str | Node]) -> RoleGraph:
    nodes: list[Node] = []
    edges: list[Edge] = []
    for star in stars:
        hub = len(nodes)
        for role, phrase in star.items():
            start = text.index(phrase if isinstance(phrase, str) else phrase.label)
            if role != "Verb":
                edges.append(Edge(hub, role, len(nodes)))
            if isinstance(phrase, str):
                phrase = Node(phrase, (start, start + len(phrase)))
            nodes.append(phrase)
    return RoleGraph(tuple(nodes), tuple(edges), 0, text)


def told(frame: PhrasedFrame) -> dict[str, str]:
    return {EVERYDAY.roles[phrase.role]: phrase.node.label for phrase in frame.phrases}


@given(graphs())
def test_any_graph_has_phrases_in_order(graph: RoleGraph) -> None:
    for phrasing in (PLAIN, ALL):
        found = phrased(graph, EVERYDAY, phrasing)
        for place, frame in enumerate(found):
            roles = [phrase.role for phrase in frame.phrases]
            assert roles == sorted(set(roles))
            assert roles
            assert frame.reading < place
        readings = [frame.reading >= 0 for frame in found]
        assert readings == sorted(readings)


def test_words_in_no_role_are_not_lost() -> None:
    graph = graph_of("Oddly, cats sleep in baskets.", {"Verb": "sleep", "Agent": "cats"})
    (frame,) = phrased(graph, EVERYDAY, ALL)
    assert told(frame) == {"Verb": "sleep", "Agent": "cats", "Rest": "Oddly, baskets."}


def test_words_in_no_role_are_not_lost_in_a_reading() -> None:
    text = "Oddly, cats sleep."
    nodes = (Node("sleep", (12, 17)), Node("cats", (7, 11)), Node("sleep", (12, 17)))
    edges = (Edge(0, "Agent", 1), Edge(0, READING, 2), Edge(2, "Patient", 1))
    own, reading = phrased(RoleGraph(nodes, edges, 0, text), EVERYDAY, ALL)
    assert (own.reading, reading.reading) == (-1, 0)
    assert told(own)["Rest"] == told(reading)["Rest"] == "Oddly,"


def test_what_is_asked_for_counts() -> None:
    phrasing = Phrasing(frames="all", words="all", information=0.5)
    assert phrasing.said_by("where") < 1 == phrasing.said_by("where", asked=True)
    rare = "two anaesthesiologists from Iceland"
    assert phrasing.said_by(rare, asked=True) == phrasing.said_by(rare) > 1


def test_where_a_path_begins_stands_apart_from_where_it_leads() -> None:
    for text in ("He went from here to there", "He went to there from here"):
        start = text.index("went") + 5
        path = Node(text[start:], (start, len(text)))
        graph = graph_of(text, {"Verb": "went", "Agent": "He", "Trajectory": path})
        (frame,) = phrased(graph, EVERYDAY, ALL)
        found = told(frame)
        assert (found["Origin"], found["Trajectory"]) == ("from here", "to there")
    graph = graph_of("He came out of town", {"Verb": "came", "Trajectory": "out of town"})
    assert told(phrased(graph, EVERYDAY, ALL)[0])["Origin"] == "out of town"


def test_a_phrase_is_compared_without_the_clause_in_it() -> None:
    text = "The cat that saw birds slept."
    graph = graph_of(
        text,
        {"Verb": "slept", "Agent": "The cat that saw birds"},
        {"Verb": "saw", "Agent": "The cat", "Patient": "birds"},
    )
    main, inner = phrased(graph, EVERYDAY, ALL)
    outer = main.phrases[1].outer
    assert outer is not None
    assert outer.label == "The cat that"
    assert (inner.depth, inner.parent) == (1, 0)
    assert [phrase.clause for phrase in main.phrases] == [-1, 1]
    assert phrased(graph, EVERYDAY, PLAIN)[0].phrases[1].outer is None


def test_a_clause_alone_is_compared_by_its_predicate() -> None:
    text = "She knew that birds sang."
    clause = Node("that birds sang", (9, 24))
    graph = graph_of(
        text,
        {"Verb": "knew", "Agent": "She", "Theme": clause},
        {"Verb": "sang", "Agent": "birds"},
    )
    main, _ = phrased(graph, EVERYDAY, ALL)
    outer = main.phrases[-1].outer
    assert outer is not None
    assert outer.label == "sang"


def test_features_weigh_nothing_unless_a_scheme_says_so() -> None:
    node = Node("no cats", features=(("prep", "under"), ("quant", "no"), ("tense", "past")))
    assert not points([node], ["Location"], {}).any()
    weights = dict.fromkeys(GROUPS, 0.5)
    point, other = points([node, Node("cats")], ["Location"] * 2, weights)
    assert point.any()
    assert not other.any()


def test_opposite_ends_take_the_whole_weight() -> None:
    before, after = (Node("x", features=(("prep", word),)) for word in ("before", "after"))
    x, y = points([before, after], ["Time"] * 2, {"time": 0.6})
    assert abs(((x - y) ** 2).sum() / 2 - 0.6) < 1e-6


def test_who_did_it_has_no_preposition() -> None:
    by = Node("by the dog", features=(("prep", "by"),))
    assert not points([by], ["Agent"], dict.fromkeys(GROUPS, 1.0)).any()
