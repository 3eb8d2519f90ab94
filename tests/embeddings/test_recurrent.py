from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import gru as naive
from toy_encoders import TOY_WORDS
from toy_recurrent import (
    CHECKPOINT,
    configuration,
    save_gensen,
    save_object_rows,
    save_quickthought,
    save_skipthought,
    vocabulary_of_python2,
)

from compsim.benchmarks.analogy_spaces import open_spaces
from compsim.benchmarks.datasets.analogies.relations import Relation
from compsim.embeddings.encoders.gensen import GenSen
from compsim.embeddings.encoders.quickthought import QuickThought
from compsim.embeddings.encoders.skipthought import FILES, SkipThought
from compsim.embeddings.encoders.tensor_bundle import open_checkpoint
from compsim.errors import CompsimError, DataError, InputError
from compsim.registry import load

torch = pytest.importorskip("torch")

Array = npt.NDArray[np.float64]

sentences = st.lists(
    st.lists(st.sampled_from((*TOY_WORDS[:12], ".", "zzyzx", "é", "CATS")), max_size=7).map(
        " ".join
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recurrent")


@pytest.fixture(scope="module")
def skipthought(folder: Path) -> Path:
    return save_skipthought(folder / "skipthought")


@pytest.fixture(scope="module")
def quickthought(folder: Path) -> Path:
    return save_quickthought(folder / "quickthought")


def unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)


# --- Skip-Thought --------------------------------------------------------------------------------


def naive_skipthought(folder: Path, words: list[str]) -> Array:
    listed = (folder / "dictionary.txt").read_text("utf-8").split("\n")
    rng = np.random.default_rng(11)
    tables = rng.normal(size=(2, len(TOY_WORDS) + 2, 5)).astype(np.float32)
    rows = [listed.index(word if word in listed else "UNK") for word in words]
    one, two = (np.load(folder / f"{name}_skip.npz", allow_pickle=False) for name in ("uni", "bi"))
    u, b = (table[rows] for table in tables)
    both = [naive.theano(two, "encoder", b), naive.theano(two, "encoder_r", b[::-1])]
    return np.concatenate([unit(naive.theano(one, "encoder", u)), unit(np.concatenate(both))])


@given(texts=sentences, batch_size=st.integers(1, 3))
@settings(deadline=None, max_examples=20)
def test_skipthought_is_the_naive_one(skipthought: Path, texts: list[str], batch_size: int) -> None:
    method = SkipThought(skipthought, device="cpu", batch_size=batch_size)
    vectors = method.encode(texts).vector
    assert vectors.shape == (len(texts), 7)
    for text, row in zip(texts, vectors, strict=True):
        words = text.split()
        expected = naive_skipthought(skipthought, words) if words else np.zeros(7)
        np.testing.assert_allclose(row, expected, atol=2e-6)


def test_tables_are_read_as_published_and_as_plain_numbers(
    skipthought: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(skipthought, tmp_path / "plain")
    rows = np.load(folder / "btable.npy")
    save_object_rows(folder / "btable.npy", rows)
    texts = ["Cats chase mice .", "zzyzx"]
    one, two = (SkipThought(place, device="cpu") for place in (skipthought, folder))
    np.testing.assert_array_equal(one.encode(texts).vector, two.encode(texts).vector)
    assert one.space != two.space


def test_damaged_files_of_skipthought_are_named(skipthought: Path, tmp_path: Path) -> None:
    for name in FILES:
        folder = shutil.copytree(skipthought, tmp_path / f"no-{name}")
        (folder / name).write_bytes((folder / name).read_bytes()[:100])
        with pytest.raises(DataError, match=name.replace(".", r"\.")):
            SkipThought(folder, device="cpu").encode(["cats"])
        (folder / name).unlink()
        with pytest.raises(DataError, match=rf"no file {name} of SkipThought .*download http"):
            SkipThought(folder)
    folder = shutil.copytree(skipthought, tmp_path / "narrow")
    np.save(folder / "btable.npy", np.zeros((30, 4), np.float32))
    with pytest.raises(DataError, match="reads word vectors of 5 numbers"):
        SkipThought(folder, device="cpu").encode(["cats"])
    folder = shutil.copytree(skipthought, tmp_path / "other")
    with (folder / "utable.npy").open("r+b") as file:
        content = file.read().replace(b"numpy.core.multiarray", b"numpy.core.multiarrow")
        file.seek(0)
        file.write(content)
    with pytest.raises(DataError, match=r"names numpy\.core\.multiarrow"):
        SkipThought(folder, device="cpu").encode(["cats"])


# --- Quick-Thought -------------------------------------------------------------------------------


def trained(path: Path, **more: Any) -> Path:
    file = path.with_name("trained.json")
    file.write_text(json.dumps(configuration(**more)))
    return file


def test_quickthought_has_the_states_of_tensorflow(quickthought: Path) -> None:
    method = QuickThought(trained(quickthought), device="cpu")
    vectors = method.encode(["cats chase mice", "é", ""]).vector
    # What TensorFlow 2.21 gives for words 1 2 3, and for word 4, by the checkpoint's graph.
    states = np.array(
        [
            [-0.297295, 0.456708, 0.620163, -0.301141, 0.879684, 0.696935, 0.63955, 0.756205],
            [-0.448856, 0.286903, 0.533083, 0.049247, 0.899481, 0.096101, 0.63893, -0.330164],
        ]
    )
    expected = [np.concatenate([unit(row[:4]), unit(row[4:])]) for row in states]
    np.testing.assert_allclose(vectors[:2], expected, atol=2e-6)
    assert not vectors[2].any()


def test_a_checkpoint_is_read_without_tensorflow() -> None:
    checkpoint = open_checkpoint(CHECKPOINT)
    assert len(checkpoint.names) == 19
    assert checkpoint.tensor("global_step").shape == ()
    assert checkpoint.tensor("word_embedding_out").shape == (5, 3)
    # The numbers were rounded to two places before they were saved.
    gates = np.asarray(checkpoint.tensor("encoder/fw/gru_cell/gates/kernel"))
    assert gates.shape == (5, 4)
    np.testing.assert_allclose(gates, gates.round(2), atol=1e-6)
    with pytest.raises(DataError, match="has no tensor 'encoder/bias'"):
        checkpoint.tensor("encoder/bias")


@given(texts=sentences, batch_size=st.integers(1, 3))
@settings(deadline=None, max_examples=20)
def test_quickthought_is_the_naive_one(
    quickthought: Path, texts: list[str], batch_size: int
) -> None:
    method = QuickThought(quickthought, device="cpu", batch_size=batch_size)
    vectors = method.encode(texts).vector
    checkpoint = open_checkpoint(quickthought.parent / "train")
    listed = [*TOY_WORDS, "<unk>"]
    for text, row in zip(texts, vectors, strict=True):
        expected = np.zeros(8)
        if words := text.split():
            halves = []
            for side in ("", "_out"):
                table = np.load(quickthought.with_name(f"more{side}.npy"))
                rows = table[[listed.index(w if w in listed else "<unk>") for w in words]]
                halves.append([])
                for way, steps in (("fw", rows), ("bw", rows[::-1])):
                    place = f"encoder{side}/{way}/gru_cell"
                    cell = [
                        checkpoint.tensor(f"{place}/{part}/{kind}")
                        for part in ("gates", "candidate")
                        for kind in ("kernel", "bias")
                    ]
                    halves[-1].append(naive.tensorflow(cell, steps))
            expected = np.concatenate([unit(np.concatenate(half)) for half in halves])
        np.testing.assert_allclose(row, expected, atol=2e-6)


def test_models_of_quickthought_are_joined(quickthought: Path) -> None:
    fixed = {"mode": "fixed", "name": "word_embedding", "vocab_file": "words.txt"}
    bow = configuration(encoder="bow", vocabulary=fixed, case_sensitive=False)
    path = quickthought.with_name("several.json")
    path.write_text(json.dumps([json.loads(quickthought.read_text()), bow]))
    texts = ["cats chase mice", "Cats"]
    vectors = QuickThought(path, device="cpu").encode(texts).vector
    assert vectors.shape == (2, 8 + 2 * 3)
    alone = QuickThought(quickthought, device="cpu").encode(texts).vector
    np.testing.assert_allclose(vectors[:, :8], alone, atol=1e-6)
    table = open_checkpoint(CHECKPOINT).tensor("word_embedding")
    np.testing.assert_allclose(vectors[0, 8:11], unit(table[[1, 2, 3]].sum(axis=0)), atol=1e-6)
    np.testing.assert_allclose(vectors[1, 11:14], unit(table[1]), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"encoder": "lstm"}, "encoder 'lstm' is neither"),
        ({"checkpoint_path": ""}, "no 'checkpoint_path'"),
        ({"checkpoint_path": "train/model.ckpt-7"}, "not the index of a TensorFlow checkpoint"),
        ({"checkpoint_path": "."}, "no file 'checkpoint'"),
        ({"bidir": False}, "no weights of the GRU 'encoder'"),
        ({"vocabulary": {"mode": "other"}}, "no mode, name and vocab_file"),
        ({"vocabulary": {"name": "words"}}, "has no tensor 'words'"),
        ({"vocabulary": {"vocab_file": "none"}}, "words .*none cannot be read"),
        ({"vocabulary": {"mode": "expand", "vocab_file": "none"}}, "none.npy cannot be read"),
    ],
)
def test_a_wrong_configuration_is_named(
    quickthought: Path, change: dict[str, Any], named: str
) -> None:
    path = trained(quickthought, **change)
    with pytest.raises(DataError, match=named):
        QuickThought(path, device="cpu").encode(["cats"])


