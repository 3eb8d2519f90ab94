"""The time that an agent waits for the tools of ``compsim mcp``.

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
    from compsim.benchmarks.speed.agents import Times, measure

    measured = measure("-o", f"whole={whole}", "--vectors", vectors, calls=calls)
    rows, details = [], {}
    for name, times in measured.items():
        figures = times._asdict()
        rows.append(Row({"call": name}, {column: Figure(one) for column, one in figures.items()}))
        details.update({f"{name} {column}": one for column, one in figures.items()})
    columns = dict.fromkeys(Times._fields, 0)
    results = Results("mcp", "mcp", "", "", columns, rows, ".3g", details=details)
    return Known("Tools for agents", results)
