"""Files, folders and batches that are there whole or not at all."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest

from compsim.errors import DataError
from compsim.storage import batch_files, files
from compsim.storage.files import file_sha256, whole_file, whole_folder, write_durably

STORED = batch_files.Stored({"code": np.array([1, 2])}, {"space": "toy"}, ["a", "b"])


def codes(stored: batch_files.Stored) -> list[int]:
    return [int(code) for code in stored.arrays["code"]]


@pytest.mark.parametrize("size", [0, 1, 3_000_000])
def test_the_checksum_is_that_of_the_content(size: int, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x" * size)
    assert file_sha256(tmp_path / "x") == hashlib.sha256(b"x" * size).hexdigest()


def test_a_file_appears_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with whole_file(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        raise KeyboardInterrupt
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x"
    for content in ("old", "new"):
        with whole_folder(path) as folder:
            (folder / content).write_text(content)
    assert [file.name for file in path.iterdir()] == ["new"]
    with pytest.raises(KeyboardInterrupt), whole_folder(path) as folder:
        raise KeyboardInterrupt
    assert list(path.parent.iterdir()) == [path]
    assert [file.name for file in path.iterdir()] == ["new"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_what_is_written_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain file").touch()
    (tmp_path / "plain folder").mkdir()
    with whole_file(tmp_path / "file"), whole_folder(tmp_path / "folder"):
        pass
    for name in ("file", "folder"):
        assert (tmp_path / name).stat().st_mode == (tmp_path / f"plain {name}").stat().st_mode


@pytest.mark.parametrize(
    "name", ["compsim batch 2", "compsim role batch 1", "compsim graph batch 1"]
)
def test_a_batch_of_an_earlier_release_is_refused_with_that_reason(
    name: str, tmp_path: Path
) -> None:
    batch_files.save(tmp_path / "batch", "codes", STORED)
    assert batch_files.load(tmp_path / "batch", "codes", codes, mmap=False) == [1, 2]
    meta = json.loads((tmp_path / "batch" / "batch.json").read_text())
    (tmp_path / "batch" / "batch.json").write_text(json.dumps(meta | {"format": name}))
    with pytest.raises(DataError, match=r"saved by an earlier release.* encode and save it again"):
        batch_files.load(tmp_path / "batch", "codes", codes, mmap=False)


@pytest.mark.parametrize("name", ["compsim batch 7", "toys", None, 3, ["compsim batch 6"]])
def test_a_batch_of_an_unknown_format_is_refused(name: object, tmp_path: Path) -> None:
    batch_files.save(tmp_path / "batch", "codes", STORED)
    (tmp_path / "batch" / "batch.json").write_text(json.dumps({"format": name}))
    with pytest.raises(DataError, match="not a batch of this version"):
        batch_files.load(tmp_path / "batch", "codes", codes, mmap=False)


def test_a_file_that_cannot_be_on_disk_costs_none_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"new")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_durably(path, fail)
    assert [file.name for file in tmp_path.iterdir()] == ["x"]
    assert path.read_bytes() == b"old"
    write_durably(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no locks of folders")
@pytest.mark.parametrize("whole", [whole_file, whole_folder])
def test_what_a_killed_writer_left_is_removed_and_a_living_one_goes_on(
    whole: Callable[[Path], Any], tmp_path: Path
) -> None:
    path = tmp_path / "x"
    for name in (".x.0badcafe.new", ".x.0badcafe.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("half")
    (tmp_path / ".x.1badcafe.new").write_text("half")
    (tmp_path / ".x.2badcafe.new").symlink_to(tmp_path / "nothing")
    mine = [".x.badcafe.new", ".x.0badcafe.new.txt", ".y.0badcafe.new", "x.0badcafe.new"]
    for name in mine:
        (tmp_path / name).write_text("mine")
    os.mkfifo(tmp_path / ".x.3badcafe.new")
    with whole(path):
        with whole(path):
            assert len([*tmp_path.glob(".x.*.new")]) == 4  # two of them are written to
        assert path.exists()
    assert {file.name for file in tmp_path.iterdir()} - {*mine} == {
        *("x", ".x.3badcafe.new"),
        *([".x.0badcafe.old"] if whole is whole_file else []),
    }


def test_a_folder_that_was_moved_aside_is_put_back(tmp_path: Path) -> None:
    path = tmp_path / "batch"
    batch_files.save(path, "codes", STORED)
    path.rename(tmp_path / ".batch.0badcafe.old")
    assert batch_files.load(path, "codes", codes, mmap=False) == [1, 2]
    path.rename(tmp_path / ".batch.0badcafe.old")
    batch_files.save(path, "codes", STORED)
    assert [file.name for file in tmp_path.iterdir()] == ["batch"]


@pytest.mark.parametrize("steps", [1, 2])
def test_what_is_replaced_may_be_a_link(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if steps == 2:
        monkeypatch.setattr(files, "exchange", lambda a, b: False)
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "thesis").touch()
    path = tmp_path / "x"
    path.symlink_to(tmp_path / "target")
    for content in ("one", "two"):
        with whole_folder(path) as folder:
            (folder / content).touch()
        assert [file.name for file in path.iterdir()] == [content]
    assert {file.name for file in tmp_path.iterdir()} == {"target", "x"}
    assert [file.name for file in (tmp_path / "target").iterdir()] == ["thesis"]


def _save_often(path: Path, steps: int, text: str, out: Any) -> None:
    if steps == 2:
        files.exchange = lambda a, b: False
    stored = batch_files.Stored({"code": np.arange(3)}, {}, [text] * 3)
    try:
        for _ in range(40):
            batch_files.save(path, "codes", stored)
    except BaseException as error:
        out.put(repr(error))
        raise
    out.put("fine")


@pytest.mark.parametrize("steps", [1, 2])
def test_several_processes_replace_one_folder(steps: int, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    path, out = tmp_path / "batch", context.Queue()
    batch_files.save(path, "codes", STORED)
    writers = [context.Process(target=_save_often, args=(path, steps, text, out)) for text in "ab"]
    for writer in writers:
        writer.start()
    assert [out.get(timeout=60) for _ in writers] == ["fine", "fine"]
    for writer in writers:
        writer.join()
    assert len(set(batch_files.load(path, "codes", lambda results: [*results.records], False))) == 1
    batch_files.save(path, "codes", STORED)
    assert [file.name for file in tmp_path.iterdir()] == ["batch"]


def test_a_folder_that_cannot_take_its_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    with whole_folder(path) as folder:
        (folder / "old").touch()
    monkeypatch.setattr(files, "exchange", lambda a, b: False)
    rename = os.rename

    def fail(source: Any, target: Any) -> None:
        if Path(target) == path and ".old" not in str(source):
            raise PermissionError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(files.os, "rename", fail)
    with pytest.raises(PermissionError), whole_folder(path) as folder:
        (folder / "new").touch()
    assert [file.name for file in path.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [path]
