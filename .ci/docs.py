"""Build the documentation site from the sources as they lie in the tree.

``python .ci/docs.py`` builds strictly into ``build/site``; ``--serve`` shows it and builds again
when a page changes. The sources are read, never imported.
"""

from __future__ import annotations

import os
import subprocess
import sys

from sources import REPOSITORY, laid_out


def main(arguments: list[str]) -> int:
    """Return the exit status of MkDocs."""
    serve = arguments == ["--serve"]
    if arguments and not serve:
        print(__doc__, file=sys.stderr)
        return 2
    what = ["serve"] if serve else ["build", "--strict"]
    command = [sys.executable, "-m", "mkdocs", *what]
    # A notice about the future of MkDocs that Material prints is none of a builder's business.
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    with laid_out() as folder:
        environment = {**os.environ, **quiet, "COMPSIM_SOURCES": str(folder)}
        configuration = str(REPOSITORY / ".ci" / "mkdocs.yml")
        return subprocess.run(
            [*command, "-f", configuration], cwd=REPOSITORY, env=environment, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
