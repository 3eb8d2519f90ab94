"""The role graph, what it is made of, and the forms in which it is read and written.

>>> graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> graph.roles()["Agent"].span
(0, 4)
"""

from compsim.graph.nodes import Edge, Node, Span, Status
from compsim.graph.role_graph import Frame, RoleGraph

__all__ = ["Edge", "Frame", "Node", "RoleGraph", "Span", "Status"]
