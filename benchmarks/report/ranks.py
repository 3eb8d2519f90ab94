"""The section of an evaluation that ranks: how ranks are spread, what ranks worst and why.

>>> from compsim.benchmarks.results import Results
>>> "<h2>Ranks</h2>" in ranks_section(Results("evalrank", "toy", "", "0" * 64, {}, []), "Ranks")
True
"""

from __future__ import annotations

from typing import Final

import numpy as np

from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.page import section
from compsim.benchmarks.results import Results, Row

__all__ = ["ranks_section"]

#: Items that are shown of those that outrank others most often.
_HUBS: Final = 10


def ranks_section(results: Results, title: str) -> str:
    """The table, and for each row its ranks, the worst pairs and the items nearest to many."""
    rows = [row for row in results.rows if row.scores]
    spread = [_spread(row) for row in rows]
    worst = [_worst(row) for row in rows if row.details.get("worst")]
    hubs = [_hubs(row) for row in rows if row.details.get("hubs")]
    parts = [
        ("Ranks", "How many pairs have which rank, as its decimal logarithm.", spread),
        ("Worst pairs", "The lowest ranks, and what is nearest to the first item.", worst),
        ("Hubs", "In what share of the pairs an item outranks the second one.", hubs),
    ]
    shown = [figures.section(name, *of, note=note) for name, note, of in parts if of]
    return section(results, title, *shown)


def _name(row: Row) -> str:
    return ", ".join(said for said in row.of.values() if said not in ("", "none"))


def _spread(row: Row) -> str:
    scores = np.array(row.scores, dtype=np.float64)
    return charts.histogram(-np.log10(scores[~np.isnan(scores)]), title=_name(row))


def _worst(row: Row) -> str:
    body = [
        (*found["pair"], str(found["rank"]), "; ".join(found["nearer"]))
        for found in row.details["worst"]
    ]
    return figures.cells((_name(row), "second", "rank", "nearest to the first"), body)


def _hubs(row: Row) -> str:
    found = list(row.details["hubs"].items())[:_HUBS]
    return figures.cells((_name(row), "share"), [(item, f"{share:.1%}") for item, share in found])
