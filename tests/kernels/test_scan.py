"""The first look: its bounds hold, and the kernel says what its slow twin says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.corpus import most

from compsim.kernels.cosine import unit_rows
from compsim.kernels.quantization import as_it_is, quantized
from compsim.kernels.scan import scan


@given(st.integers(0, 30), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_the_kernel_says_what_its_twin_says_and_no_cosine_is_above(
    count: int, dim: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, dim)) ** 3
    vectors[rng.random(count) < 0.2] = 0
    unit = unit_rows(vectors.astype(np.float32))
    query = unit_rows(rng.normal(size=(1, dim)).astype(np.float32))[0]
    if rng.random() < 0.2:
        query[:] = 0
    cosines = unit.astype(np.float64) @ query
    cut = count // 3
    for make in (quantized, as_it_is):
        parts = [make(unit[:cut]), make(unit[cut:])]
        result = scan(parts, query)
        assert result.dtype == np.float32
        expected = [*most(parts[0], query), *most(parts[1], query)]
        np.testing.assert_allclose(result, expected, atol=1e-5)
        assert (result > cosines - 1e-6).all()
        if query.any():
            np.testing.assert_allclose(result, cosines, atol=0.05)


@pytest.mark.parametrize("make", [quantized, as_it_is])
def test_threads_and_parts_change_nothing(make: type, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    unit = unit_rows(rng.normal(size=(90_000, 8)).astype(np.float32))
    results = []
    for threads, cuts in (("1", []), ("3", [0, 1, 40_000, 40_000])):
        monkeypatch.setenv("COMPSIM_THREADS", threads)
        parts = [make(own) for own in np.split(unit, cuts)]
        results.append(scan(parts, unit[0]))
    np.testing.assert_allclose(results[0], results[1], atol=1e-6)
    assert int(results[0].argmax()) == 0


def test_the_largest_sums_fit() -> None:
    for dim in (1, 100, 384, 4096, 20_000):
        unit = np.full((1, dim), dim**-0.5, dtype=np.float32)
        assert scan([quantized(unit)], unit[0])[0] == pytest.approx(1.0, abs=1e-2)
