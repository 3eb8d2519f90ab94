"""The section of many evaluations: one figure of each, then each with its own sections.

>>> lowered("<h2>Which?</h2><h3>a</h3>")
'<h3>Which?</h3><h4>a</h4>'
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.page import section
from compsim.benchmarks.results import Figure, Results
from compsim.errors import MissingExtraError

if TYPE_CHECKING:
    from compsim.benchmarks.tasks.profile import Profile

__all__ = ["lowered", "profile_section"]


def profile_section(task: Profile, results: Results) -> str:
    """The profile as a plot and a table, the methods side by side, then every evaluation.

    :param task: what was run.
    :param results: what was found.
    :returns: HTML; where the section of an evaluation breaks down, it says so.
    :raises MissingExtraError: where plots cannot be drawn.
    """
    links = "".join(
        f'<li><a href="#part-{i}">{escape(label)}</a>, {escape(one.paper)}</li>'
        for i, (label, one) in enumerate(task.tasks.items())
        if label in task.found
    )
    # What will be run was told before; what was not is of use here too.
    texts = [text for text in task.problems if not text.startswith("to run: ")]
    about = {**results.about, "problems": texts}
    first = section(
        replace(results, about=about),
        task.title,
        _plot(task, results),
        figures.section("Where is each evaluation?", f"<ul>{links}</ul>") if links else "",
    )
    parts = [
        f'<h2 id="part-{i}">{escape(label)}: {escape(one.paper)}</h2>{_part(task, label)}'
        for i, (label, one) in enumerate(task.tasks.items())
        if label in task.found
    ]
    return "\n".join([first, *parts])


def lowered(html: str) -> str:
    """Sections as parts of another: each heading one step lower."""
    return re.sub(r"(</?h)([2-5])\b", lambda results: f"{results[1]}{int(results[2]) + 1}", html)


def _part(task: Profile, label: str) -> str:
    try:
        return lowered(task.tasks[label].report(task.found[label]))
    except MissingExtraError:
        raise
    except Exception as error:  # one section less is no reason for no report
        result = escape(f"{type(error).__name__}: {error}")
        return f"<p>This section could not be made: {result}</p>"


def _plot(task: Profile, results: Results) -> str:
    """Bars of all figures, on one scale where the best there could be is 1."""
    rows = [row for row in results.rows if row.figures]
    if not rows:
        return ""
    names: list[str] = []
    series: dict[str, list[float | None]] = {method: [] for method in results.columns}
    ends: dict[str, list[tuple[float, float] | None]] = {method: [] for method in results.columns}
    for row in rows:
        one = task.tasks[row.of["data"]]
        names.append(f"{row.of['data']}: {row.of['figure']}")
        for method in results.columns:
            figure = _scaled(row.figures.get(method), one.scale, one.lower)
            series[method].append(figure.value)
            ends[method].append(figure.interval)
    question = "What is each method good at?"
    limits = (0.0, 1.0)
    chart = charts.bars(names, series, limits, title=question, intervals=ends)
    note = (
        "One figure of each evaluation, with its 95 % interval, those in percent divided by 100, "
        "those that are better the lower taken from 1: the longer a bar, the better. Figures of "
        "different evaluations do not compare with each other."
    )
    return figures.section(question, chart, note=note)


def _scaled(figure: Figure | None, scale: int, lower: bool) -> Figure:
    """The figure where 1 is the best there could be."""
    if figure is None or figure.value is None:
        return Figure(None)
    ends = [figure.value, figure.low, figure.high]
    value, low, high = (None if end is None else end / scale for end in ends)
    if lower:
        value, low, high = (None if end is None else 1 - end for end in (value, high, low))
    return Figure(value, figure.n, low, high)
