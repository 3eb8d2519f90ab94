"""The figures of a report, after those of the STS3k paper, each a section of HTML.

>>> from compsim.benchmarks.report.figures import section
>>> section("Scores", "<p>none</p>", note="There are none.")
'<section><h2>Scores</h2><p class="note">There are none.</p><p>none</p></section>'
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.report import charts
from compsim.benchmarks.report.pair_types import TYPES
from compsim.benchmarks.results import Figure, Results, Row, shown
from compsim.benchmarks.stats.agreement import Statistics

__all__ = [
    "against_people",
    "best_first",
    "by_modifier",
    "by_part",
    "by_type",
    "cells",
    "distributions",
    "raters",
    "section",
    "table",
]

#: Methods in plots that have a colour for each.
_SHOWN: Final = 7

Array = npt.NDArray[np.float64]


def section(title: str, *content: str, note: str = "") -> str:
    """A titled part of the page."""
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{told}{''.join(content)}</section>"


def table(results: Results, title: str) -> str:
    """All figures beside the published ones (Table 9)."""
    head, body = results.table()
    columns = [i for i, name in enumerate(head) if any(row[i] for row in body) or i == 0]
    made = cells([head[i] for i in columns], [[row[i] for i in columns] for row in body])
    notes = "".join(f"<li>{escape(note)}</li>" for note in (*results.summary, *results.notes()))
    told = "In brackets the 95 % interval of a bootstrap. " if "[" in made else ""
    if any(row.differs for row in results.rows):
        told += "A star marks what is not significantly worse than the best (p > .05)."
    return section(
        title,
        made,
        f"<ul>{notes}</ul>" if notes else "",
        note=told.strip(),
    )


def cells(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table of text, as HTML."""
    lines = [("th", head), *(("td", row) for row in body)]
    rows = ("".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) for tag, cells in lines)
    return f'<div class="wide"><table><tr>{"</tr><tr>".join(rows)}</tr></table></div>'


def by_part(results: Results, ceiling: float | None) -> str:
    """Each method on each part; with both, non less adv too (Figure 4)."""
    rows = _scored(results)
    series: dict[str, list[float | None]] = {}
    intervals: dict[str, list[tuple[float, float] | None]] = {}
    for part in results.columns:
        series[part] = [row.figures[part].value for row in rows]
        intervals[part] = [_interval(row.figures[part]) for row in rows]
    if {"non", "adv"} <= series.keys():
        both = zip(series["non"], series["adv"], strict=True)
        series["adv - non"] = [None if None in (n, a) else a - n for n, a in both]  # type: ignore[operator]
        intervals["adv - non"] = [None] * len(rows)
    found = [v for values in series.values() for v in values if v is not None]
    chart = charts.bars(
        [row.label for row in rows],
        series,
        (min([0.0, *found]), 1.0),
        title="Correlation by part",
        intervals=intervals,
        ceiling=ceiling,
    )
    note = "The lower the last bar, the more a method loses where the words do not tell."
    return section("Parts of the data", chart, note=note if "adv - non" in series else "")


def against_people(results: Results, types: Sequence[str], data: Dataset) -> str:
    """Scores against ratings, coloured by the kind of pair (Figure 5)."""
    ratings = np.array(results.about["ratings"])
    names = [f"{pair.first} / {pair.second}" for pair in data.pairs]
    found = []
    for row in _scored(results):
        scores = np.array(row.scores)
        series = {}
        for kind in _present(types):
            at = np.flatnonzero(np.array([t == kind for t in types]) & np.isfinite(scores))
            if len(at):
                series[kind] = charts.Points(ratings[at], scores[at], [names[i] for i in at])
        chart = charts.points(series, title=row.label, across="human rating", up=row.label)
        found.append(f"<details><summary>{escape(row.label)}</summary>{chart}</details>")
    opened = found[0].replace("<details>", "<details open>") if found else ""
    return section("Models against people", opened, *found[1:], note=_told(data))


def by_type(results: Results, types: Sequence[str], data: Dataset) -> str:
    """Mean similarity of each kind of pair, divided by that of the modifiers (Figure 8)."""
    kinds = _present(types)
    base = "modifiers" if "modifiers" in kinds else kinds[0] if kinds else ""
    series = {}
    for name, scores in _with_people(results):
        means = {kind: _mean(scores, types, kind) for kind in kinds}
        if means.get(base):
            series[name] = [
                None if mean is None else mean / (means[base] or 1.0) for mean in means.values()
            ]
    if not series:
        return ""
    chart = charts.dots(kinds, series, title="Mean similarity by kind of pair")
    people = series.get("people", [])
    apart = [
        (name, [abs(v - p) for v, p in zip(values, people, strict=True) if None not in (v, p)])  # type: ignore[operator]
        for name, values in series.items()
        if name != "people"
    ]
    told = ", ".join(f"{name} {np.mean(gaps):.2f}" for name, gaps in apart if gaps)
    note = f"{_told(data)} Means are divided by that of {base!r}."
    return section(
        "Kinds of pairs",
        chart,
        f"<p>Mean distance from people: {escape(told)}.</p>" if told else "",
        note=note,
    )


