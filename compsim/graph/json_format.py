"""Role graphs as JSON dicts: compact, exact, quick to read back.

>>> from compsim.graph import RoleGraph
>>> data = to_json(RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}))
>>> data["edges"]
[[0, 'Agent', 1]]
>>> from_json(data).roles()["Agent"].span
(0, 4)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compsim.errors import DataError
from compsim.graph import Edge, Node, RoleGraph, Status

__all__ = ["from_json", "to_json"]


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


def from_json(data: Mapping[str, Any]) -> RoleGraph:
    """Rebuild the graph that :func:`to_json` wrote; raises DataError for anything else."""
    try:
        return RoleGraph(
            tuple([_node_from_json(node) for node in data.get("nodes", ())]),
            tuple([_edge_from_json(edge) for edge in data.get("edges", ())]),
            _optional_index(data.get("root")),
            _string(data["text"]),
            Status(data["status"]),
            _string(data.get("reason", "")),
            _string(data.get("parser", "")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"has no {error}" if isinstance(error, KeyError) else str(error)
        raise DataError(
            f"this JSON is no role graph ({why}): give what RoleGraph.to_json() wrote"
        ) from error


def _node_from_json(data: Mapping[str, Any]) -> Node:
    span, sense, variable = data.get("span"), data.get("sense"), data.get("variable")
    return Node(
        _string(data["label"]),
        None if span is None else _span(span),
        None if sense is None else _string(sense),
        None if variable is None else _string(variable),
        tuple([_span(part) for part in data.get("parts", ())]),
    )


def _edge_from_json(data: list[Any]) -> Edge:
    source, role, target, *rest = data
    if len(rest) > 1 or type(source) is not int or type(target) is not int:
        raise TypeError(f"edge {data!r} is not [source, role, target, propbank]")
    propbank = rest[0] if rest else None
    return Edge(source, _string(role), target, None if propbank is None else _string(propbank))


def _span(data: Any) -> tuple[int, int]:
    start, end = data
    if type(start) is not int or type(end) is not int:
        raise TypeError(f"span {data!r} is not [start, end]")
    return start, end


def _string(data: Any) -> str:
    if type(data) is not str:
        raise TypeError(f"{data!r} is not a string")
    return data


def _optional_index(data: Any) -> int | None:
    if data is not None and type(data) is not int:
        raise TypeError(f"root {data!r} is not an index")
    return data
