from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_encoders import TOY_WORDS, save_infersent

from compsim.embeddings.encoders import treebank
from compsim.embeddings.encoders.infersent import InferSent, tokens
from compsim.errors import CompsimError, DataError, InputError
from compsim.registry import load
from compsim.vectors.token_vectors import TokenVectors

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return save_infersent(tmp_path_factory.mktemp("infersent"))


def open_method(files: tuple[Path, Path], **options: Any) -> InferSent:
    method = load("infersent", model=files[0], vectors=files[1], device="cpu", **options)
    assert isinstance(method, InferSent)
    return method


# --- the slow twin: the LSTM's equations, a step at a time ---------------------------------------


def naive_vector(files: tuple[Path, Path], text: str, version: int) -> npt.NDArray[np.float64]:
    state = {name: tensor.double().numpy() for name, tensor in torch.load(files[0]).items()}
    table = {}
    for line in files[1].read_text(encoding="utf-8").splitlines()[1:]:
        word, *numbers = line.split(" ")
        table[word] = np.array([float(number) for number in numbers])
    first, last = ("<s>", "</s>") if version == 1 else ("<p>", "</p>")
    known = [word for word in tokens(text, version) if word in table]
    states = state["enc_lstm.weight_hh_l0"].shape[1]
    if not known:
        return np.zeros(2 * states)
    rows = [table[word] for word in (first, *known, last)]

    def sigmoid(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(1 / (1 + np.exp(-x)))

    pooled = []
    for direction, steps in (("", rows), ("_reverse", rows[::-1])):
        weights = [
            state[f"enc_lstm.{name}_l0{direction}"]
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ]
        h, c = np.zeros(states), np.zeros(states)
        seen = []
        for x in steps:
            gates = weights[0] @ x + weights[2] + weights[1] @ h + weights[3]
            enter, forget, new, out = np.split(gates, 4)
            c = sigmoid(forget) * c + sigmoid(enter) * np.tanh(new)
            h = sigmoid(out) * np.tanh(c)
            seen.append(h)
        pooled.append(np.max(seen, axis=0))
    return np.concatenate(pooled)


@pytest.mark.parametrize("version", [1, 2])
@given(
    texts=st.lists(
        st.lists(st.sampled_from((*TOY_WORDS, "zzyzx", "don't", "CATS")), max_size=9).map(" ".join),
        max_size=7,
    ),
    batch_size=st.integers(1, 4),
)
@settings(deadline=None, max_examples=25)
def test_vectors_are_the_naive_ones(
    files: tuple[Path, Path], version: int, texts: list[str], batch_size: int
) -> None:
    method = open_method(files, version=version, batch_size=batch_size)
    vector = method.encode(texts).vector
    assert vector.shape == (len(texts), 8)
    for text, row in zip(texts, vector, strict=True):
        np.testing.assert_allclose(row, naive_vector(files, text, version), atol=2e-6)


def test_odd_sentences_have_defined_results(files: tuple[Path, Path]) -> None:
    method = open_method(files)
    long = " ".join(["cats chase mice ."] * 2500)
    batch = method.encode(["", " \n", "\U0001f600", "zzyzx", long, "cats"])
    assert batch.vector.any(axis=1).tolist() == [False, False, False, False, True, True]
    assert method.encode([]).vector.shape == (0, 8)
    assert method.similarity_pairwise(["zzyzx", ""], ["zzyzx", ""]).tolist() == [1.0, 0.0]


def test_the_space_tells_encoders_and_vectors_apart(tmp_path: Path) -> None:
    one = save_infersent(tmp_path / "one")
    other = save_infersent(tmp_path / "other", seed=4)
    spaces = {
        open_method(pair, version=version).space
        for pair in (one, other, (one[0], other[1]))
        for version in (1, 2)
    }
    assert len(spaces) == 6
    with pytest.raises(InputError, match="encoded differently"):
        open_method(one).similarity(
            open_method(one).encode(["cats"]), open_method(other).encode([])
        )


# --- files ---------------------------------------------------------------------------------------


def test_a_missing_file_says_what_to_download_and_where_to_put_it(
    files: tuple[Path, Path], isolated_home: Path
) -> None:
    for version in (1, 2):
        with pytest.raises(DataError) as caught:
            InferSent(version=version)  # type: ignore[arg-type]
        message = str(caught.value)
        assert f"infersent/infersent{version}.pkl" in message
        assert str(isolated_home / "infersent" / f"infersent{version}.pkl") in message
        assert "option model" in message
        with pytest.raises(DataError) as caught:
            InferSent(model=files[0], version=version)  # type: ignore[arg-type]
        message = str(caught.value)
        assert ("glove.840B.300d.zip" if version == 1 else "crawl-300d-2M.vec.zip") in message
        assert str(isolated_home / "infersent") in message


def test_the_default_places(isolated_home: Path) -> None:
    folder = isolated_home / "infersent"
    model, vectors = save_infersent(folder)
    model.rename(folder / "infersent2.pkl")
    vectors.rename(folder / "crawl-300d-2M.vec")
    try:
        assert load("infersent").similarity_pairwise(["cats"], ["cats"])[0] == pytest.approx(1)
    finally:
        for file in folder.iterdir():
            file.unlink()


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("the pickle was run",))


