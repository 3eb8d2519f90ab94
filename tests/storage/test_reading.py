"""Files that a user names: whatever is wrong is one error that names the place."""

from __future__ import annotations

import gzip
import io
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim import load
from compsim.benchmarks.datasets import open_dataset
from compsim.cli.options import settings
from compsim.comparison.scheme import Scheme as ConceptScheme
from compsim.embeddings import postprocess
from compsim.embeddings.postprocess import Normalizer
from compsim.errors import CompsimError, DataError
from compsim.parsers.files.conll import read_conll
from compsim.rolesim.scheme_file import read_scheme
from compsim.storage import reading
from compsim.storage.places import home
from compsim.vectors import WordVectors

DEEP = "[" * 100_000
DIGITS = "1" * 5_000
WEIGHTS = '[inventory]\nname = "toy"\nroles = ["Verb"]\n[weights]\nVerb = '


@pytest.mark.parametrize(
    ("name", "text", "use", "reason"),
    [
        ("a.json", DEEP, lambda path: load("verbnet-cn", parser=f"stored:{path}"), "too deeply"),
        ("a.jsonl", DEEP, lambda path: load("verbnet-cn", parser=f"stored:{path}"), "too deeply"),
        ("a.jsonl", DEEP, open_dataset, "line 1: the JSON is nested too deeply"),
        ("a.jsonl", f'{{"score": {DIGITS}}}', open_dataset, "line 1: not JSON"),
        ("a.toml", f"{WEIGHTS}1{'0' * 400}", read_scheme, "toml:"),
        ("a.toml", f"{WEIGHTS}{DIGITS}", read_scheme, "not valid TOML"),
        ("a.toml", f"{WEIGHTS}1e-310", read_scheme, "toml:"),
        ("a.toml", f"divisor = 1e-310\n{WEIGHTS}1", read_scheme, "the divisor is 1e-310"),
        ("a.toml", f"divisor = 1e300\n{WEIGHTS}1", read_scheme, "the divisor is"),
        ("a.toml", f"a = {DEEP}", read_scheme, "not valid TOML"),
        ("a.toml", f"a = {DEEP}", ConceptScheme.open, "not valid TOML"),
        ("a.txt", "2 2\ncat 1 3e38\ndog 1 2\n", WordVectors.open, "some beyond 1e"),
        ("a.conll", "x" * (1 << 24), lambda path: list(read_conll(path)), "line 1: longer than"),
    ],
)
def test_what_a_file_may_hold(
    tmp_path: Path, name: str, text: str, use: Callable[[Path], Any], reason: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(DataError, match=reason) as result:
        use(file)
    assert name in str(result.value)
    assert len(str(result.value)) < 500


def test_what_a_packed_file_may_unpack_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_UNPACKED", 1 << 20)
    file = tmp_path / "bomb.csv.gz"
    file.write_bytes(gzip.compress(bytes(1 << 22)))
    with pytest.raises(DataError, match="more than 1 MiB unpacked"):
        open_dataset(file)
    vectors = tmp_path / "bomb.txt.gz"
    monkeypatch.setattr(reading, "_LONGEST", 1 << 20)
    vectors.write_bytes(gzip.compress(b"cat 1 2\n" + b"1" * (1 << 21)))
    with pytest.raises(DataError, match="line 2: longer than"):
        WordVectors.open(vectors)


@pytest.mark.parametrize("path", ["~nosuchuser/x", "a\0b", "x" * 5_000])
def test_paths_that_are_none(path: str, tmp_path: Path) -> None:
    batch = load("mean-cn", vectors="builtin").encode(["Cats sleep."])
    for use in (
        lambda: load("verbnet-cn", vectors=path),
        lambda: load("verbnet-cn", weights=path),
        lambda: load("verbnet-cn", parser=f"stored:{path}"),
        lambda: load("verbnet-cn", parser=f"srl:{path}").similarity("Cats sleep.", "Dogs bark."),
        lambda: load("mean-cn", vectors="builtin", normalize=path),
        lambda: load("infersent", model=path, vectors="builtin"),
        lambda: load("use", model=path),
        lambda: load("hybrid", whole="mean-cn", scheme=path),
        lambda: load("sbert", model=path),
        lambda: type(batch).load(path),
        lambda: open_dataset(f"csv:{path}"),
    ):
        with pytest.raises(CompsimError):
            use()
    with pytest.raises(DataError, match="can not be written"):
        batch.save(tmp_path / "a\0b")


def test_a_home_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_HOME", "~nosuchuser")
    with pytest.raises(DataError, match="there is no such user"):
        home()


def test_an_option_that_is_no_json_is_a_text() -> None:
    assert settings([f"k={DEEP}"]) == {"k": DEEP}


#: What opens a file by each reader.
READERS = {
    "stored": lambda path: load("verbnet-cn", parser=f"stored:{path}"),
    "weights": lambda path: load("verbnet-cn", weights=path),
    "scheme": ConceptScheme.open,
    "normalizer": Normalizer.load,
    "vectors": WordVectors.open,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["pipe", "device", "long"])
def test_what_is_no_file_is_refused_and_not_read(kind: str, reader: str, tmp_path: Path) -> None:
    path = {"pipe": tmp_path / "pipe", "device": Path("/dev/zero"), "long": Path("x" * 5_000)}[kind]
    if kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(CompsimError) as result:
        READERS[reader](path)
    assert len(str(result.value)) < 1_500


def npz(path: Path, matrix: bytes) -> Path:
    """A file of a normalizer with these bytes as its matrix."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, value in (("kind", np.array("abtt")), ("mean", np.zeros(4))):
            part = io.BytesIO()
            np.save(part, value)
            file.writestr(f"{name}.npy", part.getvalue())
        file.writestr("matrix.npy", matrix)
    return path


def header(text: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "matrix",
    [
        header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (4, 1000000000000), }\n") + b"x",
        header(b"{'descr': '<f8', 'fortran_order': False, 'shape': ("),
        header(b"{" * 300),
        header(b"(" * 9000),
        b"",
    ],
)
def test_arrays_that_promise_too_much_or_nothing(matrix: bytes, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="fitted normaliser"):
        Normalizer.load(npz(tmp_path / "a.npz", matrix))


def test_an_archive_that_unpacks_to_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = npz(tmp_path / "a.npz", header(b"{}") + bytes(1 << 22))
    assert file.stat().st_size < 1 << 20
    monkeypatch.setattr(postprocess, "MOST_UNPACKED", 1 << 21)
    with pytest.raises(DataError, match="2 MiB unpacked"):
        Normalizer.load(file)


@pytest.mark.parametrize("head", ["1 100000000000000000", f"1 {DIGITS}", f"{DIGITS} 2"])
def test_a_header_of_vectors_that_promises_too_much(head: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{head}\ncat 1 2\n")
    with pytest.raises(DataError):
        WordVectors.open(file)
