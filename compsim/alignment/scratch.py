"""The arrays that ``align`` works in: made once for the largest graphs, used for many pairs.

>>> scratch = make_scratch(3, 4, 2, 5)
>>> len(scratch.mapping), len(scratch.partner)
(3, 2)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compsim.alignment.edges import Bundles, Matching, make_bundles, make_matching
from compsim.alignment.problem import Problem
from compsim.alignment.state import SearchState, flags, floats, integers, make_workspace

__all__ = ["LARGE", "Scratch", "make_scratch"]

#: Graphs with more cells or ties than this are not searched: one assignment takes too long.
LARGE: Final = 1 << 17


class Scratch(NamedTuple):
    """The answers of ``align``, and arrays that it works in.

    Answers: ``mapping`` int32 (nodes of A), the node of B or -1; ``partner`` int32 (edges of A),
    the edge of B or -1; ``partner_turned`` uint8 (edges of A), whether it is turned round;
    ``partner_worth`` float64 (edges of A).
    """

    mapping: Any
    partner: Any
    partner_turned: Any
    partner_worth: Any
    bundles_a: Bundles
    bundles_b: Bundles
    row_best: Any
    column_best: Any
    matching: Matching
    problem: Problem
    state: SearchState
    stop: Any


def make_scratch(
    nodes_a: int, nodes_b: int, edges_a: int, edges_b: int, lists: bool = False
) -> Scratch:
    """Return arrays for graphs of at most so many nodes and edges on either side.

    Beyond ``LARGE`` nothing is searched, and no more room is needed. ``lists`` asks for lists in
    place of arrays, with which plain Python is faster.
    """
    width = max(nodes_a, nodes_b, 1)
    # Either graph may give the rows, so both have room for the larger one's edges.
    edges = max(edges_a, edges_b, 1)
    problem, state = make_workspace(
        max(1, min(nodes_a * nodes_b, LARGE)),
        max(1, min(2 * edges_a * edges_b, LARGE)),
        width,
        lists,
    )
    return Scratch(
        integers(nodes_a, lists),
        integers(edges_a, lists),
        flags(edges_a, lists),
        floats(edges_a, lists),
        make_bundles(edges, lists),
        make_bundles(edges, lists),
        floats(edges, lists),
        floats(edges, lists),
        make_matching(edges, LARGE, lists),
        problem,
        state,
        flags(1, lists),
    )
