"""Comparing many pairs of sentences, compiled.

>>> from compsim.comparison.batch import ConceptEncoder
>>> from compsim.parsers import load
>>> graphs = load("concepts").parse(["The dog bit the man.", "The man bit the dog."])
>>> batch = ConceptEncoder.open("builtin").encode(graphs)
>>> terms = pair_terms(batch[:1], batch[1:])
>>> terms.shape, bool(terms[0, TERMS.index("roles")] > 0.5)
((1, 13), True)
"""

from __future__ import annotations

from inspect import isfunction
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from compsim.alignment import kernel as alignment_kernel
from compsim.alignment.scratch import LARGE, make_scratch
from compsim.comparison import conflicts, fillers, likeness, pairs
from compsim.comparison.batch import ConceptArrays, ConceptBatch
from compsim.comparison.conflicts import Trace
from compsim.comparison.pairs import TERMS, Room, compare
from compsim.comparison.roles import RoleTable
from compsim.graph import Node, RoleGraph
from compsim.kernels.compilation import compiled
from compsim.kernels.threads import in_chunks
from compsim.vectors.relations import Relations

__all__ = ["TERMS", "compare_one", "make_room", "pair_terms", "row_terms", "warm_up"]

assert alignment_kernel  # importing it lets compiled functions call ``align``
#: Conflicts of a pair that are kept.
_ROOM: Final = 512
#: Pairs that are worth a thread of their own.
_ENOUGH: Final = 200

for _module in (likeness, conflicts, fillers, pairs):
    for _step in list(vars(_module).values()):
        if isfunction(_step) and _step.__module__ == _module.__name__:
            register_jitable(_step)


def make_room(a: ConceptArrays, b: ConceptArrays, lists: bool = False) -> Room:
    """Return room to compare any sentence of ``a`` with any one of ``b``, in either order.

    ``lists`` asks for lists in the search for an alignment, with which plain Python is faster.
    """
    n = max(_most(a.node), _most(b.node))
    e = max(_most(a.edge), _most(b.edge))
    cells = max(1, n * n)
    trace = Trace(
        np.zeros(_ROOM, np.int8), np.zeros(_ROOM, np.int8), np.zeros(_ROOM),
        np.zeros((_ROOM, 4), np.int32), np.zeros(1, np.int64),
    )  # fmt: skip
    scratch = make_scratch(n, n, e, e, True) if lists else _scratch(min(n, LARGE), e)
    return Room(
        np.zeros(cells), np.zeros(cells, np.int8), np.zeros(cells), np.zeros(cells),
        np.zeros(max(1, e)), np.zeros(max(1, e)), np.zeros(max(1, n), np.int32),
        np.zeros(max(1, n), np.int32), np.zeros(1, np.int8), trace, scratch,
    )  # fmt: skip


@compiled()
def _scratch(nodes: int, edges: int) -> Any:
    return make_scratch(nodes, nodes, edges, edges)


def _most(indptr: npt.NDArray[np.int64]) -> int:
    return int(np.diff(indptr).max(initial=0))


@compiled()
def _pairs(
    a: Any, first: Any, b: Any, second: Any, start: int, stop: int, lexical: Any, roles: Any,
    room: Any, out: Any,
) -> None:  # fmt: skip
    for k in range(start, stop):
        compare(a, first[k], b, second[k], lexical, roles, room, out[k])


def pair_terms(a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the terms of row i of a and of b, float64 (n, terms)."""
    places = np.arange(len(a), dtype=np.int64)
    return _terms(a, places, b, places)


def row_terms(a: ConceptBatch, i: int, b: ConceptBatch) -> npt.NDArray[np.float64]:
    """Return the terms of row i of a and every row of b, float64 (m, terms)."""
    return _terms(a, np.full(len(b), i), b, np.arange(len(b)))


def _terms(
    a: ConceptBatch, first: npt.NDArray[np.int64], b: ConceptBatch, second: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    out = np.zeros((len(first), len(TERMS)))
    x, y, lexical, roles = a.arrays, b.arrays, Relations.open().arrays, RoleTable.open().arrays

    def work(start: int, stop: int) -> None:
        _pairs(x, first, y, second, start, stop, lexical, roles, make_room(x, y), out)

    if len(first):
        in_chunks(work, len(first), enough=max(1, len(first) // _ENOUGH))
    return out


def compare_one(
    a: ConceptBatch, i: int, b: ConceptBatch, j: int
) -> tuple[npt.NDArray[np.float64], Room, float, float]:
    """Compare row i of a with row j of b, in plain Python.

    Returns the terms, the room with the alignment and the conflicts, the weight of the alignment
    and its upper bound.
    """
    x, y = a[i : i + 1].arrays, b[j : j + 1].arrays
    room = make_room(x, y, lists=True)
    row = np.zeros(len(TERMS))
    lexical, roles = Relations.open().arrays, RoleTable.open().arrays
    weight, bound = compare(x, 0, y, 0, lexical, roles, room, row)
    return row, room, weight, bound


def warm_up() -> None:
    """Compile the kernel, or load its machine code, ahead of the first call."""
    from compsim.comparison.batch import ConceptEncoder

    batch = ConceptEncoder.open("builtin").encode([RoleGraph((Node("cat"),), (), 0, "cat")])
    pair_terms(batch, batch)
