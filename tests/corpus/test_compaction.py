"""Segments joined: damage does not pass, the originals stay until all is verified, mixes work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus_files import files, flip
from naive.corpus import PlainCorpus
from toy_corpus import text_of, toy_corpus
from toys import toy_vectors

from compsim import Corpus, DataError, load
from compsim.corpus import segment_files as segments
from compsim.corpus.manifest import Manifest

pytest.importorskip("pyarrow")

TEXTS = [text_of(i) for i in range(30)]


def made(path: Path, method: str = "mean-cn") -> Corpus:
    corpus = toy_corpus(path, method)
    corpus.add(TEXTS[:12], batch_size=4)
    corpus.delete(["5"])
    return corpus


@pytest.mark.parametrize("method", ["mean-cn", "hybrid"])
def test_no_damage_passes(method: str, tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus", method)
    folder = corpus.path / "segments"
    names = sorted(files(folder))
    for name in names:
        if name.startswith("000002"):
            continue
        content = (folder / name).read_bytes()
        flip(folder / name)
        before = files(corpus.path)
        with pytest.raises(DataError, match=name.split("/")[-1].replace(".", r"\.")):
            toy_corpus(corpus.path, method).compact()
        assert files(corpus.path) == before
        (folder / name).unlink()
        with pytest.raises(DataError, match=name.split("/")[-1].replace(".", r"\.")):
            toy_corpus(corpus.path, method).compact()
        (folder / name).write_bytes(content)
    assert corpus.compact() == 1
    assert sorted(files(folder)) != names


@pytest.mark.parametrize("wrong", ["documents", "vectors", "batch"])
def test_what_is_not_on_disk_as_it_was_written_replaces_nothing(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that does not keep what it is given: what is joined changes before its checksum."""
    corpus = made(tmp_path / "corpus")
    before = files(corpus.path)
    checksum = segments.file_checksum

    def bad(path: Path) -> int:
        if "000003" in str(path):
            if wrong == "documents" and path.name == "documents.arrow":
                path.write_bytes(path.read_bytes().replace(TEXTS[0].encode(), TEXTS[1].encode()))
            elif wrong == "vectors" and path.name == "whole.npy":
                np.save(path, np.load(path)[::-1])
            elif wrong == "batch" and path.name == "vector.npy":
                np.save(path, np.load(path) * 2)
        return checksum(path)

    with monkeypatch.context() as patch:
        patch.setattr(segments, "file_checksum", bad)
        with pytest.raises(DataError, match="not on disk as they were written"):
            corpus.compact()
    assert files(corpus.path) == before
    assert corpus.compact() == 1
    corpus.verify()


@pytest.mark.parametrize("method", ["mean-cn", "hybrid"])
@pytest.mark.parametrize("first", ["plain", "normalised"])
@pytest.mark.parametrize("by", ["plain", "normalised"])
def test_segments_with_and_without_a_first_look(
    method: str, first: str, by: str, tmp_path: Path
) -> None:
    fitted: Any = load("mean-cn", vectors=toy_vectors(), normalize="zscore").fit(TEXTS)
    options: dict[str, Any] = {"plain": {"normalize": "none"}}
    options["normalised"] = {"normalize": fitted.normalizer}
    if method == "hybrid":
        options = {"plain": {"whole": "mean-cn"}, "normalised": {"whole": fitted}}
    folder = tmp_path / "corpus"
    plain = PlainCorpus()
    for start, kind in enumerate([first, "normalised", "plain", "normalised"]):
        own = {str(i): TEXTS[i] for i in range(5 * start, 5 * start + 5)}
        plain.update(own)
        toy_corpus(folder, method, **options[kind]).add(own.values(), own.keys())
    toy_corpus(folder, method, **options["plain"]).add(
        ["", " "], ["none", "empty"]
    )  # no sentence at all
    plain.update(none="", empty=" ")
    look = [
        one.coded is not None for one in toy_corpus(folder, method, **options[by])._store.segments()
    ]
    assert look == [first == "plain", False, True, False, False]
    assert toy_corpus(folder, method, **options[by]).compact() == 1
    (segment,) = toy_corpus(folder, method, **options[by])._store.segments()
    assert segment.coded is not None
    for kind in options.values():
        corpus = toy_corpus(folder, method, **kind)
        corpus.verify()
        match = corpus.search("cats chase mice", top_k=30, depth=None)
        scores = dict(plain.ranked(corpus.reranker, "cats chase mice"))
        assert {one["corpus_id"]: one["score"] for one in match} == pytest.approx(scores, abs=1e-5)
    corpus.add(["Cats help mice."], ["new"])


def test_no_segment_with_a_first_look(tmp_path: Path) -> None:
    fitted: Any = load("mean-cn", vectors=toy_vectors(), normalize="zscore").fit(TEXTS)
    corpus = Corpus(tmp_path / "corpus", fitted)
    corpus.add(TEXTS, batch_size=10)
    assert corpus.compact() == 1
    assert corpus._store.segments()[0].coded is None
    assert [entry.name for entry in Manifest.read(corpus.path).segments] == ["000003"]


def test_vectors_of_the_first_look_that_are_lost_are_told(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus")
    for name in ("whole", "scale", "error"):
        (corpus.path / "segments" / "000000" / f"{name}.npy").unlink()
    again = toy_corpus(corpus.path, "mean-cn")
    for use in (again.compact, again.verify, lambda: again.search("cats chase mice")):
        with pytest.raises(DataError, match=r"whole\.npy|error\.npy"):
            use()
