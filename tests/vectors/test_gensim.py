"""Files of word vectors, read as gensim reads them; and what gensim holds, taken as it is."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import compsim
from compsim.errors import DataError
from compsim.vectors import WordVectors
from compsim.vectors.files import convert

KeyedVectors = pytest.importorskip("gensim.models").KeyedVectors

RNG = np.random.default_rng(2)
WORDS = [f"word{number}" for number in range(500)]
WORDS[7:13] = ["caf\u00e9", "\u72ac", "new_york", "a\u0085b", "1.5", "word3"]
#: Of every size that a float32 has, and rounded as many files are.
MATRIX = (RNG.normal(size=(500, 25)) * 10.0 ** RNG.integers(-44, 29, (500, 25))).astype(np.float32)
MATRIX[250:] = RNG.normal(size=(250, 25)).round(4)


def rows(form: Callable[[float], str]) -> bytes:
    lines = [
        f"{word} {' '.join(form(x) for x in row.tolist())}\n"
        for word, row in zip(WORDS, MATRIX, strict=True)
    ]
    return "".join(lines).encode()


HEADER = b"500 25\n"
TEXTS = {
    "all digits": HEADER + rows(repr),
    "six digits": HEADER + rows("{:g}".format),
    "five decimals": HEADER + rows("{:.5f}".format),
    "line ends of Windows": (HEADER + rows(repr)).replace(b"\n", b"\r\n"),
    "spaces at the end": (HEADER + rows(repr)).replace(b"\n", b" \n"),
    "a broken letter": (HEADER + rows(repr)).replace("\u72ac".encode(), b"\xe7\x8a"),
    "GloVe": rows("{:.5f}".format),
}


@pytest.mark.filterwarnings("ignore:.*repeats 1 words")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", TEXTS)
def test_text_is_read_as_gensim_does(tmp_path: Path, kind: str, packed: bool) -> None:
    file = tmp_path / ("v.txt.gz" if packed else "v.txt")
    file.write_bytes(gzip.compress(TEXTS[kind]) if packed else TEXTS[kind])
    theirs = KeyedVectors.load_word2vec_format(
        str(file), no_header=kind == "GloVe", unicode_errors="replace"
    )
    _compare(file, theirs)


@pytest.mark.filterwarnings("ignore:.*repeats 1 words")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_binary_is_read_as_gensim_does(tmp_path: Path, end: bytes, packed: bool) -> None:
    content = HEADER + b"".join(
        word.encode() + b" " + row.tobytes() + end for word, row in zip(WORDS, MATRIX, strict=True)
    )
    file = tmp_path / ("v.bin.gz" if packed else "v.bin")
    file.write_bytes(gzip.compress(content) if packed else content)
    _compare(file, KeyedVectors.load_word2vec_format(str(file), binary=True))


@pytest.mark.parametrize("binary", [False, True])
def test_what_gensim_writes_is_read(tmp_path: Path, binary: bool) -> None:
    theirs = KeyedVectors(25)
    theirs.add_vectors(WORDS[:7], MATRIX[-7:])
    theirs.save_word2vec_format(str(tmp_path / "v"), binary=binary)
    _compare(tmp_path / "v", theirs)


def _compare(file: Path, theirs: object) -> None:
    words, matrix = convert(file)
    # gensim keeps the first line of a word and leaves rows without a word at the end.
    expected = [word for word in theirs.index_to_key if word is not None]  # type: ignore[attr-defined]
    assert words == expected
    assert matrix.dtype == np.float32
    np.testing.assert_array_equal(matrix, theirs.vectors[: len(words)])  # type: ignore[attr-defined]


def test_vectors_that_gensim_holds_are_taken() -> None:
    held = KeyedVectors(3)
    held.add_vectors(["cats", "dogs", "sleep"], [[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1]])
    vectors = WordVectors.open(held)
    assert (list(vectors.words), vectors.name) == (["cats", "dogs", "sleep"], "keyed-vectors")
    same = WordVectors.from_arrays(held.index_to_key, held.vectors)
    for options in ({"name": "verbnet-cn", "weights": "paper"}, {"name": "mean-cn"}):
        scores = [
            compsim.load(**options, vectors=x).similarity(["Cats sleep."], ["Dogs sleep."])[0, 0]
            for x in (held, same)
        ]
        assert 0 < scores[0] < 1
        assert scores[0] == scores[1]
    assert compsim.load("hybrid", whole="mean-cn", vectors=held).whole.vectors.dim == 3


def test_damaged_vectors_that_gensim_holds() -> None:
    held = KeyedVectors(2)
    held.add_vectors(["cats", "dogs"], [[1, 0], [np.nan, 1]])
    with pytest.raises(DataError, match="'keyed-vectors' hold NaN"):
        WordVectors.open(held)
