"""Files of word vectors: their formats, what is wrong with them, and the tables made of them."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim.errors import DataError, InputError
from compsim.vectors import WordVectors
from compsim.vectors.files import convert, ensure_table
from compsim.vectors.table import read_table

WORDS = ["cat", "dog", "chase", "t_shirt", "tshirts", "run", "running", "take_off", "mouse", "mice"]
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def toy() -> WordVectors:
    return WordVectors.from_arrays(WORDS, MATRIX, name="toy")


@pytest.fixture
def sample(data_dir: Path) -> Path:
    return data_dir / "numberbatch" / "numberbatch-en-mini.txt.gz"


def text_of(words: list[str] = WORDS, matrix: np.ndarray = MATRIX, header: bool = True) -> bytes:
    lines = [f"{len(words)} {matrix.shape[1]}"] if header else []
    lines += [f"{w} {' '.join(map(repr, v.tolist()))}" for w, v in zip(words, matrix, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def binary_of(words: list[str] = WORDS, matrix: np.ndarray = MATRIX) -> bytes:
    head = f"{len(words)} {matrix.shape[1]}\n".encode()
    return head + b"".join(
        w.encode() + b" " + v.tobytes() + b"\n" for w, v in zip(words, matrix, strict=True)
    )


def english(words: list[str], matrix: np.ndarray) -> bytes:
    lines = text_of([f"/c/en/{w}" for w in words], matrix).splitlines(keepends=True)
    other = [b"/c/de/hund 1 2 3 4 5 6\n", b"/c/fr/chien 1 2 3 4 5 6\n"]
    return b"%d 6\n" % (len(words) + 2) + other[0] + b"".join(lines[1:]) + other[1]


FORMATS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "word2vec text": ("v.txt", text_of),
    "word2vec text, gzipped": ("v.txt.gz", lambda: gzip.compress(text_of())),
    "word2vec binary": ("v.bin", binary_of),
    "word2vec binary, gzipped": ("v.bin.gz", lambda: gzip.compress(binary_of())),
    "GloVe": ("v.txt", lambda: text_of(header=False)),
    "multilingual Numberbatch": ("v.txt.gz", lambda: gzip.compress(english(WORDS, MATRIX))),
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_gives_the_same_table(tmp_path: Path, kind: str, toy: WordVectors) -> None:
    name, content = FORMATS[kind]
    (tmp_path / name).write_bytes(content())
    vectors = WordVectors.open(tmp_path / name)
    assert list(vectors.words) == WORDS
    assert vectors.name == "v"
    np.testing.assert_array_equal(vectors.take(range(len(WORDS))), MATRIX)
    assert WordVectors.open(str(tmp_path / name)).fingerprint == vectors.fingerprint


def test_empty_lines_are_passed_over(tmp_path: Path) -> None:
    for header in (False, True):
        (tmp_path / "v.txt").write_bytes(text_of(header=header) + b"\n\n")
        words, matrix = convert(tmp_path / "v.txt")
        assert words == WORDS
        np.testing.assert_array_equal(matrix, MATRIX)


def test_words_beyond_ascii(tmp_path: Path) -> None:
    words = ["caf\u00e9", "na\u00efve", "\u72ac", "a\u0085b"]
    (tmp_path / "v.txt").write_bytes(text_of(words, MATRIX[:4]))
    assert list(WordVectors.open(tmp_path / "v.txt").words) == words


NAN, INFINITE = MATRIX.copy(), MATRIX.copy()
NAN[3, 2], INFINITE[0, 0] = np.nan, np.inf
LINES = text_of().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.txt", b"", "v.txt is empty"),
        ("v.txt", b"\n\n", "v.txt is empty"),
        ("v.txt", b"Once upon a time there was a dog.\nThe end.\n", "line 1: neither"),
        ("v.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "line 1: neither"),
        ("v.txt", text_of()[:-80], r"line 1[01]: \d values for '\w+' instead of 6"),
        ("v.txt", b"".join(LINES[:-2]), "promises 10 words and the file holds 8"),
        ("v.txt", b"9 6\n" + b"".join(LINES[1:]), "promises 9 words and the file holds 10"),
        ("v.txt", b"10 7\n" + b"".join(LINES[1:]), "line 2: 6 values for 'cat' instead of 7"),
        ("v.txt", b"10 6\n", "header promises"),
        ("v.txt", text_of().replace(b"mouse ", b"mouse x"), "line 10: could not convert"),
        ("v.txt", text_of() + b"\nand more\n", "line 13: 1 values for 'and' instead of 6"),
        ("v.txt", b"".join(LINES[1:]) + b"hen 1 2 3 4 5 1e39\n", r"'hen' \(line 11\) holds NaN"),
        ("v.txt", text_of(matrix=NAN), r"'t_shirt' \(line 5\) holds NaN"),
        ("v.txt", text_of(matrix=INFINITE), r"'cat' \(line 2\) holds NaN, infinite"),
        ("v.txt.gz", gzip.compress(text_of(), mtime=0)[:-40], "truncated or damaged"),
        ("v.txt.gz", gzip.compress(text_of(), mtime=0)[:5], "truncated or damaged"),
        ("v.bin", binary_of()[:-9], "truncated in word 10 of the 10"),
        ("v.bin", binary_of()[:-60], "of the 10"),
        ("v.bin", binary_of() + b"more", "goes on after the 10 words"),
        ("v.bin", binary_of(matrix=NAN), "'t_shirt' holds NaN"),
        ("v.bin", b"99999999 300\n" + bytes(5000), "header promises"),
        ("v.dat", gzip.compress(text_of(), mtime=0), "end in .gz"),
        ("v.txt", b"1 6\n/c/de/hund 1 2 3 4 5 6\n", "no English entries"),
    ],
)
def test_malformed_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        WordVectors.open(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


@pytest.mark.parametrize("binary", [False, True])
def test_the_first_line_of_a_repeated_word_is_taken(tmp_path: Path, binary: bool) -> None:
    words = ["cat", "dog", "cat", "mouse", "cat"]
    rows = MATRIX[: len(words)]
    file = tmp_path / "vectors"
    file.write_bytes((binary_of if binary else text_of)(words, rows))
    with pytest.warns(UserWarning, match="repeats 2 words") as results:
        result, matrix = convert(file)
    assert len(results) == 1
    assert result == ["cat", "dog", "mouse"]
    np.testing.assert_allclose(matrix, rows[[0, 1, 3]], rtol=1e-6)
    with pytest.warns(UserWarning, match="repeats"):
        assert len(WordVectors.open(file)) == 3


def test_missing_files_and_wrong_types(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no vectors at"):
        WordVectors.open(tmp_path / "nothing.txt")
    with pytest.raises(DataError, match="there is no vector file"):
        convert(tmp_path / "nothing.txt")
    with pytest.raises(DataError, match="folder without a vector table"):
        WordVectors.open(tmp_path)
    with pytest.raises(DataError, match="compsim download numberbatch"):
        WordVectors.open("numberbatch")
    with pytest.raises(InputError, match="vectors is a int"):
        WordVectors.open(3)  # type: ignore[arg-type]


def test_a_home_that_can_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.txt").write_bytes(text_of())
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "file"))
    with pytest.raises(DataError, match="COMPSIM_HOME"):
        WordVectors.open(tmp_path / "v.txt")


def test_conversion_happens_once_and_again_when_the_file_changes(tmp_path: Path) -> None:
    source, folder = tmp_path / "v.txt", tmp_path / "tables" / "v"
    source.write_bytes(text_of())
    ensure_table(source, folder, name="v")
    made = (folder / "vectors.npy").stat()
    os.utime(source)  # touched, not changed
    ensure_table(source, folder, name="v")
    assert (folder / "vectors.npy").stat().st_ino == made.st_ino
    source.write_bytes(text_of(WORDS[:3], MATRIX[:3]))
    ensure_table(source, folder, name="v")
    assert read_table(folder, verify=True).words == WORDS[:3]
    assert sorted(p.name for p in folder.parent.iterdir()) == ["v", "v.lock"]


def test_a_failed_conversion_leaves_nothing_behind(tmp_path: Path) -> None:
    source, folder = tmp_path / "v.txt", tmp_path / "tables" / "v"
    source.write_bytes(text_of(matrix=NAN))
    with pytest.raises(DataError):
        ensure_table(source, folder, name="v")
    assert [p.name for p in folder.parent.iterdir()] == ["v.lock"]


def _open_in_process(home: str, file: str, results: Any) -> None:
    os.environ["COMPSIM_HOME"] = home
    results.put(WordVectors.open(file).fingerprint)


def test_processes_that_convert_at_once_get_one_table(tmp_path: Path, home: Path) -> None:
    words = [f"word{i}" for i in range(3000)]
    matrix = np.random.default_rng(1).normal(size=(3000, 20)).astype(np.float32)
    (tmp_path / "v.txt").write_bytes(text_of(words, matrix))
    spawn = multiprocessing.get_context("spawn")
    results = spawn.Queue()
    arguments = (str(home), str(tmp_path / "v.txt"), results)
    jobs = [spawn.Process(target=_open_in_process, args=arguments) for _ in range(3)]
    for job in jobs:
        job.start()
    prints = {results.get(timeout=60) for _ in jobs}
    for job in jobs:
        job.join(60)
    assert len(prints) == 1
    folders = [p for p in (home / "vectors").iterdir() if p.is_dir()]
    assert len(folders) == 1
    np.testing.assert_array_equal(read_table(folders[0], verify=True).matrix, matrix)


def test_numberbatch_is_used_only_where_it_is_named(home: Path) -> None:
    file = home / "downloads" / "numberbatch-en-19.08.txt.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(gzip.compress(text_of()))
    assert WordVectors.open().name == WordVectors.open(None).name == "builtin"
    assert len(WordVectors.open("numberbatch")) == len(WORDS)
    file.unlink()  # the converted table is enough
    assert WordVectors.open("numberbatch").name == "numberbatch"


def test_the_numberbatch_sample(sample: Path) -> None:
    vectors = WordVectors.open(sample)
    assert (len(vectors), vectors.dim) == (11_600, 300)

    def cosine(a: str, b: str) -> float:
        x, y = vectors.texts([a, b])
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine("cat", "kitten") > 0.6 > 0.2 > cosine("cat", "economics")
    assert cosine("the old car", "an old vehicle") > cosine("the old car", "a young tree")
    file = gzip.decompress(sample.read_bytes()).decode().split("\n")
    word, *values = file[777].split(" ")
    np.testing.assert_array_equal(
        vectors.take(vectors.rows([word]))[0], np.array(values, dtype=np.float32)
    )


def test_phrase_cosines_agree_with_the_published_ones(sample: Path, data_dir: Path) -> None:
    """Section "Words" of the methods, against the authors' cosine for each role of each pair.

    Only phrases whose every word is in the sample as it stands: the full file holds more words, so
    there the authors' look-up found others. A published 0 stands for a phrase they could not use.
    """
    parses = data_dir / "compositional-semantics-eval/Data-model/Sentence Parses/VerbNet Parsing"
    stem = "full_VerbNet_pass_STS3k_all"
    published = json.loads((parses / f"{stem}_rolewise_similarities.json").read_text())
    pairs = json.loads((parses / f"{stem}_mod.json").read_text())
    vectors = WordVectors.open(sample)
    left, right, expected = [], [], []
    for number, roles in published["conceptnet"].items():
        for role, cosine in roles.items():
            phrases = [sentence.get(role, "NONE") for sentence in pairs[number]]
            words = [WordVectors.content_words(phrase) for phrase in phrases]
            known = all(words) and all(word in vectors for word in words[0] + words[1])
            if known and "NONE" not in phrases and cosine and not np.isnan(cosine):
                left.append(phrases[0])
                right.append(phrases[1])
                expected.append(cosine)
    x, y = vectors.texts(left), vectors.texts(right)
    cosines = (x * y).sum(axis=1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    error = np.abs(cosines - expected)
    assert len(error) > 2000
    assert np.mean(error < 0.02) > 0.97
    assert np.median(error) < 0.005