def test_nothing_but_tensors_is_unpickled(files: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "encoder.pkl"
    state = torch.load(files[0])
    contents: list[Any] = [
        {"a": Trap()},
        {},
        [1, 2],
        {name: tensor for name, tensor in state.items() if "reverse" not in name},
        {**state, "enc_lstm.bias_hh_l0": torch.zeros(3)},
        {**state, "enc_lstm.weight_hh_l0": torch.zeros(3)},
    ]
    for content in contents:
        torch.save(content, path)
        with pytest.raises(CompsimError, match=r"encoder\.pkl"):
            open_method((path, files[1])).encode(["cats"])
    for raw in (b"", b"no pickle", pickle.dumps(Trap()), files[0].read_bytes()[:300]):
        path.write_bytes(raw)
        with pytest.raises(DataError, match="is not the state dict"):
            open_method((path, files[1])).encode(["cats"])


def test_vectors_of_another_length_and_wrong_options(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "short.txt").write_text("cats 1 2 3\n")
    with pytest.raises(DataError, match=r"of 5 numbers and those of .* have 3"):
        open_method((files[0], tmp_path / "short.txt")).encode(["cats"])
    for options in ({"version": 3}, {"batch_size": 0}):
        with pytest.raises(InputError):
            open_method(files, **options)
    with pytest.raises(InputError, match="device='abacus'"):
        InferSent(model=files[0], vectors=files[1], device="abacus").encode(["cats"])


# --- exact tokens --------------------------------------------------------------------------------


def test_tokens_are_found_as_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("Cat 1 2\ncat 3 4\n. . 5 6\né 7 8\ncat 9 9\n \u00a0 1 1\nhalf 1\n", "utf-8")
    vectors = TokenVectors(path)
    entry = vectors.get(["cat", "Cat", "CAT", "é", ". .", "cats"])
    assert {token: row.tolist() for token, row in entry.items()} == {
        "cat": [3, 4],
        "Cat": [1, 2],
        "é": [7, 8],
        ". .": [5, 6],
    }
    assert vectors.get([]) == {}


@pytest.mark.parametrize(
    "content",
    ["", "\n", "cat\n", "cat 1\n", "cat one two\n", "2 2\n", "2 2\na b c\n"],
)
def test_what_is_no_vector_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(content)
    with pytest.raises(DataError, match=r"vectors\.txt"):
        TokenVectors(path)
    with pytest.raises(DataError, match="can not be read"):
        TokenVectors(tmp_path / "nothing")


def test_a_damaged_row_is_told_when_it_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2\nb 1 nan\n")
    vectors = TokenVectors(path)
    assert list(vectors.get(["a"])) == ["a"]
    with pytest.raises(DataError, match="'b' is not 2 finite numbers"):
        vectors.get(["b"])


# --- the tokeniser -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Cats chase mice.", "Cats chase mice ."),
        ("Dogs bark. Cats don't.", "Dogs bark . Cats do n't ."),
        ("It's Ann's, isn't it?", "It 's Ann 's , is n't it ?"),
        ('He said "no" (twice).', "He said `` no '' ( twice ) ."),
        ("At 12:30 it cost $1,000.50!", "At 12:30 it cost $ 1,000.50 !"),
        ("Well-known dogs' toys", "Well-known dogs ' toys"),
        ("wait... what--no", "wait ... what -- no"),
        ("J. R. Smith met Dr. Jones.", "J. R. Smith met Dr. Jones ."),
        ("I'm gonna go; you cannot.", "I 'm gon na go ; you can not ."),
        ("'Tis the U.S. way", "'T is the U.S. way"),
        ("\u201cYes\u201d", "`` Yes ''"),
    ],
)
def test_words_of_the_treebank(text: str, expected: str) -> None:
    assert treebank.words(text) == expected.split()


@given(st.text())
def test_words_lose_no_letter(text: str) -> None:
    def letters(s: str) -> str:
        return "".join(c for c in s if c.isalnum())

    assert letters("".join(treebank.words(text))) == letters(text)


def test_words_are_those_of_nltk() -> None:
    tokenizer = pytest.importorskip("nltk.tokenize.destructive").NLTKWordTokenizer()
    for text in (
        "She'd said, \"They'll come,\" and left.",
        "We've 3,500 cats & 7% of all dogs: what's the use?",
        "They wouldn't have gone [there] {or here}.",
        "The dogs' owner can't pay the $5 fee, can he?",
        "A man, two women; three (old) cats!",
    ):
        assert treebank.words(text) == tokenizer.tokenize(text)