def by_modifier(results: Results, modifiers: Sequence[str]) -> str:
    """How far one modifier lowers the similarity below 1, in the mean (Figure 9)."""
    counts = {kind: modifiers.count(kind) for kind in sorted(set(modifiers) - {""})}
    kinds = [kind for kind, count in counts.items() if count >= 3]
    if not kinds:
        return ""
    series, intervals = {}, {}
    for name, scores in _with_people(results):
        values: list[float | None] = []
        bounds: list[tuple[float, float] | None] = []
        for kind in kinds:
            chosen = scores[[i for i, m in enumerate(modifiers) if m == kind]] - 1
            chosen = chosen[np.isfinite(chosen)]
            mean, ends = None, None
            if len(chosen) > 1:
                mean = float(chosen.mean())
                half = 1.96 * float(chosen.std(ddof=1)) / len(chosen) ** 0.5
                ends = mean - half, mean + half
            values.append(mean)
            bounds.append(ends)
        series[name], intervals[name] = values, bounds
    names = [f"{kind} ({counts[kind]})" for kind in kinds]
    chart = charts.dots(names, series, title="Effect of one modifier", intervals=intervals)
    note = (
        "Pairs of which one sentence has one thing on top of the other, found in their parses: how "
        "far the similarity lies from 1, with the 95 % interval over the pairs."
    )
    return section("Single modifiers", chart, note=note)


def distributions(results: Results) -> str:
    """How the ratings and the scores of each method are spread."""
    found = []
    for name, scores in _with_people(results, every=True):
        finite = scores[np.isfinite(scores)]
        if len(finite):
            found.append(f"<h3>{escape(name)}</h3>{charts.histogram(finite, title=name)}")
    return section("Distributions", f'<div class="small">{"".join(found)}</div>')


def raters(people: Statistics) -> str:
    """How ratings are spread, against ratings shuffled, and how far people agree (Figure 2)."""
    edges = np.array(people.edges)
    middles = (edges[:-1] + edges[1:]) / 2
    series: dict[str, list[float | None]] = {
        "ratings": [float(count) for count in people.observed],
        "shuffled": [float(count) for count in people.shuffled],
    }
    names = [f"{middle:.2f}" if i % 4 == 0 else "" for i, middle in enumerate(middles.tolist())]
    head = ("part", "pairs", "SD of a pair", "split-half reliability", "weighted kappa")
    rows = [
        (part, str(of.pairs), *map(shown, (of.deviation, of.reliability, of.kappa)))
        for part, of in people.agreement.items()
    ]
    return section(
        "Raters",
        charts.dots(names, series, title="Mean ratings and shuffled ones"),
        cells(head, rows),
        note=f"{people.ratings} ratings by {people.raters} people. The mean ratings of the pairs "
        "are spread otherwise than shuffled ones are (Kolmogorov-Smirnov D = "
        f"{people.distance:.3f}, p = {people.p:.2g}). The reliability is stepped up to all raters "
        "by the Spearman-Brown formula; its square root, what a perfect model would reach, is the "
        "ceiling in other figures.",
    )


def best_first(results: Results) -> list[Row]:
    """The rows that have figures, those with the highest first figure first."""
    first = next(iter(results.columns))
    return sorted(_scored(results), key=lambda row: -(row.figures[first].value or -1.0))


def _scored(results: Results) -> list[Row]:
    return [row for row in results.rows if row.status == "ok"]


def _with_people(results: Results, every: bool = False) -> list[tuple[str, Array]]:
    rows = _scored(results)
    if not every and len(rows) > _SHOWN:
        best = best_first(results)[:_SHOWN]
        rows = [row for row in rows if row in best]
    return [
        ("people", np.array(results.about["ratings"])),
        *((row.label, np.array(row.scores)) for row in rows),
    ]


def _present(types: Sequence[str]) -> list[str]:
    """The kinds that occur, in the order of the paper where they are of our rules."""
    there = dict.fromkeys(types)
    return [kind for kind in TYPES if kind in there] + [kind for kind in there if kind not in TYPES]


def _mean(scores: Array, types: Sequence[str], kind: str) -> float | None:
    chosen = scores[[i for i, name in enumerate(types) if name == kind]]
    chosen = chosen[np.isfinite(chosen)]
    return float(chosen.mean()) if len(chosen) else None


def _told(data: Dataset) -> str:
    if data.types:
        return "The kinds of pairs are those that the data names."
    return "The kinds of pairs are told from their parses by rules, not by how they were made."


def _interval(figures: Figure) -> tuple[float, float] | None:
    return None if figures.low is None or figures.high is None else (figures.low, figures.high)
