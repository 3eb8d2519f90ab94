"""Write ``.ci/packages.lock``, the hashes of all that the tests need: ``python .ci/lock.py``.

It needs ``pip install uv``, and a network. The versions are those of ``constraints.txt``, for every
platform and every Python from 3.11 on, each with the hashes of all its files. pip checks hashes of
all packages or of none, and a local project has none, so this list is installed by itself
(``--require-hashes --no-deps``), before the project. PyTorch and what only it needs are left out:
their files depend on the index that is asked, for processors or for graphics cards.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sources import CONFIGURATION, REPOSITORY

LOCK = Path(__file__).with_name("packages.lock")
#: Before 3.11.5 one of the packages cannot be had.
COMMAND = (
    *("uv", "pip", "compile", str(CONFIGURATION), "--extra", "test", "-c", "constraints.txt"),
    *("--universal", "--python-version", "3.11.5", "--generate-hashes"),
    *("--no-header", "--no-annotate", "--no-emit-package", "torch"),
)
OF_TORCH = re.compile(r"(nvidia|cuda|triton)\b")


def main() -> int:
    """Return uv's exit status."""
    done = subprocess.run(COMMAND, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        packages = re.split(r"^(?=\w)", done.stdout, flags=re.MULTILINE)
        kept = [package for package in packages if not OF_TORCH.match(package)]
        LOCK.write_text("# python .ci/lock.py\n" + "".join(kept), encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
