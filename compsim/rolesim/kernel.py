"""The numba kernels that turn two role batches and a scheme into scores.

All of them run one scalar function, ``_score``, over pairs of rows. They hold no lock and no thread
pool of their own: threads are plain Python threads over chunks of rows, so a kernel may be called
from many threads and after a fork, and the result is the same for any number of threads.

>>> import numpy as np
>>> x = np.eye(2, dtype=np.float32)
>>> roles = Inventory("toy", ("Verb", "Agent"))
>>> a = RoleBatch.of_arrays([0, 2], [0, 1], x, roles=roles.roles)
>>> b = RoleBatch.of_arrays([0, 2], [0, 1], x[[0, 0]], roles=roles.roles)
>>> pairwise(a, b, Scheme(roles, (3.0, 1.0)))
array([0.75])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from compsim.errors import InputError
from compsim.kernels.compilation import compiled
from compsim.kernels.threads import in_chunks
from compsim.roles import Inventory
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme import Scheme, divisor, match

__all__ = ["matrix", "one_to_many", "pairwise", "warm_up"]

#: Rows of the second batch that stay in the cache while rows of the first pass over them.
_TILE: Final = 32

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 8192


# Only the flags that let a sum be split into vector lanes: NaN and infinity keep their meaning.
@compiled(fastmath={"reassoc", "contract", "nsz"})
def _cosine(a: Any, i: int, b: Any, j: int) -> float:
    """Cosine of row i of a and row j of b, unit-length float32 (rows, dim), clipped to [-1, 1]."""
    total = np.float32(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[j, k]
    return min(1.0, max(-1.0, float(total)))


# The steps become one with the loop: calls, and counting who holds an array, take time otherwise.
for step in (match, divisor):
    register_jitable(forceinline=True, _nrt=False)(step)


@register_jitable(forceinline=True, _nrt=False)
def _score(
    a: Any, f: int, b: Any, g: int, scheme: Any, first: Any, second: Any, role: Any
) -> float:
    """Score of frame f of a against frame g of b; ``first``, ``second``, ``role`` are room to work.

    ``a`` and ``b`` are ``RoleBatch.arrays``, ``scheme`` is ``Scheme.arrays``.
    """
    _, a_phrase, a_role, a_vector = a
    _, b_phrase, b_role, b_vector = b
    weight, align, code, fixed = scheme
    p, p_stop, q, q_stop = a_phrase[f], a_phrase[f + 1], b_phrase[g], b_phrase[g + 1]
    pairs, left = match(a_role, p, p_stop, b_role, q, q_stop, align, first, second, role)
    total = 0.0
    matched = 0.0
    alone = 0.0
    for k in range(pairs):
        w = weight[role[k]]
        total += w * _cosine(a_vector, first[k], b_vector, second[k])
        matched += w
    size = p_stop - p + q_stop - q
    for k in range(size, size + left):
        if role[k] >= 0:
            alone += weight[role[k]]
    n = divisor(code, fixed, matched, alone)
    return total / n if n > 0.0 else 0.0


@compiled()
def _pairwise(a: Any, b: Any, scheme: Any, room: int, start: int, stop: int, out: Any) -> None:
    """Main frame of row i of a against that of row i of b for i in start..stop, into out (n,).

    ``room`` is twice the number of phrases that two frames may have.
    """
    a_frame, b_frame = a[0], b[0]
    places = np.empty((3, room), dtype=np.int64)
    first, second, role = places[0], places[1], places[2]
    for i in range(start, stop):
        f, g = a_frame[i], b_frame[i]
        if f < a_frame[i + 1] and g < b_frame[i + 1]:
            out[i] = _score(a, f, b, g, scheme, first, second, role)


@compiled()
def _matrix(a: Any, b: Any, scheme: Any, room: int, start: int, stop: int, out: Any) -> None:
    """Main frames of all rows of a against those of rows start..stop of b, into out (n, m)."""
    a_frame, b_frame = a[0], b[0]
    places = np.empty((3, room), dtype=np.int64)
    first, second, role = places[0], places[1], places[2]
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        for i in range(len(a_frame) - 1):
            f = a_frame[i]
            if f == a_frame[i + 1]:
                continue
            for j in range(tile, tile_stop):
                g = b_frame[j]
                if g < b_frame[j + 1]:
                    out[i, j] = _score(a, f, b, g, scheme, first, second, role)


def pairwise(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Scores of row i of a against row i of b: float64 (n,).

    Raises ``InputError`` for batches of unequal length, roles or vector size.
    """
    a.check_with(b, scheme)
    if len(a) != len(b):
        raise InputError(
            f"pairwise similarity got {len(a)} and {len(b)} sentences: give as many of each"
        )
    out = np.zeros(len(a), dtype=np.float64)
    _run(_pairwise, a, b, scheme, out, len(a), 1, threads)
    return out


def matrix(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float32]:
    """Scores of every row of a against every row of b: float32 (n, m).

    Raises ``InputError`` for batches of unequal roles or vector size.
    """
    a.check_with(b, scheme)
    if len(a) > len(b):  # a pair scores the same in both orders; the longer side is split up
        return np.ascontiguousarray(matrix(b, a, scheme, threads).T)
    out = np.zeros((len(a), len(b)), dtype=np.float32)
    _run(_matrix, a, b, scheme, out, len(b), len(a), threads)
    return out


def one_to_many(
    query: RoleBatch, documents: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float32]:
    """Scores of one sentence against every document: float32 (m,)."""
    if len(query) != 1:
        raise InputError(f"one_to_many got {len(query)} queries: give one, or use matrix")
    row: npt.NDArray[np.float32] = matrix(query, documents, scheme, threads).reshape(-1)
    return row


def warm_up() -> None:
    """Compile the kernels, or load their machine code, ahead of the first call."""
    batch = RoleBatch.of_arrays([0, 1], [0], np.ones((1, 1), dtype=np.float32), roles=("Verb",))
    scheme = Scheme(Inventory("warm-up", ("Verb",)), (1.0,))
    pairwise(batch, batch, scheme, threads=1)
    matrix(batch, batch, scheme, threads=1)


def _run(
    kernel: Callable[..., None],
    a: RoleBatch,
    b: RoleBatch,
    scheme: Scheme,
    out: npt.NDArray[Any],
    count: int,
    pairs_per_row: int,
    threads: int | None,
) -> None:
    """Run a kernel over 0..count, in several threads where there is enough to do."""
    arguments = a.arrays, b.arrays, scheme.arrays, 2 * (a.widest + b.widest)
    in_chunks(
        lambda start, stop: kernel(*arguments, start, stop, out),
        count,
        enough=count * pairs_per_row // _PAIRS_PER_THREAD,
        tile=_TILE,
        threads=threads,
    )
