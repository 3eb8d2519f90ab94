"""The PENMAN reader's slow twin: the penman package's triples turned into role graphs."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator

import penman
from penman.models.amr import model

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import FORWARD_OF_ROLES

logging.getLogger("penman").setLevel(logging.ERROR)


def read_naively(lines: str | Iterable[str]) -> Iterator[RoleGraph]:
    """Yield plain AMRs, without a comment of ours; raises penman's errors."""
    for decoded in penman.iterdecode(lines, model=model):
        yield _graph(decoded)


def _graph(decoded: penman.Graph) -> RoleGraph:
    labels = {
        source: _unquoted(target)
        for source, role, target in decoded.triples
        if role == ":instance" and source is not None
    }
    place: dict[str, int] = {}
    nodes: list[Node] = []
    edges: list[Edge] = []

    def node(variable: str) -> int:
        if variable not in place:
            place[variable] = len(nodes)
            nodes.append(Node(labels.get(variable, ""), variable=variable))
        return place[variable]

    for source, role, target in decoded.triples:
        if source is None:  # "()"
            continue
        start = node(source)
        if role == ":instance":
            continue
        if target in decoded.variables():
            end = node(target)
        else:
            end = len(nodes)
            nodes.append(Node(_unquoted(target)))
            if role.endswith("-of") and role[1:] not in FORWARD_OF_ROLES:
                # penman turns no edge from a constant
                start, role, end = end, role.removesuffix("-of"), start
        edges.append(Edge(start, role.removeprefix(":"), end))
    keys = [key for key in decoded.metadata if key == "snt" or key.startswith("snt-")]
    text = decoded.metadata[keys[0]] if keys else ""
    return RoleGraph(tuple(nodes), tuple(edges), 0 if nodes else None, text)


def _unquoted(value: str | None) -> str:
    if value is None:
        return ""
    if not (len(value) > 1 and value[0] == value[-1] == '"'):
        return value
    try:
        return str(json.loads(value, strict=False))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", value[1:-1])
