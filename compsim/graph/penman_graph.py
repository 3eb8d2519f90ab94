"""From relations and comments to what a role graph is made of.

Nodes stand in the order of first mention, inverse relations are turned forward, constants are nodes
without a variable. The ``::compsim`` comment, a JSON object, gives back what the notation has no
place for: ``status``, ``reason``, ``parser`` and ``text``; ``spans``, ``parts``, ``senses`` and
``features`` by node; ``propbank`` and ``confidence`` by edge; the order of ``nodes`` and ``edges``;
which nodes are ``unnamed``; and ``forest``, that the top only holds the stars together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from compsim.errors import DataError
from compsim.graph.json_format import confidence_of, features_of, span_of, string_of
from compsim.graph.nodes import FORWARD_OF_ROLES, Edge, Node, Status
from compsim.graph.penman_syntax import Relations, unquoted

__all__ = ["GraphFields", "fields", "sentence"]

#: What a RoleGraph is made of, in the order of its fields.
GraphFields = tuple[tuple[Node, ...], tuple[Edge, ...], int | None, str, Status, str, str]


def fields(relations: Relations, comments: Mapping[str, str]) -> GraphFields:
    """Return what a RoleGraph is made of; raises DataError if the comment does not fit the graph.

    ``comments`` maps the keys of the comments above the graph to their values.
    """
    if "compsim" not in comments:
        nodes, edges = _nodes_and_edges(relations)
        root = 0 if nodes else None
        return tuple(nodes), tuple(edges), root, sentence(comments), Status.OK, "", ""
    try:
        extras = json.loads(comments["compsim"])
        if extras.get("forest") is True:
            relations = _stars(relations)
        nodes, edges = _nodes_and_edges(relations)
        order = _permutation(extras.get("nodes"), len(nodes))
        return (
            _restored_nodes(nodes, order, extras),
            _restored_edges(edges, order, extras),
            order[0] if nodes else None,  # of a forest, the main star stands first
            string_of(extras.get("text", sentence(comments))),
            Status(extras.get("status", Status.OK)),
            string_of(extras.get("reason", "")),
            string_of(extras.get("parser", "")),
        )
    except (AttributeError, IndexError, RecursionError, TypeError, ValueError) as error:
        raise DataError(
            f"the ::compsim comment does not fit the graph ({error}): mend or drop it"
        ) from error


def sentence(comments: Mapping[str, str]) -> str:
    """Return the sentence; some corpora number it, ``::snt-17``."""
    for key, value in comments.items():
        if key == "snt" or key.startswith("snt-"):
            return value
    return ""


def _stars(relations: Relations) -> Relations:
    """The relations of a forest without its top: what this leads to are tops themselves."""
    top = relations.triples[0][0]
    stars: list[tuple[str, str, str | None]] = []
    for source, role, target in relations.triples[1:]:
        if source != top:
            stars.append((source, role, target))
        elif target is not None and target != top and target in relations.concepts:
            stars.append((target, "/", None))
    return relations._replace(triples=stars)


def _nodes_and_edges(relations: Relations) -> tuple[list[Node], list[Edge]]:
    """Nodes in order of first mention, edges turned forward."""
    triples, concepts, _ = relations
    place: dict[str, int] = {}
    nodes: list[Node] = []
    edges: list[Edge] = []
    for source, role, target in triples:
        if role == "/":
            if source not in place:
                place[source] = len(nodes)
                nodes.append(_node(concepts[source], source))
            continue
        start = place[source]
        if target in concepts:
            end = place.setdefault(target, len(nodes))
            if end == len(nodes):
                nodes.append(_node(concepts[target], target))
        else:
            end = len(nodes)
            nodes.append(_node(target, None))
        name, inverse = _direction(role)
        edges.append(_edge(end, name, start) if inverse else _edge(start, name, end))
    return nodes, edges


# The graphs of a corpus are made of the same nodes and edges over and over, and share them.
_edge = lru_cache(maxsize=1 << 16)(Edge)


@lru_cache(maxsize=1 << 16)
def _node(label: str | None, variable: str | None) -> Node:
    return Node(unquoted(label), variable=variable)


@lru_cache(maxsize=1 << 12)
def _direction(role: str) -> tuple[str, bool]:
    """The name of a role as it is written, and whether it is inverse."""
    inverse = role.endswith("-of") and role[1:] not in FORWARD_OF_ROLES
    return role[1:-3] if inverse else role[1:], inverse


def _restored_nodes(
    nodes: list[Node], order: list[int], extras: Mapping[str, Any]
) -> tuple[Node, ...]:
    size = len(nodes)
    unnamed = extras.get("unnamed", [])
    hidden = set(range(size)) if unnamed == "all" else set(unnamed)
    keys = ("spans", "parts", "senses", "features")
    spans, parts, senses, features = (_column(extras, key, size) for key in keys)
    restored = list(nodes)
    for node, index in zip(nodes, order, strict=True):
        restored[index] = Node(
            node.label,
            None if spans[index] is None else span_of(spans[index]),
            None if senses[index] is None else string_of(senses[index]),
            None if index in hidden else node.variable,
            tuple(span_of(part) for part in parts[index] or ()),
            features_of(features[index]),
        )
    return tuple(restored)


def _restored_edges(
    edges: list[Edge], node_order: list[int], extras: Mapping[str, Any]
) -> tuple[Edge, ...]:
    propbank, confidence = (_column(extras, key, len(edges)) for key in ("propbank", "confidence"))
    restored = list(edges)
    for edge, index in zip(edges, _permutation(extras.get("edges"), len(edges)), strict=True):
        label = None if propbank[index] is None else string_of(propbank[index])
        source, target = node_order[edge.source], node_order[edge.target]
        sure = confidence_of(confidence[index])
        restored[index] = Edge(source, edge.role, target, label, sure)
    return tuple(restored)


def _column(extras: Mapping[str, Any], key: str, size: int) -> list[Any]:
    column = extras.get(key)
    if column is None:
        return [None] * size
    if not isinstance(column, list) or len(column) != size:
        raise ValueError(f"{key} must list {size} entries")
    return column


def _permutation(order: Any, size: int) -> list[int]:
    if order is None:
        return list(range(size))
    if not isinstance(order, list) or sorted(order) != list(range(size)):
        raise ValueError(f"an order must be a permutation of {size} indices")
    return order