def test_a_damaged_checkpoint_is_an_error(tmp_path: Path) -> None:
    for file in CHECKPOINT.parent.iterdir():
        shutil.copy(file, tmp_path / file.name)
    path = tmp_path / CHECKPOINT.name
    index = path.with_name(f"{path.name}.index")
    whole = index.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[int(rng.integers(len(whole)))] ^= int(rng.integers(1, 256))
        index.write_bytes(damaged[: int(rng.integers(len(whole) // 2, len(whole) + 1))])
        try:
            checkpoint = open_checkpoint(path)
            for name in checkpoint.names:
                checkpoint.tensor(name)
        except DataError:
            pass
    index.write_bytes(whole)
    data = next(tmp_path.glob("*.data-*"))
    data.write_bytes(data.read_bytes()[:50])
    with pytest.raises(DataError, match="cannot be read"):
        [open_checkpoint(path).tensor(name) for name in open_checkpoint(path).names]


# --- GenSen --------------------------------------------------------------------------------------


def naive_gensen(path: Path, layers: int, words: list[str]) -> Array:
    state = {name: values.numpy() for name, values in torch.load(path).items()}
    known = list(dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *TOY_WORDS]))
    marked = ["<s>", *words, "</s>"]
    table = state["src_embedding.weight"]
    rows = [table[known.index(word if word in known else "<unk>")] for word in marked]
    for layer in range(layers):
        forward = naive.pytorch(state, layer, "", rows)
        backward = naive.pytorch(state, layer, "_reverse", rows[::-1])
        rows = [np.concatenate(both) for both in zip(forward, backward[::-1], strict=True)]
    return np.concatenate([backward[-1], forward[-1]])


@pytest.mark.parametrize("layers", [1, 2])
def test_gensen_is_the_naive_one(folder: Path, layers: int) -> None:
    path = save_gensen(folder / f"gensen{layers}", layers=layers)
    method = GenSen(path, device="cpu", batch_size=2)
    texts = ["cats chase mice .", "Cats", "zzyzx é in the park", "", "the"]
    vectors = method.encode(texts).vector
    for text, row in zip(texts, vectors, strict=True):
        words = text.lower().split()
        expected = naive_gensen(path, layers, words) if words else np.zeros(6)
        np.testing.assert_allclose(row, expected, atol=2e-6)


def test_models_of_gensen_are_joined(folder: Path) -> None:
    paths = [save_gensen(folder / "both", name=name, layers=n) for n, name in ((1, "a"), (2, "b"))]
    texts = ["cats chase mice", "dogs"]
    alone = [GenSen(path, device="cpu").encode(texts).vector for path in paths]
    both = GenSen("+".join(map(str, paths)), device="cpu")
    np.testing.assert_allclose(both.encode(texts).vector, np.concatenate(alone, 1), atol=1e-6)


def test_words_are_mapped_from_other_vectors(tmp_path: Path) -> None:
    path = save_gensen(tmp_path)
    state = torch.load(path)
    table = state["src_embedding.weight"].numpy()
    known = list(dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *TOY_WORDS]))
    # Vectors from which those of the model follow by a linear map with an intercept.
    rng = np.random.default_rng(2)
    source, matrix = rng.normal(size=(len(known) + 1, 4)), rng.normal(size=(4, 5))
    matrix[:, 0] = 0
    offset = rng.normal(size=5)
    state["src_embedding.weight"] = torch.tensor(source[:-1] @ matrix + offset).float()
    torch.save(state, path)
    lines = [
        f"{word} {' '.join(map(repr, row.tolist()))}\n"
        for word, row in zip([*known, "zzyzx"], source, strict=True)
    ]
    (tmp_path / "glove.txt").write_text("".join(lines), "utf-8")
    method = GenSen(path, vectors=tmp_path / "glove.txt", device="cpu")
    (encoder,) = method._encoders
    mapped = method._looked_up(["cats", "zzyzx", "nowhere"], encoder, method._maps[0])
    np.testing.assert_allclose(mapped[1], source[-1] @ matrix + offset, atol=1e-5)
    np.testing.assert_array_equal(mapped[0], encoder.table[encoder.rows["cats"]])
    np.testing.assert_array_equal(mapped[2], encoder.table[encoder.rows["<unk>"]])
    assert method.space != GenSen(path, device="cpu").space
    (tmp_path / "strange.txt").write_text("qqq 1 2 3\n")
    with pytest.raises(DataError, match="none of the words of the encoder"):
        GenSen(path, vectors=tmp_path / "strange.txt", device="cpu").encode(["cats"])
    assert table.shape == (len(known), 5)


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("the pickle was run",))


