"""Agreement of raters, an upper bound for any method.

>>> from compsim.benchmarks.task import run
>>> print(run(ratings("mine.csv", low=1, high=7)).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from compsim.benchmarks.datasets import open_sts3k
from compsim.benchmarks.task import Figure, Known, Results, Row, Task, sha256
from compsim.errors import InputError

__all__ = ["ratings"]


def ratings(
    data: Annotated[
        Path,
        "CSV file or workbook with one row for each pair and one column for each "
        "rater, or the folder of STS3k",
    ],
    /,
    low: Annotated[float | None, "the lowest rating there is"] = None,
    high: Annotated[float | None, "the highest rating there is"] = None,
) -> Task:
    """Show how far people agree on their ratings, and so how well any method can do."""
    from compsim.benchmarks.stats.agreement import of_sts3k, statistics

    data = Path(data)
    result = of_sts3k(open_sts3k(data)) if data.is_dir() else statistics(data, low=low, high=high)
    if result is None:
        raise InputError(f"{data} holds no ratings by participant: name a file of them")
    rows = []
    for part, of in result.agreement.items():
        n = of.pairs
        figures = {
            "pairs": Figure(n),
            "SD a pair": Figure(of.deviation, n),
            "split-half reliability": Figure(of.reliability, n),
            "weighted kappa": Figure(of.kappa, n),
            "of all": Figure(of.kappa_all, n),
        }
        rows.append(Row({"part": part}, figures))
    results = Results(
        "ratings",
        "ratings",
        result.source,
        sha256([result.source]),
        dict.fromkeys(rows[0].figures, 0),
        rows,
        summary=[
            f"{result.ratings} ratings by {result.raters} people; means from {result.minimum:.3f} "
            f"to {result.maximum:.3f}, mean {result.mean:.3f}, SD {result.deviation:.3f}",
            "against shuffled ratings: Kolmogorov-Smirnov D = "
            f"{result.distance:.3f}, p = {result.p:.2g}",
        ],
        details=result.to_dict(),
    )
    return Known("How far people agree", results)
