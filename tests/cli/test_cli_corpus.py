"""``compsim corpus``: made, searched, shrunk and looked at from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CATS, MICE, one_line, stored_parser

from compsim.cli import main

pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "corpus")


def made_of_lines(folder: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text(f"{CATS}\n{MICE}\n", encoding="utf-8")
    given = [*stored_parser(tmp_path), "--vectors", "builtin", "-o", "whole=mean-cn"]
    assert main(["corpus", "add", folder, str(lines), *given]) == 0


def test_documents_of_lines(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of_lines(folder, tmp_path)
    assert capsys.readouterr().out == "2 documents added, 2 in all\n"
    assert main(["corpus", "search", folder, CATS]) == 2
    assert "names parser='stored:" in one_line(capsys.readouterr().err)
    parser = stored_parser(tmp_path)
    assert main(["corpus", "search", folder, CATS, "--top-k", "1", "--explain", *parser]) == 0
    first, *why = capsys.readouterr().out.splitlines()
    assert first == f"1.0000  0  {CATS}"
    assert any("concept" in line for line in why)
    assert main(["corpus", "delete", folder, "0"]) == 0
    assert main(["corpus", "compact", folder, "--index", *parser]) == 0
    result = "1 documents deleted, 1 in all\n1 documents in 1 segments\n"
    assert capsys.readouterr().out == result
    assert main(["corpus", "search", folder, CATS, "--exact", "--json", *parser]) == 0
    assert [one["corpus_id"] for one in json.loads(capsys.readouterr().out)] == ["1"]
    assert main(["corpus", "info", folder, "--verify", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["documents"], info["method"], info["verified"]) == (1, "hybrid", True)
    assert main(["corpus", "info", folder]) == 0
    assert "documents: 1\n" in capsys.readouterr().out


def test_a_file_that_is_missing_leaves_no_corpus(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "add", folder, str(tmp_path / "none.txt"), "--method", "mean-cn"]) == 2
    assert "none.txt" in one_line(capsys.readouterr().err)
    assert not Path(folder).exists()


def test_a_manifest_is_rebuilt(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of_lines(folder, tmp_path)
    assert main(["corpus", "delete", folder, "0"]) == 0
    Path(folder, "corpus.json").unlink()
    capsys.readouterr()
    assert main(["corpus", "info", folder]) == 2
    assert f"`compsim corpus repair {folder}`" in one_line(capsys.readouterr().err)
    assert main(["corpus", "repair", folder, "--method", "mean-cn", "--vectors", "builtin"]) == 2
    assert "not 'mean-cn'" in one_line(capsys.readouterr().err)
    assert main(["corpus", "repair", folder]) == 0
    *notes, last = capsys.readouterr().out.splitlines()
    assert notes[0] == "corpus.json was missing"
    assert last == "1 documents in 1 segments"
    parser = stored_parser(tmp_path)
    assert main(["corpus", "search", folder, CATS, "--json", *parser]) == 0
    assert [one["corpus_id"] for one in json.loads(capsys.readouterr().out)] == ["1"]


def test_documents_of_json_lines_and_errors(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of_lines(folder, tmp_path)
    lines = tmp_path / "some.jsonl"
    lines.write_text(
        "".join(json.dumps({"id": one, "text": CATS}) + "\n" for one in ("a", "b", "c")) + "\n",
        encoding="utf-8",
    )
    parser = stored_parser(tmp_path)
    add = ["corpus", "add", folder, str(lines), "--jsonl", "--batch-size", "2", *parser]
    assert main(add) == 0
    assert capsys.readouterr().out.endswith("3 documents added, 5 in all\n")
    assert main(add) == 2
    assert "'a' is there already" in one_line(capsys.readouterr().err)
    lines.write_text('{"id": 3}\n', encoding="utf-8")
    assert main(add) == 2
    assert "line 1: give" in one_line(capsys.readouterr().err)
    assert main(["corpus", "search", str(tmp_path / "none"), "cats"]) == 2
    assert "is not a corpus" in one_line(capsys.readouterr().err)
    assert main(["corpus", "search", folder, "?", *parser]) == 2
    assert "without a word" in one_line(capsys.readouterr().err)
