"""How fast compsim is, as ratios that carry over from one machine to another.

Each module of this folder has a ``measure`` that returns named figures; ``run`` collects them.

>>> from compsim.benchmarks.speed import run
>>> figures = run("speed.json")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from compsim.storage.files import write_json

__all__ = ["GRAPH_PARTS", "PARTS", "run"]


def _kernel() -> Mapping[str, float]:
    from compsim.benchmarks.speed.kernel import measure

    return measure()


def _text() -> Mapping[str, float]:
    from compsim.benchmarks.speed.text import measure

    return measure()


def _embeddings() -> Mapping[str, float]:
    from compsim.benchmarks.speed.embeddings import measure

    return measure()


#: The parts that ``run`` measures, by name, in this order.
PARTS: dict[str, Callable[[], Mapping[str, float]]] = {
    "kernel": _kernel,
    "text": _text,
    "embeddings": _embeddings,
}


def _smatch(data: Path) -> Mapping[str, float]:
    from compsim.benchmarks.speed.smatch import measure

    return measure(data)


def _wlk(data: Path) -> Mapping[str, float]:
    from compsim.benchmarks.speed.smatch import development_graphs
    from compsim.benchmarks.speed.wlk import measure

    return measure(*development_graphs(data))


#: Those that need graphs: the folder that holds ``compositional-semantics-eval`` and ``amr``.
GRAPH_PARTS: dict[str, Callable[[Path], Mapping[str, float]]] = {"smatch": _smatch, "wlk": _wlk}


def run(json_path: str | Path | None = None, data: str | Path | None = None) -> dict[str, float]:
    """Measure every part, those of ``GRAPH_PARTS`` where ``data`` is given.

    Also writes the figures to a JSON file where a path is given.
    """
    figures: dict[str, float] = {}
    for part in PARTS.values():
        figures.update(part())
    if data is not None:
        for graph_part in GRAPH_PARTS.values():
            figures.update(graph_part(Path(data)))
    if json_path is not None:
        write_json(Path(json_path), figures)
    return figures
