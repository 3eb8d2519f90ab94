"""Work on files that ends anywhere: what was there is there, or what was to be, and nothing torn.

``COMPSIM_FAULTS`` says at how many points of all kinds of work together.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faults
import numpy as np
import pytest
from toy_corpus import text_of
from toys import toy_vectors

from compsim import Corpus, load
from compsim.corpus.manifest import NAME, Manifest
from compsim.corpus.writing import LOCK
from compsim.storage import files
from compsim.vectors.table import read_table, write_table

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

POINTS = int(os.environ.get("COMPSIM_FAULTS", "66"))
QUERY = "cats chase mice"


@dataclass
class Job:
    """Work on a folder, and what is right afterwards.

    ``states`` are those that may be there, from the old one to the new one, ``state`` reads it, and
    ``tidy`` is the next writer, after which nothing is there but what belongs.
    """

    prepare: Callable[[Path], None]
    work: Callable[[Path], Callable[[], object]]
    state: Callable[[Path], Any]
    tidy: Callable[[Path], None]


METHOD = load("mean-cn", vectors=toy_vectors())


def opened(path: Path) -> Corpus:
    return Corpus(path, METHOD)


def corpus_state(path: Path) -> Any:
    """Ids, texts and scores; the corpus checks out."""
    corpus = Corpus.open(path, METHOD)
    corpus.verify()
    match = corpus.search(QUERY, top_k=50, depth=None)
    ids = corpus.ids()
    assert len(ids) == len(corpus) == len(match)
    texts = {one["corpus_id"]: one["text"] for one in match}
    assert all(texts[one] == corpus.get(one) == text_of(int(one)) for one in ids)
    return ids


def or_none(path: Path) -> Any:
    return corpus_state(path) if (path / NAME).exists() else None


def tidy_corpus(path: Path) -> None:
    corpus = opened(path)
    corpus.add([text_of(90)], ["90"])
    assert {item.name for item in path.iterdir()} <= {NAME, LOCK, "segments"}
    assert {item.name for item in (path / "segments").iterdir()} == Manifest.read(path).named
    corpus.compact()
    corpus.delete(["90"])
    corpus.verify()


def some_corpus(path: Path) -> None:
    corpus = opened(path)
    corpus.add([text_of(i) for i in range(9)], batch_size=3)
    corpus.delete(["1", "5"])


def adding(path: Path) -> Callable[[], object]:
    docs = opened(path.parent / "scratch").encode([text_of(i) for i in range(20, 24)])
    return lambda: opened(path).add(docs, ["20", "21", "22", "23"], batch_size=2)


def without_manifest(path: Path) -> None:
    some_corpus(path)
    (path / NAME).unlink()
    flipped = path / "segments" / "000002" / "documents.arrow"
    flipped.write_bytes(flipped.read_bytes()[:-9])


def repair_state(path: Path) -> Any:
    """That of the corpus where there is one, which must be what another repair makes of it."""
    before = or_none(path)
    Corpus.repair(path)
    assert before in (None, corpus_state(path))
    aside = sorted(item.name for item in (path / "damaged").iterdir())
    assert aside == ["000002"]
    return corpus_state(path)


def tidy_repaired(path: Path) -> None:
    shutil.rmtree(path / "damaged")
    tidy_corpus(path)


OLD, NEW = METHOD.encode([text_of(1), text_of(2)]), METHOD.encode([text_of(3)])


def batch_state(path: Path) -> Any:
    return list(type(OLD).load(path / "batch").texts)


def tidy_batch(path: Path) -> None:
    NEW.save(path / "batch")
    assert batch_state(path) == list(NEW.texts)
    assert [item.name for item in path.iterdir()] == ["batch"]


def a_table(path: Path, words: list[str]) -> None:
    matrix = np.arange(2 * len(words), dtype=np.float32).reshape(-1, 2)
    write_table(path / "table", words, matrix, name="toy")


def table_state(path: Path) -> Any:
    return read_table(path / "table", verify=True).words


def tidy_table(path: Path) -> None:
    a_table(path, ["x"])
    assert table_state(path) == ["x"]
    assert [item.name for item in path.iterdir()] == ["table"]


def text_state(path: Path) -> Any:
    return (path / "text").read_text() if (path / "text").exists() else None


def tidy_text(path: Path) -> None:
    files.write_text(path / "text", "x" * 10_000)
    assert [item.name for item in path.iterdir()] == ["text"]


def a_folder(path: Path) -> None:
    path.mkdir()


JOBS = {
    "make": Job(a_folder, lambda path: lambda: opened(path), or_none, tidy_corpus),
    "add": Job(some_corpus, adding, corpus_state, tidy_corpus),
    "delete": Job(
        some_corpus,
        lambda path: lambda: opened(path).delete(["0", "2", "4"]),
        corpus_state,
        tidy_corpus,
    ),
    "compact": Job(
        some_corpus, lambda path: lambda: opened(path).compact(8), corpus_state, tidy_corpus
    ),
    "index": Job(
        some_corpus, lambda path: lambda: opened(path).build_index(1), corpus_state, tidy_corpus
    ),
    "repair": Job(
        without_manifest, lambda path: lambda: Corpus.repair(path), repair_state, tidy_repaired
    ),
    "batch": Job(
        lambda path: OLD.save(path / "batch"),
        lambda path: lambda: NEW.save(path / "batch"),
        batch_state,
        tidy_batch,
    ),
    "table": Job(
        lambda path: a_table(path, ["a", "b"]),
        lambda path: lambda: a_table(path, ["c"]),
        table_state,
        tidy_table,
    ),
    "text": Job(
        a_folder,
        lambda path: lambda: files.write_text(path / "text", "new" * 1000),
        text_state,
        tidy_text,
    ),
}
#: Folders are exchanged in one step, or moved in two where the system cannot do that.
STEPS = {"batch": (1, 2), "table": (1, 2)}


def points() -> Iterator[tuple[str, int, str, int]]:
    """Kinds of work with the number of steps, how it ends, and which of how many points it is."""
    kinds = [
        (name, steps, end)
        for name in JOBS
        for steps in STEPS.get(name, (1,))
        for end in faults.ENDS
    ]
    for number, (name, steps, end) in enumerate(kinds):
        yield name, steps, end, POINTS // len(kinds) + (number < POINTS % len(kinds))


@pytest.mark.parametrize(("name", "steps", "end", "share"), [*points()])
def test_old_or_new_and_never_torn(
    name: str, steps: int, end: str, share: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "index":
        pytest.importorskip("usearch")
    job, start, path = JOBS[name], tmp_path / "start", tmp_path / "path"
    if steps == 2:
        monkeypatch.setattr(files, "exchange", lambda a, b: False)
    job.prepare(start)
    shutil.copytree(start, path)
    old = None if name == "repair" else job.state(path)
    work = job.work(path)
    every = faults.count(work)
    assert every >= 10
    print(name, steps, end, every, min(share, every))
    new = job.state(path)
    between = [[*old, "20", "21"]] if name == "add" else []
    rng = random.Random(f"{name} {steps} {end}")
    seen = []
    for point in sorted(rng.sample(range(every), min(share, every))):
        shutil.rmtree(path)
        shutil.copytree(start, path)
        done = faults.run(work, point, end)
        state = job.state(path)
        assert state in (old, *between, new), (name, end, point)
        assert state == new or not done
        seen.append(state)
        job.tidy(path)
    # What is there never goes back with what was done.
    order = [old, *between, new]
    places = [order.index(state) for state in seen]
    assert places == sorted(places)