def test_nothing_of_gensen_is_run(tmp_path: Path) -> None:
    path = save_gensen(tmp_path)
    words = tmp_path / "toy_vocab.pkl"
    contents = [
        pickle.dumps(Trap()),
        pickle.dumps({"word2id": Trap()}),
        pickle.dumps({"word2id": {"cats": "one"}}),
        pickle.dumps({"word2id": {"cats": 0}}),
        pickle.dumps({"word2id": {"<s>": 0, "</s>": 1, "<unk>": 2, "cats": 10**6}}),
        pickle.dumps([1]),
        words.read_bytes()[:-9],
        b"",
    ]
    for content in contents:
        words.write_bytes(content)
        with pytest.raises(DataError, match=r"toy_vocab\.pkl"):
            GenSen(path, device="cpu").encode(["cats"])
    words.write_bytes(vocabulary_of_python2(["<s>", "</s>", "<unk>", "é"]))
    state = torch.load(path)
    wrong: list[Any] = [
        {},
        {"a": Trap()},
        {name: values for name, values in state.items() if "reverse" not in name},
        {**state, "encoder.bias_hh_l0": torch.zeros(4)},
    ]
    for content in wrong:
        torch.save(content, path)
        with pytest.raises(CompsimError, match=r"toy\.model"):
            GenSen(path, device="cpu").encode(["cats"])


