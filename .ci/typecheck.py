"""Run mypy over the sources as they lie in the tree: ``python .ci/typecheck.py [FILE...]``.

With files, those are checked against the sources instead.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sources import CONFIGURATION, REPOSITORY, laid_out


def main(files: list[str]) -> int:
    """Return mypy's exit status."""
    cache = REPOSITORY / ".mypy_cache"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(CONFIGURATION)]
    what = [str(Path(file).resolve()) for file in files] or ["-p", "compsim"]
    with laid_out() as folder:
        done = subprocess.run([*command, "--cache-dir", str(cache), *what], cwd=folder, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
