from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import threading
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.cli import main
from compsim.errors import InputError, ParseError
from compsim.graph import Node, RoleGraph, Status
from compsim.parsers.cache import CachedParser, ParseCache, default_path
from compsim.parsers.opening import open_parser
from compsim.storage.sealing import seal


def graph_of(text: str, status: Status = Status.OK) -> RoleGraph:
    if status is Status.FAILED:
        return RoleGraph.failed(text, "why")
    return RoleGraph.star(text, {"Verb": "go", "Agent": text}, status=status)


class CountingParser:
    """Parses by the first letter (f: failed, p: partial), and keeps what it was asked."""

    name, version = "counting", "1"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        self.batches.append(list(sentences))
        kinds = {"f": Status.FAILED, "p": Status.PARTIAL}
        return [graph_of(text, kinds.get(text[:1], Status.OK)) for text in sentences]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ParseCache]:
    cache = ParseCache(tmp_path / "parses.sqlite")
    yield cache
    cache.close()


def test_kept_by_text_parser_and_version_across_openings(cache: ParseCache) -> None:
    graphs = [graph_of(f"text {index} \ud800 é\n") for index in range(1203)]
    cache.put(graphs, "srl", "1")
    cache.close()
    assert cache.path is not None
    again = ParseCache(cache.path)
    texts = [graph.text for graph in graphs]
    assert again.get([*texts, "other"], "srl", "1") == dict(zip(texts, graphs, strict=True))
    assert again.get(texts, "srl", "2") == {}
    assert again.get(texts, "sr", "l1") == {}
    info = again.info()
    assert (info["entries"], info["path"]) == (1203, str(cache.path))
    assert info["bytes"] > 1203 * 50
    again.clear()
    assert again.get(texts, "srl", "1") == {}
    assert again.info()["entries"] == 0
    again.close()


def test_a_file_tells_nothing_to_who_has_not_the_text(cache: ParseCache) -> None:
    secret, other = "Zyzzyva poisoned the quixotic vizier.", "Quokkas sleep."
    roles = {"Verb": "poisoned", "Agent": "Zyzzyva", "Patient": "the quixotic vizier"}
    graph = RoleGraph.star(secret, roles)
    cache.put([graph, graph_of(other)], "srl", "1")
    cache.close()
    assert cache.path is not None
    content = b"".join(path.read_bytes() for path in cache.path.parent.iterdir())
    words = {*secret.lower().split(), *other.lower().split()} - {"the"}
    for word in (*words, "poison", "agent", "patient", "sleep"):
        assert word.strip(".").encode() not in content.lower()
    again = ParseCache(cache.path)
    assert again.get([secret], "srl", "1") == {secret: graph}
    again.close()


def test_equal_parses_of_two_caches_do_not_look_equal(tmp_path: Path) -> None:
    rows = []
    for name in ("one", "two"):
        cache = ParseCache(tmp_path / name)
        cache.put([graph_of("a")], "srl", "1")
        cache.close()
        with sqlite3.connect(tmp_path / name) as db:
            rows += db.execute("SELECT graph FROM graphs").fetchall()
        db.close()
    assert rows[0] != rows[1]


def test_the_texts_of_former_versions_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "parses.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(
            "CREATE TABLE parses (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "key BLOB NOT NULL UNIQUE, graph TEXT NOT NULL)"
        )
        rows = [(bytes([i]), f'{{"text": "Zyzzyva {i}"}}' * 100) for i in range(200)]
        db.executemany("INSERT INTO parses (key, graph) VALUES (?, ?)", rows)
    db.close()
    assert b"Zyzzyva" in path.read_bytes()
    cache = ParseCache(path)
    assert cache.info()["entries"] == 0
    cache.put([graph_of("a")], "srl", "1")
    cache.close()
    assert b"Zyzzyva" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert ParseCache(path).get(["a"], "srl", "1") == {"a": graph_of("a")}


