"""The report as a page: the figures, the most mis-scored pairs explained, versions."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from compsim.benchmarks.datasets import Dataset, STS3k
from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.report.bands import by_band
from compsim.benchmarks.report.pair_types import index_types, pair_type, single_modifier
from compsim.benchmarks.results import Results, Row
from compsim.benchmarks.stats.agreement import Statistics
from compsim.explanation.html import fragment
from compsim.graph import RoleGraph

if TYPE_CHECKING:
    from compsim.benchmarks.task import Task

__all__ = ["page", "pairs_section", "scores_section", "section"]

#: Pairs that are shown with explanations, for each of the best methods that can explain.
_WORST: Final = 5
_EXPLAINED: Final = 3

_STYLE: Final = """
:root { color-scheme: light dark; }
body { max-width: 52rem; margin: 0 auto; padding: 1rem; background: Canvas; color: CanvasText;
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
  overflow-wrap: normal; border-bottom: 1px solid rgb(128 128 128 / .35); }
tbody th { font-weight: normal; }
.note, .data { font-size: .9rem; }
.terms { font-size: .9rem; display: grid; grid-template-columns: minmax(6rem, auto) 1fr;
  gap: .2rem 1rem; }
.terms dt { font-weight: 600; } .terms dd { margin: 0; }
@media screen and (max-width: 40rem) {
  .wide thead { display: none; } .wide tr { display: block; padding: .4rem 0; }
  .wide tbody th { display: block; font-weight: 600; } .wide td:empty { display: none; }
  .wide :is(table, tbody) { display: block; } .wide :is(td, tbody th) { border: 0; padding: 0; }
  .wide td { display: flex; gap: .5rem; }
  .wide td::before { content: attr(data-head); flex: 0 0 9rem; }
  .wide tr { border-bottom: 1px solid rgb(128 128 128 / .35); }
}
summary { cursor: pointer; padding: .4rem 0; }
.small { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 2rem; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .wide { overflow: visible; } table { font-size: 7.5pt; }
  h2, h3, summary, .note, .legend { break-after: avoid; }
  p, tr, details { break-inside: avoid; }
}
"""

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
{markers}
</body>
</html>
"""


def page(evaluations: Sequence[tuple[Task, Results]]) -> str:
    """One document for some evaluations."""
    names = ", ".join(results.name for _, results in evaluations)
    title = f"Evaluation: {names}" if names else "Evaluation"
    body = "\n".join(task.report(results) for task, results in evaluations)
    style = _STYLE + charts.STYLE
    made = _PAGE.format(title=escape(title), style=style, body=body, markers=charts.MARKERS)
    return _with_each_style_once(made)


def _with_each_style_once(html: str) -> str:
    """Each explanation and each drawing brings its style, which is that of all the page."""
    there: set[str] = set()

    def first(results: re.Match[str]) -> str:
        new = results.group() not in there
        there.add(results.group())
        return results.group() if new else ""

    return re.sub(r"<style>.*?</style>", first, html, flags=re.DOTALL)


def section(results: Results, title: str, *more: str) -> str:
    """The table of an evaluation, what else there is to show, and what it was made on.

    :param results: the evaluation.
    :param title: the question that it answers.
    :param more: sections of HTML below the table.
    :returns: HTML.
    """
    result = results.to_dict()
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    problems = "".join(f"<li>{escape(text)}</li>" for text in results.about.get("problems", ()))
    return "\n".join(
        [
            f"<ul>{problems}</ul>" if problems else "",
            figures.table(results, title),
            figures.side_by_side(results),
            *more,
            f'<p class="data">{escape(results.name)}, from {escape(results.source)}; SHA-256 '
            f"{results.checksum[:16]}; {result['created']}; {escape(versions)}</p>",
        ]
    )


def pairs_section(
    data: Dataset, results: Results, title: str, people: Statistics | None = None
) -> str:
    """The section of scores of sentence pairs, with what is known of the raters."""
    graphs = _graphs(data)
    pairs = [(graphs[pair.first], graphs[pair.second]) for pair in data.pairs]
    types = data.types or [pair_type(a, b) for a, b in pairs]
    if isinstance(data, STS3k):
        types = index_types(types, set(data.parts["non"]), set(data.parts["adv"]))
    modifiers = [single_modifier(a, b) for a, b in pairs]
    return section(
        results,
        title,
        figures.by_part(results, people.ceiling if people else None),
        by_band(results),
        figures.beside_published(results),
        figures.against_people(results, types, data),
        figures.by_type(results, types, data),
        figures.by_modifier(results, modifiers),
        _mis_scored(data, results),
        figures.distributions(results),
        figures.raters(people) if people else "",
    )


def scores_section(data: Dataset, results: Results, title: str) -> str:
    """The section of scores of sentence pairs whose types the data names."""
    return section(
        results,
        title,
        figures.against_people(results, data.types, data),
        _mis_scored(data, results),
    )


def _graphs(data: Dataset) -> dict[str, RoleGraph]:
    """The role graph of each distinct sentence, of the shipped parser."""
    from compsim.parsers import load

    sentences = data.sentences()
    return dict(zip(sentences, load("srl").parse(sentences), strict=True))


def _mis_scored(data: Dataset, results: Results) -> str:
    """The pairs whose place among the scores is furthest from their place among the ratings."""
    rows = [row for row in figures.best_first(results) if row.explain is not None]
    result = [_worst(data, results, row) for row in rows[:_EXPLAINED]]
    if not result:
        return ""
    note = "Their rank by score is furthest from their rank by rating; 0 % is the least alike pair."
    return figures.section("Which pairs are mis-scored most, and why?", *result, note=note)


def _worst(data: Dataset, results: Results, row: Row) -> str:
    scores, ratings = np.array(row.scores), np.array(results.about["ratings"])
    places, gap = figures.ranks_apart(scores, ratings)
    parts = []
    for i in np.argsort(-gap, kind="stable")[:_WORST].tolist():
        pair = data.pairs[i]
        result = f"rated {pair.rating:.2f} (rank {places[1][i]:.0%}), scored {scores[i]:.2f} "
        result += f"(rank {places[0][i]:.0%}): {pair.first} / {pair.second}"
        assert row.explain is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            explained = fragment(row.explain(pair.first, pair.second))
        parts.append(f"<details><summary>{escape(result)}</summary>{explained}</details>")
    return f"<h3>{escape(row.label)}</h3>{''.join(parts)}"
