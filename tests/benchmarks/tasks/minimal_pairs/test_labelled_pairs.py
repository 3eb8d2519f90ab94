"""Same or not: figures against slow twins, kinds, triples as pairs, reports, the real file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from compsim.benchmarks.stats.classification import (
    auc,
    average_precision,
    hits,
    resampled_auc,
)
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.minimal_pairs.pairs import Pairs, pairs
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError

HEADER = "kind\tfirst\tsecond\tsame\n"
#: The score of each pair is the number in its second text.
FILE = HEADER + (
    "voice\ta\t.9\t1\n"
    "voice\tb\t.6\t1\n"
    "negation\tc\t.8\t0\n"
    "negation\td\t.3\t0\n"
    "number\te\t.7\t1\n"
    "number\tf\t.75\t0\n"
)

labelled = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), min_size=1, max_size=30
)


def numbers(first: list[str], second: list[str]) -> list[float]:
    return [float(text) for text in second]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "guard.tsv"
    path.write_text(FILE)
    return path


@given(labelled, st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.5]))
def test_hits_are_those_of_the_best_threshold(rows: list[tuple[float, bool]], false: float) -> None:
    scores, same = [score for score, _ in rows], [label for _, label in rows]
    result = hits(scores, same, false)
    if len(set(same)) < 2:
        assert result is auc(scores, same) is average_precision(scores, same) is None
        return
    accepted = [0.0]
    for threshold in scores:
        chosen = [label for score, label in rows if score >= threshold]
        if chosen.count(False) <= false * same.count(False):
            accepted.append(chosen.count(True) / same.count(True))
    assert result == pytest.approx(max(accepted))


@settings(max_examples=25)
@given(labelled, st.integers(0, 99))
def test_resampled_areas_are_those_of_scikit_learn(
    rows: list[tuple[float, bool]], seed: int
) -> None:
    scores, same = np.array([score for score, _ in rows]), np.array([float(s) for _, s in rows])
    times = np.random.default_rng(seed).integers(0, 4, size=(70, len(rows)))
    areas = resampled_auc(scores, same, times)
    for result, counts in ((areas[row], times[row]) for row in (0, 63, 64, 69)):
        drawn = counts > 0
        if len(set(same[drawn])) < 2:
            assert np.isnan(result)
        else:
            expected = roc_auc_score(same[drawn], scores[drawn], sample_weight=counts[drawn])
            assert result == pytest.approx(expected)


def test_figures_of_a_file_and_of_its_kinds(file: Path, tmp_path: Path) -> None:
    (task,) = pairs([file])
    task.specs = [Spec("numbers", model=numbers)]
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    (row,) = results.rows
    figures = {name: figure.value for name, figure in row.figures.items()}
    assert figures == pytest.approx(
        {
            "AUC": 5 / 9,  # .9 above three, .7 and .6 above .3 alone
            "average precision": (1 + 2 / 4 + 3 / 5) / 3,
            **{f"hits at {percent} %": 1 / 3 for percent in (1, 2, 5)},
        }
    )
    kinds = row.details["kinds"]
    # One label: against the other label of all kinds.
    assert kinds["voice"] == {
        "AUC": pytest.approx(4 / 6), "average precision": pytest.approx((1 + 2 / 4) / 2),
        "n": 2, "same": 2,
    }  # fmt: skip
    assert kinds["negation"]["AUC"] == pytest.approx(4 / 6)
    # Both labels: among themselves.
    assert kinds["number"] == {"AUC": 0.0, "average precision": 0.5, "n": 2, "same": 1}
    assert "voice (n=2, 2 the same): numbers .667 / .750" in results.summary
    assert "3 of 6 pairs say the same" in results.to_markdown()
    page = task.report(results)
    assert "By kind" in page
    tables = re.split("<h3>(?:Do not s|S)ay the same", page)
    assert [re.findall(r'"row">(.+?)<', rows) for rows in tables[1:]] == [
        ["0.800", "0.750", "0.300"], ["0.600", "0.700", "0.900"]
    ]  # fmt: skip


def test_a_pair_without_a_score_is_accepted_last(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace(".9\t1", "nan\t1"))
    task = Pairs([file], [Spec("numbers", model=numbers)])
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert row.figures["AUC"].value == pytest.approx(2 / 9)
    assert row.notes == ["1 pairs have no score and rank below all others"]
    assert json.loads(json.dumps(row.to_dict(), allow_nan=False))["scores"][0] is None


def test_triples_are_pairs_that_are_drawn_together(tmp_path: Path) -> None:
    path = tmp_path / "swap_obj.json"
    entries = [
        {"caption": f"{i} a", "caption2": f"{i} b", "negative_caption": f"{i} c"} for i in range(12)
    ]
    path.write_text(json.dumps(entries))

    def of_letters(first: list[str], second: list[str]) -> list[float]:
        values = {"ab": 0.5, "ac": 0.6, "bc": 0.4}
        return [values[a[-1] + b[-1]] for a, b in zip(first, second, strict=True)]

    task = Pairs([path], [Spec("letters", model=of_letters), Spec("again", model=of_letters)])
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    assert results.rows[0].figures["AUC"].value == 0.5
    assert results.rows[0].figures["AUC"].interval == (0.5, 0.5)  # all triples are the same
    assert results.comparisons[0].items == 12
    assert results.comparisons[0].unit == "triples"
    assert results.comparisons[0].difference == 0


def test_kinds_of_triples_count_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    rows = ["x\ta\t.9\t.8", "x\tb\t.5\t.4", "y\tc\t.1\t.2"]
    path.write_text("\n".join(["phenomenon\tsentence\tsame\tother", *rows]))
    task = Pairs([path], [Spec("numbers", model=numbers)])
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    # Of x, .9 is above both .8 and both .4, .5 above both .4; of y, .1 is below both .2.
    assert row.figures["macro AUC"].value == pytest.approx((6 / 8 + 0) / 2)
    assert row.figures["AUC"].value == pytest.approx((6 + 4) / 18)


def test_pairs_of_one_label_are_no_question(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("id\tsentence1\tsentence2\tlabel\n1\ta\tb\t0\n2\tc\td\t0\n")
    with pytest.raises(DataError, match=r"dev\.tsv: all 2 pairs have the same label"):
        pairs([path])


def test_the_command(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paws = tmp_path / "dev.tsv"
    paws.write_text(
        "id\tsentence1\tsentence2\tlabel\n"
        "1\tDogs chase cats .\tCats chase dogs .\t0\n"
        "2\tDogs chase cats .\tCats are chased by dogs .\t1\n"
    )
    out, page = tmp_path / "found.json", tmp_path / "found.html"
    command = ["bench", "pairs", str(paws), str(file), "--methods", "mult-cn,mean-cn"]
    command += ["--vectors", "builtin", "--json", str(out), "--html", str(page)]
    assert main(command) == 0
    assert "1 of 2 pairs say the same" in capsys.readouterr().err
    first, second = json.loads(out.read_text())["data"]
    assert [row["AUC"] for row in first["rows"]] == [0.0, 0.0]
    assert "kinds" not in first["rows"][0]
    assert first["data"] | {"pairs": 2, "same": 1} == first["data"]
    assert set(second["rows"][0]["kinds"]) == {"voice", "negation", "number"}
    assert "score lowest: mean-cn" in page.read_text()
    assert main(["bench", "pairs", str(tmp_path / "none.tsv")]) != 0


def test_the_real_file_as_scikit_learn_counts(data_dir: Path, tmp_path: Path) -> None:
    path = data_dir / "guard" / "guard.tsv"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    (task,) = pairs([path], methods="mean-cn", vectors="builtin")
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    same = [int(cells[3]) for cells in lines]
    assert row.figures["AUC"].value == roc_auc_score(same, row.scores)
    assert row.figures["average precision"].value == average_precision_score(same, row.scores)
    low, high = row.figures["AUC"].interval or (1.0, 0.0)
    assert low < row.figures["AUC"].value < high
