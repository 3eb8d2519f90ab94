from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toys import toy_vectors

from compsim.benchmarks import Spec, run
from compsim.benchmarks.task import Figure, Row
from compsim.benchmarks.tasks.similarity.bamboo import (
    DATA_SETS,
    PUBLISHED,
    Bamboo,
    Split,
    _pearson,
    open_bamboo,
)
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, InputError

SENTENCES = [("cats", "cats"), ("cats", "dogs"), ("mice", "mice"), ("birds", "mice")]
RATINGS = ("1", "0.2", "0.9", "0.3")


def chase(first: str, second: str) -> str:
    return f"(c / chase-01 :ARG0 (a / {first}) :ARG1 (b / {second}))"


def entries(graphs: list[str], texts: list[str]) -> str:
    pairs = zip(graphs, texts, strict=True)
    return "\n\n".join(f"# ::id {i}\n# ::snt {t}\n{g}" for i, (g, t) in enumerate(pairs)) + "\n"


def measure(data: Split, method: str, **options: Any) -> Row:
    """The row of one method, nothing kept."""
    return run(Bamboo([data], [Spec(method, options)]), workspace=Workspace("/dev/null")).rows[0]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a copy of the benchmark with four pairs and two role switches in each data set."""
    write(tmp_path / "copy", ("train", "dev"))
    return tmp_path / "copy"


def write(root: Path, splits: Sequence[str], *more: str) -> None:
    """Write these splits, and more kinds of pairs beside ``main``."""
    for name in DATA_SETS:
        for split in splits:
            texts, ratings = [f"{a}" for a, _ in SENTENCES], list(RATINGS)
            sides = [[chase(pair[side], "fish") for pair in SENTENCES] for side in (0, 1)]
            if name != "sts":
                texts, ratings = ["head", *texts], ["0.5", *ratings]
                sides = [["(h / head)", *side] for side in sides]
            texts, ratings = [*texts, "Empty line"], [*ratings, "0.5"]
            sides = [[*side, "(l / line)"] for side in sides]
            folder = root / name
            switched = [chase("b", "a"), chase("a", "b"), chase("x", "y"), chase("y", "x")]
            paraphrases = [chase("a", "b"), chase("a", "b"), chase("x", "y"), chase("x", "y")]
            files = {
                f"main/src.{split}.amr": entries(sides[0], texts),
                f"main/tgt.{split}.amr": entries(sides[1], texts),
                f"role_confusion/src.{split}.amr": entries(switched, ["NA"] * 4),
                f"role_confusion/tgt.{split}.amr": entries(paraphrases, ["NA"] * 4),
                f"{split}.y": "\n".join(ratings) + "\n",
                **{
                    f"{kind}/{side}.{split}.amr": entries(graphs, ["NA"] * len(texts))
                    for kind in more
                    for side, graphs in zip(("src", "tgt"), sides[::-1], strict=True)
                },
            }
            for file, content in files.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(content, encoding="utf-8")


def test_all_splits_and_kinds_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, ("dev", "test"), "reify", "syno")
    arguments = ["bench", "bamboo", "--data", str(tmp_path), "--json", str(tmp_path / "o.json")]
    assert main([*arguments, "--methods", "amr-smatch,mean-cn", "--vectors", "builtin"]) == 0
    table = "".join(capsys.readouterr())
    assert "arithmetic mean of the 12 figures" in table
    assert "62.34" in table  # of Smatch, as printed
    assert "TOP counts with the root's concept, as in the published row" in table
    rows = json.loads((tmp_path / "o.json").read_text())["rows"]
    of = [(row["method"], row["split"]) for row in rows]
    assert of[:2] == [("amr-smatch", "dev"), ("mean-cn", "dev")]
    assert of[2][1] == of[3][1] == "test"
    for row in (rows[0], rows[2]):
        values = {name: figure["value"] for name, figure in row["figures"].items()}
        assert len(values) == 13
        # The other kinds hold the same pairs here, turned.
        assert values["sick reify"] == values["sick syno"] == pytest.approx(values["sick"])
        mean = sum(v for name, v in values.items() if name != "AMEAN") / 12
        assert values["AMEAN"] == pytest.approx(mean)
    assert set(rows[1]["figures"]) == set(DATA_SETS)


def test_the_mean_of_published_rows_is_the_printed_one() -> None:
    means = {name: sum(map(sum, values)) / 12 for name, values in PUBLISHED.items()}
    # S2match's row is printed with 63.24, its figures' mean is .01 less.
    expected = {"Smatch": 62.34, "S2match": 63.24, "WLK-k2": 60.24, "WWLK-k2": 64.87}
    assert means == pytest.approx(expected, abs=0.011)


def test_figures_are_what_the_benchmark_defines(repository: Path) -> None:
    data = open_bamboo(repository, "dev")
    assert {name: len(part.ratings) for name, part in data.parts.items()} == dict.fromkeys(
        DATA_SETS, 4
    )
    assert data.parts["sick"].ratings == (1.0, 0.2, 0.9, 0.3)
    row = measure(data, "amr-smatch")
    # Of two originals one is nearer to its paraphrase than its foil, the other is the foil.
    assert row.details["roles"] == dict.fromkeys(DATA_SETS, 50.0)
    assert row.figures["sts roles"] == Figure(50.0, 2, 0.0, 100.0)
    shares = [1, 5 / 6, 1, 5 / 6]
    expected = 100 * np.corrcoef(shares, [1.0, 0.2, 0.9, 0.3])[0, 1]
    assert row.figures["para"].value == pytest.approx(expected)
    assert (row.details["failed"], row.notes) == (0, [])
    wwlk = measure(data, "amr-wwlk", vectors=toy_vectors())
    assert wwlk.details["roles"] == dict.fromkeys(DATA_SETS, 50.0)


def test_ties_are_wrong_and_flat_scores_have_no_correlation(repository: Path) -> None:
    for name in DATA_SETS:  # foils that are no other than what they are compared with
        folder = repository / name / "role_confusion"
        (folder / "src.dev.amr").write_text((folder / "tgt.dev.amr").read_text())
    row = measure(open_bamboo(repository), "amr-wlk")
    assert row.details["roles"] == dict.fromkeys(DATA_SETS, 0.0)
    assert _pearson(np.ones(3), range(3)) == Figure(None, 3, note="all scores are 1")
    assert _pearson(np.arange(3.0), range(3)).value == pytest.approx(100)


def test_an_archive_does_too_and_broken_graphs_are_counted(repository: Path) -> None:
    file = repository / "sts" / "main" / "src.dev.amr"
    file.write_text(file.read_text().replace("(a / cats) :ARG1", "(a / cats :ARG1", 1))
    archive = repository.parent / "amr" / "bamboo-train-dev.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as target:
        for path in repository.rglob("*.*"):
            target.write(path, str(path.relative_to(repository)))
    data = open_bamboo(repository.parent)
    row = measure(data, "amr-smatch")
    assert row.details["failed"] == 1
    assert row == measure(open_bamboo(archive), "amr-smatch")


def test_what_is_wrong_is_named(repository: Path) -> None:
    with pytest.raises(DataError, match="holds no BAMBOO data"):
        open_bamboo(repository / "sts")
    with pytest.raises(InputError, match="split='all'"):
        open_bamboo(repository, "all")
    with pytest.raises(DataError, match="cannot be read"):
        open_bamboo(repository, "test")
    ratings = repository / "sick" / "dev.y"
    ratings.write_text("0.5\n1\nmany\n")
    with pytest.raises(DataError, match=r"dev\.y, line 3: 'many' is not a number"):
        open_bamboo(repository)
    ratings.write_text("0.5\n1\n")
    with pytest.raises(DataError, match="other numbers of graphs"):
        open_bamboo(repository)
    ratings.unlink()
    with pytest.raises(DataError, match="cannot be read"):
        open_bamboo(repository)


def test_the_command(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = repository / "figures.json"
    arguments = ["bench", "bamboo", "--data", str(repository), "--json", str(out)]
    assert main([*arguments, "--methods", "amr-smatch,amr-wwlk", "--vectors", "builtin"]) == 0
    table = capsys.readouterr().out
    assert all(name in table for name in ("amr-smatch", "amr-wwlk", *PUBLISHED))
    rows = json.loads(out.read_text())["rows"]
    assert [(row["method"], row["split"]) for row in rows] == [
        ("amr-smatch", "train"),
        ("amr-wwlk", "train"),
        ("amr-smatch", "dev"),
        ("amr-wwlk", "dev"),
    ]
    assert all(row["figures"]["sts roles"]["low"] is not None for row in rows)
    assert main([*arguments, "--methods", ","]) == 2


def test_the_real_benchmark(data_dir: Path) -> None:
    if not (data_dir / "amr" / "bamboo-train-dev.zip").is_file():
        pytest.skip(f"no BAMBOO at {data_dir}/amr")
    data = open_bamboo(data_dir)
    assert [len(data.parts[name].ratings) for name in DATA_SETS] == [1500, 500, 500]
    row = measure(data, "amr-smatch")
    assert (row.figures["sts"].value or 0) > 55
    assert (row.figures["sts roles"].value or 0) > 85


def test_methods_of_sentences_have_the_sentences_and_no_switched_graphs(repository: Path) -> None:
    row = measure(open_bamboo(repository, "dev"), "mean-cn", vectors=toy_vectors())
    assert set(row.figures) == set(DATA_SETS)
    assert row.details["roles"] == {}
