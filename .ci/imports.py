"""Hold the sources to the import contracts of pyproject.toml: ``python .ci/imports.py``.

The check needs no installed package, only import-linter.
"""

from __future__ import annotations

import os
import sys

from importlinter.cli import lint_imports
from sources import CONFIGURATION, REPOSITORY, laid_out


def main() -> int:
    """Return import-linter's exit status: 0 where every contract is kept."""
    cache = REPOSITORY / ".import_linter_cache"
    with laid_out() as folder:
        os.chdir(folder)
        status = lint_imports(config_filename=str(CONFIGURATION), cache_dir=str(cache))
        os.chdir(REPOSITORY)
    return status


if __name__ == "__main__":
    sys.exit(main())
