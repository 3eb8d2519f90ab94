"""Corpora of which one file is damaged: one ``DataError`` that names it, or what there always was.

They are read in processes of their own, which must end by themselves. ``COMPSIM_DAMAGE`` says how
many of each kind.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from compsim import Corpus, DataError, load
from compsim.corpus import store

pytest.importorskip("pyarrow")
pytest.importorskip("usearch")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

COUNT = int(os.environ.get("COMPSIM_DAMAGE", "30"))
#: Seconds that one damaged corpus may take.
PATIENCE = 60
#: Damaged corpora of one process: a copy of this one takes its time.
AT_ONCE = 10
KINDS: dict[str, dict[str, Any]] = {
    "mean-cn": {"vectors": "builtin"},
    "hybrid": {"whole": "mean-cn", "vectors": "builtin"},
}
QUERY = "The dog bit the fish."
DELETED = ["d3", "d4", "e1é"]


def some_corpus(path: Path, method: Any) -> None:
    """Two segments with indexes and deletions; the second has ids that are not ASCII."""
    texts = [
        f"The {who} {verb} the {whom}. It rained in {place}."
        for who in ("dog", "man", "nurse")
        for verb in ("bit", "saw")
        for whom in ("lawyer", "fish")
        for place in ("Oslo", "Rome")
    ]
    corpus = Corpus(path, method)
    corpus.add(texts[:14], [f"d{i}" for i in range(14)])
    corpus.add(texts[14:], [f"e{i}é" for i in range(len(texts) - 14)])
    corpus.delete(DELETED)
    corpus.build_index(least=1)


def damage(data: bytes, rng: random.Random) -> bytes | None:
    """A file otherwise; None where it is gone."""
    kind = rng.choice(["bit", "bit", "bytes", "cut", "zeros", "noise", "more", "head", "none"])
    changed, place = bytearray(data), rng.randrange(len(data))
    if kind == "bit":
        changed[place] ^= 1 << rng.randrange(8)
    elif kind == "bytes":
        for _ in range(4):
            changed[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == "cut":
        del changed[place:]
    elif kind == "zeros":
        changed[place : place + 64] = bytes(len(data[place : place + 64]))
    elif kind == "noise":
        changed[place : place + 64] = rng.randbytes(len(data[place : place + 64]))
    elif kind == "more":
        changed += rng.randbytes(100)
    elif kind == "head":
        changed[rng.randrange(min(len(data), 128))] = rng.randrange(256)
    else:
        return None
    return bytes(changed)


def search(folder: Path, method: Any, **options: Any) -> Any:
    match = Corpus.open(folder, method).search(QUERY, 8, **options)
    return [(one["corpus_id"], one["score"], one["sentence"], one["text"]) for one in match]


def texts(folder: Path, method: Any) -> Any:
    corpus = Corpus.open(folder, method)
    return {one: corpus.get(one) for one in corpus.ids()}


READS: dict[str, Callable[..., Any]] = {
    "verify": lambda folder, method: Corpus.open(folder, method).verify(),
    "search": search,
    "exact": lambda folder, method: search(folder, method, depth=None),
    "candidates": lambda folder, method: search(folder, method, candidates=["d2", "e2é"]),
    "texts": texts,
}


def looked_at(folder: Path, method: Any, name: str, expected: dict[str, Any], sure: bool) -> str:
    """Return the fault of a corpus whose file ``name`` is damaged; "" if it is read right.

    Unless ``sure``, only ``verify`` tells numbers that are others.
    """

    def results(error: DataError) -> bool:
        said = str(error)
        return name in said and ("repair" in said or "restore" in said or "encode" in said)

    errors = 0
    for read, action in READS.items():
        try:
            result = action(folder, method)
        except DataError as error:
            errors += 1
            if not results(error):
                return f"{read} says {error}"
        else:
            if result != expected[read] and sure:
                return f"{read} gives something else"
            if read == "verify":
                return "verify passes"
    # What has joined segments has no damage.
    copy = folder.with_name("compacted")
    shutil.copytree(folder, copy)
    try:
        Corpus.open(copy, method).compact()
    except DataError as error:
        if not results(error):
            return f"compact says {error}"
    else:
        Corpus.open(copy, method).verify()
        if texts(copy, method) != expected["texts"]:
            return "compact gives something else"
    notes = Corpus.repair(folder)["notes"]
    if not notes:
        return "repair says nothing"
    repaired = texts(folder, method)
    Corpus.open(folder, method).verify()
    back = [one for one in repaired if one not in expected["texts"]]
    if back and (set(back) - set(DELETED) or not any("there again" in note for note in notes)):
        return f"repair brings back {back}"
    if any(repaired[one] != text for one, text in expected["texts"].items() if one in repaired):
        return "repair gives other texts"
    if len(repaired) < len(expected["texts"]) and not any("set aside" in note for note in notes):
        return "repair lost documents"
    return "" if errors else "no error"


def apart(actions: Sequence[Callable[[], str]]) -> list[str]:
    """Return the outputs of actions in a new process, or for each how that process ended."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        process = os.fork()
    if process == 0:
        for action in actions:
            signal.alarm(PATIENCE)
            try:
                said = action()
            except BaseException as error:
                said = f"raw {error!r}"
            os.write(writing, json.dumps(said[:300]).encode() + b"\n")
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said_of_each = [json.loads(line) for line in pipe]
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status:
        said_of_each.append(f"ended by {signal.Signals(-status).name}")
        said_of_each += ["not looked at"] * (len(actions) - len(said_of_each))
    return said_of_each


