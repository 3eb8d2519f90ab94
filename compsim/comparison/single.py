"""One pair of sentences compared in plain Python, which needs no compiled code.

>>> from compsim.comparison.batch import ConceptEncoder
>>> from compsim.parsers import load
>>> graphs = load("concepts").parse(["The dog bit the man.", "The man bit the dog."])
>>> batch = ConceptEncoder.open("builtin").encode(graphs)
>>> terms, *_ = compare_one(batch, 0, batch, 1)
>>> bool(terms[TERMS.index("roles")] > 0.5)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.alignment.scratch import LARGE, make_scratch
from compsim.comparison.conflicts import Trace
from compsim.comparison.pairs import TERMS, Room, compare
from compsim.comparison.roles import RoleTable
from compsim.vectors.relations import Relations

if TYPE_CHECKING:
    from compsim.comparison.batch import ConceptArrays, ConceptBatch

__all__ = ["TERMS", "compare_one", "make_room"]

#: Conflicts of a pair that are kept.
_ROOM: Final = 512


def make_room(
    a: ConceptArrays, b: ConceptArrays, scratch: Callable[[int, int], Any] | None = None
) -> Room:
    """Return room to compare any sentence of ``a`` with any one of ``b``, in either order.

    ``scratch`` makes that of the search for an alignment, of so many nodes and edges; without it
    it has lists, with which plain Python is faster.
    """
    n = max(_most(a.node), _most(b.node))
    e = max(_most(a.edge), _most(b.edge))
    cells = max(1, n * n)
    trace = Trace(
        np.zeros(_ROOM, np.int8), np.zeros(_ROOM, np.int8), np.zeros(_ROOM),
        np.zeros((_ROOM, 4), np.int32), np.zeros(1, np.int64),
    )  # fmt: skip
    found = make_scratch(n, n, e, e, True) if scratch is None else scratch(min(n, LARGE), e)
    return Room(
        np.zeros(cells), np.zeros(cells, np.int8), np.zeros(cells), np.zeros(cells),
        np.zeros(max(1, e)), np.zeros(max(1, e)), np.zeros(max(1, n), np.int32),
        np.zeros(max(1, n), np.int32), np.zeros(1, np.int8), trace, found,
    )  # fmt: skip


def _most(indptr: npt.NDArray[np.int64]) -> int:
    return int(np.diff(indptr).max(initial=0))


def compare_one(
    a: ConceptBatch, i: int, b: ConceptBatch, j: int
) -> tuple[npt.NDArray[np.float64], Room, float, float]:
    """Compare row i of a with row j of b, in plain Python.

    Returns the terms, the room with the alignment and the conflicts, the weight of the alignment
    and its upper bound.
    """
    x, y = a[i : i + 1].arrays, b[j : j + 1].arrays
    room = make_room(x, y)
    row = np.zeros(len(TERMS))
    lexical, roles = Relations.open().arrays, RoleTable.open().arrays
    weight, bound = compare(x, 0, y, 0, lexical, roles, room, row)
    return row, room, weight, bound
