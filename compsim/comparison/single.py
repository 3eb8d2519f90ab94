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

import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.alignment.scratch import make_scratch
from compsim.comparison.pairs import TERMS, Room, compare
from compsim.comparison.roles import RoleTable
from compsim.comparison.trace import Trace
from compsim.comparison.wording import CELLS
from compsim.vectors.relations import Relations

if TYPE_CHECKING:
    from compsim.comparison.batch import ConceptArrays, ConceptBatch

__all__ = [
    "TERMS", "Compared", "compare_one", "compared_in", "kernel_is_loaded", "make_room",
    "make_trace", "room_of",
]  # fmt: skip

#: Conflicts of a pair that are kept.
_ROOM: Final = 512


class Compared(NamedTuple):
    """Two texts after their comparison.

    ``terms`` float64 (terms,); ``pairs`` the aligned concepts, by their places in the first and in
    the second text, in order of the first; ``like`` how alike each pair is; ``trace`` the
    conflicts, of which the second text has the first places where ``turned`` is set; ``wording``
    the words of both texts that stand against each other, by the first and the one after the last.
    """

    terms: npt.NDArray[np.float64]
    pairs: list[tuple[int, int]]
    like: list[float]
    trace: Trace
    turned: bool
    wording: tuple[slice, slice] = (slice(0), slice(0))


def kernel_is_loaded() -> bool:
    """Whether an earlier comparison, or ``warm_up``, has loaded the compiled code.

    It is many times as fast, and takes seconds to load: longer than some pairs in plain Python.
    """
    kernel = sys.modules.get("compsim.comparison.kernel")
    return kernel is not None and bool(kernel.is_loaded())


def make_room(a: ConceptArrays, b: ConceptArrays) -> Room:
    """Return room to compare any sentence of ``a`` with any one of ``b`` in plain Python."""
    n, e = (max(_most(x), _most(y)) for x, y in ((a.node, b.node), (a.edge, b.edge)))
    return room_of(n, e, a.vector.shape[1], make_scratch(n, n, e, e, True))


def _most(indptr: npt.NDArray[np.int64]) -> int:
    return int(np.diff(indptr).max(initial=0))


def room_of(nodes: int, edges: int, dim: int, scratch: Any) -> Room:
    """Return room for sentences of so many concepts and edges, in either order.

    ``dim`` is that of the word vectors, ``scratch`` that of the search for an alignment: lists,
    with which plain Python is faster, or arrays.
    """
    n, e, cells = max(1, nodes), max(1, edges), max(1, nodes * nodes)
    return Room(
        np.zeros(cells), np.zeros(cells, np.int8), np.zeros(cells), np.zeros(cells),
        np.zeros(e), np.zeros(e), np.zeros(n, np.int32), np.zeros(n, np.int32),
        np.zeros(1, np.int8), np.zeros(CELLS, np.int16), np.zeros(4, np.int32),
        np.zeros((2, dim)), make_trace(),
        scratch,
    )  # fmt: skip


def make_trace() -> Trace:
    """Return room for the conflicts of a pair."""
    return Trace(
        np.zeros(_ROOM, np.int8), np.zeros(_ROOM, np.int8), np.zeros(_ROOM),
        np.zeros((_ROOM, 4), np.int32), np.zeros(1, np.int64),
    )  # fmt: skip


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


def compared_in(room: Room, row: npt.NDArray[np.float64], n: int, m: int) -> Compared:
    """Return what a comparison of n with m concepts has left in its room, and its terms."""
    turned = bool(room.turned[0])
    partner = (room.inverse if turned else room.mapping)[:n]
    first = np.flatnonzero(partner >= 0)
    second = partner[first].astype(np.int64)
    like = room.like[second * n + first if turned else first * m + second]
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    place = room.place.tolist()
    wording = slice(*place[:2]), slice(*place[2:])
    if turned:
        wording = wording[::-1]
    return Compared(row, pairs, like.tolist(), room.trace, turned, wording)
