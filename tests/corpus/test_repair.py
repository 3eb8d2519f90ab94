"""A manifest that was lost or damaged: refused, and rebuilt from the segments."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus_files import files, flip, rewritten
from toy_corpus import text_of, toy_corpus
from toys import ToyParser, toy_vectors

from compsim import Corpus, DataError, InputError
from compsim.corpus.manifest import NAME, Manifest
from compsim.storage.checksums import json_checksum

pytest.importorskip("pyarrow")


def made(path: Path, count: int = 9, batch_size: int = 3) -> Corpus:
    corpus = toy_corpus(path, "mean-cn")
    corpus.add([text_of(i) for i in range(count)], batch_size=batch_size)
    return corpus


def reopened(path: Path) -> Corpus:
    return toy_corpus(path, "mean-cn")


def state(corpus: Corpus) -> Any:
    match = corpus.search("cats chase mice", top_k=20, depth=None)
    return corpus.ids(), [(one["corpus_id"], one["score"], one["text"]) for one in match]


def of_an_earlier_release(corpus: Corpus) -> None:
    """Take out of the segments what earlier releases did not write."""
    entries = []
    for entry in json.loads((corpus.path / NAME).read_text())["segments"]:
        path = corpus.path / "segments" / entry[0] / "segment.json"
        result = {"files": json.loads(path.read_text())["files"]}
        path.write_text(json.dumps(result))
        entry[3] = json_checksum(result)
        if entry[5]:
            plain = f"{entry[0]}.deleted-{entry[4]}.npy"
            folder = corpus.path / "segments"
            (folder / entry[5][0]).rename(folder / plain)
            entry[5][0] = plain
        entries.append(entry)
    rewritten(corpus.path, segments=entries)


def test_segments_without_a_manifest_are_refused_and_stay(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    before = state(corpus)
    (corpus.path / NAME).unlink()
    there = files(corpus.path)
    for use in (
        lambda: reopened(corpus.path),
        lambda: Corpus.open(corpus.path),
        lambda: corpus.add(["Cats."]),
        lambda: corpus.compact(),
    ):
        with pytest.raises(DataError, match=f"compsim corpus repair {corpus.path}"):
            use()
    assert files(corpus.path) == there
    repair = Corpus.repair(corpus.path)
    assert (repair["documents"], repair["segments"], repair["set_aside"]) == (9, 3, [])
    assert repair["notes"] == [
        "corpus.json was missing",
        "none is taken as deleted where no list says so: 000000, 000001, 000002",
    ]
    assert state(reopened(corpus.path)) == before
    assert reopened(corpus.path).add(["Cats help."]) == ["9"]


def test_any_content_of_the_folder_of_segments_is_refused(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "segments").mkdir(parents=True)
    reopened(tmp_path / "corpus")
    (tmp_path / "corpus" / NAME).unlink()
    (tmp_path / "corpus" / "segments" / "letter.txt").write_text("Dear")
    with pytest.raises(DataError, match="has segments and no"):
        reopened(tmp_path / "corpus")
    with pytest.raises(DataError, match="nothing to repair"):
        Corpus.repair(tmp_path / "none")


@pytest.mark.parametrize("lost", ["gone", "torn", "flipped"])
def test_deletions_and_order_survive(tmp_path: Path, lost: str) -> None:
    corpus = made(tmp_path / "corpus", 12)
    corpus.delete(["1", "4"])
    corpus.compact(most=14)
    corpus.delete(["0", "9"])
    corpus.add([text_of(40)], ["0"])
    corpus.delete(["10"])
    before, manifest = state(corpus), Manifest.read(corpus.path)
    path = corpus.path / NAME
    if lost == "gone":
        path.unlink()
    elif lost == "torn":
        path.write_bytes(path.read_bytes()[:-20])
    else:
        flip(path)
    repair = Corpus.repair(corpus.path)
    assert repair["documents"] == len(before[0])
    assert state(reopened(corpus.path)) == before
    assert Manifest.read(corpus.path) == manifest
    assert sum("newest list of deletions" in note for note in repair["notes"]) == 2
    reopened(corpus.path).verify()


def test_a_repair_of_what_is_whole_changes_nothing(tmp_path: Path) -> None:
    pytest.importorskip("usearch")
    corpus = made(tmp_path / "corpus")
    corpus.build_index(least=1)
    corpus.delete(["3"])
    there = files(corpus.path)
    assert Corpus.repair(corpus.path)["notes"] == []
    assert files(corpus.path) == there
    (corpus.path / NAME).unlink()
    repair = Corpus.repair(corpus.path)
    assert sum("build it again" in note for note in repair["notes"]) == 3
    assert reopened(corpus.path).info["indexed"] == 0


@pytest.mark.parametrize("manifest", [True, False])
def test_a_damaged_segment_is_set_aside_where_no_writer_removes_it(
    tmp_path: Path, manifest: bool
) -> None:
    corpus = made(tmp_path / "corpus")
    corpus.delete(["5"])
    if not manifest:
        (corpus.path / NAME).unlink()
    flip(corpus.path / "segments" / "000001" / "documents.arrow")
    (corpus.path / "segments" / "000002" / "segment.json").unlink()
    inside = files(corpus.path / "segments" / "000001")
    repair = Corpus.repair(corpus.path)
    assert repair["set_aside"] == ["000001", "000002"]
    assert any("documents.arrow is not as it was saved" in note for note in repair["notes"])
    assert any("segment.json is missing" in note for note in repair["notes"])
    again = reopened(corpus.path)
    assert again.ids() == ["0", "1", "2"]
    again.add(["Cats help."], ["new"])
    again.compact()
    aside = corpus.path / "damaged"
    assert files(aside / "000001") == inside
    assert {path.name.split(".")[0] for path in aside.iterdir()} == {"000001", "000002"}
    assert any(path.name.startswith("000001.deleted-1.") for path in aside.iterdir())


def test_deletions_that_are_lost_are_told(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    corpus.delete(["0", "1"])
    folder = corpus.path / "segments"
    (longest,) = folder.glob("*.deleted-2.*")
    flip(longest)
    np.save(folder / "000000.deleted-1.npy", np.array([1]))
    repair = Corpus.repair(corpus.path)
    assert any("1 deleted documents are there again" in note for note in repair["notes"])
    assert reopened(corpus.path).ids() == ["0", *"2345678"]
    (folder / Manifest.read(corpus.path).segments[0].deleted[0]).unlink()  # type: ignore[index]
    (folder / "000000.deleted-1.npy").unlink()
    repair = Corpus.repair(corpus.path)
    assert any("is damaged or gone" in note for note in repair["notes"])
    assert len(reopened(corpus.path)) == 9


def test_a_document_of_a_later_segment_is_gone_from_the_earlier_one(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    corpus.delete(["4"])
    corpus.add([text_of(50)], ["4"])
    for path in (corpus.path / "segments").glob("*.deleted-*"):
        path.unlink()
    (corpus.path / NAME).unlink()
    repair = Corpus.repair(corpus.path)
    assert any("000001: 1 documents are there in a later segment" in n for n in repair["notes"])
    again = reopened(corpus.path)
    assert sorted(again.ids()) == list("012345678")
    assert again.get("4") == text_of(50)


def test_segments_that_were_joined_do_not_come_back(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    corpus.delete(["3", "7"])
    copy = tmp_path / "copy"
    shutil.copytree(corpus.path, copy)
    corpus.compact()
    shutil.copytree(copy / "segments", corpus.path / "segments", dirs_exist_ok=True)
    for path in (corpus.path / "segments").glob("*.deleted-*"):
        path.unlink()
    before = state(corpus)
    repair = Corpus.repair(corpus.path)  # the manifest says what was replaced
    assert state(reopened(corpus.path)) == before
    (corpus.path / NAME).unlink()
    repair = Corpus.repair(corpus.path)  # and so does the segment
    assert (repair["documents"], repair["segments"]) == (7, 1)
    assert state(reopened(corpus.path)) == before


def test_a_manifest_of_an_older_copy(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    older = (corpus.path / NAME).read_bytes()
    corpus.add([text_of(20), text_of(21)], batch_size=1)
    before = state(corpus)
    (corpus.path / NAME).write_bytes(older)
    assert Corpus.repair(corpus.path)["documents"] == 11
    assert state(reopened(corpus.path)) == before
    assert reopened(corpus.path).add(["Cats help."]) == ["11"]


def test_segments_of_an_earlier_release_need_the_method(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    corpus.add(["?!"])
    corpus.delete(["1"])
    before = state(corpus)
    of_an_earlier_release(corpus)
    assert state(reopened(corpus.path)) == before
    reopened(corpus.path).verify()
    (corpus.path / NAME).unlink()
    with pytest.raises(InputError, match="--method and --option"):
        Corpus.repair(corpus.path)
    repair = Corpus.repair(corpus.path, "mean-cn", vectors=toy_vectors())
    assert (repair["method"], repair["documents"], repair["deleted"]) == ("mean-cn", 9, 1)
    again = reopened(corpus.path)
    assert state(again) == before
    assert again.info["precision"] == "int8"
    assert again.add(["Cats help."]) == ["10"]
    again.compact()
    (corpus.path / NAME).unlink()
    assert Corpus.repair(corpus.path)["documents"] == 10


def test_another_method_is_refused(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    (corpus.path / NAME).unlink()
    with pytest.raises(DataError, match="'mean-cn', not 'verbnet-cn'"):
        Corpus.repair(corpus.path, "verbnet-cn", parser=ToyParser(), vectors=toy_vectors())
    assert not (corpus.path / NAME).exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("name", ["corpus.json", "segments/000001", "segments/000001/hash.npy"])
def test_what_may_not_be_read_is_not_set_aside(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # whatever the rights to the folders above are
    corpus = made(Path("corpus"))
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.chown(path, 65534, 65534)
    (corpus.path / name).chmod(0)
    before = {*tmp_path.rglob("*")}
    os.seteuid(65534)
    try:
        with pytest.raises(DataError, match="may not be read: give the right"):
            Corpus.repair(corpus.path)
        with pytest.raises(DataError, match=r"cannot be read .*Permission denied"):
            reopened(corpus.path).verify()
    finally:
        os.seteuid(0)
    assert {*tmp_path.rglob("*")} == before
    (corpus.path / name).chmod(0o755)
    assert Corpus.repair(corpus.path)["set_aside"] == []


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    with (
        corpus._store.writing(),
        pytest.raises(DataError, match="written to by another process"),
    ):
        Corpus.repair(corpus.path)


def test_what_is_no_record_of_a_segment(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus", 3)
    path = corpus.path / "segments" / "000000" / "segment.json"
    values = json.loads(path.read_text())
    values.pop("checksum")
    for changed in (
        [],
        {},
        {**values, "files": []},
        {**values, "files": {"hash.npy": "1"}},
        {**values, "documents": -1},
        {**values, "order": "0"},
        {**values, "replaces": "000000"},
        {**values, "corpus": {}},
        {**values, "corpus": {**values["corpus"], "options": []}},
        {**values, "more": 1},
    ):
        checked = changed and {**changed, "checksum": json_checksum(changed)}  # type: ignore[dict-item]
        path.write_text(json.dumps(checked))
        with pytest.raises(DataError, match=r"segment\.json"):
            reopened(corpus.path).ids()
    path.write_text("[" * 100_000)
    with pytest.raises(DataError, match="too deeply"):
        reopened(corpus.path).ids()
