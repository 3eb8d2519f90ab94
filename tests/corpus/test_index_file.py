"""An index that somebody made: refused, or searched without an end of the process."""

from __future__ import annotations

import os
import random
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest

from compsim.corpus.index import build, nearest, opened
from compsim.corpus.index_file import check_index

pytest.importorskip("usearch")

DIM = 16
ROUNDS = int(os.environ.get("COMPSIM_FUZZ", "60"))
#: Files of one process, whose status is how many it refused: a copy of this one takes its time.
AT_ONCE = 10
FAILED = 100


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(3).integers(-127, 127, (count, DIM)).astype(np.int8)


@pytest.mark.parametrize("count", [1, 2, 500, 20_000])
def test_what_is_built_is_an_index(count: int, tmp_path: Path) -> None:
    build(tmp_path / "index", rows(count))
    check_index(tmp_path / "index", count, DIM)
    for bad in ((count + 1, DIM), (count, DIM - 1), (count - 1, DIM), (count * DIM, 1)):
        with pytest.raises(ValueError, match="no index of"):
            check_index(tmp_path / "index", *bad)


def test_what_is_cut_or_longer_is_none(tmp_path: Path) -> None:
    build(tmp_path / "index", rows(50))
    data = (tmp_path / "index").read_bytes()
    for other in (b"", data[:5], data[: 8 + 50 * DIM], data[:-1], data + b"\0", data[1:]):
        (tmp_path / "index").write_bytes(other)
        with pytest.raises(ValueError, match="no index"):
            check_index(tmp_path / "index", 50, DIM)


def refusals(changed: list[bytes], path: Path, count: int) -> int:
    """Return how many of these files are refused; the others are searched, and point inside."""
    refused = 0
    for data in changed:
        path.write_bytes(data)
        try:
            index = opened(path, count, DIM)
            for row in rows(count)[:20]:
                result = nearest(index, row.astype(np.float32) / 500, 40)
                assert ((result >= 0) & (result < count)).all()
        except ValueError:
            refused += 1
    return refused


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_no_place_outside_is_looked_at(tmp_path: Path) -> None:
    count = 300
    build(tmp_path / "index", rows(count))
    data = (tmp_path / "index").read_bytes()
    rng = random.Random(1)
    start = 8 + count * DIM
    files = []
    for _ in range(ROUNDS):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 1, 5))):
            place = rng.randrange(start, len(data))
            changed[place] = rng.choice((rng.randrange(256), 0, 255, 1))
        files.append(bytes(changed))
    refused = 0
    for first in range(0, ROUNDS, AT_ONCE):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
            process = os.fork()
        if process == 0:
            signal.alarm(60)
            status = FAILED
            try:
                status = refusals(files[first : first + AT_ONCE], tmp_path / "index", count)
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        assert 0 <= status <= AT_ONCE, f"one of the files {first} to {first + AT_ONCE - 1}"
        refused += status
    assert 0 < refused < ROUNDS