@contextmanager
def big_corpora(monkeypatch: pytest.MonkeyPatch, big: bool) -> Iterator[None]:
    """Have a corpus count as one whose encoded sentences are not read before a search."""
    with monkeypatch.context() as patch:
        if big:
            patch.setattr(store, "_THOROUGH", 0)
        yield


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_one_error_names_the_file(
    kind: str, big: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = load(kind, **KINDS[kind])
    start, folder = tmp_path / "start", tmp_path / "corpus"
    some_corpus(start, method)
    expected = {read: action(start, method) for read, action in READS.items()}
    names = sorted(path for path in start.rglob("*") if path.is_file() and path.name != ".lock")
    assert len(names) > 20
    rng = random.Random(kind)
    wrong: Counter[tuple[str, str]] = Counter()
    done: Counter[str] = Counter()
    cases: list[tuple[Path, bytes | None]] = []
    while len(cases) < COUNT:
        path = names[len(cases) % len(names)]
        content = damage(path.read_bytes(), rng)
        if content != path.read_bytes():
            cases.append((path, content))

    def fault(path: Path, content: bytes | None) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(tmp_path / "compacted", ignore_errors=True)
        shutil.copytree(start, folder)
        target = folder / path.relative_to(start)
        target.write_bytes(content) if content is not None else target.unlink()
        return looked_at(folder, method, path.name, expected, not big)

    with big_corpora(monkeypatch, big):
        for first in range(0, COUNT, AT_ONCE):
            some = cases[first : first + AT_ONCE]
            said = apart([lambda one=one: fault(*one) for one in some])
            done.update(path.name for path, _ in some)
            for (path, _), fault_of_it in zip(some, said, strict=True):
                if fault_of_it:
                    wrong[path.name, fault_of_it] += 1
    print(kind, "big" if big else "", done.total(), "damaged corpora,", wrong.total(), "wrong")
    assert wrong == Counter()


@pytest.mark.parametrize("what", ["pipe", "folder", "device"])
def test_what_is_no_file(what: str, tmp_path: Path) -> None:
    method = load("mean-cn", vectors="builtin")
    start, folder = tmp_path / "start", tmp_path / "corpus"
    some_corpus(start, method)
    expected = {read: action(start, method) for read, action in READS.items()}
    names = sorted(path for path in start.rglob("*") if path.is_file() and path.name != ".lock")
    paths = names[:: 1 if what == "pipe" else 4]

    def look(path: Path) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        target = folder / path.relative_to(start)
        target.unlink()
        if what == "pipe":
            os.mkfifo(target)
        elif what == "folder":
            target.mkdir()
        else:
            target.symlink_to("/dev/zero")
        for read, action in READS.items():
            try:
                if action(folder, method) != expected[read] or read == "verify":
                    return f"{path.name}: {read} gives something else"
            except DataError as error:
                if path.name not in str(error):
                    return f"{path.name}: {read} says {error}"
        return ""

    for first in range(0, len(paths), AT_ONCE):
        some = paths[first : first + AT_ONCE]
        assert apart([partial(look, path) for path in some]) == [""] * len(some)


@pytest.mark.parametrize(
    ("before", "after"),
    [(b'"compsim corpus 1"', b'"comxsim corpus 1"'), (b'"format"', b'"for}at"')],
)
def test_a_manifest_that_names_no_version_is_damaged(
    before: bytes, after: bytes, tmp_path: Path
) -> None:
    some_corpus(tmp_path, load("mean-cn", vectors="builtin"))
    path = tmp_path / "corpus.json"
    path.write_bytes(path.read_bytes().replace(before, after))
    with pytest.raises(
        DataError, match=r"corpus\.json is not as it was saved: run `compsim corpus"
    ):
        Corpus.open(tmp_path)
    assert Corpus.repair(tmp_path)["notes"][0] == "corpus.json was damaged"


def test_a_vector_that_is_no_number_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = load("mean-cn", vectors="builtin")
    some_corpus(tmp_path, method)
    path = next(iter(sorted(tmp_path.rglob("vector.npy"))))
    path.write_bytes(path.read_bytes()[:-4] + b"\xff" * 4)
    with big_corpora(monkeypatch, True):
        for options in (
            {"depth": 100},
            {"depth": None},
            {"candidates": [f"d{i}" for i in range(5, 14)]},
        ):
            with pytest.raises(DataError, match=r"vector\.npy is not as it was saved"):
                search(tmp_path, method, **options)
