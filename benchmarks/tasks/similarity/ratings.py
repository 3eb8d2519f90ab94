"""How far people agree on their ratings, and so how well any method can do.

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
        Path, "a pair a row and a rater a column, CSV or workbook; or the folder of STS3k"
    ],
    /,
    low: Annotated[float | None, "the lowest rating there is"] = None,
    high: Annotated[float | None, "the highest rating there is"] = None,
) -> Task:
    """Show how far people agree on their ratings, and so how well any method can do."""
    from compsim.benchmarks.stats.agreement import of_sts3k, statistics

    data = Path(data)
    found = of_sts3k(open_sts3k(data)) if data.is_dir() else statistics(data, low=low, high=high)
    if found is None:
        raise InputError(f"{data} holds no ratings by participant: name a file of them")
    rows = []
    for part, of in found.agreement.items():
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
        found.source,
        sha256([found.source]),
        dict.fromkeys(rows[0].figures, 0),
        rows,
        summary=[
            f"{found.ratings} ratings by {found.raters} people; means from {found.minimum:.3f} to "
            f"{found.maximum:.3f}, mean {found.mean:.3f}, SD {found.deviation:.3f}",
            "against shuffled ratings: Kolmogorov-Smirnov D = "
            f"{found.distance:.3f}, p = {found.p:.2g}",
        ],
        details=found.to_dict(),
    )
    return Known("How far people agree", results)
