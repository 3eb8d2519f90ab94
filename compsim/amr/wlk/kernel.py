"""The numba kernels of the Weisfeiler-Leman methods: refinement, distances, cosines.

Both kernels over pairs take a range of rows, so plain Python threads share the work as they do in
``compsim.rolesim.kernel``, and the result is the same for any number of threads.

>>> import numpy as np
>>> one = np.array([0, 1]), np.array([7], dtype=np.uint64), np.array([1.0])
>>> out = np.zeros(1)
>>> cosines(one, one, np.array([0]), np.array([0]), 0, 1, out)
>>> float(out[0])
1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled
from compsim.kernels.threads import in_chunks
from compsim.kernels.transport import move, workspace

__all__ = [
    "cosines",
    "embed",
    "refine_labels",
    "run",
    "wasserstein_matrix",
    "wasserstein_pairs",
]

#: Graphs of the second batch whose refined vectors are kept while those of the first pass by.
_TILE: Final = 32

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 256

_OUT: Final = 1
_IN: Final = 2


@compiled()
def _mixed(x: Any) -> Any:
    """The 64-bit finaliser of splitmix64 (Steele, Lea and Flood 2014), uint64 to uint64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled()
def refine_labels(
    indptr: Any,
    edge_indptr: Any,
    source: Any,
    target: Any,
    role: Any,
    sense: int,
    order: Any,
    out: Any,
) -> None:
    """Weisfeiler-Leman labels, uint64, of every node of every graph into out (k + 1, nodes).

    ``out[0]`` holds the labels of the nodes. A node's next label is made of its own and the sum of
    what each neighbour says, so the order of edges does not matter. ``role`` uint64 (edges),
    ``source`` and ``target`` count nodes of the graph from 0. ``sense`` has bit 1 where a node
    hears the targets of its edges and bit 2 where it hears the sources. Nodes of one label all get
    what the last of them has heard; ``order`` int32 (nodes,) lists the nodes of each graph.
    """
    for g in range(len(indptr) - 1):
        first, stop = indptr[g], indptr[g + 1]
        for step in range(1, out.shape[0]):
            for v in range(first, stop):
                out[step, v] = _mixed(out[step - 1, v])
            for e in range(edge_indptr[g], edge_indptr[g + 1]):
                s, t = first + source[e], first + target[e]
                if sense & _OUT:
                    out[step, s] += _mixed(role[e] + _mixed(out[step - 1, t] ^ np.uint64(1)))
                if sense & _IN:
                    out[step, t] += _mixed(role[e] + _mixed(out[step - 1, s] ^ np.uint64(1)))
            for v in range(first, stop):
                out[step, v] = _mixed(out[step, v] + np.uint64(step))
            for i in range(stop - 1, first - 1, -1):
                v = first + order[i]
                for j in range(i + 1, stop):
                    w = first + order[j]
                    if out[step - 1, w] == out[step - 1, v]:
                        out[step, v] = out[step, w]
                        break


@compiled()
def cosines(a: Any, b: Any, rows: Any, columns: Any, start: int, stop: int, out: Any) -> None:
    """Cosines of the unit sparse vectors rows[i] of a and columns[i] of b for start..stop.

    ``a`` and ``b``: indptr, codes uint64, sorted in each vector, and values float64.
    """
    a_indptr, a_code, a_value = a
    b_indptr, b_code, b_value = b
    for i in range(start, stop):
        p, p_stop = a_indptr[rows[i]], a_indptr[rows[i] + 1]
        q, q_stop = b_indptr[columns[i]], b_indptr[columns[i] + 1]
        total = 0.0
        while p < p_stop and q < q_stop:
            if a_code[p] < b_code[q]:
                p += 1
            elif a_code[p] > b_code[q]:
                q += 1
            else:
                total += a_value[p] * b_value[q]
                p += 1
                q += 1
        out[i] = min(1.0, total)


