"""Tuples passed by reference: what compiled code reads of them is what is in them."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import TypingError

from compsim.kernels.compilation import compiled, let_call
from compsim.kernels.references import pass_by_reference


class Weights(NamedTuple):
    """Weights, and what they are divided by."""

    each: Any
    total: float


class Lists(NamedTuple):
    """Rows of numbers, with weights."""

    numbers: Any
    start: Any
    weights: Weights
    out: Any


def sum_row(lists: Any, i: int) -> float:
    total = 0.0
    for k in range(lists.start[i], lists.start[i + 1]):
        total += lists.numbers[k, 0] * lists.weights.each[k]
    return total / lists.weights.total


def sum_rows(lists: Any, other: Any) -> None:
    for i in range(len(lists.start) - 1):
        x = lists if i % 2 == 0 else other
        x.out[i] = sum_row(x, i)


for one in (Weights, Lists):
    pass_by_reference(one)
let_call(sum_row, _nrt=False)
compiled_rows = compiled()(sum_rows)


def lists_of(rows: list[list[int]], total: float) -> Lists:
    numbers = np.array([(n, -n) for row in rows for n in row], dtype=np.int16).reshape(-1, 2)
    start = np.cumsum([0, *map(len, rows)])
    return Lists(numbers, start, Weights(np.arange(len(numbers)) * 0.5, total), np.zeros(len(rows)))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=5), st.floats(0.5, 4.0))
def test_compiled_code_reads_what_python_reads(rows: list[list[int]], total: float) -> None:
    turned = [[-n for n in row] for row in rows]
    expected, seen = ((lists_of(rows, total), lists_of(turned, 1.0)) for _ in range(2))
    sum_rows(*expected)
    compiled_rows(*seen)
    for one, other in zip(expected, seen, strict=True):
        np.testing.assert_array_equal(one.out, other.out)


def test_arrays_are_let_go_of() -> None:
    lists = lists_of([[1, 2], [3]], 1.0)
    before = [sys.getrefcount(array) for array in (*lists[:2], lists.weights.each, lists.out)]
    for _ in range(3):
        compiled_rows(lists, lists)
    after = [sys.getrefcount(array) for array in (*lists[:2], lists.weights.each, lists.out)]
    assert after == before


def test_other_arrays_are_another_signature() -> None:
    lists = lists_of([[1, 2], [3]], 1.0)
    wide = lists._replace(numbers=lists.numbers.astype(np.float64) + 0.25)
    compiled_rows(wide, wide)
    assert wide.out.tolist() == [1.125, 3.25]


def test_a_field_that_is_none_is_a_typing_error() -> None:
    lists = lists_of([[1]], 1.0)
    with pytest.raises(TypingError, match="nowhere"):
        compiled()(lambda x: x.nowhere)(lists)
