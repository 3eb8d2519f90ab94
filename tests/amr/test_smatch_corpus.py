"""Smatch of whole files: the score of a corpus, its interval, aspects of meaning, the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from new_process import in_a_new_process

from compsim.amr.smatch.corpus import corpus_score
from compsim.amr.smatch.finegrained import ASPECTS, fine_grained
from compsim.cli import main
from compsim.errors import InputError
from compsim.graph import RoleGraph


def amr(text: str) -> RoleGraph:
    return RoleGraph.from_penman(text)


def test_a_few_pairs_are_scored_without_numba(two_files: Sequence[str]) -> None:
    program = (
        "import sys; from compsim.cli import main; main(['smatch', '-f', *sys.argv[1:]]); "
        "print([name for name in ('numba', 'scipy', 'spacy') if name in sys.modules])"
    )
    lines = in_a_new_process(program, *two_files).splitlines()
    assert lines[0].split() == ["precision", "0.8333"]
    assert lines[-1] == "[]"


def test_the_aspects_of_meaning() -> None:
    a = amr(
        '(w / want-01 :ARG0 (b / boy :wiki "Q1" :name (n / name :op1 "Al")) '
        ":ARG1 (g / go-01 :ARG0 b) :polarity -)"
    )
    b = amr(
        '(w / want-01 :ARG0 (b / boy :wiki "Q2" :name (n / name :op1 "Al")) '
        ":ARG1 (g / go-02 :ARG1 b))"
    )
    scores = fine_grained([a], [b])
    assert list(scores) == list(ASPECTS)
    counts = {name: (s.matched, s.total_a, s.total_b) for name, s in scores.items()}
    assert counts == {
        "smatch": (8, 12, 11),
        "unlabeled": (9, 12, 11),
        "no_wsd": (9, 12, 11),
        "reentrancies": (3, 5, 5),
        "srl": (4, 6, 6),
        "concepts": (3, 4, 4),
        "named_entities": (1, 1, 1),
        "negation": (0, 1, 0),
        "wikification": (0, 1, 1),
    }
    with pytest.raises(InputError):
        fine_grained([a], [])


def test_the_interval_of_a_corpus_is_around_its_score() -> None:
    rng = np.random.default_rng(3)
    total = rng.integers(5, 20, size=300)
    matched = rng.integers(0, total)
    score = corpus_score(matched, total, total)
    assert score.f1 == pytest.approx(matched.sum() / total.sum())
    assert score.interval is not None
    low, high = score.interval
    assert low < score.f1 < high < low + 0.12
    assert corpus_score(matched, total, total) == score
    assert corpus_score([], [], []).f1 == 1.0
    assert corpus_score([0], [3], [0]).interval is None
    with pytest.raises(InputError):
        corpus_score([1], [1, 2], [1])
    with pytest.raises(InputError):
        corpus_score([1], [1], [1], confidence=1.0)


def test_the_interval_agrees_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(5)
    total = rng.integers(5, 20, size=200)
    matched = rng.integers(0, total)
    expected = stats.bootstrap(
        (matched, total),
        lambda m, t, axis: m.sum(axis=axis) / t.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(1),
        vectorized=True,
    ).confidence_interval
    score = corpus_score(matched, total, total, resamples=2000)
    assert score.interval == pytest.approx((expected.low, expected.high), abs=0.01)


@pytest.fixture
def two_files(tmp_path: Path) -> Sequence[str]:
    a = "# ::snt x\n(c / chase-01 :ARG0 (d / dog))\n\n(d / dog)\n\n(c / cat"
    b = "# ::snt y\n(c / chase-01 :ARG0 (k / cat))\n\n(d / dog)\n\nNULL"
    for name, text in (("a", a), ("b", b)):
        (tmp_path / name).write_text(text)
    return str(tmp_path / "a"), str(tmp_path / "b")


def test_the_command_scores_two_files(
    two_files: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smatch", "-f", *two_files]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("precision  0.8333\nrecall     0.8333\nF1         0.8333\n")
    assert "a, line 6, column 9: the graph ends with 1 bracket open" in err
    assert "b, line 6, column 1: the graph is NULL" in err


def test_the_command_scores_pairs_and_aspects(
    two_files: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smatch", "-f", *two_files, "--pairwise"]) == 0
    assert capsys.readouterr().out.split() == ["0.7500", "1.0000", "0.0000"]
    assert main(["smatch", "-f", *two_files, "--pairwise", "--json", "--no-top"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["f1"] for line in lines] == [0.666667, 1.0, 0.0]
    (tmp_path / "cats").write_text("(c / chase-01 :ARG0 (d / dog))\n\n(c / cat)\n\n(d / dog)")
    files = two_files[0], str(tmp_path / "cats")
    for option, f1 in (("--top", "0.5000"), ("--top-concept", "0.0000")):
        assert main(["smatch", "-f", *files, "--pairwise", option]) == 0
        assert capsys.readouterr().out.split()[:2] == ["1.0000", f1]
    assert main(["smatch", "-f", *two_files, "--fine-grained", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == list(ASPECTS)
    assert main(["smatch", "-f", *two_files, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["optimal"] == 3
    assert main(["smatch", "-f", *two_files, "--fine-grained"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == [
        "aspect",
        "precision",
        "recall",
        "F1",
    ]


def test_the_command_refuses_files_that_do_not_fit(
    two_files: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short").write_text("(d / dog)")
    assert main(["smatch", "-f", two_files[0], str(tmp_path / "short")]) == 2
    assert "has 3 AMRs and" in capsys.readouterr().err.splitlines()[-1]
    assert main(["smatch", "-f", two_files[0], str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["smatch", "-f", *two_files, "--pairwise", "--fine-grained"]) == 2
    for option in ("--no-top", "--top-concept"):
        assert main(["smatch", "-f", *two_files, option, "--fine-grained"]) == 2
    capsys.readouterr()
    (tmp_path / "empty").write_text("# no graph\n")
    empty = str(tmp_path / "empty")
    for option in ([], ["--pairwise"], ["--fine-grained"], ["--json"]):
        assert main(["smatch", "-f", empty, empty, *option]) == 2
        assert "hold no AMR" in capsys.readouterr().err
