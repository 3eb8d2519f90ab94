from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_recurrent import save_object_rows

from compsim.storage.pickled import load_object_rows, load_plain

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some) | st.tuples(some),
    max_leaves=8,
)


@given(value=plain, protocol=st.integers(0, 5))
def test_plain_data_comes_out_as_it_went_in(value: Any, protocol: int) -> None:
    assert load_plain(io.BytesIO(pickle.dumps(value, protocol))) == value


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["<f4", ">f8", "<i8", "|u1", "|b1"])
def test_arrays_are_those_of_numpy(protocol: int, kind: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(kind)
    for one in (array, np.asfortranarray(array), array[:0], np.array(7).astype(kind)):
        read = load_plain(io.BytesIO(pickle.dumps([one], protocol)))[0]
        np.testing.assert_array_equal(read, one)
        assert read.dtype == one.dtype


@pytest.mark.parametrize(
    "value", [os.getcwd, Path, np.array([None]), np.float64, {"a": np.array(["a"])}]
)
def test_what_is_neither_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"names|none of numbers|as NumPy"):
        load_plain(io.BytesIO(pickle.dumps(value, 2)))


def test_damaged_pickles_are_value_errors(tmp_path: Path) -> None:
    save_object_rows(tmp_path / "rows.npy", np.arange(6, dtype=np.float32).reshape(3, 2))
    whole = (tmp_path / "rows.npy").read_bytes()
    rows = load_object_rows(io.BytesIO(whole))
    np.testing.assert_array_equal(rows, [[0, 1], [2, 3], [4, 5]])
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[int(rng.integers(len(whole)))] ^= int(rng.integers(1, 256))
        try:
            read = load_object_rows(io.BytesIO(damaged[: int(rng.integers(len(whole) + 1))]))
        except ValueError:
            continue
        assert read.dtype == np.float32
