"""Parts of a role score: the phrases of the two main frames, role by role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.explanation import RoleRow
from compsim.graph_method import Parts
from compsim.rolesim.batch import role_phrases

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Scheme

__all__ = ["parts"]


def parts(batch: RoleBatch, scheme: Scheme) -> Parts:
    """Return the matched roles of two sentences, a batch of two, then those that one has alone."""
    graphs = batch.graphs[0], batch.graphs[1]
    first, second = (role_phrases(graph, scheme.inventory) for graph in graphs)
    result = scheme.compare(batch.frame(0), batch.frame(1))
    names = scheme.roles
    rows = []
    mapping = []
    lines = zip(result.pairs, result.cosines, result.weights, result.contributions, strict=True)
    for (i, j), cosine, weight, added in lines:
        (x, mine), (y, other) = first[i], second[j]
        role = names[x] if x == y else f"{names[x]}~{names[y]}"
        rows.append(RoleRow(role, mine, other, cosine, weight, added))
        mapping.append((graphs[0].nodes.index(mine), graphs[1].nodes.index(other)))
    for place in result.first:
        x, mine = first[place]
        rows.append(RoleRow(names[x], mine, None, None, scheme.weights[x], 0.0))
    for place in result.second:
        y, other = second[place]
        rows.append(RoleRow(names[y], None, other, None, scheme.weights[y], 0.0))
    return Parts(rows, result.divisor, mapping=mapping)