def test_nothing_is_written_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("COMPSIM_HOME", str(home))
    for parser in ("srl", "amr"):
        opened = open_parser(parser)
        assert isinstance(opened, CachedParser)
        assert opened.cache.path is None
        opened.parse(["Cats sleep."])
        assert opened.cache.info()["entries"] == 1
        assert not isinstance(open_parser(parser, cache=False), CachedParser)
    assert not isinstance(open_parser(CountingParser()), CachedParser)
    assert main(["similarity", "Cats sleep.", "Dogs bark.", "--vectors", "builtin"]) == 0
    assert main(["explain", "Cats sleep.", "Dogs bark.", "--vectors", "builtin"]) == 0
    assert not home.exists()
    open_parser("srl", cache=True).parse(["Cats sleep."])
    assert (home / "parses.sqlite").is_file()
    for folder in (tmp_path / "one", str(tmp_path / "two")):
        open_parser("srl", cache=folder).parse(["Cats sleep."])
        assert ParseCache(Path(folder) / "parses.sqlite").info()["entries"] == 1
    with pytest.raises(InputError, match="give True, False, a folder or a ParseCache"):
        open_parser("srl", cache=3)  # type: ignore[arg-type]


def test_default_path_lies_in_the_home_folder(isolated_home: Path) -> None:
    assert default_path() == isolated_home / "parses.sqlite"


def test_oldest_go_first_on_disk_and_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "parses.sqlite"
    cache = ParseCache(path, max_entries=10, max_memory=3)
    for index in range(25):
        cache.put([graph_of(str(index)), graph_of("0")], "srl", "1")
    assert cache.info()["entries"] <= 10
    assert len(cache._recent) == 3
    entry = cache.get([str(index) for index in range(25)], "srl", "1")
    assert set(entry) >= {str(index) for index in range(17, 25)}
    assert "3" not in entry
    cache.close()


def test_few_long_parses_are_in_memory() -> None:
    cache = ParseCache(None, max_memory=10)
    roles = {role: role for role in ("Verb", "Agent", "Patient", "Theme", "Location", "Time")}
    for number in range(40):
        several = tuple(Node(f"word {i}") for i in range(50 if number % 2 else 1))
        cache.put([RoleGraph(several, (), 0, str(number))], "srl", "1")
        cache.put([RoleGraph.star(f"star {number}", roles)] * 2, "srl", "1")
        held = cache._recent.values()
        assert sum(len(graph.nodes) + len(graph.edges) for graph in held) == cache._parts <= 160
    assert cache.get(["star 39"], "srl", "1")
    cache.put([RoleGraph(tuple(Node(str(i)) for i in range(161)), (), 0, "all")], "srl", "1")
    assert cache.info()["entries"] == cache._parts == 0


def test_what_is_used_stays_in_memory() -> None:
    cache = ParseCache(None, max_memory=2)
    cache.put([graph_of("a"), graph_of("b")], "srl", "1")
    cache.get(["a"], "srl", "1")
    cache.put([graph_of("c")], "srl", "1")
    assert set(cache.get(["a", "b", "c"], "srl", "1")) == {"a", "c"}
    assert cache.info() == {"entries": 2, "bytes": 0, "path": None}
    cache.clear()
    assert cache.info()["entries"] == 0


def fill(path: Path) -> list[RoleGraph]:
    cache = ParseCache(path)
    graphs = [graph_of(f"sentence {index}") for index in range(2000)]
    cache.put(graphs, "srl", "1")
    cache.close()
    return graphs


def damage_header(path: Path) -> None:
    path.write_bytes(b"this is no database " * 400)


def damage_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 : len(content) - 100] = os.urandom(len(content) - 4196)
    path.write_bytes(content)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("damage", [damage_header, damage_pages])
