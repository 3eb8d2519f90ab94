"""Growth of time with the length of a text.

>>> from compsim.benchmarks.task import run
>>> print(run(long_texts()).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Annotated

from compsim.benchmarks.task import Figure, Known, Results, Row, Task

__all__ = ["long_texts"]


def long_texts(
    method: Annotated[str, "verbnet-cn or hybrid"] = "verbnet-cn",
    rounds: Annotated[int, "times that each pair is scored; the best counts"] = 2,
) -> Task:
    """Time pairs of 45 patterns at 5,000, 10,000 and 20,000 characters, in CPU seconds."""
    from compsim.benchmarks.speed.long_texts import measure
    from compsim.registry import load

    result = measure(load(method, vectors="builtin", cache=False), rounds=rounds)
    columns = ("5,000", "10,000", "20,000", "most a doubling", "explained")
    outcome = [
        (ascii(one.pattern)[1:-1], (*one.scored, one.steepest, one.explained)) for one in result
    ]
    outcome.append(("most", tuple(map(max, zip(*(values for _, values in outcome), strict=True)))))
    rows = [
        Row({"pattern": name}, dict(zip(columns, map(Figure, values), strict=True)))
        for name, values in outcome
    ]
    most = dict(zip(columns, outcome[-1][1], strict=True))
    results = Results(
        "long-texts", "long-texts", "", "", dict.fromkeys(columns, 0), rows, ".2f", details=most
    )
    return Known("Long texts", results)
