"""A corpus on disk: what it finds, and what it does with bad input, damage and other writers."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from naive.corpus import PlainCorpus
from toy_corpus import text_of, toy_corpus
from toys import ToyParser, toy_options, toy_vectors

import compsim
from compsim import Corpus, DataError, InputError, Reranker, WordVectors
from compsim.corpus import segment_files as segments
from compsim.corpus.manifest import NAME
from compsim.method import Method
from compsim.registry import load
from compsim.storage import files

pytest.importorskip("pyarrow")

QUERIES = ["cats chase mice.", "mice help birds quickly", "zzyzx", "dogs but not cats"]
TEXTS = [
    "Cats chase mice.",
    "",
    "Birds visit the park. Cats chase mice quickly.",
    "zzyzx",
    "Dogs help birds in the house. Mice chase cats.",
    "Mice chase cats. Mice chase cats.",
    "...",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = toy_corpus(tmp_path / "corpus")
    made.add(TEXTS, list("abcdefg"), batch_size=3)
    return made


def search_scores(corpus: Corpus, query: str, **options: Any) -> list[tuple[str, float]]:
    return [(one["corpus_id"], one["score"]) for one in corpus.search(query, **options)]


def check(corpus: Corpus, plain: PlainCorpus, query: str, **options: Any) -> None:
    """Check that the results equal those of comparing all documents."""
    result = search_scores(corpus, query, top_k=len(plain) + 2, **options)
    expected = dict(plain.ranked(corpus.reranker, query))
    assert {one for one, _ in result} == set(expected)
    for one, score in result:
        assert score == pytest.approx(expected[one], abs=1e-5)
    assert [score for _, score in result] == sorted((s for _, s in result), reverse=True)


@pytest.mark.parametrize(
    ("precision", "combine"),
    [("int8", "max"), ("int8", "mean"), ("int8", 2), ("float32", "max")],
)
def test_it_finds_what_comparing_all_finds(
    tmp_path: Path, precision: str, combine: str | int
) -> None:
    corpus = toy_corpus(tmp_path / "corpus", precision=precision, combine=combine)
    plain = PlainCorpus()
    for start in range(0, 60, 20):
        own = {f"n{i}": text_of(i) for i in range(start, start + 20)}
        plain.update(own)
        assert corpus.add(own.values(), own.keys(), batch_size=9) == list(own)
    plain.update(zip("abcdefg", TEXTS, strict=True))
    corpus.add(TEXTS, list("abcdefg"))
    for query in QUERIES:
        for depth in (None, 10**6):
            check(corpus, plain, query, depth=depth)
    gone = ["n3", "c", "n59", "b"]
    assert corpus.delete(gone) == 4
    for one in gone:
        del plain[one]
    for _ in range(2):
        for query in QUERIES:
            check(corpus, plain, query, depth=None)
            best = search_scores(corpus, query, top_k=3, depth=None)
            expected = plain.ranked(corpus.reranker, query)[:3]
            assert [s for _, s in best] == pytest.approx([s for _, s in expected], abs=1e-5)
        assert corpus.ids() == list(plain)
        corpus.compact()
        corpus.verify()
    assert corpus.info["segments"] == 1
    assert corpus.info["deleted"] == 0
    again = toy_corpus(tmp_path / "corpus", combine=combine)
    check(again, plain, QUERIES[0], depth=None)


@pytest.mark.parametrize(
    "name",
    [
        *("verbnet-cn", "amr-cn", "amr-smatch", "amr-wlk", "amr-wwlk", "mean-cn", "tensor-cn"),
        *("bertscore", "sbert", "openai"),
    ],
)
def test_any_method_will_do(name: str, tmp_path: Path) -> None:
    method: Method[Any] = load(name, **toy_options(name))
    corpus = Corpus(tmp_path / "corpus", method)
    texts = [text_of(i) for i in range(12)]
    corpus.add(texts[:7])
    corpus.add(texts[7:])
    plain = PlainCorpus(zip(map(str, range(12)), texts, strict=True))
    check(corpus, plain, "cats chase mice")
    corpus.delete(["2"])
    del plain["2"]
    corpus.compact()
    check(corpus, plain, "cats chase mice", candidates=list(plain))
    assert corpus.explain("cats chase mice", "5").document == texts[5]


def test_a_result_tells_the_text_and_the_sentence_that_decided(corpus: Corpus) -> None:
    match = corpus.search("cats chase mice quickly", top_k=7)
    assert match[0]["corpus_id"] == "c"
    assert match[0]["text"] == TEXTS[2]
    assert match[0]["sentence"] == "Cats chase mice quickly."
    assert {one["corpus_id"]: one["sentence"] for one in match}["b"] is None
    assert all(type(one["score"]) is float for one in match)
    why = corpus.explain("cats chase mice quickly", "c")
    assert [one.counts for one in why.sentences] == [False, True]
    assert why.score == pytest.approx(match[0]["score"], abs=1e-5)


def test_candidates(corpus: Corpus) -> None:
    query = "cats chase mice"
    all_scores = dict(search_scores(corpus, query))
    some = search_scores(corpus, query, candidates=iter(["f", "a", "a", "b"]))
    assert dict(some) == pytest.approx({one: all_scores[one] for one in "afb"}, abs=1e-6)
    assert search_scores(corpus, query, candidates=[]) == []
    for bad, result in ((["nobody"], "no document 'nobody'"), ([3], "int"), ("a", "single str")):
        with pytest.raises(InputError, match=result):
            corpus.search(query, candidates=bad)  # type: ignore[arg-type]
    corpus.delete(["a"])
    with pytest.raises(InputError, match="no document 'a'"):
        corpus.search(query, candidates=["a"])


def test_a_small_depth_takes_those_that_look_best(corpus: Corpus) -> None:
    query = "cats chase mice"
    assert search_scores(corpus, query, top_k=1, depth=5) == search_scores(
        corpus, query, top_k=1, depth=None
    )
    assert len(search_scores(corpus, query, top_k=1, depth=1)) == 1
    assert len(search_scores(corpus, query, top_k=3, depth=1)) == 3


def test_ids(corpus: Corpus) -> None:
    assert "a" in corpus
    assert "x" not in corpus
    assert 3 not in corpus
    assert "" not in corpus
    for bad in (["x", "x"], [""], [3], ["\ud800"], "xy", 5, ["x"], ["x", "y", "z"]):
        with pytest.raises(InputError):
            corpus.add(["One.", "Two."], bad)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'a' is there already"):
        corpus.add(["One.", "Two."], ["new", "a"])
    with pytest.raises(InputError, match="no document 'x'"):
        corpus.delete(["a", "x"])
    assert corpus.ids() == list("abcdefg")
    corpus.add(["Cats help mice."], ["0"])
    assert corpus.add(["Cats help birds.", "Dogs help birds."]) == ["1", "2"]
    corpus.delete(["2", "a"])
    assert corpus.add(["Cats help dogs."]) == ["3"]
    corpus.add(["Cats help all."], ["a"])
    assert corpus.get("a") == "Cats help all."
    assert corpus.delete([]) == 0
    with pytest.raises(InputError, match="no document 'x'"):
        corpus.get("x")


def test_bad_documents_and_queries(corpus: Corpus) -> None:
    for bad in ("One text.", 5, [None], [float("nan")], b"bytes"):
        with pytest.raises(InputError):
            corpus.add(bad)  # type: ignore[arg-type]
    for query in ("", " ", "?!"):
        with pytest.raises(InputError, match="without a word"):
            corpus.search(query)
    with pytest.raises(InputError):
        corpus.search(None)  # type: ignore[arg-type]
    for bad in (0, -1, True, 1.5, None):
        with pytest.raises(InputError, match="top_k"):
            corpus.search("cats", top_k=bad)  # type: ignore[arg-type]
    for bad in (0, "all"):
        with pytest.raises(InputError, match="depth"):
            corpus.search("cats", depth=bad)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="batch_size"):
        corpus.add(["One."], batch_size=0)
    with pytest.raises(InputError, match="most"):
        corpus.compact(0)
    assert corpus.ids() == list("abcdefg")


def test_vectors_with_nan_are_one_error(corpus: Corpus) -> None:
    method = corpus.method
    broken = method.encode(["cats chase mice"])
    broken.whole.vector[:] = np.nan
    docs = corpus.encode(["cats chase mice"])
    docs.batch.whole.vector[:] = np.nan  # type: ignore[union-attr]
    with pytest.raises(InputError, match="NaN"):
        corpus.add(docs)
    assert len(corpus) == len(TEXTS)
    corpus.verify()


def test_no_documents(tmp_path: Path) -> None:
    corpus = toy_corpus(tmp_path / "corpus")
    assert corpus.add([]) == []
    assert corpus.search("cats chase mice") == []
    assert corpus.compact() == 0
    assert (len(corpus), corpus.ids()) == (0, [])
    corpus.add(["", " \n"])
    assert [one["score"] for one in corpus.search("cats")] == [0.0, 0.0]
    corpus.delete(corpus.ids())
    assert corpus.search("cats chase mice") == []
    assert corpus.compact() == 0
    assert corpus.search("cats chase mice") == []


def test_many_documents_and_one_of_a_megabyte(tmp_path: Path) -> None:
    corpus = toy_corpus(tmp_path / "corpus", "mean-cn")
    long = " ".join(text_of(i) for i in range(26_000)) + " Birds visit birds sadly."
    assert len(long) > 10**6
    ids = corpus.add((text_of(i) for i in range(10_000)), batch_size=4000)
    corpus.add([long], ["long"])
    assert (len(corpus), ids[-1]) == (10_001, "9999")
    best = corpus.search("Birds visit birds sadly.", top_k=1)[0]
    assert (best["corpus_id"], best["sentence"]) == ("long", "Birds visit birds sadly.")
    assert corpus.get("long") == long


def test_documents_encoded_before(corpus: Corpus) -> None:
    docs = corpus.encode([text_of(i) for i in range(5)])
    assert corpus.add(docs, batch_size=2) == ["0", "1", "2", "3", "4"]
    plain = PlainCorpus(zip("abcdefg", TEXTS, strict=True))
    plain.update({str(i): text_of(i) for i in range(5)})
    check(corpus, plain, QUERIES[0], depth=None)
    question = corpus.ask(QUERIES[0])
    assert search_scores(corpus, question) == search_scores(corpus, QUERIES[0])  # type: ignore[arg-type]


def test_options_are_kept_with_the_corpus(tmp_path: Path) -> None:
    path = tmp_path / "corpus"
    made = Corpus(path, "mean-cn", vectors="builtin")
    made.add(TEXTS)
    again = Corpus.open(path)
    assert again.info["options"] == {"vectors": "builtin"}
    assert search_scores(again, "cats") == search_scores(made, "cats")
    assert search_scores(Corpus(path, again.method), "cats") == search_scores(made, "cats")
    with pytest.raises(DataError, match="'mean-cn', not 'hybrid'"):
        Corpus(path, "hybrid")
    with pytest.raises(DataError, match="precision"):
        Corpus(path, precision="float32")
    with pytest.raises(InputError, match="precision"):
        Corpus(tmp_path / "other", precision="int4")
    toy = tmp_path / "toy"
    toy_corpus(toy).add(TEXTS)
    opened = Corpus.open(toy)
    assert len(opened) == len(TEXTS)
    with pytest.raises(InputError, match="vectors, parser, which no file can hold"):
        opened.search("cats")
    secret = Corpus(tmp_path / "secret", load("openai", **toy_options("openai")))
    assert "api_key" not in (secret.path / NAME).read_text()


def test_a_corpus_made_with_other_vectors(corpus: Corpus) -> None:
    rng = np.random.default_rng(1)
    for dim in (8, 5):
        vectors = WordVectors.from_arrays(["cats", "mice"], rng.normal(size=(2, dim)), name="other")
        other = toy_corpus(corpus.path, vectors=vectors)
        for act in (
            lambda corpus: corpus.search("cats chase mice"),
            lambda corpus: corpus.add(["cats chase mice"]),
        ):
            with pytest.raises(DataError, match="other vectors"):
                act(other)
    assert len(corpus) == len(TEXTS)


def test_a_normalization_must_be_fitted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not fitted"):
        toy_corpus(tmp_path / "no", "mean-cn", normalize="zscore")
    method = load("mean-cn", vectors=toy_vectors(), normalize="zscore")
    texts = [text_of(i) for i in range(30)]
    method.fit(texts)
    corpus = Corpus(tmp_path / "yes", method)
    corpus.add(texts)
    plain = PlainCorpus(zip(map(str, range(30)), texts, strict=True))
    check(corpus, plain, "cats chase mice")


def test_what_was_added_without_a_first_look_is_compared(tmp_path: Path) -> None:
    texts = [text_of(i) for i in range(30)]
    method = load("mean-cn", vectors=toy_vectors(), normalize="zscore").fit(texts)
    Corpus(tmp_path / "corpus", method).add(texts)
    plain = toy_corpus(tmp_path / "corpus", "mean-cn", normalize="none")
    plain.add(["cats help mice"], ["new"])
    twin = PlainCorpus(zip([*map(str, range(30)), "new"], [*texts, "cats help mice"], strict=True))
    check(plain, twin, "cats chase mice", depth=None)


def test_other_folders_and_other_versions(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("Dear")
    with pytest.raises(DataError, match="not a corpus"):
        toy_corpus(tmp_path / "letters")
    with pytest.raises(DataError, match="is a file"):
        toy_corpus(tmp_path / "letters" / "a.txt")
    with pytest.raises(DataError, match="not a corpus"):
        Corpus.open(tmp_path / "nothing")
    path = corpus.path / NAME
    kept = path.read_text()
    values = json.loads(kept)
    for changed, match in (
        ({"format": "compsim corpus 0"}, "not a corpus of this version"),
        ({**values, "next_id": 5}, "not as it was saved"),
        ([], "not as it was saved"),
    ):
        path.write_text(json.dumps(changed))
        with pytest.raises(DataError, match=match):
            Corpus.open(corpus.path)
    path.write_text(kept[:-9])
    with pytest.raises(DataError, match="cannot be read"):
        Corpus.open(corpus.path)


def test_every_damaged_file_is_found(corpus: Corpus, tmp_path: Path) -> None:
    corpus.delete(["a"])
    corpus.verify()
    names = [p.relative_to(corpus.path) for p in corpus.path.rglob("*") if p.is_file()]
    assert len(names) > 30
    for number, name in enumerate(names):
        if name.name == ".lock":
            continue
        copy = tmp_path / f"copy{number}"
        shutil.copytree(corpus.path, copy)
        data = bytearray((copy / name).read_bytes())
        data[len(data) // 2] ^= 0x5A
        (copy / name).write_bytes(data)
        with pytest.raises(DataError):
            toy_corpus(copy).verify()
        (copy / name).unlink()
        with pytest.raises(DataError):
            Corpus.open(copy).verify()
        shutil.rmtree(copy)


def test_a_segment_whose_sentences_are_gone_is_damaged(corpus: Corpus) -> None:
    folder = next(corpus.path.rglob("batch"))
    shutil.rmtree(folder)
    with pytest.raises(DataError, match=folder.parent.name):
        toy_corpus(corpus.path).search("cats chase mice")


def test_two_writers_exclude_each_other_and_readers_go_on(corpus: Corpus) -> None:
    other = toy_corpus(corpus.path)
    inside, done = threading.Event(), threading.Event()

    def slowly(_: list[str]) -> None:
        inside.set()
        assert done.wait(60)

    writer = threading.Thread(
        target=corpus.add, args=(["Cats."], ["new"]), kwargs={"saved": slowly}
    )
    writer.start()
    assert inside.wait(60)
    try:
        for act in (
            lambda: other.add(["Dogs."]),
            lambda: other.delete(["a"]),
            lambda: other.compact(),
        ):
            with pytest.raises(DataError, match="written to by another process"):
                act()
        assert "new" in other
    finally:
        done.set()
        writer.join()
    assert other.add(["Dogs."], ["dogs"]) == ["dogs"]
    assert "dogs" in corpus


def test_a_reader_sees_what_another_has_compacted(corpus: Corpus) -> None:
    reader = toy_corpus(corpus.path)
    reader.search("cats")
    late = toy_corpus(corpus.path)  # has opened nothing but the manifest
    corpus.delete(["a"])
    corpus.compact()
    for each in (reader, late):
        assert search_scores(each, "cats") == search_scores(corpus, "cats")
        assert each.info["segments"] == 1


def _reads(path: Path, stop: Any, out: Any) -> None:
    corpus = toy_corpus(path)
    try:
        while not stop.is_set():
            match = corpus.search("cats chase mice", top_k=3)
            assert len(match) == 3
    except BaseException as error:
        out.put(repr(error))
        raise
    out.put("fine")


def test_reading_while_another_process_writes(corpus: Corpus) -> None:
    context = multiprocessing.get_context("spawn")
    stop, out = context.Event(), context.Queue()
    reader = context.Process(target=_reads, args=(corpus.path, stop, out))
    reader.start()
    for i in range(7):
        corpus.add([text_of(i), text_of(i + 1)], [f"x{i}", f"y{i}"], batch_size=1)
        corpus.delete([f"x{i}"])
        corpus.compact(most=20)
    stop.set()
    assert out.get(timeout=60) == "fine"
    reader.join()


@pytest.mark.parametrize("step", ["documents", "vectors", "batch", "manifest", "deleted"])
def test_a_full_disk_is_one_error(
    corpus: Corpus, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = search_scores(corpus, "cats chase mice")
    inside = sorted(path.name for path in (corpus.path / "segments").iterdir())

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        if step == "documents":
            patch.setattr(segments, "write_documents", full)
        elif step == "vectors":
            patch.setattr(segments.np, "save", full)
        elif step == "batch":
            patch.setattr("compsim.storage.batch_files.np.save", full)
        elif step == "manifest":
            patch.setattr(files.os, "replace", full)
        else:
            patch.setattr("compsim.corpus.store.write_deleted", full)
        call, given = corpus.add, (["Cats help dogs."], ["new"])
        if step == "deleted":
            call, given = corpus.delete, (["a"],)
        with pytest.raises(DataError, match="No space left on device"):
            call(*given)
    for each in (corpus, toy_corpus(corpus.path)):
        assert search_scores(each, "cats chase mice") == before
        assert "new" not in each
        each.verify()
    corpus.add(["Cats help dogs."], ["new"])
    assert "new" in corpus
    corpus.compact()
    assert len(list((corpus.path / "segments").iterdir())) == 1
    assert len(inside) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of a process are those of POSIX")
def test_a_limit_on_files_is_a_full_disk(corpus: Corpus) -> None:
    import resource
    import signal

    before = search_scores(corpus, "cats chase mice")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    docs = corpus.encode([text_of(i) for i in range(900)])
    try:
        for limit in (0, 100, 3000, 30_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, old[1]))
            with pytest.raises(DataError, match="can not be written"):
                corpus.add(docs)
            assert search_scores(corpus, "cats chase mice") == before
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    corpus.verify()
    assert len(corpus.add(docs)) == 900


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.missing.find_spec", lambda name: None)
    with pytest.raises(compsim.MissingExtraError, match=r'"\.\[corpus\]"'):
        Corpus("nowhere")


def test_a_method_of_ones_own_takes_no_options(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="made already"):
        Corpus(tmp_path / "corpus", load("verbnet-cn", parser=ToyParser()), weights="paper")
    assert isinstance(Reranker("verbnet-cn", parser=ToyParser()).method, Method)


@pytest.mark.parametrize("method", ["hybrid", "mean-cn"])
def test_an_index_finds_what_a_look_at_all_finds(method: str, tmp_path: Path) -> None:
    pytest.importorskip("usearch")
    corpus = toy_corpus(tmp_path / "corpus", method)
    corpus.add((text_of(i) for i in range(400)), batch_size=150)
    corpus.add(TEXTS, list("abcdefg"))
    corpus.delete(["3", "a"])
    queries = QUERIES[:2]
    before = [search_scores(corpus, query, top_k=5) for query in queries]
    assert corpus.build_index(least=50) == 3
    assert corpus.build_index(least=50) == 0
    assert corpus.info["indexed"] == 3
    for each in (corpus, toy_corpus(tmp_path / "corpus", method)):
        for query, expected in zip(queries, before, strict=True):
            table = dict(search_scores(each, query, top_k=5))
            # An index that several threads have built misses one of the best now and then.
            kept = [d for d, score in expected if score == pytest.approx(table.get(d, 0), abs=1e-5)]
            rest = [score for d, score in table.items() if d not in kept]
            assert len(kept) + sum(score >= expected[-1][1] - 1e-5 for score in rest) >= 4
        assert search_scores(each, queries[0], depth=None)[:5] == before[0]
        each.search("zzyzx")
    corpus.verify()
    corpus.compact()
    assert corpus.info["indexed"] == 0
    assert search_scores(corpus, queries[0], top_k=5)[0][1] == pytest.approx(before[0][0][1])
    assert not list((corpus.path / "segments").glob("*.index"))


def test_an_index_needs_int8_vectors_of_sentences(tmp_path: Path) -> None:
    for name, precision in (("verbnet-cn", "int8"), ("mean-cn", "float32")):
        corpus = toy_corpus(tmp_path / name, name, precision=precision)
        corpus.add(TEXTS)
        with pytest.raises(InputError, match="int8"):
            corpus.build_index(least=1)
