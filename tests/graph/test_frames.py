from __future__ import annotations

from hypothesis import strategies as st

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


SPANS = st.tuples(st.integers(0, 20), st.integers(1, 12)).map(lambda s: (s[0], s[0] + s[1]))


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
