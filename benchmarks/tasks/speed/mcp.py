"""How long an agent waits for the tools of ``compsim mcp``.

>>> from compsim.benchmarks.task import run
>>> print(run(mcp(calls=20)).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Annotated

from compsim.benchmarks.task import Figure, Known, Results, Row, Task

__all__ = ["mcp"]


def mcp(
    calls: Annotated[int, "calls of each tool, one after the other"] = 200,
    vectors: Annotated[str, "builtin, numberbatch, or the path of a vector file"] = "builtin",
    whole: Annotated[str, "what compares whole sentences: static, sbert, or sbert:MODEL"] = (
        "static"
    ),
) -> Task:
    """Measure milliseconds from a call of each tool for agents to its answer, warm."""
    from compsim.benchmarks.speed.agents import measure

    found = measure("-o", f"whole={whole}", "--vectors", vectors, calls=calls)
    columns = ("p50_ms", "p99_ms")
    rows = [
        Row({"call": name}, {column: Figure(getattr(times, column)) for column in columns})
        for name, times in found.items()
    ]
    details = {
        f"{name} {column}": getattr(times, column)
        for name, times in found.items()
        for column in columns
    }
    results = Results("mcp", "mcp", "", "", dict.fromkeys(columns, 0), rows, ".3g", details=details)
    return Known("Tools for agents", results)
