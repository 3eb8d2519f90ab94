"""Build the documentation site from the sources as they lie in the tree.

``python .ci/docs.py [FOLDER]`` builds strictly, into ``build/site`` unless a folder is given;
``--serve`` shows it and builds again when a page changes. The sources are read, never imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sources import REPOSITORY, laid_out


def main(arguments: list[str]) -> int:
    """Return the exit status of MkDocs."""
    if len(arguments) > 1 or (
        arguments and arguments[0].startswith("-") and arguments[0] != "--serve"
    ):
        print(__doc__, file=sys.stderr)
        return 2
    what = ["build", "--strict", "-d", str(Path(*arguments).resolve())] if arguments else ["build"]
    if arguments == ["--serve"]:
        what = ["serve"]
    configuration = str(REPOSITORY / ".ci" / "mkdocs.yml")
    with laid_out() as folder:
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", *what, "-f", configuration],
            cwd=REPOSITORY,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "COMPSIM_SOURCES": str(folder)},
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
