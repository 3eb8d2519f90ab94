"""Opening, converting and looking up word vectors."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.errors import DataError
from compsim.vectors import WordVectors
from compsim.vectors.table import read_table, write_table

WORDS = ["cat", "dog", "chase", "t_shirt", "tshirts", "run", "running", "take_off", "mouse", "mice"]
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
VOCABULARY = ["the", "Cat", "dogs", "chasing", "T-shirt", "zzyzzx", "ran.", "isn't", "mouse's"]


@pytest.fixture(scope="module")
def toy() -> WordVectors:
    return WordVectors.from_arrays(WORDS, MATRIX, name="toy")


def naive_phrase(vectors: WordVectors, text: str) -> np.ndarray:
    """The definition, one word at a time."""
    rows = [int(vectors.rows([token])[0]) for token in text.split() if _is_content(token)]
    known = [vectors.take([row])[0] for row in rows if row >= 0]
    return np.mean(known, axis=0) if known else np.zeros(vectors.dim, np.float32)


def _is_content(token: str) -> bool:
    return bool(WordVectors.content_words(token))


# Look-up


@pytest.mark.parametrize(
    ("token", "entry"),
    [
        ("cat", "cat"),
        ("Cats,", "cat"),
        ("dog's", "dog"),
        ("chasing", "chase"),
        ("running", "running"),
        ("runs", "run"),
        ("T-shirt", "t_shirt"),
        ("t-shirts", "tshirts"),
        ("take_off", "take_off"),
        ("take-off", "take_off"),
        ("zzyzzx", None),
        ("...", None),
        ("", None),
    ],
)
def test_rows(toy: WordVectors, token: str, entry: str | None) -> None:
    expected = -1 if entry is None else WORDS.index(entry)
    assert toy.rows([token]).tolist() == [expected]
    assert toy.rows([token]).tolist() == [expected]  # and from the cache


def test_a_table_in_memory(toy: WordVectors) -> None:
    assert (toy.name, toy.dim, len(toy)) == ("toy", 6, 10)
    assert "cat" in toy
    assert "cats" not in toy
    assert toy.rows([]).dtype == np.int64
    np.testing.assert_array_equal(toy.take([1, -1, 0]), [MATRIX[1], np.zeros(6), MATRIX[0]])
    assert toy.take([]).shape == (0, 6)


def test_the_fingerprint_follows_the_content(toy: WordVectors) -> None:
    same = WordVectors.from_arrays(WORDS, MATRIX, name="other")
    assert same.fingerprint == toy.fingerprint
    assert WordVectors.from_arrays(WORDS, MATRIX * 2).fingerprint != toy.fingerprint
    assert WordVectors.from_arrays(WORDS[::-1], MATRIX).fingerprint != toy.fingerprint


def test_a_phrase_is_the_mean_of_its_content_words(toy: WordVectors) -> None:
    np.testing.assert_allclose(
        toy.phrase("The cats and the dog's T-shirt"), MATRIX[[0, 1, 3]].mean(axis=0), rtol=1e-6
    )
    assert not toy.phrase("the zzyzzx").any()
    assert not toy.phrase("").any()
    assert toy.texts([]).shape == (0, 6)


@given(st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join), max_size=12))
def test_the_batch_equals_the_definition_and_one_by_one(texts: list[str]) -> None:
    vectors = WordVectors.from_arrays(WORDS, MATRIX)
    batch = vectors.texts(texts)
    assert batch.dtype == np.float32
    assert batch.shape == (len(texts), 6)
    for row, text in zip(batch, texts, strict=True):
        np.testing.assert_allclose(row, naive_phrase(vectors, text), atol=1e-6)
        np.testing.assert_array_equal(row, vectors.phrase(text))


def test_a_batch_of_many_blocks(toy: WordVectors) -> None:
    texts = ["the cats chase", "", "mouse", "zzyzzx", "dog run mice cat"] * 9000
    batch = toy.texts(texts)
    np.testing.assert_array_equal(batch, np.tile(toy.texts(texts[:5]), (9000, 1)))
    long = toy.phrase("cat dog " * 20_000)
    np.testing.assert_allclose(long, MATRIX[:2].mean(axis=0), rtol=1e-3)


@pytest.mark.parametrize(
    ("words", "matrix"),
    [
        (["a"], [[1.0], [2.0]]),
        (["a", "a"], [[1.0], [2.0]]),
        (["a"], [[np.nan]]),
        (["a"], [[np.inf]]),
        (["a\nb"], [[1.0]]),
        ([], np.zeros((0, 3))),
        (["a"], [1.0]),
    ],
)
def test_arrays_that_are_no_table(words: list[str], matrix: Any) -> None:
    with pytest.raises(DataError):
        WordVectors.from_arrays(words, matrix)


# Tables on disk


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table", WORDS, MATRIX, name="toy")
    vectors = WordVectors.open(folder)
    assert vectors.name == "toy"
    np.testing.assert_array_equal(vectors.take(vectors.rows(WORDS)), MATRIX)
    assert isinstance(read_table(folder, verify=True).matrix, np.memmap)


def test_int8_rows_are_scaled(tmp_path: Path) -> None:
    scale = np.array([0.5, 0.01], dtype=np.float32)
    rows = np.array([[-127, 100], [2, 3]], dtype=np.int8)
    vectors = WordVectors.open(
        write_table(tmp_path / "small", ["cat", "dog"], rows, name="small", scale=scale)
    )
    np.testing.assert_allclose(vectors.take([0, 1]), rows * scale)
    np.testing.assert_allclose(vectors.phrase("cat dog"), (rows * scale).mean(axis=0), rtol=1e-6)


def test_frequencies_come_back_to_one_percent(tmp_path: Path) -> None:
    shares = np.geomspace(1e-9, 0.06, len(WORDS))
    folder = write_table(tmp_path / "table", WORDS, MATRIX, name="toy", frequencies=shares)
    vectors = WordVectors.open(folder)
    for opened in (vectors, pickle.loads(pickle.dumps(vectors))):
        assert opened.frequencies is not None
        assert opened.frequencies.dtype == np.float32
        np.testing.assert_allclose(opened.frequencies, shares, rtol=0.01)
    read_table(folder, verify=True)
    plain = WordVectors.open(write_table(tmp_path / "plain", WORDS, MATRIX, name="toy"))
    assert plain.frequencies is None
    assert plain.space != vectors.space


def test_frequencies_in_memory_are_part_of_the_fingerprint(toy: WordVectors) -> None:
    shares = [0.1] * len(WORDS)
    vectors = WordVectors.from_arrays(WORDS, MATRIX, name="toy", frequencies=shares)
    assert vectors.frequencies is not None
    assert vectors.frequencies.tolist() == pytest.approx(shares)
    assert toy.frequencies is None
    assert vectors.fingerprint != toy.fingerprint


@pytest.mark.parametrize("bad", [[0.1], [0.0] * 10, [1.5] * 10, [np.nan] * 10])
def test_frequencies_that_are_no_shares_are_refused(tmp_path: Path, bad: list[float]) -> None:
    with pytest.raises(DataError, match="frequencies"):
        WordVectors.from_arrays(WORDS, MATRIX, frequencies=bad)
    with pytest.raises(DataError, match="frequencies"):
        write_table(tmp_path / "t", WORDS, MATRIX, name="t", frequencies=np.array(bad))


def test_lost_or_changed_frequencies_are_found(tmp_path: Path) -> None:
    shares = np.full(len(WORDS), 0.1)
    folder = write_table(tmp_path / "table", WORDS, MATRIX, name="toy", frequencies=shares)
    file = folder / "frequencies.npy"
    np.save(file, np.zeros(len(WORDS), dtype=np.float16))
    with pytest.raises(DataError, match="checksum"):
        read_table(folder, verify=True)
    np.save(file, np.zeros(3, dtype=np.float16))
    with pytest.raises(DataError, match="not a whole vector table"):
        read_table(folder)
    file.unlink()
    with pytest.raises(DataError, match="not a whole vector table"):
        read_table(folder)


def test_a_table_without_frequencies_of_the_first_format_is_read(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table", WORDS, MATRIX, name="toy")
    meta = json.loads((folder / "meta.json").read_text())
    del meta["frequencies"]
    (folder / "meta.json").write_text(json.dumps(meta | {"format": 1}))
    vectors = WordVectors.open(folder)
    assert vectors.frequencies is None
    np.testing.assert_array_equal(vectors.take(vectors.rows(WORDS)), MATRIX)


def test_unpickled_vectors_map_the_same_file(tmp_path: Path, toy: WordVectors) -> None:
    folder = write_table(tmp_path / "table", WORDS, MATRIX, name="toy")
    vectors = WordVectors.open(folder)
    packed = pickle.dumps(vectors)
    assert len(packed) < 1000
    for copy in (pickle.loads(packed), pickle.loads(pickle.dumps(toy))):
        np.testing.assert_array_equal(copy.phrase("cat dog"), vectors.phrase("cat dog"))


@pytest.mark.parametrize("name", ["vectors.npy", "words.txt", "meta.json"])
@pytest.mark.parametrize("harm", ["missing", "truncated", "empty"])
def test_a_damaged_table_is_refused(tmp_path: Path, name: str, harm: str) -> None:
    file = write_table(tmp_path / "table", WORDS, MATRIX, name="toy") / name
    content = file.read_bytes()
    if harm == "missing":
        file.unlink()
    else:
        file.write_bytes(content[: len(content) // 2] if harm == "truncated" else b"")
    with pytest.raises(DataError):
        WordVectors.open(tmp_path / "table")
    with pytest.raises(DataError, match=r"(delete the folder|name a vector file)"):
        read_table(tmp_path / "table")


def test_a_changed_byte_is_found_when_asked_for(tmp_path: Path) -> None:
    file = write_table(tmp_path / "table", WORDS, MATRIX, name="toy") / "vectors.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    read_table(tmp_path / "table")
    with pytest.raises(DataError, match="checksum"):
        read_table(tmp_path / "table", verify=True)


def test_a_table_of_another_version_is_refused(tmp_path: Path) -> None:
    file = write_table(tmp_path / "table", WORDS, MATRIX, name="toy") / "meta.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 99}))
    with pytest.raises(DataError, match="another version"):
        WordVectors.open(tmp_path / "table")
