"""The numba kernels that turn two role batches and a scheme into scores.

Both run one scalar function over pairs of rows, in plain Python threads over chunks of rows, so the
result is the same for any number of threads.

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
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.kernels.compilation import compiled, let_call
from compsim.kernels.threads import in_chunks
from compsim.roles import Inventory
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme import Scheme, divisor, match

__all__ = ["matrix", "one_to_many", "pairwise", "warm_up"]

#: Rows of the second batch that stay in the cache while rows of the first pass over them.
_TILE: Final = 32
#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 8192

# The steps become one with the loop: calls, and counting who holds an array, take time otherwise.
for _rule in (match, divisor):
    let_call(_rule, forceinline=True, _nrt=False)


# Only the flags that let a sum be split into vector lanes: NaN and infinity keep their meaning.
@compiled(fastmath={"reassoc", "contract", "nsz"})
def _product(a: Any, i: int, b: Any, j: int) -> float:
    """Product of row i of a and row j of b, float32 (rows, dim)."""
    total = np.float32(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[j, k]
    return float(total)


@partial(let_call, _nrt=False)
def _score(a: Any, i: int, b: Any, j: int, scheme: Any, lines: Any) -> float:
    """Score of sentence i of a against sentence j of b; 0 where one has no phrase.

    ``a`` and ``b`` are ``RoleBatch.arrays``, ``scheme`` is ``Scheme.arrays``, ``lines`` has room
    for twice the phrases of both sentences.
    """
    weights, align, fixed, share = scheme
    first, second, role = lines[0], lines[1], lines[2]
    p, p_stop, q, q_stop = a.phrase[i], a.phrase[i + 1], b.phrase[j], b.phrase[j + 1]
    pairs, left = match(a.role, p, p_stop, b.role, q, q_stop, align, first, second, role)
    total = matched = alone = 0.0
    for k in range(pairs):
        weight = weights[role[k]]
        cosine = _product(a.vector, first[k], b.vector, second[k])
        total += weight * min(1.0, max(-1.0, cosine))
        matched += weight
    size = p_stop - p + q_stop - q
    for k in range(size, size + left):
        if role[k] >= 0:
            alone += weights[role[k]]
    n = divisor(fixed, share, matched, alone)
    return total / n if n > 0.0 else 0.0


@compiled()
def _pairwise(a: Any, b: Any, scheme: Any, lines: Any, start: int, stop: int, out: Any) -> None:
    """Row i of a against row i of b for i in start..stop, into out (n,)."""
    for i in range(start, stop):
        out[i] = _score(a, i, b, i, scheme, lines)


@compiled()
def _matrix(a: Any, b: Any, scheme: Any, lines: Any, start: int, stop: int, out: Any) -> None:
    """All rows of a against rows start..stop of b, into out (n, m)."""
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        for i in range(len(a.phrase) - 1):
            for j in range(tile, tile_stop):
                out[i, j] = _score(a, i, b, j, scheme, lines)


def pairwise(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Return the scores of row i of a against row i of b: float64 (n,).

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
    """Return the scores of every row of a against every row of b: float32 (n, m).

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
    """Return the scores of one sentence against every document: float32 (m,)."""
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
    room = 2 * (a.widest + b.widest)
    in_chunks(
        lambda start, stop: kernel(
            a.arrays, b.arrays, scheme.arrays, np.empty((3, room), np.int64), start, stop, out
        ),
        count,
        enough=count * pairs_per_row // _PAIRS_PER_THREAD,
        tile=_TILE,
        threads=threads,
    )
