"""One open corpus in several threads, while it is written to: by these, or by another process."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from toy_corpus import toy_corpus

from compsim import Corpus
from compsim.corpus import store
from compsim.corpus.manifest import Manifest

pytest.importorskip("pyarrow")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = toy_corpus(tmp_path / "corpus", "mean-cn")
    made.add(["Cats chase mice.", "Dogs help birds."], ["a", "b"], batch_size=1)
    return made


def test_another_thread_sees_a_newer_manifest_while_segments_are_opened(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Corpus.open(corpus.path, corpus.method)
    opening, written = store.Segment, threading.Event()

    def opened(*arguments: Any) -> Any:
        if not written.is_set():
            written.set()
            corpus.add(["Mice chase cats."], ["c"])
            assert len(other) == 3  # reads the newest manifest, as another thread would now
        return opening(*arguments)

    monkeypatch.setattr(store, "Segment", opened)
    assert set(other.ids()) <= {"a", "b", "c"}
    assert other.ids() == ["a", "b", "c"]


def test_a_reader_that_was_held_up_brings_no_old_manifest_back(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, inside, written = store.read_manifest, threading.Event(), threading.Event()
    other = Corpus.open(corpus.path, corpus.method)

    def slowly(path: Path) -> Manifest:
        content = read(path)
        if threading.current_thread() is reader:
            inside.set()
            written.wait(0.5)  # in vain where the writer waits for this reader
        return content

    def saved(_: list[str]) -> None:
        written.set()
        reader.join()

    monkeypatch.setattr(store, "read_manifest", slowly)
    reader = threading.Thread(target=lambda: len(corpus))
    other.add(["Dogs."], ["e"])  # so that the reader looks again
    reader.start()
    assert inside.wait(60)
    corpus.add(["Mice chase cats.", "Birds sleep."], ["c", "d"], batch_size=1, saved=saved)
    for each in (corpus, toy_corpus(corpus.path, "mean-cn")):
        assert each.ids() == ["a", "b", "e", "c", "d"]
        each.verify()


def test_threads_read_what_one_of_them_writes(corpus: Corpus) -> None:
    done, wrong = threading.Event(), list[str]()
    query = corpus.ask("cats chase mice")

    def look() -> None:
        while not done.wait(0.002):
            try:
                ids = corpus.ids()
                if len(set(ids)) != len(ids) or not {"a", "b"} <= set(ids):
                    wrong.append(f"ids {ids}")
                results = [one["corpus_id"] for one in corpus.search(query, 3)]
                if len(results) != 3 and len(results) != 2:
                    wrong.append(f"found {results}")
            except Exception as error:
                wrong.append(repr(error))

    readers = [threading.Thread(target=look) for _ in range(4)]
    for reader in readers:
        reader.start()
    expected = ["a", "b"]
    for i in range(5):
        corpus.add(["Birds visit the park.", "Mice sleep."], [f"x{i}", f"y{i}"], batch_size=1)
        corpus.delete([f"x{i}"])
        expected.append(f"y{i}")
        if i % 4 == 3:
            corpus.compact(most=20)
        assert corpus.ids() == expected
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert toy_corpus(corpus.path, "mean-cn").ids() == expected