# --- all three -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("skipthought", ["dictionary.txt", "rkiros/models"]),
        ("quickthought", ["eval.json", "lajanugen/S2V"]),
        ("gensen", ["nli_large_bothskip_parse.model", "genseniclr2018"]),
    ],
)
def test_a_missing_file_says_what_to_download(
    name: str, files: list[str], isolated_home: Path
) -> None:
    with pytest.raises(DataError) as caught:
        load(name)
    message = str(caught.value)
    assert str(isolated_home / name / files[0]) in message
    assert files[1] in message
    assert "option model" in message


def test_a_masked_word_is_an_unknown_one(skipthought: Path) -> None:
    method = SkipThought(skipthought, device="cpu")
    pairs = (("the [MASK] chase mice", "the zzyzx chase mice"), ("cats", "dogs"))
    (space,), _ = open_spaces(method, [Relation("verb", pairs)])
    assert space.unit is not None
    one, other = (space.unit[space.place[text]] for text in pairs[0])
    np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("name", ["skipthought", "quickthought", "gensen"])
def test_wrong_options(name: str, skipthought: Path, quickthought: Path, folder: Path) -> None:
    models = {
        "skipthought": skipthought,
        "quickthought": quickthought,
        "gensen": save_gensen(folder / "options"),
    }
    with pytest.raises(InputError):
        load(name, model=models[name], batch_size=0)
    with pytest.raises(InputError, match="device='abacus'"):
        load(name, model=models[name], device="abacus").encode(["cats"])
