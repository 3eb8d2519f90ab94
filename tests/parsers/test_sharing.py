"""Batches that are shared out among processes: the same graphs, whatever happens to a process."""

import os
import pickle
import time

import pytest
from new_process import HELPERS, in_a_new_process

from compsim.benchmarks.speed.text import sentences
from compsim.parsers import load, sharing
from compsim.parsers.roles.analysis import BATCH
from compsim.parsers.sharing import Crew, crew_of, shared

TEXTS = sentences(3 * BATCH)
BATCHES = [TEXTS[start : start + BATCH] for start in range(0, len(TEXTS), BATCH)]


@pytest.fixture(scope="module")
def alone():
    """The graphs that one process makes, batch by batch."""
    parser = load("concepts")
    return [parser.parse_batch(batch) for batch in BATCHES]


@pytest.fixture(scope="module")
def crew():
    """A crew of one process, for which a batch is enough, ready to parse."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPSIM_THREADS", "2")
        patch.setattr(sharing, "_WORTH", BATCH)
        crew = Crew(pickle.dumps(load("concepts")))
        (helper,) = crew.take(BATCH)
        helper.wait()
        crew.give_back(helper)
        yield crew
        crew.end()


def patiently(alone, enough):
    """Return a function that gives a batch's graphs once ``enough`` returns true."""

    def parse(batch):
        for _ in range(3000):
            if enough():
                return alone[BATCHES.index(batch)]
            time.sleep(0.01)
        raise AssertionError("the other process makes no graphs")

    return parse


def test_another_process_makes_the_same_graphs(crew, alone, monkeypatch):
    elsewhere = []
    parse_there = sharing._Helper.parse

    def parse(helper, batch):
        elsewhere.append(parse_there(helper, batch))
        return elsewhere[-1]

    monkeypatch.setattr(sharing._Helper, "parse", parse)
    assert shared(BATCHES, patiently(alone, lambda: len(elsewhere) == 2), crew) == alone
    assert elsewhere == alone[1:] or elsewhere == [alone[0], alone[2]] or elsewhere == alone[:2]


def test_what_a_process_leaves_undone_is_done_here(crew, alone, monkeypatch):
    def parse(helper, batch):
        helper.process.kill()
        return pickle.load(helper._from)

    monkeypatch.setattr(sharing._Helper, "parse", parse)
    ended = patiently(alone, lambda: not crew._all)
    with pytest.warns(RuntimeWarning, match="its sentences were parsed by this one"):
        assert shared(BATCHES, ended, crew) == alone
    # The next call starts another.
    (helper,) = crew.take(BATCH)
    helper.wait()
    monkeypatch.undo()
    assert helper.parse(BATCHES[0]) == alone[0]
    crew.give_back(helper)


def test_an_error_of_this_process_is_raised_and_the_other_one_goes_on(crew, alone):
    def fail(batch):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        shared(BATCHES, fail, crew)
    for _ in range(3000):
        if crew._idle:
            break
        time.sleep(0.01)
    (helper,) = crew.take(BATCH)
    assert helper.parse(BATCHES[1]) == alone[1]
    crew.give_back(helper)


def test_few_sentences_and_one_processor_start_no_process(monkeypatch):
    crew = Crew(b"")
    monkeypatch.setenv("COMPSIM_THREADS", "2")
    assert crew.take(sharing._WORTH - 1) == []
    monkeypatch.setenv("COMPSIM_THREADS", "1")
    assert crew.take(100 * sharing._WORTH) == []
    monkeypatch.setattr(sharing.sys, "frozen", True, raising=False)
    monkeypatch.setenv("COMPSIM_THREADS", "2")
    assert crew.take(100 * sharing._WORTH) == []


def test_parsers_with_the_same_settings_share_a_crew(tmp_path):
    first, second = load("concepts"), load("concepts")
    assert crew_of(first) is crew_of(second)
    assert crew_of(first) is not crew_of(load("srl"))
    rules = tmp_path / "more.toml"
    rules.write_text("")
    assert crew_of(load("concepts", rules=rules)) is not crew_of(first)


def test_a_pickled_parser_holds_its_settings_alone(alone):
    parser = load("concepts")
    parser.parse(["Cats sleep."])
    content = pickle.dumps(parser)
    assert len(content) < 1000
    assert pickle.loads(content).version == parser.version


PROGRAM = """
import os, sys
from compsim.parsers import load, sharing
sharing._WORTH = 1
crew = sharing.crew_of(load("concepts"))
(helper,) = crew.take(1)
crew.give_back(helper)
if os.fork() == 0:  # the process is that of the parent
    assert crew.take(0) == []
    os._exit(0)
assert os.wait()[1] == 0
(again,) = crew.take(0)
assert again is helper
helper.wait()
print(helper.process.pid)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_processes_are_not_shared_with_a_fork_and_end_with_the_program():
    pid = int(in_a_new_process(PROGRAM, COMPSIM_THREADS="2", PYTHONPATH=HELPERS))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
