"""Speed of compsim, as ratios that carry over from one machine to another.

Each module of this folder has a ``measure`` that returns named figures; ``run`` collects them.

>>> from compsim.benchmarks.speed import run
>>> figures = run("speed.json")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

from compsim.storage.files import write_json

__all__ = ["GRAPH_PARTS", "PARTS", "run"]

#: The modules whose ``measure`` is called, in this order.
PARTS: Final = ("kernel", "text", "embeddings", "hybrid", "guard", "reranking", "corpus", "shards")

#: Those that need graphs: the folder that holds ``compositional-semantics-eval`` and ``amr``.
GRAPH_PARTS: Final = ("smatch", "smatch_command", "wlk")


def run(json_path: str | Path | None = None, data: str | Path | None = None) -> dict[str, float]:
    """Measure every part, those of ``GRAPH_PARTS`` where ``data`` is given.

    Also writes the figures to a JSON file where a path is given.
    """
    figures: dict[str, float] = {}
    for part in PARTS:
        figures |= import_module(f"{__name__}.{part}").measure()
    for part in GRAPH_PARTS if data is not None else ():
        figures |= import_module(f"{__name__}.{part}").measure(data)
    if json_path is not None:
        write_json(Path(json_path), figures)
    return figures
