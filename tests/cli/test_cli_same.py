"""``compsim same``: two texts, and files of pairs."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from compsim import Guard
from compsim.cli import main

OPTIONS = ["--vectors", "builtin", "-o", "whole=mean-cn"]
DOGS = "The dog bit the man.", "The man bit the dog."


def test_two_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["same", *DOGS, *OPTIONS]) == 1
    out = capsys.readouterr().out
    assert out.startswith("different (probability of the same 0.")
    assert "changed places" in out
    assert main(["same", DOGS[0], "the dog bit the man", *OPTIONS, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["probability"] == 1.0


def test_files_of_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": "7", "first": DOGS[0], "second": text} for text in (*DOGS, "")]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    jsonl, table = tmp_path / "pairs.jsonl", tmp_path / "pairs.csv"
    jsonl.write_text(lines)
    table.write_text("id,first,second\n" + "".join(f"7,{r['first']},{r['second']}\n" for r in rows))
    results = []
    for path in (str(jsonl), str(table), "-"):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert main(["same", "--pairs", path, *OPTIONS]) == 0
        results.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert results[0] == results[1] == results[2]
    assert [each["answer"] for each in results[0]] == ["same", "different", "unsure"]
    assert results[0][0]["id"] == "7"


def test_a_saved_guard_with_another_budget(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "guard.json"
    Guard(whole="mean-cn", vectors="builtin").save(path)
    passive = "The man was bitten by the dog."
    assert main(["same", DOGS[0], passive, "--guard", str(path)]) == 0
    assert main(["same", DOGS[0], passive, "--guard", str(path), "--max-false", "1e-6"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["one"], "give two texts, or --pairs FILE"),
        (["one", "two", "--pairs", "x"], "give two texts, or --pairs FILE"),
        (["--pairs", "missing.jsonl"], "missing.jsonl can not be read"),
        (["one", "two", "--max-false", "2"], "Invalid value for '--max-false'"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["same", *arguments]) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("line", ["[]", "{", '{"first": "a"}', '{"first": 1, "second": "b"}'])
def test_a_bad_line_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"first": "a dog", "second": "a dog"}\n' + line + "\n")
    assert main(["same", "--pairs", str(path), *OPTIONS]) == 2
    assert "pairs.jsonl, line 2: no" in capsys.readouterr().err
