"""The figures of a report, after those of the STS3k paper, each a section of HTML.

>>> from compsim.benchmarks.report.figures import section
>>> section("Scores", "<p>none</p>", note="There are none.")
'<section><h2>Scores</h2><p class="note">There are none.</p><p>none</p></section>'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset, STS3k
from compsim.benchmarks.datasets.sts.bands import BANDS
from compsim.benchmarks.published import published_rows, published_source
from compsim.benchmarks.report import charts
from compsim.benchmarks.report.pair_types import TYPES
from compsim.benchmarks.report.terms import glossary
from compsim.benchmarks.results import FEWEST, Results, Row, shown
from compsim.benchmarks.stats.agreement import Statistics

__all__ = [
    "against_people",
    "beside_published",
    "best_first",
    "by_modifier",
    "by_part",
    "by_type",
    "cells",
    "distributions",
    "ranks_apart",
    "raters",
    "section",
    "side_by_side",
    "table",
]

#: Methods in plots that have a colour for each.
_SHOWN: Final = 7
#: Where bars of ratios end: a mean near zero divides to anything.
_CUT: Final = 2.0
#: Points of a scatter plot that tell their sentences, those furthest from where they belong: the
#: sentences of all would be two thirds of a page.
_LISTED: Final = 200
_GAP: Final = "adv - non"
_INTERVAL: Final = re.compile(r"\[[-+.\d]+, [-+.\d]+\]")

Array = npt.NDArray[np.float64]


def section(title: str, *content: str, note: str = "") -> str:
    """A titled part of the page."""
    result = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{result}{''.join(content)}</section>"


def table(results: Results, title: str) -> str:
    """All figures beside the published ones (Table 9)."""
    head, body = results.table()
    columns = [i for i, name in enumerate(head) if any(row[i] for row in body) or i == 0]
    # What data is called is no word of ours.
    of = [
        word
        for row in results.rows
        for name, said in row.of.items()
        for word in (name, "" if name == "data" else said)
    ]
    words = [*of, *results.columns, *(name for name in head if name == "published")]
    made = cells([head[i] for i in columns], [[row[i] for i in columns] for row in body], title)
    notes = "".join(f"<li>{escape(note)}</li>" for note in (*results.summary, *results.notes()))
    result = "In brackets the 95 % interval of a bootstrap. " if "[" in made else ""
    if any(row.differs for row in results.rows):
        result += "A star marks what is not significantly worse than the best (p > .05)."
    return section(
        title,
        made,
        f"<ul>{notes}</ul>" if notes else "",
        glossary(dict.fromkeys(words)),
        note=result.strip(),
    )


def side_by_side(results: Results) -> str:
    """Draw the difference of the first method's figure from that of each other one."""
    if not results.comparisons:
        return ""
    head, body = results.side_by_side()
    name = "figure" if len({comparison.data for comparison in results.comparisons}) == 1 else "data"
    first = head.index(name)
    # The name of a row comes first: on a phone it stands above the others.
    order = [first, *(i for i in range(len(head)) if i != first)]
    question = "Do the methods differ, on the same items?"
    note = (
        "In brackets the 95 % interval of a bootstrap that draws the same items for both methods; "
        "p is two-sided, of each line alone: among twenty lines one is below .05 by chance. Where "
        "one method lacks some items, the difference is of those that both have, and not that of "
        "their figures."
    )
    made = cells([head[i] for i in order], [[row[i] for i in order] for row in body], question)
    return section(question, made, note=note)


def cells(head: Sequence[str], body: Sequence[Sequence[str]], name: str = "") -> str:
    """A table of text, as HTML; on a phone each row is a list, else a wide table scrolls.

    :param head: the names of the columns.
    :param body: the cells of each row, the first one the row's name.
    :param name: what a screen reader calls the box; by default the first name of a column.
    """
    # An empty heading is none for who hears the page.
    top = "".join(f'<th scope="col">{escape(c)}</th>' if c else "<td></td>" for c in head)
    rows = "".join(
        (f'<tr><th scope="row">{escape(first)}</th>' if first else "<tr><td></td>")
        + "".join(
            f'<td data-head="{escape(name)}">{_INTERVAL.sub(_unbroken, escape(cell))}</td>'
            for name, cell in zip(head[1:], rest, strict=True)
        )
        + "</tr>"
        for first, *rest in body
    )
    result = escape(name or next(filter(None, head), "table"))
    box = f'<div class="wide" role="group" tabindex="0" aria-label="{result}">'
    return f"{box}<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table></div>"


