from __future__ import annotations

from compsim.graph import Edge, Node, RoleGraph
from compsim.roles import PROPBANK, VERBNET


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
