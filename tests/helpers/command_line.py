"""The command line as a user runs it, and two sentences whose parses are known."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from compsim.cli import main
from compsim.graph import RoleGraph
from compsim.parsers.files.stored_roles import write_jsonl

CATS, MICE = "Cats chase mice.", "Mice chase cats."
GRAPHS = (
    RoleGraph.star(CATS, {"Verb": "chase", "Agent": "Cats", "Patient": "mice"}),
    RoleGraph.star(MICE, {"Verb": "chase", "Agent": "Mice", "Patient": "cats"}),
)


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "compsim.cli", *arguments],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def call(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in this process, which has its modules and models already."""
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    out, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", given)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = main(arguments)
    results = []
    for stream in (out, error):
        stream.flush()
        results.append(stream.buffer.getvalue())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, status, *results)


def one_line(error: str) -> str:
    """The text of an error that keeps to the form: one line, no traceback, no frame."""
    assert error.endswith("\n")
    assert error.count("\n") == 1
    assert error.startswith("compsim: ")
    return error.removeprefix("compsim: ").strip()


def stored_parser(folder: Path) -> list[str]:
    """The option for a parser that knows the two sentences."""
    path = folder / "parses.jsonl"
    write_jsonl(GRAPHS, path)
    return ["--parser", f"stored:{path}"]
