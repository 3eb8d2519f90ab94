"""The section of an evaluation that ranks: how ranks are spread, what ranks worst and why.

>>> from compsim.benchmarks.results import Results
>>> "<h2>Near?</h2>" in ranks_section(Results("evalrank", "toy", "", "0" * 64, {}, []), "Near?")
True
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import numpy as np

from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.downstream import correlation_grid
from compsim.benchmarks.report.page import section
from compsim.benchmarks.results import Results, Row
from compsim.errors import CompsimError
from compsim.explanation.html import fragment

__all__ = ["ranks_section"]

#: Items that are shown of those that outrank others most often.
_HUBS: Final = 10
#: Worst pairs of each row that are explained.
_LISTED: Final = 3
_EXPLAINED: Final = "The score of a pair as the method makes it, before vectors are centred."


def ranks_section(results: Results, title: str) -> str:
    """The table, and for each row its ranks, the worst pairs and the items nearest to many."""
    rows = [row for row in results.rows if row.scores]
    spread = [_spread(row) for row in rows]
    worst = [_worst(row) for row in rows if row.details.get("worst")]
    hubs = [_hubs(row) for row in rows if row.details.get("hubs")]
    parts = [
        ("What do centring and the metric change?", "MRR of each method in each way.", _ways(rows)),
        ("How much does the background matter?", "MRR among ever more items.", _backgrounds(rows)),
        ("Which sets of data are hard?", "MRR of the pairs of each set.", _sources(rows)),
        (
            "Do ranks go with scores in other tasks?",
            "Spearman's rho over models.",
            correlation_grid(results),
        ),
        (
            "How are ranks spread?",
            "How many pairs have which rank, as its decimal logarithm.",
            spread,
        ),
        (
            "Which pairs rank worst?",
            "The lowest ranks, and what is nearest to the first item.",
            worst,
        ),
        ("Why do the worst pairs score as they do?", _EXPLAINED, [_explained(row) for row in rows]),
        (
            "Which items are near to everything?",
            "In what share of the pairs an item outranks the second one.",
            hubs,
        ),
    ]
    shown = [figures.section(name, *of, note=note) for name, note, of in parts if any(of)]
    return section(results, title, *shown)


def _name(row: Row) -> str:
    return ", ".join(said for said in row.of.values() if said not in ("", "none"))


def _spread(row: Row) -> str:
    scores = np.array(row.scores, dtype=np.float64)
    return charts.histogram(-np.log10(scores[~np.isnan(scores)]), title=_name(row))


def _worst(row: Row) -> str:
    body = [
        (*item["pair"], str(item["rank"]), f"{item['score']:.3f}", _nearer(item))
        for item in row.details["worst"]
    ]
    return figures.cells((_name(row), "second", "rank", "score", "nearest to the first"), body)


def _nearer(results: Mapping[str, Any]) -> str:
    both = zip(results["nearer"], results["scores"], strict=True)
    return "; ".join(f"{item} ({score:.3f})" for item, score in both)


def _explained(row: Row) -> str:
    """The scores of the worst pairs told by the method, where it can."""
    parts = []
    for item in row.details.get("worst", ())[:_LISTED] if row.explain is not None else ():
        assert row.explain is not None
        with warnings.catch_warnings(), contextlib.suppress(CompsimError):
            warnings.simplefilter("ignore")
            result = f"rank {item['rank']}: {item['pair'][0]} / {item['pair'][1]}"
            why = fragment(row.explain(*item["pair"]))
            parts.append(f"<details><summary>{escape(result)}</summary>{why}</details>")
    return f"<h3>{escape(_name(row))}</h3>{''.join(parts)}" if parts else ""


def _ways(rows: Sequence[Row]) -> list[str]:
    """Bars of the MRR, where a method has several rows."""
    if len({row.of["method"] for row in rows}) == len(rows):
        return []
    values = [row.figures["MRR"] for row in rows]
    ends = [figure.interval for figure in values]
    chart = charts.bars(
        [_name(row) for row in rows],
        {"MRR": [figure.value for figure in values]},
        (0.0, 100.0),
        title="MRR",
        intervals={"MRR": ends},
    )
    return [chart]


def _backgrounds(rows: Sequence[Row]) -> list[str]:
    """A line through the MRR among each background, for each row that has several."""
    result = {_name(row): row.details.get("backgrounds", {}) for row in rows}
    series = {name: of for name, of in result.items() if len(of) > 1}
    groups = list(dict.fromkeys(label for of in series.values() for label in of))
    if not groups:
        return []
    values = {name: [of.get(g, {}).get("MRR") for g in groups] for name, of in series.items()}
    return [charts.dots(groups, values, title="MRR by background")]


def _sources(rows: Sequence[Row]) -> list[str]:
    result = {_name(row): row.details.get("sources", {}) for row in rows}
    names = list(dict.fromkeys(name for of in result.values() for name in of))
    if not names:
        return []
    body = [
        (label, *(f"{of[name]['MRR']:.2f}" if name in of else "" for name in names))
        for label, of in result.items()
    ]
    return [figures.cells(("MRR", *names), body)]


def _hubs(row: Row) -> str:
    items = list(row.details["hubs"].items())[:_HUBS]
    return figures.cells((_name(row), "share"), [(item, f"{share:.1%}") for item, share in items])
