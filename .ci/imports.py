"""Hold the sources to the import contracts of pyproject.toml: ``python .ci/imports.py``.

And to a stricter one: no module imports itself round a circle, a package's ``__init__`` counted.
"""

from __future__ import annotations

import os
import sys

import grimp
import networkx
from importlinter.cli import lint_imports
from sources import CONFIGURATION, REPOSITORY, laid_out


def main() -> int:
    """Return 0 where every contract is kept and there is no circle."""
    with laid_out() as folder:
        os.chdir(folder)
        status = lint_imports(config_filename=str(CONFIGURATION), no_cache=True, no_logo=True)
        graph = grimp.build_graph("compsim", exclude_type_checking_imports=True, cache_dir=None)
        os.chdir(REPOSITORY)
    imports = networkx.DiGraph(
        (module, imported)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    )
    for circle in networkx.strongly_connected_components(imports):
        if len(circle) > 1:
            print("a circle of imports:", ", ".join(sorted(circle)))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
