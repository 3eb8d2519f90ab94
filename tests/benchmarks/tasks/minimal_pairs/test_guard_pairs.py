"""``bench guard``: figures of guards and of methods, and overlap of words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from compsim import Guard
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.minimal_pairs.guard import GuardPairs, overlap
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.guard.names import LIGHT_METHOD
from compsim.guard.report import calibration_error

ROWS = [
    ("voice", "The dog bit the man.", "The man was bitten by the dog.", 1),
    ("voice", "Two surgeons saw the nurse.", "The nurse was seen by two surgeons.", 1),
    ("roles", "The dog bit the man.", "The man bit the dog.", 0),
    ("denial", "He paid the rent.", "He did not pay the rent.", 0),
    ("words", "He paid the rent.", "Rain fell in March.", 0),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = "".join("\t".join(map(str, row)) + "\n" for row in ROWS)
    path.write_text("kind\tfirst\tsecond\tsame\n" + rows)
    return path


def test_a_guard_is_judged_by_its_probabilities(file: Path, tmp_path: Path) -> None:
    spec = Spec(LIGHT_METHOD, {"vectors": "builtin"})
    results = run(GuardPairs([file], [spec]), workspace=Workspace(tmp_path / "kept"))
    (row,) = results.rows
    guard = Guard(LIGHT_METHOD, vectors="builtin")
    verdicts = guard.same([row[1] for row in ROWS], [row[2] for row in ROWS])
    values = np.array([verdict.probability for verdict in verdicts])
    labels = [row[3] for row in ROWS]
    np.testing.assert_allclose(row.scores, values)
    assert row.figures["calibration error"].value == pytest.approx(
        calibration_error(values, labels)
    )
    unsure = sum(verdict.answer == "unsure" for verdict in verdicts)
    assert row.figures["unsure"].value == pytest.approx(unsure / len(ROWS))
    assert row.figures["AUC"].value == 1.0
    assert any(line.startswith("overlap 0.0 to 0.4 (n=") for line in results.summary)


def test_another_method_is_judged_by_its_scores(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    arguments = ["bench", "guard", str(file), "--methods", f"mean-cn,{LIGHT_METHOD}"]
    assert main([*arguments, "--vectors", "builtin", "--json", str(out)]) == 0
    mean, guard = json.loads(out.read_text())["rows"]
    # Equal words have equal means: the best threshold accepts the passives, and the exchange too.
    assert mean["balanced accuracy"] < 1.0
    assert "calibration error" not in mean or mean["calibration error"] is None
    assert guard["balanced accuracy"] == 1.0


def test_what_a_cache_would_serve(file: Path, tmp_path: Path) -> None:
    specs = [Spec("mean-cn", {"vectors": "builtin"}), Spec(LIGHT_METHOD, {"vectors": "builtin"})]
    results = run(GuardPairs([file], specs), workspace=Workspace(tmp_path / "kept"))
    mean, guard, both = results.details["served"]
    threshold = results.rows[0].details["threshold"]
    scores = np.array(results.rows[0].scores)
    labels = np.array([row[3] for row in ROWS], dtype=bool)
    assert mean["by"] == f"mean-cn from {threshold:.3f} on"
    assert mean["same"] == (scores >= threshold)[labels].mean()
    assert mean["different"] == (scores >= threshold)[~labels].mean() > 0
    assert guard == {"by": f"guard of {LIGHT_METHOD}", "same": 1.0, "different": 0.0}
    assert both == {"by": f"{guard['by']} and {mean['by']}", "same": 1.0, "different": 0.0}
    assert f"served by {both['by']}: 1.000 of the same pairs" in "\n".join(results.summary)
    assert "served" not in results.rows[1].details


def test_overlap_of_words() -> None:
    assert overlap("A dog.", "a DOG!") == 1.0
    assert overlap("a b", "b c") == pytest.approx(1 / 3)
    assert overlap("", "") == 0.0
