"""The numba kernels that turn two role batches and a scheme into scores.

All of them run one scalar function, ``_score``, over pairs of rows. They hold no lock and no thread
pool of their own: threads are plain Python threads over chunks of rows, so a kernel may be called
from many threads and after a fork, and the result is the same for any number of threads.

>>> import numpy as np
>>> from compsim.rolesim.batch import RoleBatch
>>> from compsim.rolesim.kernel import pairwise
>>> from compsim.rolesim.scheme import Scheme
>>> x = np.eye(2, dtype=np.float32)
>>> a = RoleBatch(np.array([0, 2]), np.array([0, 1]), x, roles=("Verb", "Agent"))
>>> b = RoleBatch(np.array([0, 2]), np.array([0, 1]), x[[0, 0]], roles=("Verb", "Agent"))
>>> pairwise(a, b, Scheme(("Verb", "Agent"), (3.0, 1.0)))
array([0.75])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.kernels.compilation import compiled
from compsim.kernels.threads import in_chunks

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Scheme

__all__ = ["matrix", "one_to_many", "pairwise", "warm_up"]

#: Rows of the second batch that stay in the cache while rows of the first pass over them.
_TILE: Final = 32

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 8192

_FIXED: Final = 0
_MATCHED: Final = 1
_UNION: Final = 2


# Only the flags that let a sum be split into vector lanes: NaN and infinity keep their meaning.
@compiled(fastmath={"reassoc", "contract", "nsz"})
def _cosine(a: Any, i: int, b: Any, j: int) -> float:
    """Cosine of row i of a and row j of b, unit-length float32 (rows, dim), clipped to [-1, 1]."""
    total = np.float32(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[j, k]
    return min(1.0, max(-1.0, float(total)))


@compiled()
def _find(role: Any, start: int, stop: int, wanted: int) -> int:
    """The place of a role that is known to be in role[start:stop]."""
    place = start
    while place < stop - 1 and role[place] != wanted:
        place += 1
    return place


@compiled(error_model="numpy")
def _score(
    a_role: Any,
    a_vector: Any,
    p: int,
    p_stop: int,
    b_role: Any,
    b_vector: Any,
    q: int,
    q_stop: int,
    weight: Any,
    align: Any,
    code: int,
    divisor: float,
) -> float:
    """Score of the phrases p..p_stop of a against q..q_stop of b (roles sorted, each once)."""
    p_start, q_start = p, q
    align_count = align.shape[0]
    total = 0.0
    matched = 0.0
    rest = 0.0
    a_left = 0  # left-over roles as bits, only kept where something may be aligned
    b_left = 0
    while p < p_stop or q < q_stop:
        if q == q_stop or (p < p_stop and a_role[p] < b_role[q]):
            rest += weight[a_role[p]]
            if align_count > 0:
                a_left |= 1 << int(a_role[p])
            p += 1
        elif p == p_stop or b_role[q] < a_role[p]:
            rest += weight[b_role[q]]
            if align_count > 0:
                b_left |= 1 << int(b_role[q])
            q += 1
        else:
            w = weight[a_role[p]]
            total += w * _cosine(a_vector, p, b_vector, q)
            matched += w
            p += 1
            q += 1
    if a_left != 0 and b_left != 0:
        for k in range(align_count):
            x = int(align[k, 0])
            y = int(align[k, 1])
            if (a_left >> x) & 1 and (b_left >> y) & 1:
                a_left ^= 1 << x
                b_left ^= 1 << y
                p = _find(a_role, p_start, p_stop, x)
                q = _find(b_role, q_start, q_stop, y)
            elif (a_left >> y) & 1 and (b_left >> x) & 1:
                a_left ^= 1 << y
                b_left ^= 1 << x
                p = _find(a_role, p_start, p_stop, y)
                q = _find(b_role, q_start, q_stop, x)
            else:
                continue
            total += weight[x] * _cosine(a_vector, p, b_vector, q)
            matched += weight[x]
            rest -= weight[x] + weight[y]
    if code == _FIXED:
        total_weight = divisor
    elif code == _MATCHED:
        total_weight = matched
    elif code == _UNION:
        total_weight = matched + rest
    else:
        total_weight = matched + rest / 2
    return total / total_weight if total_weight > 0.0 else 0.0


@compiled()
def _pairwise(
    a_indptr: Any,
    a_role: Any,
    a_vector: Any,
    b_indptr: Any,
    b_role: Any,
    b_vector: Any,
    weight: Any,
    align: Any,
    code: int,
    divisor: float,
    start: int,
    stop: int,
    out: Any,
) -> None:
    """Row i of a against row i of b for i in start..stop, into out (n,)."""
    for i in range(start, stop):
        out[i] = _score(
            a_role,
            a_vector,
            a_indptr[i],
            a_indptr[i + 1],
            b_role,
            b_vector,
            b_indptr[i],
            b_indptr[i + 1],
            weight,
            align,
            code,
            divisor,
        )


@compiled()
def _matrix(
    a_indptr: Any,
    a_role: Any,
    a_vector: Any,
    b_indptr: Any,
    b_role: Any,
    b_vector: Any,
    weight: Any,
    align: Any,
    code: int,
    divisor: float,
    start: int,
    stop: int,
    out: Any,
) -> None:
    """All rows of a against rows start..stop of b, into out (n, m)."""
    for tile in range(start, stop, _TILE):
        tile_stop = min(tile + _TILE, stop)
        for i in range(a_indptr.shape[0] - 1):
            for j in range(tile, tile_stop):
                out[i, j] = _score(
                    a_role,
                    a_vector,
                    a_indptr[i],
                    a_indptr[i + 1],
                    b_role,
                    b_vector,
                    b_indptr[j],
                    b_indptr[j + 1],
                    weight,
                    align,
                    code,
                    divisor,
                )


def pairwise(
    a: RoleBatch, b: RoleBatch, scheme: Scheme, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Scores of row i of a against row i of b: float64 (n,).

    Raises ``InputError`` for batches of unequal length, roles or vector size.
    """
    _check(a, b, scheme)
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
    _check(a, b, scheme)
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
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Scheme

    batch = RoleBatch(
        np.array([0, 1]), np.array([0]), np.ones((1, 1), dtype=np.float32), roles=("Verb",)
    )
    scheme = Scheme(("Verb",), (1.0,))
    pairwise(batch, batch, scheme, threads=1)
    matrix(batch, batch, scheme, threads=1)


def _check(a: RoleBatch, b: RoleBatch, scheme: Scheme) -> None:
    if a.roles != b.roles or a.roles != scheme.roles:
        raise InputError("the batches and the scheme have different roles: encode with one method")
    if a.vector.shape[1] != b.vector.shape[1]:
        raise InputError(
            f"the batches have vectors of {a.vector.shape[1]} and {b.vector.shape[1]} dimensions: "
            "encode both with the same word vectors"
        )
    if a.space != b.space:
        raise InputError(
            f"the batches were encoded with different word vectors ({a.space}, {b.space}): "
            "encode both with the same ones"
        )


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
    arguments = (*a.arrays, *b.arrays, scheme.weight, scheme.alignment, scheme.code, scheme.divisor)
    in_chunks(
        lambda start, stop: kernel(*arguments, start, stop, out),
        count,
        enough=count * pairs_per_row // _PAIRS_PER_THREAD,
        tile=_TILE,
        threads=threads,
    )
