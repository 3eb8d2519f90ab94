"""The role graph: who did what to whom, as data.

Both families of parsers produce it.  A semantic-role parse is a star, one predicate with labelled
edges to its phrases; several predicates are several stars in one graph, and the main one is the
root.  An AMR is a full graph with variables, reentrancies and constants.

>>> graph = RoleGraph.star("The dog chased a cat.", {"Verb": "chased", "Agent": "The dog"})
>>> graph.roles()["Agent"]
Node(label='The dog', span=(0, 7), sense=None, variable=None, parts=())
>>> print(graph.to_penman())  # doctest: +SKIP
# ::snt The dog chased a cat.
# ::compsim {"spans":[[8,14],[0,7]],"unnamed":"all"}
(v0 / chased
    :Agent (v1 / "The dog"))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compsim.errors import InputError
from compsim.graph.frames import Frame, frames, main_frame
from compsim.graph.nodes import Edge, Node, Status, check_edge, check_variables
from compsim.graph.spans import locate
from compsim.roles import VERBNET

if TYPE_CHECKING:
    import networkx

    from compsim.roles import Inventory

__all__ = ["RoleGraph"]


@dataclass(frozen=True)
class RoleGraph:
    """The parse of one sentence; equal and hashed by content.

    ``root`` is the index of the main predicate, None exactly when there are no nodes.  ``reason``
    says in a few words why ``status`` is not ok.  Raises InputError for an index out of range, a
    span outside the text, a role or variable that can not be written down, or a variable used
    twice.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    root: int | None = None
    text: str = ""
    status: Status = Status.OK
    reason: str = ""
    parser: str = ""

    def __post_init__(self) -> None:
        size = len(self.nodes)
        if self.root is None:
            if size:
                raise InputError("a graph with nodes needs a root: give the main predicate's index")
        elif not 0 <= self.root < size:
            raise InputError(f"root {self.root} is not one of the {size} nodes: give an index")
        for edge in self.edges:
            check_edge(edge, size)
        variables = [node.variable for node in self.nodes if node.variable is not None]
        if variables:
            check_variables(variables)
        length = len(self.text)
        for node in self.nodes:
            for span in (node.span, *node.parts):
                if span is not None and not 0 <= span[0] <= span[1] <= length:
                    raise InputError(
                        f"span {span} of {node.label!r} lies outside the text of {length} "
                        "characters: give [start, end) character offsets"
                    )

    @classmethod
    def star(
        cls,
        text: str,
        roles: Mapping[str, str | Node],
        *,
        status: Status = Status.OK,
        reason: str = "",
        parser: str = "",
    ) -> RoleGraph:
        """Make the graph of one predicate; ``roles`` maps ``"Verb"`` and roles to their phrases.

        A phrase given as a string gets the span where it occurs in the text, if it does.  Without
        a ``"Verb"`` the root has an empty label, and :meth:`roles` leaves it out.
        """
        strings = [phrase for phrase in roles.values() if isinstance(phrase, str)]
        found = iter(locate(text, strings))
        filled = {
            role: phrase if isinstance(phrase, Node) else Node(phrase, next(found))
            for role, phrase in roles.items()
        }
        verb = filled.pop("Verb", Node(""))
        edges = tuple(Edge(0, role, index) for index, role in enumerate(filled, start=1))
        return cls((verb, *filled.values()), edges, 0, text, status, reason, parser)

    @classmethod
    def failed(cls, text: str, reason: str, parser: str = "") -> RoleGraph:
        """Make the empty graph of a sentence that could not be parsed."""
        return cls(text=text, status=Status.FAILED, reason=reason, parser=parser)

    def frames(self, inventory: Inventory | None = None) -> tuple[Frame, ...]:
        """Return each predicate with its roles and the clause it stands in, the main one first.

        ``inventory`` names the roles, else the parser does; see :mod:`compsim.graph.frames`.
        """
        return frames(self, inventory)

    def roles(self, inventory: Inventory | None = None) -> dict[str, Node]:
        """Return the main predicate under ``"Verb"`` and its phrases by role, in edge order.

        Empty for a failed parse.  Where an AMR repeats a role, the first filler is given.
        """
        main = main_frame(self, inventory)
        name = VERBNET.predicate if inventory is None else inventory.predicate
        return {} if main is None else main.phrases(name)

    def to_json(self) -> dict[str, Any]:
        """Return a compact dict of JSON types; what holds its default value is left out."""
        from compsim.graph.json_format import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RoleGraph:
        """Rebuild a graph from :meth:`to_json`; raises DataError for anything else."""
        from compsim.graph.json_format import from_json

        return from_json(data)

    def to_penman(self) -> str:
        """Write the graph in PENMAN notation; ``from_penman`` reads back an equal graph.

        What the notation has no place for (spans, PropBank labels, status) goes into one comment.
        """
        from compsim.graph.penman import to_penman

        return to_penman(self)

    @classmethod
    def from_penman(cls, text: str) -> RoleGraph:
        """Read one graph in PENMAN notation, ours or a plain AMR; raises DataError if malformed.

        Inverse edges are turned forward, string constants lose their quotes.
        """
        from compsim.graph.penman import from_penman

        return from_penman(text)

    def to_svg(self) -> str:
        """Draw the graph as SVG, on one line; a failed parse shows its reason."""
        from compsim.graph.drawing.svg import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_dot(self) -> str:
        """Write the graph in Graphviz's DOT language."""
        from compsim.graph.drawing.svg import to_dot

        return to_dot(self)

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """Return a ``networkx.MultiDiGraph`` over node indices.

        Nodes carry ``label``, ``span``, ``sense``, ``variable``, ``parts``; edges ``role`` and
        ``propbank``; the graph ``root``, ``text``, ``status``, ``reason``, ``parser``.
        """
        import networkx as nx

        graph: networkx.MultiDiGraph[int] = nx.MultiDiGraph(
            root=self.root,
            text=self.text,
            status=self.status.value,
            reason=self.reason,
            parser=self.parser,
        )
        for index, node in enumerate(self.nodes):
            graph.add_node(
                index,
                label=node.label,
                span=node.span,
                sense=node.sense,
                variable=node.variable,
                parts=node.parts,
            )
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, role=edge.role, propbank=edge.propbank)
        return graph
