"""The section of adjectives with nouns: classes as bars, test 2 as a grid, single adjectives."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.page import section
from compsim.benchmarks.report.terms import glossary
from compsim.benchmarks.results import Results, Row
from compsim.errors import CompsimError
from compsim.explanation.html import fragment

if TYPE_CHECKING:
    from compsim.benchmarks.tasks.vectors.modifiers import Modifiers

__all__ = ["modifiers_section"]


def modifiers_section(task: Modifiers, results: Results) -> str:
    """The table, then for each method what it found."""
    methods: dict[str, list[Row]] = {}
    for row in results.rows:
        if row.status == "ok":
            methods.setdefault(f"{row.of['method']} {row.of['normalize']}".strip(), []).append(row)
    return section(results, task.title, *(_method(name, rows) for name, rows in methods.items()))


def _method(name: str, rows: Sequence[Row]) -> str:
    classes = [row.of["class"] for row in rows]
    tests = list(rows[0].details["p"])
    bars = {f"test {test}": test for test in tests if test in rows[0].figures}
    values, whiskers = {}, {}
    for label, test in bars.items():
        column = [row.figures[test] for row in rows]
        values[label] = [figure.value for figure in column]
        whiskers[label] = [figure.interval for figure in column]
    parts = []
    if values:
        question = f"How often does {name} keep to what sets would have?"
        chart = charts.bars(classes, values, (0.0, 1.0), title=question, intervals=whiskers)
        parts.append(figures.section(question, chart, glossary((*classes, *values))))
        parts.append(
            figures.section(
                f"Which adjectives are {name}'s exceptions?",
                *(_adjectives(row, bars) for row in rows),
            )
        )
    if "2" in tests:
        result = {row.of["class"]: _means(row) for row in rows}
        question = f"Which adjectives bring two nouns together for {name} (test 2)?"
        note = "How often the class at the left brings two nouns nearer than the one above."
        parts.append(figures.section(question, charts.grid(result, title=question), note=note))
    if any(test.startswith("1 AAN") for test in rows[0].figures):
        result = {
            row.of["class"]: {to: row.figures[f"1 AAN {to}"].value for to in classes}
            for row in rows
        }
        note = "The class of the first adjective at the left, of the second above."
        question = f"Do two adjectives keep to it for {name} (test 1)?"
        grid = charts.grid(result, title=question)
        parts.append(figures.section(question, grid, note=note))
    parts.append(_phrases(name, rows))
    return "".join(parts)


def _phrases(name: str, rows: Sequence[Row]) -> str:
    """The phrases nearest to their adjective and to their noun, class by class, and some told."""
    body = [
        (
            row.of["class"],
            of["phrase"],
            *(f"{of[key]:.4f}" for key in ("to adjective", "to noun", "apart")),
        )
        for row in rows
        for of in row.details.get("phrases", ())
    ]
    if not body:
        return ""
    head = ("class", "phrase", "to its adjective", "to its noun", "adjective to noun")
    results = [_explained(row) for row in rows]
    note = (
        "The phrases nearest to their adjective, then those nearest to their noun, by distance. Of "
        "each class the phrase nearest to its noun is explained against both words."
    )
    return figures.section(
        f"Which phrases are the most extreme for {name}?",
        figures.cells(head, body),
        *results,
        note=note,
    )


def _explained(row: Row) -> str:
    """Return the parts of the scores of one phrase with each of its two words."""
    if row.explain is None or not row.details.get("phrases"):
        return ""
    of = row.details["phrases"][-1]
    parts = []
    for word in ("adjective", "noun"):
        with warnings.catch_warnings(), contextlib.suppress(CompsimError):
            warnings.simplefilter("ignore")
            why = fragment(row.explain(of["phrase"], of[word]))
            said = f"{row.of['class']}: {of['phrase']} / {of[word]}"
            parts.append(f"<details><summary>{escape(said)}</summary>{why}</details>")
    return "".join(parts)


def _means(row: Row) -> dict[str, float | None]:
    """Test 2 of a class against every class, by the mean that the table has."""
    means: dict[str, float | None] = row.details["test 2"][row.details["mean"]]
    return means


def _adjectives(row: Row, bars: Mapping[str, str]) -> str:
    """The shares of each adjective of a class, the highest of the last test first."""
    result: Mapping[str, Any] = row.details["adjectives"]
    last = list(bars.values())[-1]
    ordered = sorted(result, key=lambda word: (-(result[word][last] or 0.0), word))
    series = {label: [result[word][test] for word in ordered] for label, test in bars.items()}
    title = f"{row.of['class']} ({len(ordered)})"
    chart = charts.bars(ordered, series, (0.0, 1.0), title=title)
    return f"<details><summary>{escape(title)}</summary>{chart}</details>"
