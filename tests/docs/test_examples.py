"""Every example and command on the site and in README.md gives what is printed there."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest
from pages import PAGES, REPOSITORY, Block, blocks
from typer.testing import CliRunner

from compsim.cli.app import app

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
#: What .ci/run does before README.md's first command, and what it does after it.
INSTALL = "pip install . && "
TESTS = 'pip install -c constraints.txt ".[test]" && pytest'

#: Pages that need nothing but what `pip install .` brings.
MINIMAL = ("README", "index", "ten-minutes", "explanations", "concepts", "rolesim")

WITH_EXAMPLES = [page for page in PAGES if blocks(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    wrong = []
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.skipped:
            continue
        where = f"{page.relative_to(REPOSITORY)}:{block.line}"
        try:
            pairs = python(block, names, where) if block.language == "python" else shell(block)
        except ImportError as error:  # what an extra brings
            if page.stem in MINIMAL:
                raise
            pytest.skip(str(error))
        except Exception as error:
            pytest.fail(f"{where}: {type(error).__name__}: {error}")
        wrong += [
            f"{where}: shown\n{shown}\nprinted\n{printed}"
            for shown, printed in pairs
            if not doctest.OutputChecker().check_output(f"{shown}\n", f"{printed}\n", FLAGS)
        ]
    assert not wrong, "\n\n".join(wrong)


def python(block: Block, names: dict[str, Any], where: str) -> list[tuple[str, str]]:
    """Return each block of code and the output shown below it, if any."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(block.code, where, "exec"), names)
    return [] if block.output is None else [(block.output, printed.getvalue().rstrip())]


def shell(block: Block) -> list[tuple[str, str]]:
    """The same of each command; other programs than compsim are left out."""
    if block.language == "console":
        parts = [part.partition("\n") for part in f"\n{block.code}".split("\n$ ")[1:]]
        shown = [(command, output.rstrip()) for command, _, output in parts]
    else:
        lines = [line.removeprefix(INSTALL) for line in block.code.splitlines()]
        shown = [(line, block.output or "") for line in lines if line != TESTS]
    return [(output, printed(command)) for command, output in shown]


def printed(command: str) -> str:
    """Return the output of a command of compsim."""
    words = shlex.split(command, comments=True)
    given = {}
    while "=" in words[0]:
        name, _, given[name] = words.pop(0).partition("=")
    assert words[0] == "compsim", f"{command}: not a command of compsim; mark it as not run"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in given.items():
            patch.setenv(name, value)
        patch.setenv("COLUMNS", "80")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = CliRunner().invoke(app, words[1:])
    assert result.exit_code == 0, result.output
    return str(result.stdout).rstrip()


def test_readme_has_the_two_lines_that_ci_runs() -> None:
    code = [
        line
        for block in blocks((REPOSITORY / "README.md").read_text(encoding="utf-8"))
        for line in block.code.splitlines()
    ]
    assert sum(line.startswith(f"{INSTALL}compsim explain ") for line in code) == 1
    assert code.count(TESTS) == 1
    assert os.access(REPOSITORY / ".ci" / "run", os.X_OK)


def test_links_of_the_readme_lead_somewhere() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert len(links) > 15
    assert [link for link in links if not (REPOSITORY / link).is_file()] == []
