"""Notice of compilation: one line to a terminal, nothing to a pipe or with kernels on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no terminals of this kind here")

# Patience of 0 makes it the second kernel that is told of, however fast the machine.
PROGRAM = """
from compsim.kernels import compilation
compilation._PATIENCE = 0.0
from compsim.rolesim.kernel import warm_up
warm_up()
"""


def stderr_of_a_run(cache: Path, terminal: bool) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    ours, theirs = pty.openpty() if terminal else os.pipe()
    try:
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, stderr=theirs, check=True)
    finally:
        os.close(theirs)
    result = b""
    try:
        while chunk := os.read(ours, 4096):
            result += chunk
    except OSError:  # how a terminal that nobody writes to any more ends
        pass
    finally:
        os.close(ours)
    return result.decode()


def test_a_terminal_is_told_once_and_only_of_what_is_compiled(tmp_path: Path) -> None:
    stderr = stderr_of_a_run(tmp_path, terminal=True)
    assert stderr.startswith("compsim: compiling for this machine, once")
    assert stderr.count("\n") == 1
    assert stderr_of_a_run(tmp_path, terminal=True) == ""


def test_a_pipe_is_not_told(tmp_path: Path) -> None:
    assert stderr_of_a_run(tmp_path, terminal=False) == ""
