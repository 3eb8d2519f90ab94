"""The figure of bands of ratings: how far scores follow people among pairs that are rated alike.

>>> from compsim.benchmarks.results import Results
>>> by_band(Results("sts", "toy", "", "0" * 64, {"all": 9}, []))
''
"""

from __future__ import annotations

from compsim.benchmarks.datasets.sts.bands import BANDS
from compsim.benchmarks.report import charts, figures
from compsim.benchmarks.results import Results

__all__ = ["by_band"]


def by_band(results: Results) -> str:
    """A line for each method through its correlation in each band; "" where there are no bands."""
    bands = [name for name in BANDS if name in results.columns]
    rows = [row for row in results.rows if row.status == "ok"]
    if not bands or not rows:
        return ""
    names = {row.label: [row.figures[band].value for band in bands] for row in rows}
    question = "Where do scores follow people: among unlike pairs, or among like ones?"
    note = (
        "Spearman's correlation within bands of the ratings, which go from 0 to 1. A band holds "
        "less of what can be told apart, so that all values are below those of all pairs."
    )
    return figures.section(question, charts.dots(bands, names, title=question), note=note)
