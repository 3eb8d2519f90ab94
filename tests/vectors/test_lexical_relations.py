"""The table of lexical relations: its lookups, its file and what the shipped one knows."""

from __future__ import annotations

import json
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.relations import MIRROR, naive_relation

from compsim.comparison import kernel
from compsim.errors import DataError
from compsim.vectors.relations import (
    Kind,
    RelationArrays,
    Relations,
    lexical_key,
    pair_relation,
    write_relations,
)

WORDS = 7
KINDS = sorted(set(Kind) - {Kind.NONE, Kind.SAME})

pairs = st.dictionaries(
    st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)).filter(lambda p: p[0] < p[1]),
    st.tuples(st.sampled_from(KINDS), st.integers(1, 255)),
)


def a_table(pairs: dict[tuple[int, int], tuple[Kind, int]]) -> Relations:
    stored = sorted(pairs)
    arrays = RelationArrays.of(
        np.array([sum(i < word for i, _ in stored) for word in range(WORDS + 1)], dtype=np.int32),
        np.array([j for _, j in stored], dtype=np.int32),
        np.array([pairs[pair][0] for pair in stored], dtype=np.int8),
        np.array([pairs[pair][1] for pair in stored], dtype=np.uint8),
    )
    return Relations([f"w{i}" for i in range(WORDS)], arrays)


TINY = a_table({(0, 1): (Kind.NARROWER, 255), (2, 4): (Kind.SISTER, 128)})


@given(pairs)
def test_lookups_are_as_the_naive_form_and_mirrored(
    pairs: dict[tuple[int, int], tuple[Kind, int]],
) -> None:
    arrays = a_table(pairs).arrays
    for first in range(-1, WORDS):
        for second in range(-1, WORDS):
            code, strength = pair_relation(first, second, arrays)
            expected = naive_relation(first, second, arrays)
            assert (code, strength) == (expected[0], pytest.approx(expected[1]))
            mirrored = MIRROR.get(Kind(code), Kind(code))
            assert pair_relation(second, first, arrays) == (mirrored, strength)


assert kernel  # importing it lets kernels look pairs up


@numba.njit
def count_codes(ids: np.ndarray, arrays: RelationArrays) -> np.ndarray:
    counts = np.zeros(9, dtype=np.int64)
    for i in ids:
        for j in ids:
            counts[pair_relation(i, j, arrays)[0]] += 1
    return counts


def test_another_kernel_may_call_it() -> None:
    counts = count_codes(np.arange(-1, WORDS, dtype=np.int32), TINY.arrays)
    expected = {Kind.SAME: 7, Kind.NARROWER: 1, Kind.WIDER: 1, Kind.SISTER: 2}
    assert {Kind(k): n for k, n in enumerate(counts.tolist()) if n and k} == expected


def test_unknown_words_are_only_themselves() -> None:
    assert TINY.relation("qwx", "qwx") == (Kind.SAME, 1.0)
    assert TINY.relation("qwx", "qwy") == TINY.relation("qwx", "w0") == (Kind.NONE, 0.0)
    assert TINY.ids(["w3", "qwx", "W 3", "W3"]).tolist() == [3, -1, -1, 3]


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_relations(tmp_path, TINY, {"sources": {}})
    read = Relations.open(tmp_path)
    assert read.words == TINY.words
    assert read.version == TINY.version
    for ours, theirs in zip(read.arrays, TINY.arrays, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert Relations.open(tmp_path) is read


@pytest.mark.parametrize("damage", ["missing", "cut", "other"])
def test_a_damaged_table_is_told(tmp_path: Path, damage: str) -> None:
    write_relations(tmp_path, TINY, {})
    if damage == "missing":
        (tmp_path / "relations.npz").unlink()
    elif damage == "cut":
        content = (tmp_path / "relations.npz").read_bytes()
        (tmp_path / "relations.npz").write_bytes(content[: len(content) // 2])
    else:
        (tmp_path / "about.json").write_text(json.dumps({"version": "0"}))
    with pytest.raises(DataError, match="holds no whole table"):
        Relations.open(tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("starts", np.array([0, 1], dtype=np.int32)),
        ("others", np.array([1, WORDS], dtype=np.int32)),
        ("kinds", np.zeros(1, dtype=np.int8)),
        ("strengths", np.zeros(3, dtype=np.uint8)),
    ],
)
def test_arrays_that_a_kernel_would_leave_are_refused(field: str, value: np.ndarray) -> None:
    with pytest.raises(DataError, match="do not fit together"):
        Relations(TINY.words, TINY.arrays._replace(**{field: value}))


def test_keys() -> None:
    assert [lexical_key(word) for word in ("T-Shirt", "ice cream", "put_off", "O'Clock")] == [
        "t_shirt",
        "ice_cream",
        "put_off",
        "o'clock",
    ]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("tap", "faucet", Kind.SYNONYM),
        ("sofa", "couch", Kind.SYNONYM),
        ("decide", "decision", Kind.DERIVED),
        ("spaniel", "dog", Kind.NARROWER),
        ("bird", "sparrow", Kind.WIDER),
        ("hot", "cold", Kind.ANTONYM),
        ("black", "white", Kind.ANTONYM),
        ("red", "blue", Kind.SISTER),
        ("two", "three", Kind.SISTER),
        ("monday", "tuesday", Kind.SISTER),
        ("april", "june", Kind.SISTER),
        ("north", "east", Kind.SISTER),
        ("dog", "cat", Kind.SISTER),
        ("guitar", "violin", Kind.SISTER),
        ("bank", "branch", Kind.NONE),
        ("dog", "decide", Kind.NONE),
    ],
)
def test_the_shipped_table_knows(first: str, second: str, kind: Kind) -> None:
    relation = Relations.open().relation(first, second)
    assert relation.kind == kind
    assert (relation.strength > 0) == (kind != Kind.NONE)
