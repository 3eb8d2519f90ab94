from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import graphs

from compsim.graph import Edge, Frame, Node, RoleGraph
from compsim.roles import PROPBANK, VERBNET


def clause(text: str, *stars: dict[str, str]) -> RoleGraph:
    """A graph of several stars; each phrase stands where it first occurs in the text."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for star in stars:
        hub = len(nodes)
        for role, phrase in star.items():
            start = text.index(phrase)
            if role != "Verb":
                edges.append(Edge(hub, role, len(nodes), role if role[:3] == "ARG" else None))
            nodes.append(Node(phrase, (start, start + len(phrase))))
    return RoleGraph(tuple(nodes), tuple(edges), 0, text)


def told(frames: tuple[Frame, ...]) -> list[tuple[dict[str, str], int | None, str]]:
    return [
        ({role: node.label for role, node in frame.phrases().items()}, frame.parent, frame.relation)
        for frame in frames
    ]


def test_an_embedded_clause_stands_under_the_phrase_that_holds_it() -> None:
    graph = clause(
        "She said that the dog barked.",
        {"Verb": "said", "Agent": "She", "Theme": "that the dog barked"},
        {"Verb": "barked", "Agent": "the dog"},
    )
    assert told(graph.frames()) == [
        ({"Verb": "said", "Agent": "She", "Theme": "that the dog barked"}, None, ""),
        ({"Verb": "barked", "Agent": "the dog"}, 0, "Theme"),
    ]


SPANS = st.tuples(st.integers(0, 20), st.integers(1, 12)).map(lambda s: (s[0], s[0] + s[1]))


@given(st.lists(st.tuples(SPANS, st.lists(SPANS, max_size=3)), min_size=1, max_size=8))
def test_a_clause_stands_under_the_shortest_phrase_around_it(
    clauses: list[tuple[tuple[int, int], list[tuple[int, int]]]],
) -> None:
    nodes: list[Node] = []
    edges: list[Edge] = []
    for verb, phrases in clauses:
        hub = len(nodes)
        nodes.append(Node("x", verb))
        for number, phrase in enumerate(phrases):
            edges.append(Edge(hub, f"Role{number}", len(nodes)))
            nodes.append(Node("x", phrase))
    frames = RoleGraph(tuple(nodes), tuple(edges), 0, "x" * 32).frames()
    for place, frame in enumerate(frames[1:], start=1):
        start, end = frame.predicate.span or (0, 0)
        around = [
            (node.span[1] - node.span[0], number, role)
            for number, other in enumerate(frames)
            for role, node in other.roles.items()
            if number != place and node.span and node.span[0] <= start and end <= node.span[1]
        ]
        if frame.parent is not None:
            assert (frame.parent, frame.relation) == min(around)[1:]
        elif around:
            # The link was cut since it closed a circle: the frame stands above its holder.
            above: int | None = min(around)[1]
            while above is not None and above != place:
                above = frames[above].parent
            assert above == place


def test_a_relative_word_gives_way_to_its_noun() -> None:
    graph = clause(
        "The dog that Mary fed chased a cat.",
        {"Verb": "chased", "Agent": "The dog that Mary fed", "Patient": "a cat"},
        {"Verb": "fed", "R-Patient": "that", "Agent": "Mary"},
    )
    _, fed = graph.frames()
    assert told((fed,)) == [({"Verb": "fed", "Agent": "Mary", "Patient": "The dog"}, 0, "Agent")]
    assert fed.roles["Patient"].span == (0, 7)
    # In a role of its own beside the noun it adds nothing; and a place may be one too.
    graph = clause(
        "He lives in the house where Ann, who sings, was born.",
        {"Verb": "lives", "Agent": "He", "Location": "in the house where Ann, who sings, was born"},
        {"Verb": "sings", "Agent": "Ann", "R-Agent": "who"},
        {"Verb": "born", "Location": "where", "Patient": "Ann, who sings,"},
    )
    _, sings, born = graph.frames()
    assert told((sings, born)) == [
        ({"Verb": "sings", "Agent": "Ann"}, 2, "Patient"),
        ({"Verb": "born", "Location": "in the house", "Patient": "Ann, who sings,"}, 0, "Location"),
    ]
    # What stands first in its phrase relates to nothing before it.
    graph = clause(
        "I know what you did.",
        {"Verb": "know", "Agent": "I", "Theme": "what you did"},
        {"Verb": "did", "Patient": "what", "Agent": "you"},
    )
    assert graph.frames()[1].roles["Patient"].label == "what"


def test_negation_is_polarity() -> None:
    text = "He did not eat."
    for role, label in (("ARGM-NEG", None), ("Manner", "ARGM-NEG")):
        nodes = Node("eat", (11, 14)), Node("He", (0, 2)), Node("not", (7, 10))
        edges = Edge(0, "Agent", 1), Edge(0, role, 2, label)
        assert [f.polarity for f in RoleGraph(nodes, edges, 0, text).frames()] == [-1]
    amr = RoleGraph.from_penman(
        "(s / say-01 :ARG0 (h / he) :ARG1 (e / eat-01 :polarity - :ARG0 h))"
    )
    assert [(f.predicate.label, f.polarity, f.parent, f.relation) for f in amr.frames()] == [
        ("say-01", 1, None, ""),
        ("eat-01", -1, 0, "ARG1"),
    ]


def test_roles_by_another_inventory() -> None:
    nodes = Node("eat"), Node("he"), Node("fish"), Node("today")
    edges = (
        Edge(0, "Agent", 1, "ARG0"),
        Edge(0, "Patient", 2, "C-ARG1+ARG1"),
        Edge(0, "Time", 3, "ARGM-TMP"),
    )
    graph = RoleGraph(nodes, edges, 0)
    assert list(graph.roles()) == ["Verb", "Agent", "Patient", "Time"]
    assert graph.roles(VERBNET) == graph.roles()
    assert list(graph.roles(PROPBANK)) == ["Verb", "ARG0", "ARG1", "ARGM-TMP"]


@given(graphs())
def test_any_graph_has_frames_without_circles(graph: RoleGraph) -> None:
    frames = graph.frames()
    assert bool(frames) == bool(graph.nodes)
    for frame in frames:
        assert frame.polarity in (-1, 1)
        above, steps = frame.parent, 0
        while above is not None:
            above, steps = frames[above].parent, steps + 1
            assert steps <= len(frames)
    if frames:
        assert frames[0].parent is None
        assert frames[0].phrases() == graph.roles()


def test_another_reading_stands_last_beside_the_frame_that_it_tells_otherwise() -> None:
    text = "She said Ann bought a car."
    spans = [(4, 8), (0, 3), (9, 25), (13, 19), (9, 12), (20, 25)]
    nodes = [Node(text[start:end], (start, end)) for start, end in spans]
    nodes.append(Node("bought", (13, 19), "sell.01", features=(("lemma", "sell"),)))
    edges = [Edge(0, "Agent", 1), Edge(0, "Theme", 2), Edge(3, "Agent", 4), Edge(3, "Patient", 5)]
    edges += [Edge(3, "reading", 6), Edge(6, "Patient", 4), Edge(6, "Theme", 5)]
    frames = RoleGraph(tuple(nodes), tuple(edges), 0, text).frames()
    assert [frame.reading_of for frame in frames] == [None, None, 1]
    assert told(frames)[1:] == [
        ({"Verb": "bought", "Agent": "Ann", "Patient": "a car"}, 0, "Theme"),
        ({"Verb": "bought", "Patient": "Ann", "Theme": "a car"}, 0, "Theme"),
    ]


def test_the_feature_of_a_predicate_decides_its_polarity() -> None:
    verb = Node("forgot", (3, 9), features=(("polarity", "-"),))
    assert RoleGraph.star("He forgot.", {"Verb": verb}).frames()[0].polarity == -1
