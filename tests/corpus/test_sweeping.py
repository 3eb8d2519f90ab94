"""Removal of files that a corpus made and no longer names, and of nothing else."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from corpus_files import files, rewritten
from toy_corpus import text_of, toy_corpus

from compsim import Corpus, DataError
from compsim.corpus import segment_files as segments
from compsim.corpus.manifest import NAME, Manifest

pytest.importorskip("pyarrow")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = toy_corpus(tmp_path / "corpus", "mean-cn")
    made.add([text_of(i) for i in range(6)], batch_size=3)
    return made


def test_what_killed_writers_left_is_removed(corpus: Corpus) -> None:
    folder = corpus.path / "segments"
    shutil.copytree(folder / "000000", folder / "000002")
    (folder / "000000.deleted-9.npy").write_bytes(b"")
    (folder / "000000.deleted-9.0badcafe.npy").write_bytes(b"")
    (folder / "000000.index").write_bytes(b"")
    assert len(corpus) == 6
    corpus.add(["Cats."], ["new"])
    assert {path.name for path in folder.iterdir()} == Manifest.read(corpus.path).named


def test_what_a_corpus_did_not_make_stays(corpus: Corpus, tmp_path: Path) -> None:
    folder, other = corpus.path / "segments", tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("x")
    for name in ("notes.txt", "000000.deleted-1.npy.bak", "12", "000009", ".000009.index"):
        (folder / name).write_text("mine")
    for name in ("old", "000000.index", "00000x"):
        (folder / name).mkdir()
        (folder / name / "kept").write_text("mine")
    os.symlink(other, folder / "000002")
    os.symlink(other / "thesis.txt", folder / "000001.index")
    os.symlink(tmp_path / "nothing", folder / "000003")
    inside = {path.name for path in folder.iterdir()}
    corpus.add(["Cats help."], ["new"])
    corpus.delete(["0"])
    corpus.compact()
    there = {path.name for path in folder.iterdir()}
    assert inside - there == {"000000", "000001"}
    assert files(other) == {"thesis.txt": b"x"}
    assert (folder / "old" / "kept").read_text() == "mine"
    corpus.verify()
    assert len(corpus) == 6


@pytest.mark.parametrize("step", ["add", "delete", "compact", "build_index", "repair", "make"])
def test_a_folder_of_segments_that_is_a_link_is_not_written_to(
    corpus: Corpus, tmp_path: Path, step: str
) -> None:
    pytest.importorskip("usearch")
    folder, other = corpus.path / "segments", tmp_path / "docs"
    folder.rename(other)
    (other / "thesis.txt").write_text("x")
    (other / "000009").mkdir()
    os.symlink(other, folder)
    before = files(other)
    use = {
        "add": lambda: corpus.add(["Cats help."], ["new"]),
        "delete": lambda: corpus.delete(["0"]),
        "compact": corpus.compact,
        "build_index": lambda: corpus.build_index(least=1),
        "repair": lambda: Corpus.repair(corpus.path),
        "make": lambda: toy_corpus(corpus.path, "mean-cn"),
    }
    if step == "make":
        (corpus.path / NAME).unlink()
        for path in other.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        before = {}
    with pytest.raises(DataError, match=r"is a link|no segments"):
        use[step]()
    assert files(other) == before


def test_a_manifest_that_is_older_than_the_segments_removes_none(corpus: Corpus) -> None:
    older = (corpus.path / NAME).read_bytes()
    corpus.add([text_of(8)], ["8"])
    corpus.add([text_of(9)], ["9"])
    (corpus.path / NAME).write_bytes(older)
    before = files(corpus.path)
    with pytest.raises(DataError, match=r"older than the segments.* 000003: run `compsim corpus"):
        corpus.add(["Cats help."], ["new"])
    assert files(corpus.path) == before
    assert Corpus.repair(corpus.path)["documents"] == 8
    assert corpus.add(["Cats help."], ["new"]) == ["new"]


def test_a_number_that_is_taken_costs_no_segment(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten(corpus.path, next_segment=0)
    before = files(corpus.path / "segments")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(segments, "write_documents", full)
        with pytest.raises(DataError, match="No space left on device"):
            corpus.add(["Cats help."], ["new"])
    assert files(corpus.path / "segments") == before
    corpus.add(["Cats help."], ["new"])
    assert [entry.name for entry in Manifest.read(corpus.path).segments][2] == "000002"
    assert corpus.ids() == [*"012345", "new"]
    corpus.verify()


def test_a_segment_is_written_to_a_new_folder_alone(corpus: Corpus) -> None:
    folder = corpus.path / "segments" / "000000"
    before = files(folder)
    docs = corpus.encode(["Cats help."])
    about = segments.About(1, 1, 0)
    with pytest.raises(FileExistsError):
        segments.write_segment(folder, ["new"], docs, None, about)
    assert files(folder) == before
