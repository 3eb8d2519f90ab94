"""``compsim similarity --pairs``, ``rank`` and ``methods NAME``; help that is whole."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command_line import one_line

from compsim import load
from compsim.cli import main
from compsim.registry import methods, options

DOGS = "The dog bit the man.", "The man bit the dog."
METHOD = ["--method", "mean-cn"]
ROWS = [{"id": "7", "first": DOGS[0], "second": text} for text in (*DOGS, "It rained, then.")]


def table(separator: str) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(ROWS[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue()


LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.csv", table(",")),
        ("pairs.tsv", table("\t")),
        ("pairs.jsonl", LINES),
        ("pairs.txt", table("\t")),
        ("-", table(",")),
        ("-", LINES),
    ],
)
def test_pairs_of_any_file_are_scored(
    name: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = name
    if name == "-":
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
    else:
        path = str(tmp_path / name)
        Path(path).write_text(text, encoding="utf-8-sig")
    assert main(["similarity", "--pairs", path, *METHOD]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    first, second = [row["first"] for row in ROWS], [row["second"] for row in ROWS]
    scores = load("mean-cn").similarity_pairwise(first, second).tolist()
    assert results == [{**row, "score": score} for row, score in zip(ROWS, scores, strict=True)]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_scores_are_written_as_the_name_says(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, output = tmp_path / "pairs.jsonl", tmp_path / f"scores.{ending}"
    pairs.write_text(LINES)
    assert main(["similarity", "--pairs", str(pairs), "--output", str(output), *METHOD]) == 0
    assert capsys.readouterr().out == ""
    if ending == "jsonl":
        rows = [json.loads(line) for line in output.read_text().splitlines()]
    else:
        separator = "," if ending == "csv" else "\t"
        rows = list(csv.DictReader(io.StringIO(output.read_text()), delimiter=separator))
    assert [row["second"] for row in rows] == [row["second"] for row in ROWS]
    assert 0.0 < float(rows[1]["score"]) <= 1.0


def test_pairs_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(LINES)
    assert main(["similarity", "--pairs", str(path), "--output", str(path), *METHOD]) == 2
    assert "give another name" in one_line(capsys.readouterr().err)
    assert path.read_text() == LINES


def test_a_table_without_the_columns_says_which_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2\na,b\n")
    assert main(["similarity", "--pairs", str(path), *METHOD]) == 2
    error = one_line(capsys.readouterr().err)
    assert "no texts called first and second among sentence1, sentence2" in error


def test_documents_are_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "documents.txt"
    path.write_text("Prices fell.\n\nThe man bit the dog.\nIt rained. The dog bit the man.\n")
    command = ["rank", "Who bit the man?", "--documents"]
    assert main([*command, str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == ["4", "3", "1"]
    assert lines[0].endswith("  It rained. The dog bit the man.")
    monkeypatch.setattr("sys.stdin", io.StringIO(path.read_text()))
    assert main([*command, "-", "--top-k", "1", "--format", "json"]) == 0
    (best,) = json.loads(capsys.readouterr().out)
    assert (best["line"], best["text"]) == (4, "It rained. The dog bit the man.")
    assert main([*command, str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in one_line(capsys.readouterr().err)


def test_each_method_tells_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    for info in methods():
        assert main(["methods", info.name, "--format", "json"]) == 0
        values = json.loads(capsys.readouterr().out)
        assert [one["option"] for one in values] == options(info.name)
    assert main(["methods", "amr-wlk"]) == 0
    out = capsys.readouterr().out
    assert "both | out | in" in out
    assert "how many steps labels are refined" in out
    assert main(["methods", "hybird"]) == 2
    assert "did you mean 'hybrid'?" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize("command", [[], ["bench"], ["corpus"], ["grammar"], ["cache"]])
def test_no_text_of_help_is_cut(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "..." not in out.split("Commands:")[1]
    if not command:
        names = [
            line.split()[0] for line in out.split("Commands:")[1].splitlines() if line[2:3] > " "
        ]
        assert names[:4] == ["similarity", "explain", "rank", "same"]
