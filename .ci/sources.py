"""The sources in a folder of their own, laid out the way they install.

``parsers/``, ``weights/`` and ``benchmarks/`` become sub-packages of ``compsim`` only on
installation, which tools that read sources do not see in an editable install. So the sources are
copied to a temporary folder the way ``pyproject.toml`` maps them, and the tool runs there.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CONFIGURATION = REPOSITORY / "pyproject.toml"


@contextmanager
def laid_out() -> Iterator[Path]:
    """A folder that holds the package ``compsim``, whole, while the context lasts."""
    setuptools = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["tool"]["setuptools"]
    with tempfile.TemporaryDirectory() as name:
        for package, folder in sorted(setuptools["package-dir"].items()):
            for source in (REPOSITORY / folder).rglob("*.py*"):
                if source.suffix not in (".py", ".pyi"):
                    continue
                target = Path(name, *package.split("."), source.relative_to(REPOSITORY / folder))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        yield Path(name)