def test_a_corrupt_file_is_moved_aside_with_one_warning(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "parses.sqlite"
    for number in (1, 2):
        graphs = fill(path)
        damage(path)  # type: ignore[operator]
        cache = ParseCache(path)
        with warnings.catch_warnings(record=True) as caught:
            cache.get(["sentence 1", "sentence 1999"], "srl", "1")
            cache.put(graphs, "srl", "1")
        assert [f"corrupt-{number}" in str(warning.message) for warning in caught] == [True]
        assert (tmp_path / f"parses.sqlite.corrupt-{number}").exists()
        cache.close()
        assert len(ParseCache(path).get([graph.text for graph in graphs], "srl", "1")) == 2000


def _meet_a_corrupt_file(path: Path, number: int, barrier: Any, out: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cache = ParseCache(path, max_memory=0)
        barrier.wait()
        for index in range(30):
            cache.get([f"sentence {number} {index}"], "srl", "1")
            cache.put([graph_of(f"sentence {number} {index}")], "srl", "1")
    out.put((cache.path is not None, [str(one.message) for one in caught]))
    cache.close()


@pytest.mark.parametrize("damage", [damage_header, damage_pages])
def test_processes_that_meet_a_corrupt_file_all_go_on(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "parses.sqlite"
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    for attempt in range(3):
        for left in tmp_path.iterdir():
            left.unlink()
        fill(path)
        damage(path)
        barrier, out = context.Barrier(8), context.Queue()
        children = [
            context.Process(target=_meet_a_corrupt_file, args=(path, number, barrier, out))
            for number in range(8)
        ]
        for child in children:
            child.start()
        results = [out.get(timeout=120) for _ in children]
        for child in children:
            child.join()
        assert all(kept for kept, _ in results), results
        assert not any("can not be used" in message for _, said in results for message in said)
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",), attempt
        db.close()


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "long", "null"])
def test_what_is_no_file_leaves_memory(kind: str, tmp_path: Path) -> None:
    path = {"device": Path("/dev/zero"), "long": tmp_path / ("x" * 5000)}.get(
        kind, tmp_path / ("a\0b" if kind == "null" else "cache")
    )
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    cache = ParseCache(path)
    with pytest.warns(UserWarning, match="memory only"):
        cache.put([graph_of("a")], "srl", "1")
    assert set(cache.get(["a"], "srl", "1")) == {"a"}


def test_a_damaged_entry_is_a_miss_and_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "parses.sqlite"
    sealed = [
        seal(content, "srl", "1", "a")
        for content in (
            b"{",
            b"[]",
            b'{"text": 3}',
            b'{"text":"other","status":"ok"}',
            b"[" * 10**5,
        )
    ]
    for value in (b"", b"{", b"\xff" * 40, 5, *sealed):
        cache = ParseCache(path)
        cache.put([graph_of("a"), graph_of("b")], "srl", "1")
        cache.close()
        with sqlite3.connect(path) as db:
            db.execute("UPDATE graphs SET graph = ? WHERE id % 2 = 1", (value,))
        db.close()
        cache = ParseCache(path)
        kept = cache.get(["a", "b"], "srl", "1")
        assert all(graph == graph_of(text) for text, graph in kept.items())
        cache.put([graph_of("a"), graph_of("b")], "srl", "1")
        cache.close()
        cache = ParseCache(path)
        assert len(cache.get(["a", "b"], "srl", "1")) == 2
        cache.clear()
        cache.close()


@pytest.mark.filterwarnings("default")
def test_a_folder_that_can_not_be_written_leaves_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ParseCache(tmp_path / "file" / "parses.sqlite")
    with warnings.catch_warnings(record=True) as caught:
        cache.put([graph_of("a")], "srl", "1")
        cache.put([graph_of("b")], "srl", "1")
        assert set(cache.get(["a", "b", "c"], "srl", "1")) == {"a", "b"}
    assert ["memory only" in str(warning.message) for warning in caught] == [True]
    assert cache.info() == {"entries": 2, "bytes": 0, "path": None}


@pytest.mark.skipif(os.getuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_leaves_memory(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    cache = ParseCache(tmp_path / "parses.sqlite")
    with pytest.warns(UserWarning, match="memory only"):
        cache.put([graph_of("a")], "srl", "1")
    assert set(cache.get(["a"], "srl", "1")) == {"a"}
    tmp_path.chmod(0o700)


def test_a_file_of_another_shape_leaves_memory(tmp_path: Path) -> None:
    path = tmp_path / "parses.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE graphs (other)")
    db.close()
    cache = ParseCache(path)
    with pytest.warns(UserWarning, match="memory only"):
        cache.put([graph_of("a")], "srl", "1")
    assert set(cache.get(["a"], "srl", "1")) == {"a"}


def work(path: Path, start: int, barrier: object) -> None:
    warnings.simplefilter("error")
    cache = ParseCache(path)
    barrier.wait()  # type: ignore[attr-defined]
    for index in range(start, start + 60):
        graph = graph_of(f"sentence {index}")
        cache.put([graph], "srl", "1")
        assert cache.get([graph.text], "srl", "1") == {graph.text: graph}
    cache.close()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_several_processes_share_the_file(tmp_path: Path, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    context = multiprocessing.get_context(method)
    path, barrier = tmp_path / "parses.sqlite", context.Barrier(3)
    children = [
        context.Process(target=work, args=(path, 40 * number, barrier)) for number in range(3)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0, 0]
    cache = ParseCache(path)
    assert cache.info()["entries"] == 140  # 0..139, the overlaps once
    assert len(cache.get([f"sentence {index}" for index in range(140)], "srl", "1")) == 140
    cache.close()


def put_in_child(cache: ParseCache) -> None:
    cache.put([graph_of("child")], "srl", "1")
    assert len(cache.get(["parent", "child"], "srl", "1")) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_an_open_cache_survives_a_fork(cache: ParseCache) -> None:
    cache.put([graph_of("parent")], "srl", "1")
    child = multiprocessing.get_context("fork").Process(target=put_in_child, args=(cache,))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert set(cache.get(["parent", "child"], "srl", "1")) == {"parent", "child"}


def test_threads_share_a_cache(cache: ParseCache) -> None:
    def run(start: int) -> None:
        for index in range(start, start + 40):
            cache.put([graph_of(str(index))], "srl", "1")
            cache.get([str(index), str(index + 1)], "srl", "1")

    threads = [threading.Thread(target=run, args=(20 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.info()["entries"] == 100


def test_cached_parser_asks_for_distinct_misses_once(cache: ParseCache) -> None:
    inner = CountingParser()
    parser = CachedParser(inner, cache)
    assert (parser.name, parser.version) == ("counting", "1")
    texts = ["a", "f1", "a", "p1", ""]
    assert parser.parse(texts) == [*inner.parse(["a", "f1", "a", "p1", ""])]
    assert inner.batches[0] == ["a", "f1", "p1", ""]
    parser.parse(["p1", "f1", "b", "a"])
    assert inner.batches[-1] == ["f1", "b"]
    inner.cacheable_failures = True  # type: ignore[attr-defined]
    parser.parse(["f1"])
    count = len(inner.batches)
    assert parser.parse(["f1"])[0].status == "failed"
    assert parser.parse([]) == []
    assert len(inner.batches) == count


def test_a_parser_that_loses_sentences_is_told_apart(cache: ParseCache) -> None:
    inner = CountingParser()
    inner.parse = lambda sentences: []  # type: ignore[method-assign]
    with pytest.raises(ParseError, match="0 graphs for 1"):
        CachedParser(inner, cache).parse(["a"])


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_cached_equals_uncached(first: list[str], second: list[str]) -> None:
    parser = CachedParser(CountingParser(), ParseCache(None, max_memory=3))
    for texts in (first, second, first):
        assert parser.parse(texts) == CountingParser().parse(texts)


def test_many_are_read_back_from_disk(cache: ParseCache) -> None:
    roles = {"Verb": "go", "Agent": "the old man", "Location": "at home", "Time": "now"}
    graphs = [RoleGraph.star(f"the old man go at home now {n}", roles) for n in range(3000)]
    cache.put(graphs, "srl", "1")
    cache._recent.clear()
    texts = [graph.text for graph in graphs]
    assert cache.get(texts, "srl", "1") == dict(zip(texts, graphs, strict=True))


def test_a_cache_pickles_as_its_file(cache: ParseCache) -> None:
    graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep"})
    cache.put([graph], "srl", "1")
    parser = pickle.loads(pickle.dumps(CachedParser(CountingParser(), cache)))
    assert parser.cache.path == cache.path
    assert parser.cache.get(["Cats sleep."], "srl", "1") == {"Cats sleep.": graph}
    parser.cache.close()
