"""Role graphs as JSON dicts: compact, exact, quick to read back.

>>> from compsim.graph import RoleGraph
>>> data = to_json(RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}))
>>> data["edges"]
[[0, 'Agent', 1]]
>>> from_json(data, RoleGraph).roles()["Agent"].span
(0, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from compsim.errors import DataError
from compsim.graph.nodes import Edge, Node, Span, Status

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["from_json", "span_of", "string_of", "to_json"]

Graph = TypeVar("Graph")


def to_json(graph: RoleGraph) -> dict[str, Any]:
    """Return ``graph`` as a dict of JSON types, leaving out what holds its default value."""
    data: dict[str, Any] = {"text": graph.text, "status": graph.status.value}
    if graph.reason:
        data["reason"] = graph.reason
    if graph.parser:
        data["parser"] = graph.parser
    if graph.root is not None:
        data["root"] = graph.root
        data["nodes"] = [_node_to_json(node) for node in graph.nodes]
    if graph.edges:
        data["edges"] = [
            [edge.source, edge.role, edge.target]
            if edge.propbank is None
            else [edge.source, edge.role, edge.target, edge.propbank]
            for edge in graph.edges
        ]
    return data


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
    return data


def from_json(data: Mapping[str, Any], make: Callable[..., Graph]) -> Graph:
    """Rebuild the graph that :func:`to_json` wrote; raises DataError for anything else.

    ``make`` takes the fields of a RoleGraph in their order.
    """
    try:
        return make(
            tuple([_node_from_json(node) for node in data.get("nodes", ())]),
            tuple([_edge_from_json(edge) for edge in data.get("edges", ())]),
            _optional_index(data.get("root")),
            string_of(data["text"]),
            Status(data["status"]),
            string_of(data.get("reason", "")),
            string_of(data.get("parser", "")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"has no {error}" if isinstance(error, KeyError) else str(error)
        raise DataError(
            f"this JSON is no role graph ({why}): give what RoleGraph.to_json() wrote"
        ) from error


def _node_from_json(data: Mapping[str, Any]) -> Node:
    span, sense, variable = data.get("span"), data.get("sense"), data.get("variable")
    return Node(
        string_of(data["label"]),
        None if span is None else span_of(span),
        None if sense is None else string_of(sense),
        None if variable is None else string_of(variable),
        tuple([span_of(part) for part in data.get("parts", ())]),
    )


def _edge_from_json(data: list[Any]) -> Edge:
    source, role, target, *rest = data
    if len(rest) > 1 or type(source) is not int or type(target) is not int:
        raise TypeError(f"edge {data!r} is not [source, role, target, propbank]")
    propbank = rest[0] if rest else None
    return Edge(source, string_of(role), target, None if propbank is None else string_of(propbank))


def span_of(data: Any) -> Span:
    """Return ``[start, end]`` as a span; raises TypeError or ValueError for anything else."""
    start, end = data
    if type(start) is not int or type(end) is not int:
        raise TypeError(f"span {data!r} is not [start, end]")
    return start, end


def string_of(data: Any) -> str:
    """Return a string as it is; raises TypeError for anything else."""
    if type(data) is not str:
        raise TypeError(f"{data!r} is not a string")
    return data


def _optional_index(data: Any) -> int | None:
    if data is not None and type(data) is not int:
        raise TypeError(f"root {data!r} is not an index")
    return data
