"""The role graph: who did what to whom, as data.

Both families of parsers produce it.  A semantic-role parse is a star, one predicate with labelled
edges to its phrases; several predicates are several stars in one graph, and the main one is the
root.  An AMR is a full graph with variables, reentrancies and constants.

>>> graph = RoleGraph.star("The dog chased a cat.", {"Verb": "chased", "Agent": "The dog"})
>>> graph
<RoleGraph, ok: chased(Agent: The dog), 2 nodes>
>>> graph.roles()["Agent"]
Node(label='The dog', span=(0, 7), sense=None, variable=None, parts=(), features=())
>>> print(graph.to_penman())  # doctest: +SKIP
# ::snt The dog chased a cat.
# ::compsim {"spans":[[8,14],[0,7]],"unnamed":"all"}
(v0 / chased
    :Agent (v1 / "The dog"))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from compsim.errors import InputError
from compsim.graph.nodes import FORWARD_OF_ROLES, Edge, Node, Status
from compsim.graph.spans import locate
from compsim.missing import missing
from compsim.roles import VERBNET

if TYPE_CHECKING:
    import networkx

    from compsim.roles import Inventory

__all__ = ["Frame", "RoleGraph"]

# What PENMAN notation can carry as a variable; control characters and lone surrogates would not
# survive a text file, and a hash in front starts a comment.
_NAME = re.compile(r"(?!#)[^\s\"()/:~\x00-\x1f\x7f-\x9f\ud800-\udfff]+")

_WIDTH = 98  # of what repr shows


@dataclass(frozen=True)
class Frame:
    """A predicate and the phrases in its roles.

    Attributes:
        predicate: Its node, with an empty label where the parser found none.
        roles: The phrases by role.

    Examples:
        >>> graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
        >>> [node.label for node in graph.frames()[0].phrases().values()]
        ['sleep', 'Cats']
    """

    predicate: Node
    roles: Mapping[str, Node] = field(default_factory=dict)

    def phrases(self, name: str = VERBNET.predicate) -> dict[str, Node]:
        """The predicate and its phrases by role.

        Args:
            name: What the predicate is called.

        Returns:
            The predicate under that name, where it has a label, then the phrases by role.
        """
        return {name: self.predicate, **self.roles} if self.predicate.label else dict(self.roles)


@dataclass(frozen=True)
class RoleGraph:
    """The parse of one sentence; equal and hashed by content.

    Attributes:
        nodes: Predicates and phrases, or concepts and constants.
        edges: What leads from one to another.
        root: The index of the main predicate, None exactly when there are no nodes.
        text: The sentence.
        status: How the parse went.
        reason: In a few words, why ``status`` is not ok.
        parser: The name of the parser.

    Raises:
        InputError: An index or a confidence is out of range, a span lies outside the text, a role
            or a variable cannot be written down, or a variable is used twice.

    Examples:
        >>> graph = RoleGraph.star("The dog chased a cat.", {"Verb": "chased", "Agent": "The dog"})
        >>> graph
        <RoleGraph, ok: chased(Agent: The dog), 2 nodes>
        >>> graph == RoleGraph.from_json(graph.to_json())
        True
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
            if not (0 <= edge.source < size and 0 <= edge.target < size):
                raise InputError(
                    f"edge {edge.source} :{edge.role} {edge.target} points outside the {size} "
                    "nodes: give indices into nodes"
                )
            _check_role(edge.role)
            if not 0 < edge.confidence <= 1:
                raise InputError(
                    f"confidence {edge.confidence} of edge {edge.source} :{edge.role} "
                    f"{edge.target} is not above 0 and up to 1: give a share"
                )
        variables = [node.variable for node in self.nodes if node.variable is not None]
        if variables:
            _check_variables(variables)
        length = len(self.text)
        for node in self.nodes:
            if node.span is None and not node.parts:
                continue
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
        """Make the graph of one predicate.

        Args:
            text: The sentence.
            roles: ``"Verb"`` and roles, each with its phrase. A phrase given as a string gets the
                span where it occurs in the text, if it does.
            status: How the parse went.
            reason: Why it is not ok.
            parser: The name of the parser.

        Returns:
            The graph. Without a ``"Verb"`` the root has an empty label, and ``roles`` leaves it
            out.

        Raises:
            InputError: A role cannot be written down, or a span lies outside the text.
        """
        strings = [phrase for phrase in roles.values() if isinstance(phrase, str)]
        items = iter(locate(text, strings))
        filled = {
            role: phrase if isinstance(phrase, Node) else Node(phrase, next(items))
            for role, phrase in roles.items()
        }
        verb = filled.pop("Verb", Node(""))
        edges = tuple(Edge(0, role, index) for index, role in enumerate(filled, start=1))
        return cls((verb, *filled.values()), edges, 0, text, status, reason, parser)

    @classmethod
    def failed(cls, text: str, reason: str, parser: str = "") -> RoleGraph:
        """Make the empty graph of a sentence that could not be parsed.

        Args:
            text: The sentence.
            reason: Why, in a few words.
            parser: The name of the parser.

        Returns:
            The graph, without nodes.
        """
        return cls(text=text, status=Status.FAILED, reason=reason, parser=parser)

    def main_frame(self, inventory: Inventory | None = None) -> Frame | None:
        """The frame of the root.

        Args:
            inventory: The role names to use, as for ``frames``.

        Returns:
            The frame; None for a failed parse.
        """
        if self.root is None:
            return None
        return self._frame(
            self.root, [edge for edge in self.edges if edge.source == self.root], inventory
        )

    def frames(self, inventory: Inventory | None = None) -> tuple[Frame, ...]:
        """Each predicate with its roles, the main one first.

        A predicate is the root, a node with outgoing edges, a node with a sense, or one that stands
        alone. Where a role is filled twice, the first filler counts.

        Args:
            inventory: The role names to use: the role of an edge, or else the PropBank label behind
                it.
                None: roles are named as the parser names them.

        Returns:
            The frames; empty for a failed parse.
        """
        if self.root is None:
            return ()
        outgoing: dict[int, list[Edge]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        filled = {edge.target for edge in self.edges}
        heads = [self.root]
        for index, node in enumerate(self.nodes):
            is_predicate = index in outgoing or node.sense is not None or index not in filled
            if is_predicate and index != self.root:
                heads.append(index)
        return tuple(self._frame(head, outgoing.get(head, ()), inventory) for head in heads)

    def _frame(self, head: int, edges: Iterable[Edge], inventory: Inventory | None) -> Frame:
        roles: dict[str, Node] = {}
        for edge in edges:
            role = edge.role
            if inventory is not None and role not in inventory.roles:
                role = _role_name(edge, inventory)
            roles.setdefault(role, self.nodes[edge.target])
        return Frame(self.nodes[head], roles)

    def roles(self, inventory: Inventory | None = None) -> dict[str, Node]:
        """The main predicate under ``"Verb"`` and its phrases by role, in edge order.

        Args:
            inventory: The role names to use, as for ``frames``.

        Returns:
            The phrases by role; empty for a failed parse. Where an AMR repeats a role, the first
            filler is given.
        """
        main = self.main_frame(inventory)
        return {} if main is None else main.phrases((inventory or VERBNET).roles[0])

    def __repr__(self) -> str:
        """Say on one line what a reader wants first: parser, status, the main predicate's roles."""
        by = f" by {self.parser}" if self.parser else ""
        why = f" ({self.reason})" if self.reason else ""
        roles = self.roles()
        verb = roles.pop("Verb", Node("")).label
        text = ", ".join(f"{role}: {node.label}" for role, node in roles.items())
        size = f"{len(self.nodes)} node{'s' * (len(self.nodes) > 1)}"
        body = f": {verb}({text}), {size}" if self.nodes else f": {self.text!r}"
        line = " ".join(f"RoleGraph{by}, {self.status}{why}{body}".split())
        return f"<{line if len(line) <= _WIDTH else line[: _WIDTH - 3] + '...'}>"

    def to_json(self) -> dict[str, Any]:
        """The graph as JSON types.

        Returns:
            A compact dict; what holds its default value is left out.
        """
        data: dict[str, Any] = {"text": self.text, "status": self.status.value}
        if self.reason:
            data["reason"] = self.reason
        if self.parser:
            data["parser"] = self.parser
        if self.root is not None:
            data["root"] = self.root
            data["nodes"] = [_node_to_json(node) for node in self.nodes]
        if self.edges:
            data["edges"] = [_edge_to_json(edge) for edge in self.edges]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RoleGraph:
        """Rebuild a graph from ``to_json``.

        Args:
            data: What ``to_json`` gave.

        Returns:
            An equal graph.

        Raises:
            DataError: The data is anything else.
        """
        from compsim.graph.json_format import from_json

        return from_json(data, cls)

    def to_penman(self) -> str:
        """Write the graph in PENMAN notation; ``from_penman`` reads back an equal graph.

        Returns:
            The text. What the notation has no place for (spans, PropBank labels, status) goes into
            one comment.
        """
        from compsim.graph.penman_writer import to_penman

        return to_penman(self)

    @classmethod
    def from_penman(cls, text: str) -> RoleGraph:
        """Read one graph in PENMAN notation, ours or a plain AMR.

        Args:
            text: The graph. Inverse edges are turned forward, string constants lose their quotes.

        Returns:
            The graph.

        Raises:
            DataError: The text is malformed (the message has line and column), or has no graph or
                several.
        """
        from compsim.graph.penman_entries import only_graph

        return only_graph(text, cls)

    def to_svg(self) -> str:
        """Draw the graph.

        Returns:
            SVG on one line; a failed parse shows its reason.
        """
        from compsim.graph.drawing.svg import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_dot(self) -> str:
        """Write the graph in Graphviz's DOT language.

        Returns:
            The text.
        """
        from compsim.graph.drawing.svg import to_dot

        return to_dot(self)

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """The graph for NetworkX, over node indices.

        Returns:
            Nodes carry ``label``, ``span``, ``sense``, ``variable``, ``parts``; edges ``role``,
            ``propbank`` and ``confidence``; the graph ``root``, ``text``, ``status``, ``reason``
            and ``parser``.

        Raises:
            MissingExtraError: NetworkX is not installed.
        """
        try:
            import networkx as nx
        except ImportError as error:
            raise missing("networkx", "networkx", error) from error

        graph: networkx.MultiDiGraph[int] = nx.MultiDiGraph(
            root=self.root,
            text=self.text,
            status=self.status.value,
            reason=self.reason,
            parser=self.parser,
        )
        for index, node in enumerate(self.nodes):
            graph.add_node(index, **asdict(node))
        for edge in self.edges:
            about = {"propbank": edge.propbank, "confidence": edge.confidence}
            graph.add_edge(edge.source, edge.target, role=edge.role, **about)
        return graph


def _role_name(edge: Edge, inventory: Inventory) -> str:
    """The role of an edge by its PropBank label, the parser's own name where that is no role."""
    labels = (edge.propbank or "").split("+")
    return next((label for label in labels if label in inventory.roles), edge.role)


def _edge_to_json(edge: Edge) -> list[Any]:
    data: list[Any] = [edge.source, edge.role, edge.target]
    if edge.confidence != 1.0:
        return [*data, edge.propbank, edge.confidence]
    return data if edge.propbank is None else [*data, edge.propbank]


def _node_to_json(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"label": node.label}
    if node.span is not None:
        data["span"] = list(node.span)
    if node.sense is not None:
        data["sense"] = node.sense
    if node.variable is not None:
        data["variable"] = node.variable
    if node.parts:
        data["parts"] = [list(part) for part in node.parts]
    if node.features:
        data["features"] = dict(node.features)
    return data


@lru_cache(maxsize=1 << 12)
def _check_role(role: str) -> None:
    """Raise ``InputError`` for a role that cannot be written."""
    # It stands behind a colon, so that it may be empty or start with a hash.
    if role == "instance" or not _NAME.fullmatch(f"r{role}"):
        raise InputError(
            f"role {role!r} can not be written in PENMAN notation: use a name without a colon, "
            "white space, quotes, brackets, slash or tilde"
        )
    if role.endswith("-of") and role not in FORWARD_OF_ROLES:
        raise InputError(f"role {role!r} is an inverse: swap source and target and drop the '-of'")


def _check_variables(variables: list[str]) -> None:
    """Raise ``InputError`` for a variable that cannot be written, or stands for two nodes."""
    if len(set(variables)) < len(variables):
        twice = Counter(variables).most_common(1)[0][0]
        raise InputError(f"variable {twice!r} names two nodes: give each its own")
    for variable in variables:
        if not _is_name(variable):
            raise InputError(
                f"{variable!r} is not a variable: use letters and digits, without white space, "
                "quotes, brackets, colon, slash or tilde, and no hash in front"
            )


@lru_cache(maxsize=1 << 12)
def _is_name(name: str) -> bool:
    """Return whether a name can stand for a node in PENMAN notation."""
    return _NAME.fullmatch(name) is not None
