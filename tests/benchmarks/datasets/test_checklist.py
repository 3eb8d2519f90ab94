"""CheckList's suite: a pickle that is read without being run."""

from __future__ import annotations

import collections
import os
import pickle
import pickletools
import struct
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.benchmarks.datasets.checklist import read_checklist
from compsim.benchmarks.datasets.pairs import LabelledPair, pair_format, read_pairs
from compsim.benchmarks.datasets.pickled import Thing, plain_data
from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.finding import find
from compsim.benchmarks.tasks.minimal_pairs.pairs import pairs
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError

SAME = ("How do I bake bread?", "How does one bake bread?")
OTHER = ("Is it safe to swim here?", "Is it not safe to swim here?")


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
    """Modules of the names that their pickles have, gone when the file is read."""
    made = {}
    for module, names in {"test_suite": ["TestSuite"], "test_types": ["MFT", "INV"]}.items():
        full = f"checklist.{module}"
        monkeypatch.setitem(sys.modules, full, types.ModuleType(full))
        for name in names:
            made[name] = type(name, (), {"__module__": full, "__qualname__": name})
            setattr(sys.modules[full], name, made[name])
    monkeypatch.setitem(sys.modules, "checklist", types.ModuleType("checklist"))
    return types.SimpleNamespace(**made)


def made(kind: type, **state: Any) -> Any:
    thing = kind()
    thing.__dict__.update(state)
    return thing


def suite_of(theirs: types.SimpleNamespace, **tests: Any) -> Any:
    info: dict[str, dict[str, Any]] = collections.defaultdict(dict)
    for name, test in tests.items():
        info[name] |= {"capability": f"of {name}", "type": type(test).__name__}
    ordered = collections.OrderedDict(tests)
    return made(theirs.TestSuite, tests=ordered, info=info, print_fn=os.getcwd)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_pairs_of_tests_with_labels(
    theirs: types.SimpleNamespace, tmp_path: Path, protocol: int
) -> None:
    suite = suite_of(
        theirs,
        negation=made(theirs.MFT, data=[OTHER, OTHER], labels=0, expect=os.getcwd, meta=None),
        taxonomy=made(theirs.MFT, data=[[SAME, SAME[::-1]], OTHER], labels=[1, 0]),
        robustness=made(theirs.INV, data=[[SAME, OTHER]], labels=None),
        unlabelled=made(theirs.MFT, data=[SAME], labels=None),
    )
    path = tmp_path / "qqp_suite.pkl"
    path.write_bytes(pickle.dumps(suite, protocol))
    assert pair_format(path) == "checklist"
    assert read_pairs(path) == [
        *[LabelledPair("of negation", *OTHER, False)] * 2,
        LabelledPair("of taxonomy", *SAME, True),
        LabelledPair("of taxonomy", *SAME[::-1], True),
        LabelledPair("of taxonomy", *OTHER, False),
    ]
    (result,) = find(tmp_path, ["pairs"], {"methods": "mean-cn"}).data
    assert result.label == "qqp_suite.pkl"
    (task,) = pairs([path], "mean-cn", vectors="builtin")
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert row.details["kinds"]["of taxonomy"]["n"] == 3


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"data": [SAME], "labels": [2]}, r"test 'it': the label of case 0 is not 0 or 1"),
        ({"data": [SAME], "labels": [True]}, "label of case 0"),
        ({"data": [SAME], "labels": []}, "label of case 0"),
        ({"data": [SAME], "labels": os.getcwd}, "label of case 0"),
        ({"data": os.getcwd, "labels": 1}, "data is no list"),
        ({"data": [("a",)], "labels": 1}, "case 0 is no pair of texts"),
        ({"data": [SAME, [SAME, ("a", 5)]], "labels": 1}, "case 1 is no pair of texts"),
        ({"data": ["ab"], "labels": 1}, "case 0 is no pair of texts"),
        ({"data": [], "labels": 1}, "no test with labels"),
    ],
)
def test_a_suite_that_is_none_is_one_error(
    theirs: types.SimpleNamespace, tmp_path: Path, state: dict[str, Any], said: str
) -> None:
    path = tmp_path / "suite.pkl"
    path.write_bytes(pickle.dumps(suite_of(theirs, it=made(theirs.MFT, **state))))
    with pytest.raises(DataError, match=said):
        list(read_checklist(path))


class Hostile:
    """Its pickle writes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


def test_nothing_in_a_pickle_runs(theirs: types.SimpleNamespace, tmp_path: Path) -> None:
    trap, path = tmp_path / "trap", tmp_path / "suite.pkl"
    suite = suite_of(theirs, it=made(theirs.MFT, data=[SAME], labels=1, expect=Hostile(trap)))
    path.write_bytes(pickle.dumps(suite))
    assert read_pairs(path) == [LabelledPair("of it", *SAME, True)]
    for value in (Hostile(trap), [Hostile(trap)], {"tests": Hostile(trap)}):
        path.write_bytes(pickle.dumps(value))
        with pytest.raises(DataError, match=r"suite\.pkl holds no tests: give qqp_suite\.pkl"):
            read_pairs(path)
    assert not trap.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80",
        b"\x80\x04",
        b"\x80\x04.",
        b"\x80\x04(.",
        b"\x80\x04u.",
        b"\x80\x04]a.",
        b"\x80\x04h\x05.",
        b"\x80\x04N" + b"\x85" * 10,
        b"\x80\x04K\x01K\x02a.",
        b"\x80\x04K\x01K\x02K\x03s.",
        b"\x80\x05\x96" + struct.pack("<Q", 1 << 50) + b".",
        b"\x80\x04X\xff\xff\xff\x7fabc.",
        b"\x80\x04\x82\x01.",
        b"\x80\x04K\x01Q.",
        b"\x80\x04\xff.",
        b"\x80\x04(I1\n" + b"J" * 5,
        pickle.dumps([SAME])[:-5],
    ],
)
def test_damaged_pickles_are_one_error(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "suite.pkl"
    path.write_bytes(data)
    with pytest.raises(DataError):
        list(read_checklist(path))


def test_deep_pickles_break_no_stack() -> None:
    deep = b"\x80\x02)" + b"\x85" * 200_000
    assert len(plain_data(deep + b".")) == 1
    assert plain_data(b"\x80\x02}" + deep[2:] + b"K\x01s.") == {}
    huge_memo = b"\x80\x02]r" + struct.pack("<I", 0xFFFFFFFF) + b"."
    assert plain_data(huge_memo) == []


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda one: st.lists(one) | st.tuples(one, one) | st.dictionaries(st.text(), one),
    max_leaves=20,
)


@given(plain, st.integers(0, 5))
def test_plain_data_is_what_pickle_reads(value: Any, protocol: int) -> None:
    data = pickle.dumps(value, protocol)
    if b"_codecs" not in data and b"bytes" not in data:  # as the oldest protocols write bytes
        assert plain_data(pickletools.optimize(data)) == plain_data(data) == value


def test_things_know_what_they_were_given() -> None:
    ordered = plain_data(pickle.dumps(collections.OrderedDict(a=1)))
    assert isinstance(ordered, Thing)
    assert (ordered.name, ordered.entries) == ("collections.OrderedDict", {"a": 1})
    for protocol in (0, 1, 2, 4):
        path = plain_data(pickle.dumps(Workspace("x"), protocol))
        assert path.name.endswith("Workspace")
        assert path.state
