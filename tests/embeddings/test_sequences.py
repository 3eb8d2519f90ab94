"""DCT and power means of word vectors, against plain loops and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.fft import dct as scipy_dct
from toys import KNOWN, UNKNOWN, toy_vectors

from compsim.errors import InputError
from compsim.registry import load

VECTORS = toy_vectors()
texts = st.lists(st.sampled_from([*KNOWN, *UNKNOWN, "the"]), max_size=8).map(" ".join)


def words_of(text: str) -> list[np.ndarray]:
    rows = [row for row in VECTORS.rows(text.split()) if row >= 0]
    return [VECTORS.take([row])[0].astype(np.float64) for row in rows]


def naive_dct(text: str, k: int) -> np.ndarray:
    words, result = words_of(text), []
    for order in range(k + 1):
        total = np.zeros(VECTORS.dim)
        if order < len(words):
            for i, word in enumerate(words):
                total = total + word * math.cos(math.pi / len(words) * (i + 0.5) * order)
            total *= math.sqrt((1 if order == 0 else 2) / len(words))
        result.append(total)
    return np.concatenate(result)


def naive_power(text: str, powers: list[object]) -> np.ndarray:
    words, result = words_of(text), []
    for power in powers:
        row = []
        for column in zip(*words, strict=True) if words else [()] * VECTORS.dim:
            if not column:
                row.append(0.0)
            elif power in ("min", "max"):
                row.append(float(min(column) if power == "min" else max(column)))
            else:
                assert isinstance(power, int)
                mean = sum(float(value) ** power for value in column) / len(column)
                row.append(math.copysign(abs(mean) ** (1 / power), mean))
        result.append(np.array(row))
    return np.concatenate(result)


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=1, max_size=5), st.integers(0, 6))
def test_dct_is_the_formula(sentences: list[str], k: int) -> None:
    vector = load("dct", vectors=VECTORS, k=k).encode(sentences).vector
    expected = [naive_dct(text, k) for text in sentences]
    np.testing.assert_allclose(vector, expected, atol=1e-5)


def test_dct_is_that_of_scipy() -> None:
    text = " ".join(KNOWN[:5])
    words = np.array(words_of(text))
    assert len(words) > 2
    whole = scipy_dct(words, type=2, norm="ortho", axis=0)
    result = load("dct", vectors=VECTORS, k=2).encode([text]).vector[0]
    np.testing.assert_allclose(result, whole[:3].reshape(-1), atol=1e-5)


def test_order_matters_from_the_second_coefficient_on() -> None:
    pair = ["Cats chase mice."], ["mice chase cats"]
    methods = [load("dct", vectors="builtin", k=k) for k in (0, 1)]
    scores = [float(method.similarity_pairwise(*pair)[0]) for method in methods]
    assert scores[0] == pytest.approx(1, abs=1e-6)
    assert scores[1] < 0.99


@settings(max_examples=40, deadline=None)
@given(
    st.lists(texts, min_size=1, max_size=5),
    st.lists(st.sampled_from([1, 3, 5, "min", "max"]), min_size=1, max_size=4),
)
def test_power_means_are_the_formula(sentences: list[str], powers: list[object]) -> None:
    method = load("power-means", vectors=VECTORS, powers="+".join(map(str, powers)))
    expected = [naive_power(text, powers) for text in sentences]
    np.testing.assert_allclose(method.encode(sentences).vector, expected, atol=1e-5)


def test_options_are_checked() -> None:
    for k in (-1, 64, True, 1.0):
        with pytest.raises(InputError, match="is no coefficient"):
            load("dct", vectors=VECTORS, k=k)
    for powers in ("2", "mean", "1+", "0", ""):
        with pytest.raises(InputError, match="odd whole numbers"):
            load("power-means", vectors=VECTORS, powers=powers)
    assert load("power-means", vectors=VECTORS, powers=3).powers == (3,)
