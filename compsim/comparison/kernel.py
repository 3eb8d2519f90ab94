"""Comparing many pairs of sentences, compiled.

>>> from compsim.comparison.batch import ConceptEncoder
>>> from compsim.parsers import load
>>> graphs = load("concepts").parse(["The dog bit the man.", "The man bit the dog."])
>>> batch = ConceptEncoder.open("builtin").encode(graphs)
>>> terms = terms_at(batch, np.array([0]), batch, np.array([1]))
>>> terms.shape, bool(terms[0, TERMS.index("roles")] > 0.5)
((1, 19), True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import isfunction
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from compsim.alignment import kernel as alignment_kernel
from compsim.alignment.scratch import make_scratch
from compsim.comparison import (
    bindings,
    conflicts,
    edges,
    exchange,
    feature_conflicts,
    fillers,
    likeness,
    pairs,
    rest,
    trace,
    wording,
)
from compsim.comparison.batch import ConceptArrays, ConceptBatch
from compsim.comparison.features import FeatureArrays
from compsim.comparison.packed import packed_cosine, packed_cosine_by_terms
from compsim.comparison.pairs import TERMS, Room, compare_ordered, precedes
from compsim.comparison.roles import RoleArrays, RoleTable
from compsim.comparison.single import Compared, compared_in, room_of
from compsim.graph import Node, RoleGraph
from compsim.kernels.compilation import compiled, let_call
from compsim.kernels.references import pass_by_reference
from compsim.kernels.threads import in_chunks
from compsim.vectors.relations import RelationArrays, Relations, bit_of, pair_relation

__all__ = ["TERMS", "compare_each", "is_loaded", "terms_at", "warm_up"]

assert alignment_kernel  # importing it lets compiled functions call ``align``
#: Pairs that are worth a thread of their own.
_ENOUGH: Final = 200

#: Counting who holds an array, of some sixty, takes longer than most steps do.
_UNCOUNTED: Final[Any] = {"_nrt": False}

for _tuple in (ConceptArrays, RelationArrays, FeatureArrays, RoleArrays, trace.Trace, Room):
    pass_by_reference(_tuple)
for _lookup in (bit_of, pair_relation):
    let_call(_lookup, **_UNCOUNTED)
for _module in (
    likeness,
    edges,
    bindings,
    trace,
    exchange,
    feature_conflicts,
    conflicts,
    fillers,
    wording,
    rest,
    pairs,
):
    for _step in list(vars(_module).values()):
        if isfunction(_step) and _step.__module__ == _module.__name__:
            let_call(_step, **_UNCOUNTED)


@overload(packed_cosine, jit_options=_UNCOUNTED)
def _compiled_cosine(x: Any, y: Any) -> Any:
    """Return what compiled code runs for ``packed_cosine``."""
    return packed_cosine_by_terms


@compiled()
def _scratch(nodes: int, edges: int) -> Any:
    return make_scratch(nodes, nodes, edges, edges)


@compiled()
def _pairs(
    a: Any, first: Any, b: Any, second: Any, start: int, stop: int, lexical: Any, roles: Any,
    room: Any, out: Any,
) -> None:  # fmt: skip
    for k in range(start, stop):
        # As ``compare`` does it, which compiled would be all of this once more.
        if precedes(b, second[k], a, first[k]):
            room.turned[0] = 1
            compare_ordered(b, second[k], a, first[k], lexical, roles, room, out[k])
        else:
            room.turned[0] = 0
            compare_ordered(a, first[k], b, second[k], lexical, roles, room, out[k])


def terms_at(
    a: ConceptBatch, first: npt.NDArray[np.int64], b: ConceptBatch, second: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the terms of row first[k] of a and row second[k] of b, float64 (k, terms).

    The room for them grows with the square of the largest graph's size: see ``clauses`` for large
    ones.
    """
    out = np.zeros((len(first), len(TERMS)))
    x, y, lexical, roles = a.arrays, b.arrays, Relations.open().arrays, RoleTable.open().arrays
    nodes, edges = (
        max(int(np.diff(one)[rows].max(initial=0)) for one, rows in ((p, first), (q, second)))
        for p, q in ((x.node, y.node), (x.edge, y.edge))
    )
    dim = x.vector.shape[1]

    def work(start: int, stop: int) -> None:
        _pairs(x, first, y, second, start, stop, lexical, roles, _room(nodes, edges, dim), out)

    if len(first):
        in_chunks(work, len(first), enough=max(1, len(first) // _ENOUGH))
    return out


def compare_each(
    x: ConceptArrays, y: ConceptArrays, rows: Sequence[tuple[int, int]]
) -> Iterator[Compared]:
    """Compare sentence i of x with j of y for each (i, j), one after the other.

    What is yielded shares its conflicts' room with the next.
    """
    lexical, roles = Relations.open().arrays, RoleTable.open().arrays
    first, second = np.array(rows, dtype=np.int64).reshape(-1, 2).T.copy()
    nodes = [np.diff(side.node)[chosen] for side, chosen in ((x, first), (y, second))]
    edges = [np.diff(side.edge)[chosen] for side, chosen in ((x, first), (y, second))]
    n, e = (int(np.maximum(*sizes).max(initial=0)) for sizes in (nodes, edges))
    room = _room(n, e, x.vector.shape[1])
    out = np.zeros((len(first), len(TERMS)))
    for k in range(len(first)):
        _pairs(x, first, y, second, k, k + 1, lexical, roles, room, out)
        yield compared_in(room, out[k], int(nodes[0][k]), int(nodes[1][k]))


def _room(nodes: int, edges: int, dim: int) -> Room:
    return room_of(nodes, edges, dim, _scratch(nodes, edges))


def is_loaded() -> bool:
    """Whether the kernel is compiled, or its machine code loaded."""
    return bool(getattr(_pairs, "signatures", ()))


def warm_up() -> None:
    """Compile the kernel, or load its machine code, ahead of the first call."""
    from compsim.comparison.batch import ConceptEncoder

    batch = ConceptEncoder.open("builtin").encode([RoleGraph((Node("cat"),), (), 0, "cat")])
    terms_at(batch, np.zeros(1, np.int64), batch, np.zeros(1, np.int64))
