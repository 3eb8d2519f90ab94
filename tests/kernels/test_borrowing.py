"""Arrays that compiled functions use without counting references to them."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from compsim.kernels.borrowing import borrowed


class Inner(NamedTuple):
    weight: npt.NDArray[np.float64]
    place: npt.NDArray[np.int32]


class Outer(NamedTuple):
    table: npt.NDArray[np.float32]
    inner: Inner
    count: int


@numba.njit
def _sums(outer: Any) -> Any:
    used = borrowed(outer)
    used.inner.weight[0] += 1.0
    return used.table[1].sum(), used.inner.weight.sum(), used.inner.place[-1], used.count


@numba.njit
def _is_owned(array: Any) -> Any:
    return borrowed(array)[1:].sum() == array[1:].sum()


def _outer() -> Outer:
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    return Outer(table, Inner(np.ones(3), np.array([4, 5], dtype=np.int32)), 7)


def test_reads_and_writes_the_arrays_of_nested_tuples() -> None:
    outer = _outer()
    assert _sums(outer) == (12.0, 4.0, 5, 7)
    assert outer.inner.weight.tolist() == [2.0, 1.0, 1.0]


def test_takes_arrays_that_cannot_be_written_to() -> None:
    array = np.arange(4)
    array.flags.writeable = False
    assert _is_owned(array)


def test_leaves_the_counts_of_references_as_they_were() -> None:
    outer = _outer()
    _sums(outer)
    arrays = outer.table, outer.inner.weight, outer.inner.place
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(10):
        _sums(outer)
    assert [sys.getrefcount(array) for array in arrays] == before
