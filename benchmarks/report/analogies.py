"""The figures of sentence analogies in a report: accuracy by relation, what is chosen, what missed.

>>> failures([])
''
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from compsim.benchmarks.report import charts
from compsim.benchmarks.report.figures import section
from compsim.benchmarks.results import Results, Row

__all__ = ["by_relation", "choices", "failures"]


def by_relation(results: Results, name: str, relations: Sequence[str], baseline: str) -> str:
    """Bars of one rule for each relation and method, beside a baseline of the first method."""
    rows = {(row.of["method"], row.of.get("relation")): row for row in results.rows}
    methods = list(dict.fromkeys(method for method, _ in rows))

    def values(method: str, figure: str) -> list[float | None]:
        found = [rows.get((method, relation)) for relation in relations]
        return [
            row.figures[figure].value if row is not None and figure in row.figures else None
            for row in found
        ]

    series = {method: values(method, name) for method in methods}
    series |= {f"{method}, {baseline}": values(method, baseline) for method in methods[:1]}
    chart = charts.bars(relations, series, (0.0, 1.0), title=name)
    return section(f"Which relations does {name} answer right?", chart)


def choices(results: Results, rule: str, kinds: Sequence[str]) -> str:
    """Bars of what each row's rule chooses, the true answer and each kind of wrong one."""
    rows = [row for row in results.rows if kinds[0] in row.figures]
    series = {kind: [row.figures[kind].value for row in rows] for kind in kinds}
    names = [row.label for row in rows]
    return section(
        f"What does {rule} choose?", charts.bars(names, series, (0.0, 1.0), title="chosen")
    )


def failures(rows: Sequence[Row]) -> str:
    """Questions that were missed, and the likeliest candidates."""
    parts = []
    for row in rows:
        lines = [
            f"<li>{escape(of['A'])} : {escape(of['B'])} :: {escape(of['C'])} : "
            f"<b>{escape(of['D'])}</b>; found: {escape(' / '.join(of['likeliest']))}</li>"
            for of in row.details.get("missed", ())
        ]
        if lines:
            told = f"<summary>{escape(row.label)}</summary><ul>{''.join(lines)}</ul>"
            parts.append(f"<details>{told}</details>")
    note = "Some questions that are missed, and the candidates that 3CosAdd takes for likeliest."
    return section("Missed", *parts, note=note) if parts else ""
