"""Saved batches that were damaged, or made by somebody else: refused, never another score."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toys import ToyParser, toy_options, toy_vectors

from compsim import load
from compsim.batches import Encoded
from compsim.errors import CompsimError, DataError
from compsim.method import Method
from compsim.storage import batch_files
from compsim.storage.checksums import file_checksum, json_checksum

#: As many of each kind of batch; ``COMPSIM_FUZZ`` says more.
ROUNDS = int(os.environ.get("COMPSIM_FUZZ", "60"))
TEXTS = ["dogs chase cats", "cats visit the park quickly", "mice help birds in house", "cats"]
METHODS: dict[str, dict[str, Any]] = {
    "verbnet-cn": {"vectors": toy_vectors},
    "amr-cn": {"vectors": toy_vectors},
    "amr-smatch": {},
    "amr-wlk": {},
    "amr-wwlk": {"vectors": toy_vectors},
    "mean-cn": {"vectors": toy_vectors},
    "tensor-cn": {"vectors": toy_vectors},
    "bertscore": {},
    "amrbart": {},
    "hybrid": {"whole": "mean-cn", "vectors": toy_vectors},
}


def method_of(name: str) -> Method[Any]:
    if name in ("bertscore", "amrbart"):
        return load(name, **toy_options(name))
    options = {key: make() if callable(make) else make for key, make in METHODS[name].items()}
    if name not in ("mean-cn", "tensor-cn"):
        options["parser"] = ToyParser()
    return load(name, **options)


@pytest.fixture(params=METHODS)
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Method[Any], Encoded, Path]:
    method = method_of(request.param)
    batch = method.encode(TEXTS)
    batch.save(tmp_path / "batch")
    return method, batch, tmp_path / "batch"


def damages(folder: Path, rng: np.random.RandomState) -> Iterator[Callable[[], None]]:
    """Ways to change one file, each once in a random place."""
    files = sorted(folder.iterdir())

    def damage() -> None:
        file = files[rng.randint(len(files))]
        data = bytearray(file.read_bytes())
        kind = rng.randint(4)
        if kind == 0 and data:
            data[rng.randint(len(data))] ^= 1 << rng.randint(8)
        elif kind == 1:
            del data[rng.randint(len(data) + 1) :]
        elif kind == 2:
            start = rng.randint(len(data) + 1)
            data[start : start + 8] = rng.bytes(8)
        else:
            start = rng.randint(len(data) + 1)
            data[start:start] = rng.bytes(rng.randint(1, 40))
        file.write_bytes(data)

    while True:
        yield damage


def test_whatever_is_damaged_is_refused_or_gives_the_same_scores(
    saved: tuple[Method[Any], Encoded, Path],
) -> None:
    method, batch, folder = saved
    files = {file: file.read_bytes() for file in folder.iterdir()}
    expected = method.similarity(batch, batch)
    refused = 0
    for _, damage in zip(range(ROUNDS), damages(folder, np.random.RandomState(1)), strict=False):
        damage()
        try:
            loaded = type(batch).load(folder)
            np.testing.assert_array_equal(method.similarity(loaded, loaded), expected)
            assert list(loaded.texts) == TEXTS  # type: ignore[attr-defined]
        except DataError:
            refused += 1
        for file, content in files.items():
            file.write_bytes(content)
    assert refused > ROUNDS / 2


def rewritten(folder: Path, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    """Change an array of a saved batch, its checksums too, as somebody could."""
    array = change(np.load(folder / f"{name}.npy"))
    np.save(folder / f"{name}.npy", array)
    file = folder / "batch.json"
    meta = json.loads(file.read_text())
    meta.pop("checksum")
    meta["arrays"][name] = file_checksum(folder / f"{name}.npy")
    file.write_text(json.dumps({**meta, "checksum": json_checksum(meta)}))


def test_no_place_outside_an_array_reaches_a_kernel(
    saved: tuple[Method[Any], Encoded, Path],
) -> None:
    method, batch, folder = saved
    files = {file: file.read_bytes() for file in folder.iterdir()}
    arrays = [file.stem for file in files if file.suffix == ".npy"]
    rng = np.random.RandomState(2)
    values = (-5_000_000, -2, -1, 0, 1, 127, 100_000_000, 2_000_000_000)
    for _ in range(ROUNDS):
        name = arrays[rng.randint(len(arrays))]

        def change(array: np.ndarray) -> np.ndarray:
            if array.size:
                value = np.asarray(values[rng.randint(len(values))]).astype(array.dtype)
                array.reshape(-1)[rng.randint(array.size)] = value
            other = np.zeros(array.shape, dtype=rng.choice(["int8", "float16"]))
            return other if rng.rand() < 0.1 else array

        rewritten(folder, name, change)
        try:
            loaded = type(batch).load(folder, mmap=bool(rng.randint(2)))
            scores = method.similarity(loaded, loaded)
            assert scores.shape == (len(TEXTS), len(TEXTS))
            method.similarity_pairwise(loaded, loaded)
        except CompsimError:
            pass
        for file, content in files.items():
            file.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "array", "value", "reason"),
    [
        ("amr-smatch", "relation.target", 100_000_000, r"relation\.target .* from 0 to"),
        ("amr-smatch", "variable.concept", -5_000_000, r"variable\.concept"),
        ("amr-smatch", "relation.role", 2_000_000_000, r"relation\.role"),
        ("amr-wwlk", "node.row", 1_000_000, r"node\.row"),
        ("amr-wwlk", "edge.source", -7, r"edge\.source"),
        ("verbnet-cn", "edge.target", 100_000_000, r"edge\.target"),
        ("verbnet-cn", "node.kind", 99, r"node\.kind"),
        ("mean-cn", "vector", np.inf, r"vector"),
        ("tensor-cn", "weight", -1.0, r"weight"),
    ],
)
def test_the_first_bad_value_is_named(
    tmp_path: Path, name: str, array: str, value: float, reason: str
) -> None:
    batch = method_of(name).encode(TEXTS)
    batch.save(tmp_path / "batch")

    def change(results: np.ndarray) -> np.ndarray:
        results.reshape(-1)[0] = value
        return results

    rewritten(tmp_path / "batch", array, change)
    with pytest.raises(DataError, match=reason):
        type(batch).load(tmp_path / "batch")


def test_what_is_not_verified_is_read_when_it_is_used(tmp_path: Path) -> None:
    method = method_of("mean-cn")
    batch = method.encode(TEXTS)
    batch.save(tmp_path / "batch")
    file = tmp_path / "batch" / "vector.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(DataError, match=r"vector\.npy is not as it was saved"):
        type(batch).load(tmp_path / "batch")
    assert len(type(batch).load(tmp_path / "batch", verify=False)) == len(TEXTS)
    records = tmp_path / "batch" / "records.npy"
    data = bytearray(records.read_bytes())
    data[-1] = 0
    records.write_bytes(data)
    loaded = type(batch).load(tmp_path / "batch", verify=False)
    with pytest.raises(DataError, match="record 3 is damaged"):
        loaded.texts[3]


def test_an_earlier_release(tmp_path: Path) -> None:
    stored = batch_files.Stored({"code": np.arange(2)}, {}, ["a", "b"])
    batch_files.save(tmp_path / "batch", "codes", stored)
    file = tmp_path / "batch" / "batch.json"
    meta = json.loads(file.read_text())
    file.write_text(json.dumps({**meta, "format": "compsim batch 4"}))
    with pytest.raises(DataError, match="earlier release"):
        batch_files.load(tmp_path / "batch", "codes", lambda results: results, mmap=False)


@pytest.mark.parametrize("name", ["../secret", "/dev/zero", "a/../../secret", ".secret", ""])
def test_arrays_outside_the_folder_are_not_read(name: str, tmp_path: Path) -> None:
    method = method_of("mean-cn")
    method.encode(TEXTS).save(tmp_path / "batch")
    np.save(tmp_path / "secret.npy", np.zeros(4))
    path = tmp_path / "batch" / "batch.json"
    meta = json.loads(path.read_text())
    del meta["checksum"]
    meta["arrays"][name] = file_checksum(tmp_path / "secret.npy")
    path.write_text(json.dumps(meta | {"checksum": json_checksum(meta)}))
    with pytest.raises(DataError, match="names files that are not its own"):
        method.encoded.load(tmp_path / "batch")
