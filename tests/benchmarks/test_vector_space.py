"""Metrics, bands of ratings, alignment and uniformity of sentence vectors on rated pairs."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.datasets.ranking.evalrank import Positives
from compsim.benchmarks.datasets.sts.bands import BANDS, with_bands
from compsim.benchmarks.stats.hypersphere import alignment, uniformity
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.ranking.evalrank import EvalRank
from compsim.benchmarks.tasks.similarity.sts import Sts
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import InputError, UnknownNameError

WHITE = {"vectors": "builtin", "normalize": "whitening"}
NOWHERE = Workspace("/dev/null")
RNG = np.random.default_rng(5)
VECTORS = {f"sentence {i}": RNG.normal(size=3) * RNG.uniform(0.5, 4) for i in range(24)}
TEXTS = tuple(VECTORS)
PAIRS = tuple(
    SentencePair(TEXTS[i], TEXTS[i + 12], rating)
    for i, rating in enumerate((0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 1.0))
)
DATA = Dataset("toy", PAIRS, {"all": tuple(range(12))}, "made by the test")


def planted(sentences: list[str]) -> Any:
    return np.array([VECTORS[text] for text in sentences])


def unit(vector: Any) -> Any:
    return vector / math.sqrt(sum(x * x for x in vector))


def test_alignment_and_uniformity_by_hand() -> None:
    first, second = np.array([[3.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 2.0], [0.0, 5.0]])
    assert alignment(first, second) == pytest.approx(1.0)  # (2 + 0) / 2
    assert alignment(first, np.array([[-1.0, 0.0], [0.0, 0.0]])) == pytest.approx(4.0)
    assert alignment(first, np.zeros((2, 2))) is None
    assert uniformity(np.array([[1.0, 0.0], [-3.0, 0.0], [0.0, 0.0]])) == pytest.approx(-8.0)
    assert uniformity(np.ones((3, 2))) == pytest.approx(0.0)
    assert uniformity(first[:1]) is None


def test_uniformity_is_that_of_all_pairs_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.benchmarks.stats.hypersphere._BLOCK", 7)
    rows = [unit(vector) for vector in VECTORS.values()]
    potentials = [
        math.exp(-2 * sum((x - y) ** 2 for x, y in zip(u, v, strict=True)))
        for u, v in itertools.combinations(rows, 2)
    ]
    expected = math.log(sum(potentials) / len(potentials))
    assert uniformity(np.array(list(VECTORS.values()))) == pytest.approx(expected)


def test_bands_hold_both_of_their_ends() -> None:
    parts = with_bands(DATA).parts
    assert list(parts) == ["all", *BANDS]
    assert [PAIRS[row].rating for row in parts["rated .4-.8"]] == [0.4, 0.5, 0.6, 0.7, 0.8]
    fifths = [SentencePair("a", "b", n / 5) for n in range(6)]  # 3 / 5 is not quite 0.6
    assert with_bands(Dataset("", tuple(fifths), {}, "")).parts["rated .2-.6"] == (1, 2, 3)


def test_both_metrics_in_all_bands_and_the_space_of_the_vectors() -> None:
    task = Sts(with_bands(DATA), [Spec("planted", model=planted)], ["l2", "cos"], space=True)
    results = run(task, workspace=NOWHERE)
    cosine, distance = results.rows
    assert [row.of["method"] for row in results.rows] == ["planted", "planted, l2"]
    sides = [(VECTORS[pair.first], VECTORS[pair.second]) for pair in PAIRS]
    scores = [-math.dist(x, y) for x, y in sides]
    assert distance.scores == pytest.approx(scores, rel=1e-5)
    for name, rows in task.pairs.parts.items():
        expected = spearmanr([scores[i] for i in rows], [PAIRS[i].rating for i in rows]).statistic
        assert distance.figures[name].value == pytest.approx(expected)
    alike = [sum((unit(x) - unit(y)) ** 2) for x, y in sides[8:]]
    assert cosine.figures["alignment"].value == pytest.approx(sum(alike) / 4, rel=1e-5)
    assert cosine.figures["uniformity"].value == pytest.approx(
        uniformity(np.array(list(VECTORS.values()))), rel=1e-5
    )
    unfitted = replace(task.specs[0], model=None, method="mean-cn", options=WHITE)
    (white, _) = run(Sts(DATA, [unfitted], ["cos", "l2"]), workspace=NOWHERE).rows
    assert white.explain is None  # two sentences are too few to fit it to
    page = task.report(results)
    assert "Where do scores follow people" in page
    assert "rated .2-.6, planted, l2" in page
    assert "planted, alignment" not in page  # no correlation, so no bar
    assert "<dt>uniformity</dt>" in page


def test_what_has_no_vectors_has_its_scores_alone() -> None:
    hybrid = Spec("verbnet-cn", {"vectors": "builtin"})
    specs = [
        hybrid,
        Spec("planted", model=planted),
        Spec("given", scores=[i / 12 for i in range(12)]),
    ]
    results = run(Sts(DATA, specs, ["cos", "l2"], space=True), workspace=NOWHERE)
    assert [row.of["method"] for row in results.rows] == [
        *("verbnet-cn", "planted", "planted, l2", "given"),
    ]
    assert "it has no vectors" in results.rows[0].notes[0]
    assert "alignment" not in results.rows[0].figures
    assert results.rows[3].figures["all"].value == pytest.approx(1)
    assert [row.explain is None for row in results.rows] == [False, True, True, True]
    with pytest.raises(InputError, match="verbnet-cn has no vectors: use metric=cos"):
        run(Sts(DATA, [hybrid], ["l2"]), workspace=NOWHERE)
    with pytest.raises(UnknownNameError, match="metric='dot' is not known: use cos, l2"):
        Sts(DATA, [hybrid], ["dot"])


def test_a_row_stays_with_its_spec_where_another_breaks_down() -> None:
    broken = Spec("broken", model=lambda texts: np.full((len(texts), 2), np.nan))
    task = Sts(DATA, [broken, Spec("planted", model=planted)], ["cos", "l2"])
    rows = run(task, workspace=NOWHERE).rows
    assert [row.of["method"] for row in rows] == ["broken", "planted", "planted, l2"]
    assert [row.status for row in rows] == ["unavailable", "ok", "ok"]


def test_evalrank_prints_the_space_of_its_items() -> None:
    data = Positives("toy", "sentence", TEXTS, ((0, 1), (1, 0), (2, 3)))
    task = EvalRank(data, [Spec("planted", model=planted)], center=False, space=True)
    (row,) = run(task, workspace=NOWHERE).rows
    rows = np.array(list(VECTORS.values()))
    assert row.figures["alignment"].value == pytest.approx(
        alignment(rows[[0, 1, 2]], rows[[1, 0, 3]]), rel=1e-5
    )
    assert row.figures["uniformity"].value == pytest.approx(uniformity(rows), rel=1e-5)


def test_the_command_prints_bands_metrics_and_space(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "pairs.csv", tmp_path / "out.json"
    lines = ["first,second,rating", *(f"cats chase mice {i},dogs sleep,{i}" for i in range(6))]
    file.write_text("\n".join(lines))
    command = ["bench", "sts", f"--datasets=csv:{file}", "--methods=mean-cn", "--vectors=builtin"]
    command += ["--metric=cos,l2", "--bands", "--space", f"--json={out}"]
    assert main(command) == 0
    assert "uniformity" in capsys.readouterr().out
    rows = json.loads(out.read_text())["rows"]
    assert [row["metric"] for row in rows] == ["cos", "l2"]
    assert rows[0]["n"]["rated .6-1"] == 3
