"""Role graphs read from the JSON dicts that ``RoleGraph.to_json`` writes.

>>> from compsim.graph import RoleGraph
>>> data = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}).to_json()
>>> data["edges"]
[[0, 'Agent', 1]]
>>> from_json(data, RoleGraph).roles()["Agent"].span
(0, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from compsim.errors import DataError
from compsim.graph.nodes import Edge, Node, Span, Status

__all__ = ["confidence_of", "features_of", "from_json", "span_of", "string_of"]

Graph = TypeVar("Graph")


def from_json(data: Mapping[str, Any], make: Callable[..., Graph]) -> Graph:
    """Rebuild the graph that ``RoleGraph.to_json`` wrote; raises DataError for anything else.

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
        features_of(data.get("features")),
    )


def _edge_from_json(data: list[Any]) -> Edge:
    source, role, target, *rest = data
    if len(rest) > 2 or type(source) is not int or type(target) is not int:
        raise TypeError(f"edge {data!r} is not [source, role, target, propbank, confidence]")
    label = rest[0] if rest else None
    propbank = None if label is None else string_of(label)
    return Edge(source, string_of(role), target, propbank, confidence_of(*rest[1:]))


def confidence_of(data: Any = None) -> float:
    """Return the confidence of an edge, 1 for None; raises TypeError or ValueError for others."""
    if data is None:
        return 1.0
    if type(data) not in (int, float):
        raise TypeError(f"confidence {data!r} is not a number")
    if not 0 < data <= 1:
        raise ValueError(f"confidence {data!r} is not above 0 and up to 1")
    return float(data)


def span_of(data: Any) -> Span:
    """Return ``[start, end]`` as a span; raises TypeError or ValueError for anything else."""
    start, end = data
    if type(start) is not int or type(end) is not int:
        raise TypeError(f"span {data!r} is not [start, end]")
    return start, end


def features_of(data: Any) -> tuple[tuple[str, str], ...]:
    """Return an object of strings as features; raises TypeError for anything else, None: none."""
    if data is None:
        return ()
    if type(data) is not dict:
        raise TypeError(f"features {data!r} are not an object of strings")
    return tuple(sorted((string_of(name), string_of(value)) for name, value in data.items()))


def string_of(data: Any) -> str:
    """Return a string as it is; raises TypeError for anything else."""
    if type(data) is not str:
        raise TypeError(f"{data!r} is not a string")
    return data


def _optional_index(data: Any) -> int | None:
    if data is not None and type(data) is not int:
        raise TypeError(f"root {data!r} is not an index")
    return data
