"""Output of a program in a new Python process, which can import these helpers."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

HELPERS = str(Path(__file__).parent)


def in_a_new_process(program: str, *arguments: str, **environment: str) -> str:
    """``environment`` is set besides; raises ``CalledProcessError`` where the program fails."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": HELPERS, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def in_this_process(program: str, *arguments: str) -> str:
    """Return the output of a program that runs here, to be compared with that of a new process."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.setattr(sys, "argv", ["-c", *arguments])
        exec(program, {"__name__": "__main__"})
    return printed.getvalue()
