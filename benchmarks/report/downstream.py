"""The section of downstream tasks: what foretells them, and the place of each model in each.

>>> from compsim.benchmarks.results import Results
>>> correlation_grid(Results("downstream", "toy", "", "0" * 64, {}, []))
[]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.page import section
from compsim.benchmarks.results import Results, Row

__all__ = ["correlation_grid", "downstream_section"]

#: Columns that are drawn beside the first one.
_SHOWN: Final = 5


def correlation_grid(results: Results) -> list[str]:
    """A heat map of tasks by figures; below 0 is as light as 0."""
    tasks = results.details.get("downstream", {})
    rows = {
        task: {
            name: None if of["spearman"] is None else max(of["spearman"], 0.0)
            for name, of in by.items()
        }
        for task, by in tasks.items()
    }
    return [charts.grid(rows, title="Spearman over models")] if rows else []


def downstream_section(results: Results, title: str) -> str:
    """The table, the correlations over models, and each model's place by each evaluation."""
    parts = [
        (
            "What foretells the tasks?",
            "Spearman's rho over models: of EvalRank and of other evaluations with each task.",
            correlation_grid(results),
        ),
        (
            "Do the evaluations put the models in one order?",
            "The place of each model, 1 being the best, by the first task and by others.",
            _places(results),
        ),
    ]
    shown = [figures.section(name, *of, note=note) for name, note, of in parts if any(of)]
    return section(results, title, *shown)


def _places(results: Results) -> list[str]:
    """The place of each model by other columns over that by the first one ("Just Rank", fig. 4)."""
    rows = [row for row in results.rows if row.status == "ok"]
    columns = list(results.columns)
    if len(rows) < 3 or len(columns) < 2:
        return []
    names = results.details["models"]
    pivot, *others = columns
    series = {}
    for column in others[-_SHOWN:]:
        there = [
            i for i, row in enumerate(rows) if None not in (_value(row, pivot), _value(row, column))
        ]
        if there:
            across, up = (_ranked([rows[i] for i in there], name) for name in (pivot, column))
            labels = [f"{names[i]}, {column}" for i in there]
            series[column] = charts.Points(across, up, labels)
    label = f"place by {pivot}"
    return [charts.points(series, title="Places of models", across=label, up="place by others")]


def _value(row: Row, column: str) -> float | None:
    return row.figures[column].value if column in row.figures else None


def _ranked(rows: Sequence[Row], column: str) -> npt.NDArray[np.float64]:
    """The place of each row by a column, the highest first, equal values sharing theirs (n,)."""
    values = np.array([_value(row, column) for row in rows], dtype=np.float64)
    above = (values[:, None] < values).sum(axis=1)
    equal = (values[:, None] == values).sum(axis=1)
    places: npt.NDArray[np.float64] = above + (equal + 1) / 2
    return places
