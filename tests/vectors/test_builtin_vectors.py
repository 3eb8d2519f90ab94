"""The table of word vectors that ships with the package, and its recipe."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from new_process import in_a_new_process

from compsim.benchmarks.tasks.similarity.words import measure_file
from compsim.storage.places import weights_folder
from compsim.vectors import WordVectors
from compsim.vectors.table import read_table
from compsim.vectors.words import stop_words
from compsim.weights.build_vectors import project, reduce_vectors
from compsim.weights.lexicons.antonyms import antonyms
from compsim.weights.lexicons.retrofit import synonyms

FOLDER = weights_folder() / "builtin"


@pytest.fixture(scope="module")
def builtin() -> WordVectors:
    return WordVectors.open("builtin")


def test_it_is_small_and_whole() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 16_500_000
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


def test_entries_of_several_words_stand_behind_the_single_ones(builtin: WordVectors) -> None:
    first = next(i for i, word in enumerate(builtin.words) if "_" in word)
    assert first == 60_000
    assert all("_" in word for word in builtin.words[first:])
    entries = ["put_off", "turn_on", "turn_off", "switch_on", "switch_off", "give_up", "ice_cream"]
    assert (builtin.rows(entries) >= first).all()


def test_stop_words_have_vectors(builtin: WordVectors) -> None:
    plain = [word for word in stop_words() if "'" not in word]
    missing = {word for word, row in zip(plain, builtin.rows(plain), strict=True) if row < 0}
    # Halves of contractions, of which running text has none.
    assert missing <= {"hadn", "hasn", "mightn", "mustn", "needn", "shouldn", "weren"}


def test_words_have_frequencies(builtin: WordVectors) -> None:
    shares = builtin.frequencies
    assert shares is not None
    assert shares.shape == (len(builtin),)
    of = dict(zip(builtin.words, shares.tolist(), strict=True))
    assert of["the"] == max(of.values()) == pytest.approx(0.0537, rel=0.01)
    assert of["not"] > of["dog"] > of["aardvark"] > 0
    assert of["put_off"] == min(of["put"], of["off"])
    assert of["ice_cream"] == min(of["ice"], of["cream"])


def cosine(vectors: WordVectors, first: str, second: str) -> float:
    rows = vectors.rows([first, second])
    assert (rows >= 0).all()
    a, b = vectors.take(rows)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize(
    "pair",
    [
        "buy sell",
        "bought sells",
        "won lost",
        "hotter cold",
        "opens closed",
        "worse better",
        "rose fell",
        "accepts refused",
        "turn_on turn_off",
        "go_up go_down",
        "log_in log_out",
    ],
)
def test_antonyms_are_apart(builtin: WordVectors, pair: str) -> None:
    assert cosine(builtin, *pair.split()) <= 0


@pytest.mark.parametrize(
    "pair",
    [
        "buy purchase",
        "bought purchased",
        "begin start",
        "shout yell",
        "sofa couch",
        "bite bitten",
        "take_off remove",
        "throw_away discard",
        "blow_up explode",
    ],
)
def test_synonyms_are_together(builtin: WordVectors, pair: str) -> None:
    assert cosine(builtin, *pair.split()) > 0.5


def test_all_listed_antonyms_are_apart(builtin: WordVectors, data_dir: Path) -> None:
    folder = data_dir / "lexicons"
    near = synonyms(builtin.words, folder)
    pairs = antonyms(builtin.words, folder, [], near)
    assert len(pairs) > 5_000
    unit = builtin.take(np.arange(len(builtin)))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosines = (unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(axis=1)
    # A list has more countries as antonyms of one another than can all be quite apart.
    assert cosines.max() < 0.02
    assert (cosines <= 0).mean() > 0.999
    assert (unit[near[:, 0]] * unit[near[:, 1]]).sum(axis=1).mean() > 0.5


def test_like_words_have_like_vectors(builtin: WordVectors) -> None:
    phrases = builtin.texts(["the friendly dog", "a kind puppy", "an interest rate"])
    unit = phrases / np.linalg.norm(phrases, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > 0.5 > 0.2 > unit[0] @ unit[2]


# The figures of the centred vectors, and of the retrofitted ones before they are reduced.
@pytest.mark.parametrize(
    ("name", "centred", "unreduced"), [("SIMLEX-999", 0.470, 0.707), ("MEN-TR-3k", 0.758, 0.771)]
)
def test_the_reduction_costs_next_to_nothing(
    builtin: WordVectors, data_dir: Path, name: str, centred: float, unreduced: float
) -> None:
    pytest.importorskip("scipy")
    row = measure_file(builtin, data_dir / "evalrank" / "word_similarity" / f"EN-{name}.txt")
    assert row["spearman"].value == pytest.approx(unreduced, abs=0.02)
    assert (row["spearman"].value or 0) > centred
    assert (row["pairs"].value or 0) > 990


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
    projected = project(centred, 4)
    rows, scale = reduce_vectors(projected)
    assert rows.dtype == np.int8
    assert rows.shape == (500, 4)
    # Four directions hold all there is, so the dot products survive the rounding to int8.
    decoded = rows * scale
    np.testing.assert_allclose(
        decoded @ decoded.T, centred @ centred.T, atol=0.02 * np.square(centred).sum(1).max()
    )
    np.testing.assert_array_equal(projected, project(centred.copy(), 4))
