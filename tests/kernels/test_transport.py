"""The earth mover's distance with masses of any size, against a linear program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.transport import earth_movers_distance

from compsim.kernels.transport import UNITS, transport, whole_units


def masses(rng: np.random.Generator, count: int, kind: str) -> np.ndarray:
    """Masses of which some may be 0, or one may be nearly all."""
    if kind == "zeros":
        values = rng.integers(0, 3, count).astype(float)
        return values if values.any() else np.ones(count)
    return rng.random(count) ** (12 if kind == "uneven" else 1) + 1e-6


@given(
    n=st.integers(1, 8),
    m=st.integers(1, 8),
    levels=st.sampled_from([1, 2, 5, 1000]),
    kind=st.sampled_from(["even", "uneven", "zeros"]),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=50)
def test_masses_of_any_size_are_moved_at_the_least_cost(
    n: int, m: int, levels: int, kind: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, levels, (n, m)) / levels
    first, second = masses(rng, n, kind), masses(rng, m, kind)
    distance, flow = transport(cost, first, second)
    assert distance == pytest.approx(earth_movers_distance(cost, first, second), abs=1e-7)
    np.testing.assert_allclose(flow.sum(axis=1), first / first.sum(), atol=1e-8)
    np.testing.assert_allclose(flow.sum(axis=0), second / second.sum(), atol=1e-8)
    assert (flow >= 0).all()
    assert (flow * cost).sum() == pytest.approx(distance, abs=1e-12)
    assert transport(cost.T, second, first)[0] == pytest.approx(distance, abs=1e-12)


def test_equal_masses_are_what_none_are() -> None:
    cost = np.random.default_rng(0).random((5, 7))
    distance, flow = transport(cost)
    given_masses, flows = transport(cost, np.full(5, 3.0), np.full(7, 0.1))
    assert given_masses == pytest.approx(distance, abs=1e-7)
    np.testing.assert_allclose(flows, flow, atol=1e-7)
    assert transport(cost, first=np.ones(5))[0] == pytest.approx(distance, abs=1e-7)
    assert transport(cost, second=np.ones(7))[0] == pytest.approx(distance, abs=1e-7)


@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=9))
def test_units_are_all_there(values: list[float]) -> None:
    units = whole_units(np.array(values))
    assert units.sum() == UNITS
    assert (units >= 0).all()
    total = sum(values)
    expected = np.array(values) / total if total > 0 else np.full(len(values), 1 / len(values))
    np.testing.assert_allclose(units / UNITS, expected, atol=1e-7)