def _unbroken(interval: re.Match[str]) -> str:
    """An interval that no line breaks."""
    return interval.group().replace(" ", "&nbsp;")


def by_part(results: Results, ceiling: float | None) -> str:
    """Each method on each part; with both, non less adv too (Figure 4)."""
    rows = _scored(results)
    series: dict[str, list[float | None]] = {}
    intervals: dict[str, list[tuple[float, float] | None]] = {}
    printed: dict[str, list[float | None]] = {}
    for part in results.about.get("parts", results.columns):
        if part in BANDS:
            continue  # which have a figure of their own
        series[part] = [row.figures[part].value for row in rows]
        intervals[part] = [row.figures[part].interval for row in rows]
        printed[part] = [row.published.get(part) for row in rows]
    if {"non", "adv"} <= series.keys():
        both = zip(series["non"], series["adv"], strict=True)
        series[_GAP] = [None if None in (n, a) else a - n for n, a in both]  # type: ignore[operator]
    names = [row.label for row in rows]
    question = "How well does each method follow people?"
    chart = charts.bars(
        names, series, title=question, intervals=intervals, published=printed, ceiling=ceiling
    )
    note = "Spearman's correlation of scores and ratings, in each part of the data."
    if _GAP in series:
        note += f" The lower {_GAP}, the more a method loses where the words do not tell."
    words = ["spearman", *([_GAP] if _GAP in series else []), *(["ceiling"] if ceiling else [])]
    return section(question, chart, glossary(words), note=note)


def beside_published(results: Results) -> str:
    """The best method here, or the hybrid, among all that is published for the same data."""
    pairs = results.columns.get("all", 0)
    printed = published_rows(results.name, pairs)
    ours = best_first(results)
    if not printed or not ours:
        return ""
    chosen = next((row for row in ours if row.label.startswith("hybrid")), ours[0])
    parts = [part for part in results.columns if any(part in row for row in printed.values())]
    here = {part: chosen.figures[part].value for part in parts}
    ordered = sorted(printed.items(), key=lambda row: -row[1].get(parts[0], -1.0))
    names = [f"{chosen.label} (here)", *(name for name, _ in ordered)]
    series = {part: [here[part], *(row.get(part) for _, row in ordered)] for part in parts}
    question = f"How does {chosen.label} stand beside what is published?"
    note = f"The others as in {published_source(results.name, pairs)}."
    if published_rows(results.name) and (counts := [n for n in results.columns.values() if n]):
        note += f" Theirs are over all pairs of the data, those here over {max(counts):,}."
    return section(question, charts.bars(names, series, title=question), note=note)


