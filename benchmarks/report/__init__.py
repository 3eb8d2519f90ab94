"""An evaluation as one HTML file: tables and plots, nothing fetched, light or dark, any width.

>>> from compsim.benchmarks.report import page
>>> page([])[:15]
'<!DOCTYPE html>'
"""

from __future__ import annotations

from compsim.benchmarks.report.page import page, pairs_section, scores_section, section
from compsim.benchmarks.report.ranks import ranks_section

__all__ = ["page", "pairs_section", "ranks_section", "scores_section", "section"]
