"""The table of word vectors that ships with the package, and its recipe."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from new_process import in_a_new_process

from compsim.benchmarks.tasks.words import measure_file
from compsim.storage.places import weights_folder
from compsim.vectors import WordVectors
from compsim.vectors.table import read_table
from compsim.weights.build_vectors import reduce_vectors
from compsim.weights.retrofit import LEXICONS, retrofit, synonyms

FOLDER = weights_folder() / "builtin"


@pytest.fixture(scope="module")
def builtin() -> WordVectors:
    return WordVectors.open("builtin")


def test_it_is_small_and_whole() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 16_000_000
    table = read_table(FOLDER, verify=True)
    assert len(table.words) >= 40_000
    assert table.words[:3] == ["the", "to", "and"]
    assert isinstance(table.matrix, np.memmap)
    meta = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))
    assert meta["source"]["model"] == "sentence-transformers/all-MiniLM-L6-v2"


def test_common_words_are_known(builtin: WordVectors) -> None:
    words = ["dog", "group", "party", "one", "chases", "T-shirt", "caf\u00e9", "realised", "Cats"]
    assert (builtin.rows(words) >= 0).all()
    assert (builtin.rows(["zzyzzx", "qwrtplk"]) == -1).all()


def test_like_words_have_like_vectors(builtin: WordVectors) -> None:
    phrases = builtin.texts(["the friendly dog", "a kind puppy", "an interest rate"])
    unit = phrases / np.linalg.norm(phrases, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > 0.5 > 0.2 > unit[0] @ unit[2]


# The figures of the centred vectors before they are retrofitted, and before they are reduced.
@pytest.mark.parametrize(
    ("name", "centred", "unreduced"), [("SIMLEX-999", 0.470, 0.578), ("MEN-TR-3k", 0.758, 0.777)]
)
def test_the_reduction_costs_next_to_nothing(
    builtin: WordVectors, data_dir: Path, name: str, centred: float, unreduced: float
) -> None:
    pytest.importorskip("scipy")
    row = measure_file(builtin, data_dir / "evalrank" / "word_similarity" / f"EN-{name}.txt")
    assert row["spearman"].value == pytest.approx(unreduced, abs=0.02)
    assert (row["spearman"].value or 0) > centred
    assert (row["pairs"].value or 0) > 990


def test_words_are_drawn_towards_their_synonyms() -> None:
    pytest.importorskip("scipy")
    vectors = np.random.default_rng(3).normal(size=(4, 5))
    near = {0: [1, 2], 1: [0], 2: [0], 3: []}
    pairs = np.array([(a, b) for a, others in near.items() for b in others])
    expected = old = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for _ in range(10):
        expected = np.array(
            [
                (old[i] + sum(expected[k] for k in near[i]) / len(near[i])) / 2
                if near[i]
                else old[i]
                for i in range(4)
            ]
        )
    np.testing.assert_allclose(retrofit(vectors, pairs), expected)


def test_synonyms_are_read_in_both_directions(tmp_path: Path) -> None:
    lexicons = ("big large huge\ncat feline\n", "big\tantonym\tsmall\nsmall\tsynonym\tlittle\n")
    for name, text in zip(LEXICONS, lexicons, strict=True):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    words = ["big", "large", "small", "little", "dog"]
    assert synonyms(words, tmp_path).tolist() == [[0, 1], [1, 0], [2, 3], [3, 2]]
    assert synonyms(["dog"], tmp_path).shape == (0, 2)


def test_opening_imports_little() -> None:
    code = (
        "import sys\n"
        "from compsim.vectors import WordVectors\n"
        "WordVectors.open('builtin').phrase('the friendly dog')\n"
        "print(sorted({'torch', 'spacy', 'numba', 'gensim', 'rich'} & set(sys.modules)))\n"
    )
    assert in_a_new_process(code).strip() == "[]"


def test_reducing_keeps_what_it_can() -> None:
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 20))
    centred = flat.astype(np.float32)
    rows, scale = reduce_vectors(centred, 4)
    assert rows.dtype == np.int8
    assert rows.shape == (500, 4)
    # Four directions hold all there is, so the dot products survive the rounding to int8.
    decoded = rows * scale
    np.testing.assert_allclose(
        decoded @ decoded.T, centred @ centred.T, atol=0.02 * np.square(centred).sum(1).max()
    )
    again, _ = reduce_vectors(centred.copy(), 4)
    np.testing.assert_array_equal(rows, again)
