"""The kernel that looks at every sentence: the most that its cosine with a query can be.

>>> from compsim.kernels.quantization import quantized
>>> unit = np.eye(2, dtype=np.float32)
>>> scan([quantized(unit)], unit[0]).round(2).tolist()
[1.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled
from compsim.kernels.quantization import Coded, rounded_query
from compsim.kernels.ragged import read_only
from compsim.kernels.threads import in_chunks

__all__ = ["scan", "warm_up"]

#: Fewer rows than this are not worth a second thread.
_ROWS_PER_THREAD: Final = 1 << 15
#: Rows of float32 that are multiplied at a time.
_BLOCK: Final = 1 << 13


@compiled()
def _most(
    code: Any, scale: Any, error: Any, query: Any, factor: float, length: float, left: float,
    start: int, stop: int, out: Any,
) -> None:  # fmt: skip
    """Rows start..stop of code int8 (n, dim) against the query int16 (dim,), into out (n,)."""
    for i in range(start, stop):
        total = np.int32(0)
        for k in range(code.shape[1]):
            # Cut to 32 bits at each step, which is how processors multiply and add many at once.
            total = np.int32(total + np.int32(np.int32(code[i, k]) * np.int32(query[k])))
        out[i] = scale[i] * factor * total + error[i] * length + left


def scan(parts: Sequence[Coded], query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The most that each row's cosine with the query can be: float32 (rows of all parts,).

    ``query`` (dim,) is of unit length or zero. Where it is zero a row of zeros has 1, since it may
    be the same text, and another 0.
    """
    starts = np.cumsum([0, *(len(part.scale) for part in parts)])
    out = np.empty(int(starts[-1]), dtype=np.float32)
    if not query.any():
        for part, start in zip(parts, starts.tolist(), strict=False):
            out[start : start + len(part.scale)] = part.scale == 0
        return out
    asked = rounded_query(query)

    def work(start: int, stop: int) -> None:
        # The parts that have rows of this stretch.
        first = int(np.searchsorted(starts, start, side="right")) - 1
        for number in range(first, len(parts)):
            begin = int(starts[number])
            if begin >= stop:
                break
            low, high = max(start - begin, 0), min(stop, int(starts[number + 1])) - begin
            if low < high:
                _part(parts[number], query, asked, low, high, out[begin:])

    in_chunks(work, len(out), enough=len(out) // _ROWS_PER_THREAD, tile=256)
    return out


def _part(part: Coded, query: Any, asked: Any, low: int, high: int, out: Any) -> None:
    code = read_only(part.code)
    if code.dtype == np.int8:
        result = asked.scale, asked.length, asked.error
        given = code, read_only(part.scale), read_only(part.error), asked.code
        _most(*given, *result, low, high, out)
        return
    for start in range(low, high, _BLOCK):
        stop = min(start + _BLOCK, high)
        np.dot(code[start:stop], query, out=out[start:stop])
    out[low:high] += part.error[low:high]


def warm_up() -> None:
    """Compile the kernel, or load its machine code, ahead of the first search."""
    from compsim.kernels.quantization import quantized

    unit = np.eye(2, dtype=np.float32)
    scan([quantized(unit)], unit[0])
