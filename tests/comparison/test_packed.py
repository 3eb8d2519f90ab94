from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from compsim.comparison.packed import packed, packed_cosine, packed_cosine_by_terms, unpacked
from compsim.kernels.cosine import unit_rows

components = st.floats(-1e3, 1e3, width=32)
two_rows = st.integers(1, 40).flatmap(
    lambda dim: arrays.arrays(np.float32, (2, dim), elements=components)
)
compiled_cosine = numba.njit(packed_cosine_by_terms)


@given(two_rows)
def test_cosines_are_nearly_those_of_the_vectors(rows: np.ndarray) -> None:
    x, y = packed(rows)
    expected = float(np.prod(unit_rows(rows), axis=0, dtype=np.float64).sum())
    assert packed_cosine(x, y) == packed_cosine(y, x) == compiled_cosine(x, y)
    assert packed_cosine_by_terms(x, y) == compiled_cosine(x, y)
    # Either is off by half of a step in each component at most.
    assert packed_cosine(x, y) == pytest.approx(expected, abs=1e-6 + len(x) ** 0.5 / 32767)


@given(two_rows)
def test_what_is_unpacked_has_the_direction_and_unit_length(rows: np.ndarray) -> None:
    np.testing.assert_allclose(unpacked(packed(rows)), unit_rows(rows), atol=1e-3)
    assert np.linalg.norm(unpacked(packed(rows)), axis=1) == pytest.approx(
        np.linalg.norm(unit_rows(rows), axis=1), abs=1e-6
    )


@pytest.mark.parametrize("dim", [1, 300, 4096])
def test_no_product_is_beyond_what_32_bits_hold(dim: int) -> None:
    row = packed(np.ones((1, dim), dtype=np.float32))[0]
    with np.errstate(all="raise"):
        assert packed_cosine(row, row) == pytest.approx(1.0, abs=2e-2 if dim > 300 else 1e-3)
        assert packed_cosine(row, -row) == -packed_cosine(row, row)
        assert packed_cosine_by_terms(row, row) == packed_cosine(row, row)