def against_people(results: Results, types: Sequence[str], data: Dataset) -> str:
    """Scores against ratings, coloured by the kind of pair (Figure 5)."""
    ratings = np.array(results.about["ratings"])
    names = [f"{pair.first} / {pair.second}" for pair in data.pairs]
    outcome = []
    for row in _scored(results):
        scores = np.array(row.scores)
        _, gap = ranks_apart(scores, ratings)
        seen = set(np.argsort(-gap, kind="stable")[:_LISTED].tolist())
        series = {}
        for kind in _present(types):
            at = np.flatnonzero(np.array([t == kind for t in types]) & np.isfinite(scores))
            if len(at):
                said = [names[i] if i in seen else "" for i in at.tolist()]
                series[kind] = charts.Points(ratings[at], scores[at], said)
        name = f"Scores of {row.label} against ratings"
        chart = charts.points(series, title=name, across="human rating", up=f"score of {row.label}")
        outcome.append(f"<details><summary>{escape(row.label)}</summary>{chart}</details>")
    opened = outcome[0].replace("<details>", "<details open>") if outcome else ""
    note = f"Each mark is a pair of sentences, its shape the kind of pair. {_origin_of_types(data)}"
    which = "It tells" if len(names) <= _LISTED else f"The {_LISTED} furthest from their place tell"
    note += f" {which} the sentences where you point at it."
    return section("Do scores rise with people's ratings?", opened, *outcome[1:], note=note)


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
    question = "Which kinds of pairs are taken for more alike than people find them?"
    limits = 0.0, max(v for values in series.values() for v in values if v is not None)
    chart = charts.bars(kinds, series, limits, title=question, cut=_CUT)
    people = series.get("people", [])
    apart = [
        (name, [abs(v - p) for v, p in zip(values, people, strict=True) if None not in (v, p)])  # type: ignore[operator]
        for name, values in series.items()
        if name != "people"
    ]
    text = ", ".join(f"{name} {np.mean(gaps):.2f}" for name, gaps in apart if gaps)
    note = f"The mean similarity of each kind of pair, divided by that of {base!r}. "
    note += _origin_of_types(data)
    if limits[1] > _CUT:
        note += f" Bars end at {_CUT:g}."
    return section(
        question,
        chart,
        f"<p>Mean distance from people: {escape(text)}.</p>" if text else "",
        glossary((*kinds, "people")),
        note=note,
    )


def by_modifier(results: Results, modifiers: Sequence[str]) -> str:
    """Draw the mean drop of similarity that one modifier causes (Figure 9)."""
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
                ends = (mean - half, mean + half) if len(chosen) >= FEWEST else None
            values.append(mean)
            bounds.append(ends)
        series[name], intervals[name] = values, bounds
    names = [f"{kind} ({counts[kind]})" for kind in kinds]
    question = "How much does one more word or phrase change?"
    chart = charts.bars(names, series, (0.0, 0.0), title=question, intervals=intervals)
    note = (
        "Pairs of which one sentence has one thing on top of the other, found in their parses: how "
        "far the similarity lies from 1, with the 95 % interval over the pairs."
    )
    return section(question, chart, glossary(kinds), note=note)


def distributions(results: Results) -> str:
    """Draw the distributions of the ratings and of each method's scores."""
    outcome = []
    for name, scores in _with_people(results, every=True):
        finite = scores[np.isfinite(scores)]
        if len(finite):
            plot = charts.histogram(finite, title=name)
            outcome.append(f"<div><h3>{escape(name)}</h3>{plot}</div>")
    question = "How are ratings and scores spread?"
    return section(question, f'<div class="small">{"".join(outcome)}</div>')


def raters(people: Statistics) -> str:
    """Draw the ratings' spread, against shuffled ratings, and the raters' agreement (Figure 2)."""
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
    question = "How far do people agree?"
    return section(
        question,
        charts.dots(names, series, title="How many pairs have which mean rating"),
        cells(head, rows, question),
        glossary(head),
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


def ranks_apart(scores: Array, ratings: Array) -> tuple[tuple[Array, Array], Array]:
    """The ranks of scores and of ratings, and how far apart they are; -1 where there is no score.

    :param scores: (n,), NaN where there is none.
    :param ratings: (n,).
    :returns: the ranks, from 0 to 1, and the distances, each (n,).
    """
    ranks = _ranks(scores), _ranks(ratings)
    return ranks, np.where(np.isfinite(scores), np.abs(ranks[0] - ranks[1]), -1.0)


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


def _origin_of_types(data: Dataset) -> str:
    if data.types:
        return "The kinds of pairs are those that the data names."
    rules = "told from their parses by rules, not by how they were made."
    if isinstance(data, STS3k):
        return (
            "Negative pairs and paraphrases are the authors', by their index files; the other "
            f"kinds of pairs are {rules}"
        )
    return f"The kinds of pairs are {rules}"


def _ranks(values: Array) -> Array:
    """The rank of each value from 0 to 1, equal values sharing the middle of theirs."""
    ordered = np.sort(values)
    low = np.searchsorted(ordered, values, side="left")
    high = np.searchsorted(ordered, values, side="right")
    ranks: Array = (low + high - 1) / 2 / max(len(values) - 1, 1)
    return ranks
