"""The cheap ones of the figures are measured again, by the commands that stand beside them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from pages import REPOSITORY
from typer.testing import CliRunner

from compsim.cli.app import app

#: Rows of docs/figures.md, by what their first cell begins with.
CHEAP = (
    "the same with the hand-fixed roles of the paper",
    "role F1 of SemParse / GPT-4, as published",
    "split-half reliability of the ratings",
    "MiniLM: ",
    "EvalRank sentences, means of the authors' toy vectors",
)


def rows() -> dict[str, tuple[str, str]]:
    """Return name, figure and command of each row of the page."""
    page = (REPOSITORY / "docs" / "figures.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    return {what: (figure, command) for what, figure, command in cells}


def placed(command: str, data: Path) -> str:
    """The command with the folders of the data."""
    names = {
        "DATA": data / "compositional-semantics-eval",
        "EVALRANK": data / "evalrank",
        "toy_emb.txt.gz": data / "evalrank" / "toy_emb.txt.gz",
    }
    for name, path in names.items():
        command = re.sub(rf"(?<=\s){re.escape(name)}(?=\s|$)", shlex.quote(str(path)), command)
    return command


@pytest.mark.parametrize("beginning", CHEAP)
def test_figure(beginning: str, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if beginning.startswith("MiniLM"):
        pytest.importorskip("sentence_transformers")
    ((figure, results),) = [row for what, row in rows().items() if what.startswith(beginning)]
    commands = re.findall(r"`([^`]+)`", results)
    given = [commands[0]]
    for other in commands[1:]:  # another value of the last option
        given.append(f"{commands[0].rsplit(' ', 1)[0]} {other}")
    monkeypatch.setenv("COLUMNS", "200")
    printed = ""
    for command in given:
        program, *arguments = shlex.split(placed(command, data_dir))
        assert program == "compsim"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        printed += result.stdout
    numbers = re.findall(r"-?\d*\.\d+", figure)
    assert numbers
    measured = [float(number) for number in re.findall(r"-?\d*\.\d+", printed)]
    assert [number for number in numbers if not matches_any(number, measured)] == []


def matches_any(number: str, measured: list[float]) -> bool:
    """Return whether one of the measured numbers is this, rounded as it is."""
    places = len(number.partition(".")[2])
    return any(round(one, places) == float(number) for one in measured)


def test_every_figure_has_its_command() -> None:
    every = rows()
    assert len(every) > 60
    for what, (_, command) in every.items():
        known = "`" in command or "same" in command or what in ("what", "roles")
        assert known or command.startswith("-") or re.match(r"[-.\d]", command), what
