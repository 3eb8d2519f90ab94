"""Load of ``compsim serve`` with many concurrent clients.

>>> from compsim.benchmarks.task import run
>>> print(run(service(clients=20, requests=100)).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Annotated

from compsim.benchmarks.task import Figure, Known, Results, Row, Task

__all__ = ["service"]


def service(
    clients: Annotated[int, "clients at a time"] = 200,
    requests: Annotated[int, "requests of all clients together"] = 10_000,
    vectors: Annotated[str, "builtin, numberbatch, or the path of a vector file"] = "builtin",
    whole: Annotated[str, "what compares whole sentences: static, sbert, or sbert:MODEL"] = (
        "static"
    ),
    minutes: Annotated[
        float, "run ordinary and malformed requests for this many minutes in place of the load test"
    ] = 0,
) -> Task:
    """Measure times, refusals and memory of the HTTP service under load, on this machine."""
    from compsim.benchmarks.speed.service import measure, running
    from compsim.benchmarks.speed.soak import soak

    with running("-o", f"whole={whole}", "--vectors", vectors) as result:
        if minutes > 0:
            figures = soak(result.url, minutes, clients)
        else:
            figures = measure(result.url, clients, requests)
    rows = [Row({"figure": name}, {"value": Figure(value)}) for name, value in figures.items()]
    columns, details = {"value": 0}, dict(figures)
    results = Results("service", "service", "", "", columns, rows, ".6g", details=details)
    return Known("The HTTP service under load", results)
