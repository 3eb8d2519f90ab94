"""The figures of sentence analogies in a report: accuracy by relation, what is chosen, what missed.

>>> failures([])
''
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from compsim.benchmarks.report import charts
from compsim.benchmarks.report.figures import cells, section
from compsim.benchmarks.results import Results, Row

__all__ = ["by_relation", "choices", "failures", "matrix"]

#: What is told of a candidate, in the order of the table.
_TERMS: Final = ("score", "B", "A", "C")


def by_relation(results: Results, name: str, relations: Sequence[str], baseline: str) -> str:
    """Bars of one rule for each relation and method, beside a baseline of the first method."""
    rows = {(row.of["method"], row.of.get("relation")): row for row in _exact(results)}
    methods = list(dict.fromkeys(method for method, _ in rows))

    def values(method: str, figure: str) -> list[float | None]:
        outcome = [rows.get((method, relation)) for relation in relations]
        return [
            row.figures[figure].value if row is not None and figure in row.figures else None
            for row in outcome
        ]

    series = {method: values(method, name) for method in methods}
    series |= {f"{method}, {baseline}": values(method, baseline) for method in methods[:1]}
    chart = charts.bars(relations, series, (0.0, 1.0), title=name)
    return section(f"Which relations does {name} answer right?", chart)


def matrix(results: Results, name: str, relations: Sequence[str]) -> str:
    """A heat map of one rule, relations by methods."""
    rows: dict[str, dict[str, float | None]] = {relation: {} for relation in relations}
    for row in _exact(results):
        if row.of.get("relation") in rows and name in row.figures:
            rows[row.of["relation"]][row.of["method"]] = row.figures[name].value
    drawn = charts.grid(rows, title=f"{name} by relation and method")
    return section(f"Which method answers which relation by {name}?", drawn)


def _exact(results: Results) -> list[Row]:
    """The rows that are not counted the way of the paper's code."""
    return [row for row in results.rows if row.of.get("answers", "exact") == "exact"]


def choices(results: Results, rule: str, kinds: Sequence[str]) -> str:
    """Bars of what each row's rule chooses, the true answer and each kind of wrong one."""
    rows = [row for row in results.rows if kinds[0] in row.figures]
    series = {kind: [row.figures[kind].value for row in rows] for kind in kinds}
    names = [row.label for row in rows]
    return section(
        f"What does {rule} choose?", charts.bars(names, series, (0.0, 1.0), title="chosen")
    )


def failures(rows: Sequence[Row]) -> str:
    """Questions that were missed, with the likeliest candidates and what their scores are."""
    parts = []
    for row in rows:
        text = "".join(map(_failure, row.details.get("missed", ())))
        if text:
            parts.append(f"<details><summary>{escape(row.label)}</summary>{text}</details>")
    note = (
        "Some questions that are missed, and the candidates that 3CosAdd takes for likeliest: its "
        "score is the similarity to B, less that to A, with that to C."
    )
    return section("Which questions are missed, and why?", *parts, note=note) if parts else ""


def _failure(of: Mapping[str, Any]) -> str:
    """One question, the true answer in bold, and a table of the candidates."""
    asked = " : ".join((escape(of["A"]), escape(of["B"]) + " :", escape(of["C"])))
    body = [
        ("D" if text == of["D"] else "", text, *(f"{why[name]:.4f}" for name in _TERMS))
        for text, why in of["why"].items()
    ]
    table = cells(("", "candidate", "score", "to B", "to A", "to C"), body)
    return f"<p>{asked} : <b>{escape(of['D'])}</b></p>{table}"
