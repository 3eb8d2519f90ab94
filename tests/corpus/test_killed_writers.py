"""A writer that is killed: every acknowledged document is there, and none is torn.

``COMPSIM_KILLS`` says how often each kind of writer is killed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from naive.corpus import PlainCorpus
from toy_corpus import text_of, toy_corpus

pytest.importorskip("pyarrow")

KILLS = int(os.environ.get("COMPSIM_KILLS", "2"))
PROGRAM = Path(__file__).parent.parent / "helpers" / "toy_corpus.py"


def killed(task: str, folder: Path, steps: int, seconds: float) -> list[list[str]]:
    """Return the words that a writer printed before it was killed after so many steps."""
    # In safe-path mode the folder of the program is not looked at.
    environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parent)}
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), task, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(1 + steps)]
        assert lines[0] == "ready\n"
        timer = threading.Timer(seconds, writer.kill)
        timer.start()
        lines += writer.stdout.readlines()
    # What has no end of line was not said to its end.
    return [line.split() for line in lines if line.endswith("\n")]


@pytest.mark.parametrize("task", ["append", "compact"])
def test_every_acknowledged_document_is_there_and_none_is_torn(task: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    folder = tmp_path / "corpus"
    saved: set[str] = set()
    deleted: set[str] = set()
    for _ in range(KILLS):
        for what, *ids in killed(task, folder, rng.randrange(8), rng.uniform(0.0, 0.1)):
            if what == "saved":
                saved |= set(ids)
            elif what == "deleted":
                deleted |= set(ids)
        corpus = toy_corpus(folder)
        there = corpus.ids()
        assert len(set(there)) == len(there) == len(corpus)
        # A last step may have been done before the writer could say so.
        missing = saved - deleted - set(there)
        assert missing == set() or (task == "compact" and len(missing) <= 3)
        assert not deleted & set(there)
        if missing:  # deleted in a last step that was not told
            deleted |= missing
        assert all(corpus.get(one) == text_of(int(one)) for one in there)
        corpus.verify()
        plain = PlainCorpus({one: text_of(int(one)) for one in there})
        query = "cats chase mice 3"
        match = corpus.search(query, top_k=5, depth=None)
        expected = plain.ranked(corpus.reranker, query)[:5]
        assert [one["score"] for one in match] == pytest.approx(
            [score for _, score in expected], abs=1e-5
        )
    assert saved
