"""Static sentence vectors: the shipped table, and tables that model2vec has saved."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import DataError, InputError, load
from compsim.embeddings.static.model2vec import read_safetensors
from compsim.embeddings.static.pieces import Place, WordPieces
from compsim.embeddings.static.table import read_static, shipped, write_static
from compsim.storage.places import weights_folder

WORDS = ["a", "cat", "##s", "chase", "m", "##ice", ".", "'"]


# --- words and pieces ----------------------------------------------------------------------------


def test_words_are_cut_from_the_left_into_the_longest_pieces() -> None:
    pieces = WordPieces(["a", "ab", "##b", "##bc", "##c"])
    rows, ends = pieces.rows(["abbc abx", "", "ABC a"])
    assert [pieces.name(row) for row in rows] == ["ab", "##bc", "ab", "##c", "a"]
    assert ends.tolist() == [0, 2, 2, 5]


def test_neighbours_that_are_a_pair_have_a_row_of_their_own() -> None:
    pieces = WordPieces(["no", "dog", "##s", "no dog", "dog ##s"])
    rows, ends = pieces.rows(["No dogs", "dog no", "dogs"])
    named = [pieces.name(row) for row in rows]
    assert named == ["no", "dog", "##s", "no dog", "dog ##s", "dog", "no", "dog", "##s", "dog ##s"]
    assert ends.tolist() == [0, 5, 7, 10]


def test_accents_and_typographic_marks_do_not_count() -> None:
    pieces = WordPieces(WORDS)
    plain, _ = pieces.rows(["A cat's mice."])
    accented, _ = pieces.rows(["\u00c1 c\u0061\u0301t\u2019s mic\u00e9."])
    assert plain.tolist() == accented.tolist() == [0, 1, 7, 4, 5, 6]


@given(st.text(alphabet="abcIMS\u00c4\u00df\u0130\ufb01e\u0301 .'\u2019\U0001f600", max_size=20))
def test_places_are_those_of_the_rows(text: str) -> None:
    tokens = [*"abcimsef", "##s", "##a", "ss", "abc", "##abc", "'", "."]
    pieces = WordPieces([*tokens, "a a", "a ##s", ". ."])
    rows, _ = pieces.rows([text])
    places = pieces.places(text)
    shares = np.bincount([p.row for p in places], [p.share for p in places], len(tokens) + 3)
    assert shares.tolist() == np.bincount(rows, minlength=len(tokens) + 3).tolist()
    single = [place for place in places if place.share == 1.0]
    assert all(0 <= start < stop <= len(text) for start, stop in (p.span for p in single))
    starts = [place.span[0] for place in single]
    assert starts == sorted(starts)


# --- the shipped table ---------------------------------------------------------------------------


def test_the_shipped_table_is_whole_and_small() -> None:
    folder = weights_folder() / "static"
    table = read_static(folder, verify=True)
    assert table.space == shipped().space
    assert table.dim == 256
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 12_000_000


def test_a_vector_is_the_mean_of_its_tokens() -> None:
    method, table = load("static"), shipped()
    text = "The unhurried zookeepers\u2019 caf\u00e9, in 2031?"
    result = method.encode([text]).unit[0]
    mean = table.parts(table.tokenizer.places(text)).sum(axis=0)
    np.testing.assert_allclose(result, mean / np.linalg.norm(mean), atol=1e-5)


def test_explanations_say_what_each_pair_of_words_adds() -> None:
    method = load("static")
    explanation = method.explain("Two cats chase mice.", "Dogs chased caf\u00e9s!")
    assert explanation.words is not None
    assert explanation.words.total == pytest.approx(explanation.score, abs=1e-5)
    assert [word.text for word in explanation.words.first] == ["Two", "cats", "chase", "mice", "."]


def test_tables_are_written_and_read(tmp_path: Path) -> None:
    vectors = np.random.default_rng(3).normal(size=(len(WORDS), 4)).astype(np.float32)
    vectors[2] = 0.0
    folder = write_static(tmp_path / "table", WORDS, vectors, {"model": "toy"})
    table = read_static(folder, verify=True)
    parts = table.parts([Place(row, (0, 1)) for row in range(len(WORDS))])
    np.testing.assert_allclose(parts, vectors, atol=0.02)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("meta.json", b"{}"),
        ("words.txt", b"a\nb\n"),
        ("vectors.npy", b"nothing"),
        ("weights.npy", None),
    ],
)
def test_damaged_tables_are_told_of(tmp_path: Path, name: str, content: bytes | None) -> None:
    vectors = np.ones((len(WORDS), 4), dtype=np.float32)
    folder = write_static(tmp_path / "table", WORDS, vectors, {})
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(DataError, match="no table of token vectors"):
        read_static(folder)


def test_a_changed_number_is_found_by_the_checksum(tmp_path: Path) -> None:
    folder = write_static(tmp_path / "table", WORDS, np.ones((len(WORDS), 4), np.float32), {})
    content = bytearray((folder / "vectors.npy").read_bytes())
    content[-1] ^= 1
    (folder / "vectors.npy").write_bytes(bytes(content))
    read_static(folder)
    with pytest.raises(DataError, match="checksum"):
        read_static(folder, verify=True)


# --- tables of model2vec -------------------------------------------------------------------------


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """The format by its description: a length, a header in JSON, the numbers."""
    kinds = {"float32": "F32", "float16": "F16", "int8": "I8", "int64": "I64", "float64": "F64"}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, tensor in tensors.items():
        offsets = [len(content), len(content) + tensor.nbytes]
        kind, shape = kinds[str(tensor.dtype)], list(tensor.shape)
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": offsets}
        content += tensor.tobytes()
    encoded = json.dumps(header).encode()
    encoded += b" " * (-len(encoded) % 8)
    path.write_bytes(struct.pack("<Q", len(encoded)) + encoded + content)


def model2vec(folder: Path, **tensors: np.ndarray) -> Path:
    """A folder as model2vec saves it, on a vocabulary of eight words."""
    tokenizers = pytest.importorskip("tokenizers")
    folder.mkdir(exist_ok=True)
    vocabulary = {word: row for row, word in enumerate(["[UNK]", "cats", "chase", "mice", "##s"])}
    model = tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=9)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_safetensors(folder / "model.safetensors", tensors)
    (folder / "config.json").write_text('{"normalize": true}')
    return folder


EMBEDDINGS = np.random.default_rng(5).normal(size=(5, 6)).astype(np.float32)


@pytest.mark.parametrize("kind", ["float32", "float16", "int8"])
def test_model2vec_folders(tmp_path: Path, kind: str) -> None:
    matrix = (EMBEDDINGS * 40).astype(kind)
    method = load("static", model=model2vec(tmp_path / "model", embeddings=matrix))
    vectors = method.encode(["Cats chase dogs.", "mice", "dogs", ""]).vector
    rows = matrix.astype(np.float32)
    np.testing.assert_allclose(vectors[0], (rows[1] + rows[2]) / 2, rtol=1e-6)
    np.testing.assert_allclose(vectors[1], rows[3], rtol=1e-6)
    assert not vectors[2:].any()


def test_model2vec_weights_and_rows_that_tokens_share(tmp_path: Path) -> None:
    weights = np.array([1, 2, 0.5, 1, 1], dtype=np.float64)
    mapping = np.array([0, 1, 2, 1, 0])
    tensors = {"embeddings": EMBEDDINGS[:3], "weights": weights, "mapping": mapping}
    method = load("static", model=model2vec(tmp_path / "model", **tensors))
    result = method.encode(["cats chase mice"]).unit[0]
    mean = 2 * EMBEDDINGS[1] + 0.5 * EMBEDDINGS[2] + EMBEDDINGS[1]
    np.testing.assert_allclose(result, mean / np.linalg.norm(mean), atol=1e-6)
    explanation = method.explain("Cats chase mice", "cats")
    assert [word.text for word in explanation.words.first] == ["Cats", "chase", "mice"]


def test_long_texts_are_cut_as_model2vec_cuts_them(tmp_path: Path) -> None:
    method = load("static", model=model2vec(tmp_path / "model", embeddings=EMBEDDINGS))
    long, cut = method.encode(["cats " * 600 + "mice " * 600, "cats"]).unit
    np.testing.assert_allclose(long, cut, atol=1e-5)


def test_hybrid_takes_a_model2vec_folder(tmp_path: Path) -> None:
    folder = model2vec(tmp_path / "model", embeddings=EMBEDDINGS)
    method = load("hybrid", whole=f"static:{folder}", vectors="builtin")
    assert method.similarity(["Cats chase mice."], ["Cats chase mice."])[0, 0] == pytest.approx(1)
    assert "static:model" in method.vectors.name


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"other": EMBEDDINGS}, "no embeddings, but other"),
        ({"embeddings": EMBEDDINGS[0]}, "no embeddings"),
        ({"embeddings": EMBEDDINGS[:3]}, "3 vectors and 3 weights for 5 tokens"),
        ({"embeddings": EMBEDDINGS, "weights": np.ones(4)}, "5 vectors and 4 weights"),
        ({"embeddings": EMBEDDINGS, "mapping": np.array([0, 1, 2, 3, 9])}, "beyond"),
        ({"embeddings": EMBEDDINGS * np.float32(np.nan)}, "NaN"),
    ],
)
def test_tensors_that_do_not_fit_are_told_of(
    tmp_path: Path, tensors: dict[str, np.ndarray], message: str
) -> None:
    folder = model2vec(tmp_path / "model", **tensors)
    with pytest.raises(DataError, match=message):
        load("static", model=folder)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("content", [None, b"", b"\xff" * 40, b"\x10\0\0\0\0\0\0\0{", b"{}"])
def test_folders_that_are_no_models(tmp_path: Path, name: str, content: bytes | None) -> None:
    folder = model2vec(tmp_path / "model", embeddings=EMBEDDINGS)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(DataError, match=name):
        load("static", model=folder)


def test_models_that_are_not_here() -> None:
    with pytest.raises(DataError, match="hf download minishlab/potion-base-8M"):
        load("static", model="minishlab/potion-base-8M")
    with pytest.raises(DataError, match="there is no folder"):
        load("static", model="./no/such/folder")
    with pytest.raises(InputError):
        load("static", model=5)


def test_safetensors_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    tensors = {"a": EMBEDDINGS, "b": np.arange(3)}
    write_safetensors(path, tensors)
    for name, tensor in read_safetensors(path).items():
        np.testing.assert_array_equal(tensor, tensors[name])