@compiled(fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")
def _embed(graph: Any, g: int, steps: int, sense: int, heard: Any, out: Any, at: int) -> Any:
    """The refined unit vectors of graph g into out[at:] (rows, (steps + 1) * dim); the next row.

    ``graph``: node indptr, table row of each node, edge indptr, source, target, weight, table.
    ``heard`` float32 (nodes, dim) and what is in ``out`` are written over.
    """
    indptr, row, edge_indptr, source, target, weight, table = graph
    dim = table.shape[1]
    first, n = indptr[g], indptr[g + 1] - indptr[g]
    for v in range(n):
        for d in range(dim):
            out[at + v, d] = table[row[first + v], d]
    for step in range(steps):
        old, new = step * dim, (step + 1) * dim
        heard[:n, :] = 0.0
        for v in range(n):
            count = 0
            for e in range(edge_indptr[g], edge_indptr[g + 1]):
                w = weight[e]
                if sense & _OUT and source[e] == v:
                    count += 1
                    other = at + target[e]
                    for d in range(dim):
                        heard[v, d] += w * out[other, old + d]
                if sense & _IN and target[e] == v:
                    count += 1
                    other = at + source[e]
                    for d in range(dim):
                        heard[v, d] += w * out[other, old + d]
            share = np.float32(1.0) / np.float32(max(count, 1))
            for d in range(dim):
                out[at + v, new + d] = out[at + v, old + d] + share * heard[v, d]
    for v in range(n):
        square = np.float32(0.0)
        for d in range(out.shape[1]):
            square += out[at + v, d] * out[at + v, d]
        scale = np.float32(1.0) / np.sqrt(square) if square > 0 else np.float32(0.0)
        for d in range(out.shape[1]):
            out[at + v, d] *= scale
    return at + n


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _distances(a: Any, p: int, n: int, b: Any, q: int, m: int, cost: Any) -> None:
    """Euclidean distances of the float32 rows p.. of a and q.. of b, into cost float64 (n, m)."""
    for i in range(n):
        for j in range(m):
            # Of differences, since a product of equal unit vectors is not exactly 1.
            square = np.float32(0.0)
            for d in range(a.shape[1]):
                difference = a[p + i, d] - b[q + j, d]
                square += difference * difference
            cost[i, j] = math.sqrt(square)


@compiled()
def wasserstein_pairs(
    a: Any, b: Any, steps: int, sense: int, start: int, stop: int, out: Any
) -> None:
    """Distance of graph i of a and graph i of b for i in start..stop, into out float64 (n,).

    A graph without nodes is left out. ``a`` and ``b`` are as :func:`_embed` takes them.
    """
    most = 1
    for i in range(start, stop):
        most = max(most, a[0][i + 1] - a[0][i], b[0][i + 1] - b[0][i])
    dim = a[6].shape[1]
    x = np.empty((most, (steps + 1) * dim), dtype=np.float32)
    y = np.empty((most, (steps + 1) * dim), dtype=np.float32)
    heard = np.empty((most, dim), dtype=np.float32)
    cost, flow, u, v, reach, via = workspace(most)
    for i in range(start, stop):
        n = _embed(a, i, steps, sense, heard, x, 0)
        m = _embed(b, i, steps, sense, heard, y, 0)
        if n > 0 and m > 0:
            _distances(x, 0, n, y, 0, m, cost)
            out[i] = move(cost, n, m, flow, u, v, reach, via)


@compiled()
def wasserstein_matrix(
    a: Any, b: Any, steps: int, sense: int, start: int, stop: int, out: Any
) -> None:
    """Distances of all graphs of a and graphs start..stop of b, into out float32 (n, m)."""
    most = 1
    for i in range(len(a[0]) - 1):
        most = max(most, a[0][i + 1] - a[0][i])
    widest = 1
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        widest = max(widest, b[0][tile_stop] - b[0][tile])
        for j in range(tile, tile_stop):
            most = max(most, b[0][j + 1] - b[0][j])
    dim = a[6].shape[1]
    x = np.empty((most, (steps + 1) * dim), dtype=np.float32)
    y = np.empty((widest, (steps + 1) * dim), dtype=np.float32)
    heard = np.empty((most, dim), dtype=np.float32)
    cost, flow, u, v, reach, via = workspace(most)
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        at = 0
        for j in range(tile, tile_stop):
            at = _embed(b, j, steps, sense, heard, y, at)
        for i in range(len(a[0]) - 1):
            n = _embed(a, i, steps, sense, heard, x, 0)
            at = 0
            for j in range(tile, tile_stop):
                m = b[0][j + 1] - b[0][j]
                if n > 0 and m > 0:
                    _distances(x, 0, n, y, at, m, cost)
                    out[i, j] = move(cost, n, m, flow, u, v, reach, via)
                at += m


def embed(graph: Any, g: int, steps: int, sense: int) -> npt.NDArray[np.float32]:
    """The refined unit vectors of graph g, float32 (nodes, (steps + 1) * dim)."""
    n, dim = int(graph[0][g + 1] - graph[0][g]), graph[6].shape[1]
    out = np.empty((n, (steps + 1) * dim), dtype=np.float32)
    _embed(graph, g, steps, sense, np.empty((n, dim), dtype=np.float32), out, 0)
    return out


def run(
    kernel: Callable[..., None], arguments: tuple[Any, ...], count: int, pairs: int, out: Any
) -> None:
    """Run a kernel over 0..count, which are so many pairs, in several threads where it pays."""
    in_chunks(
        lambda start, stop: kernel(*arguments, start, stop, out),
        count,
        enough=pairs // _PAIRS_PER_THREAD,
        tile=_TILE,
    )
