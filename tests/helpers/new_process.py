"""Output of a program in a new Python process, which can import these helpers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
