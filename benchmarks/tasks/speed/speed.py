"""Speed of parsing, encoding and comparing on this machine.

>>> from compsim.benchmarks.task import run
>>> print(run(speed()).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from compsim.benchmarks.task import Figure, Known, Results, Row, Task

__all__ = ["speed"]


def speed(
    data: Annotated[
        Path | None, "folder of compositional-semantics-eval and amr: graphs are timed too"
    ] = None,
) -> Task:
    """Measure how fast this machine parses, encodes and compares."""
    from compsim.benchmarks.speed import run

    figures = run(data=data)
    rows = [Row({"figure": name}, {"value": Figure(value)}) for name, value in figures.items()]
    results = Results("speed", "speed", "", "", {"value": 0}, rows, ".6g", details=figures)
    return Known("Speed", results)
