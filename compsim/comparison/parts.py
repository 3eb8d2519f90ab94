"""What explains a score: the concepts that agree, and each conflict with what it cost.

The rows come from the comparison that makes the score: the similarity of the whole sentences, the
share of each aligned pair of concepts in the agreement, what concepts in the same roles add, and
what the conflicts of each type took off, the strongest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.conflicts import CAUSES
from compsim.comparison.pairs import TERMS
from compsim.comparison.roles import RoleTable
from compsim.comparison.scheme import conflict_scale
from compsim.explanation import RoleRow
from compsim.graph_method import Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compsim.comparison.batch import ConceptBatch
    from compsim.comparison.pairs import Room
    from compsim.comparison.scheme import Scheme
    from compsim.graph import Node, RoleGraph

__all__ = ["CONFLICT", "FILLERS", "parts"]

#: What the name of a row begins with where it is a conflict; behind it stands the type.
CONFLICT: Final = "conflict: "
#: The name of the row of concepts in the same roles.
FILLERS: Final = "roles"
#: The place of rows that belong to no frame.
_NOWHERE: Final = -1
_SENTENCES: Final = ("first", "second")


def parts(
    batch: ConceptBatch,
    scheme: Scheme,
    whole: float | None = None,
    kind: str = "none",
    failed: bool = False,
) -> Parts:
    """The rows of two sentences, a batch of two; ``whole`` is the similarity of the sentences."""
    first, second = batch.graphs
    texts = [first.text, second.text]
    if failed:
        return Parts(_floored([] if whole is None else [_whole(texts, whole, 1.0)]))
    from compsim.comparison.single import compare_one

    terms, room, _, _ = compare_one(batch, 0, batch, 1)
    mapping = _mapping(room, len(first.nodes))
    size = np.array([batch.sizes.mean()])
    roles, share = float(scheme.share_of_roles(terms, size)[0]), scheme.agreement[kind]
    rows: list[RoleRow] = []
    if whole is not None:
        rows.append(_whole(texts, whole, (1.0 - roles) * (1.0 - share)))
    rows += _concepts(batch, mapping, room, (1.0 - roles) * share)
    if roles > 0.0:
        alike, reason = float(terms[TERMS.index("fillers")]), "concepts in the same roles"
        rows.append(RoleRow(FILLERS, None, None, alike, roles, roles * alike, _NOWHERE, reason))
    scale = float(conflict_scale(terms[:1], size)[0])
    for number, name in enumerate(CONFLICTS):
        strength = float(terms[TERMS.index(name)])
        if strength > 0.0:
            lines = _lines(room, number, first, second)
            weight = -scheme.weight_of(name) * scale
            x, y, _ = lines[0]
            reason = "; ".join(dict.fromkeys(line for _, _, line in lines))
            rows.append(
                RoleRow(
                    CONFLICT + name, x, y, strength, weight, weight * strength, _NOWHERE, reason
                )
            )
    return Parts(_floored(rows), mapping=mapping)


def _whole(texts: Sequence[str], whole: float, share: float) -> RoleRow:
    """The row of the whole sentences, which count this share."""
    row = RoleRow.whole(texts, whole)
    return RoleRow(row.role, row.first, row.second, whole, share, share * whole, _NOWHERE)


def _floored(rows: list[RoleRow]) -> list[RoleRow]:
    """The rows with what keeps their sum from 0 to 1."""
    total = sum(row.contribution for row in rows)
    rest = min(1.0, max(0.0, total)) - total
    if abs(rest) > 1e-12:
        reason = "a score is from 0 to 1"
        rows.append(RoleRow("limit", None, None, None, 1.0, rest, _NOWHERE, reason))
    return rows


def _mapping(room: Room, nodes: int) -> list[tuple[int, int]]:
    """The aligned concepts: places in the first and in the second graph."""
    mapping = room.inverse if room.turned[0] else room.mapping
    return [(p, int(mapping[p])) for p in range(nodes) if mapping[p] >= 0]


def _concepts(
    batch: ConceptBatch, mapping: Sequence[tuple[int, int]], room: Room, share: float
) -> list[RoleRow]:
    """A row for each aligned pair of concepts, then those without a partner."""
    first, second = batch.graphs
    node = batch.parts["node"]
    weight = node.columns["weight"].astype(np.float64)
    start = int(node.indptr[1])
    mine, other = weight[:start], weight[start:]
    width = len(first.nodes) if room.turned[0] else len(second.nodes)
    rows = []
    for p, q in mapping:
        cell = q * width + p if room.turned[0] else p * width + q
        like = float(room.like[cell])
        counts = share * (mine[p] / mine.sum() + other[q] / other.sum()) / 2
        name = "concept"
        rows.append(RoleRow(name, first.nodes[p], second.nodes[q], like, counts, counts * like))
    aligned = {p for p, _ in mapping}, {q for _, q in mapping}
    for side, (graph, weights) in enumerate(((first, mine), (second, other))):
        for p, concept in enumerate(graph.nodes):
            if p not in aligned[side]:
                counts = share * float(weights[p] / weights.sum()) / 2
                mine_only = concept if side == 0 else None
                other_only = concept if side == 1 else None
                rows.append(RoleRow("concept", mine_only, other_only, None, counts, 0.0))
    return rows


def _lines(
    room: Room, kind: int, first: RoleGraph, second: RoleGraph
) -> list[tuple[Node | None, Node | None, str]]:
    """The conflicts of a type, the strongest first: a concept of each sentence and a plain line."""
    trace = room.trace
    found = []
    for k in range(int(trace.count[0])):
        if trace.kind[k] != kind:
            continue
        x, y, z, w = (int(place) for place in trace.nodes[k])
        if room.turned[0]:
            x, y, z, w = y, x, w, z
        nodes = [
            graph.nodes[place] if place >= 0 else None
            for graph, place in ((first, x), (second, y), (first, z), (second, w))
        ]
        found.append((float(trace.strength[k]), nodes, CAUSES[trace.cause[k]]))
    found.sort(key=lambda each: -each[0])
    return [(nodes[0], nodes[1], _plain(cause, nodes, first, second)) for _, nodes, cause in found]


def _plain(cause: str, nodes: Sequence[Node | None], first: RoleGraph, second: RoleGraph) -> str:
    """One plain line for a conflict."""
    x, y, z, _w = (f'"{node.label}"' if node is not None else "" for node in nodes)
    if cause == "replaced":
        return f"{x} in the first sentence, {y} in the second"
    if cause == "exchanged":
        return f"{x} and {z} changed places"
    if cause == "denied":
        assert nodes[0] is not None
        where = _SENTENCES[0 if nodes[0].feature("negated") else 1]
        return f"{x} is denied in the {where} sentence only"
    if cause == "quantified":
        told = [node.feature("quantifier") if node is not None else "" for node in nodes[:2]]
        return f"{told[0]} of {x} in the first sentence, {told[1]} of {y} in the second"
    if cause == "dated":
        return f"{x} and {y} are not at the same time"
    if cause == "limited":
        where = _SENTENCES[0 if nodes[0] is not None and nodes[0].feature("limit") else 1]
        return f"only {x} in the {where} sentence"
    if cause == "modal":
        return f"{x} is possible or necessary in one sentence only"
    relations = _relations(first, nodes[0], nodes[2]), _relations(second, nodes[1], nodes[3])
    told = [text or "not so" for text in relations]
    return f"{x} and {z}: {told[0]} in the first sentence, {told[1]} in the second"


def _relations(graph: RoleGraph, x: Node | None, y: Node | None) -> str:
    """What the edges between two nodes of a graph say, in plain words."""
    plain = RoleTable.open().plain
    found = []
    for edge in graph.edges:
        source, target = graph.nodes[edge.source], graph.nodes[edge.target]
        if (source is x and target is y) or (source is y and target is x):
            words = plain.get(edge.role, edge.role)
            found.append(f'"{source.label}" {words} "{target.label}"')
    return ", ".join(found)
