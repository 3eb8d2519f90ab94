"""``compsim smatch`` against ``smatch.py``, from the start of the process to its end.

``smatch_command_vs_package``: the processor time of the public tool over ours on 2,850 pairs of the
published parses of STS3k, its first sentences against its second ones and on to the next;
``smatch_command_vs_package_large``: on graphs of 36 to 44 variables of the Bio AMR corpus, each
with the five that follow. Both in one thread, in turns, the best of some rounds each.

>>> from compsim.benchmarks.speed.smatch_command import measure
>>> figures = measure("data")  # doctest: +SKIP
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from compsim.benchmarks.speed.smatch import development_graphs
from compsim.benchmarks.stats import library
from compsim.graph import RoleGraph
from compsim.graph.penman_reader import read_amr
from compsim.storage.reading import read_text

__all__ = ["measure"]

_BIO = ("amr-release-dev-bio.txt.gz", "amr-release-test-bio.txt.gz")
_PAIRS = 2850


def measure(data: str | Path, rounds: int = 3) -> Mapping[str, float]:
    """Time both commands; ``data`` is the folder that holds STS3k's parses and ``amr``.

    Raises ``DataError`` for a file that is missing, ``MissingExtraError`` without the package.
    """
    first, second = development_graphs(data)
    bio = [graph for name in _BIO for graph in read_amr(read_text(Path(data) / "amr" / name))]
    large = [graph for graph in bio if 36 <= sum(n.variable is not None for n in graph.nodes) <= 44]
    return {
        "smatch_command_vs_package": _ratio(
            [(first * 3)[i] for i in range(_PAIRS)],
            [(second + second[1:] + second[:1] + second)[i] for i in range(_PAIRS)],
            rounds,
        ),
        "smatch_command_vs_package_large": _ratio(
            large * 5, [b for k in range(1, 6) for b in large[k:] + large[:k]], 1
        ),
    }


def _ratio(first: Sequence[RoleGraph], second: Sequence[RoleGraph], rounds: int) -> float:
    """The processor seconds of the public tool over those of ours on these pairs."""
    script = str(library("smatch", "smatch").__file__)
    with TemporaryDirectory() as folder:
        paths = []
        for name, graphs in (("a", first), ("b", second)):
            path = Path(folder, name)
            path.write_text("\n\n".join(graph.to_penman() for graph in graphs), encoding="utf-8")
            paths.append(str(path))
        ours = [sys.executable, "-m", "compsim.cli", "smatch", "-f", *paths]
        theirs = [sys.executable, script, "-f", *paths]
        best = {"ours": math.inf, "theirs": math.inf}
        for _ in range(rounds):
            for name, command in (("ours", ours), ("theirs", theirs)):
                best[name] = min(best[name], _processor_seconds(command))
    return best["theirs"] / best["ours"]


def _processor_seconds(command: Sequence[str]) -> float:
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    one_thread = {**os.environ, "COMPSIM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, capture_output=True, env=one_thread)
    return spent() - before
