"""Run mypy over the sources as they lie in the tree: ``python .ci/typecheck.py``.

``parsers/``, ``weights/`` and ``benchmarks/`` become sub-packages of ``compsim`` only on
installation, which mypy does not see in an editable install. So the sources are laid out in a
temporary folder the way ``pyproject.toml`` maps them, and checked there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CONFIGURATION = REPOSITORY / "pyproject.toml"


def main() -> int:
    """Return mypy's exit status."""
    setuptools = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["tool"]["setuptools"]
    with tempfile.TemporaryDirectory() as name:
        for package, folder in sorted(setuptools["package-dir"].items()):
            for source in (REPOSITORY / folder).rglob("*.py*"):
                if source.suffix not in (".py", ".pyi"):
                    continue
                target = Path(name, *package.split("."), source.relative_to(REPOSITORY / folder))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        cache = REPOSITORY / ".mypy_cache"
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(CONFIGURATION)]
        return subprocess.run(
            [*command, "--cache-dir", str(cache), "-p", "compsim", *sys.argv[1:]],
            cwd=name,
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
