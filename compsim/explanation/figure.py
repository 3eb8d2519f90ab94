"""The drawing of an explanation: both graphs, in the colours of the roles that were compared.

>>> from compsim.explanation import RoleRow
>>> from compsim.graph import Node, RoleGraph
>>> graph = RoleGraph((Node("sleep"),), (), 0, "Sleep!")
>>> row = RoleRow("Verb", Node("sleep"), Node("sleep"), 1.0, 3.0, 1.0)
>>> drawing([row], graph, graph, [(0, 0)])().startswith("<svg")
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compsim.explanation.rows import RoleRow
    from compsim.graph import Node, RoleGraph

__all__ = ["drawing"]


def drawing(
    rows: Iterable[RoleRow],
    first: RoleGraph,
    second: RoleGraph,
    mapping: Sequence[tuple[int, int]],
) -> Callable[[], str]:
    """Return a function that draws two graphs, aligned nodes in the colour of their row."""
    named: dict[tuple[Node, Node], list[str]] = {}
    for row in rows:
        if row.first and row.second and not row.conflicts:
            named.setdefault((row.first, row.second), []).append(row.role)
    results: list[str | None] = []
    for i, j in mapping:
        # Equal phrases may be paired twice, in other roles: the pairs come as the rows do.
        names = named.get((first.nodes[i], second.nodes[j]), [])
        results.append(names.pop(0) if len(names) > 1 else next(iter(names), None))
    # Rows may compare less than nodes, as triples do: then the graph's own roles decide.
    roles = [name for name in results if name is not None]
    telling = len(roles) == len(results) and len(set(roles)) > 1
    return partial(_drawn, first, second, mapping, roles if telling else ())


def _drawn(
    first: RoleGraph,
    second: RoleGraph,
    mapping: Sequence[tuple[int, int]],
    roles: Sequence[str],
) -> str:
    from compsim.graph.drawing.pairs import side_by_side  # of which a score needs nothing

    return side_by_side(first, second, mapping, roles)
