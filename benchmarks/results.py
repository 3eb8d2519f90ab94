"""What an evaluation found: one row for each method, as a table, JSON, Markdown or LaTeX.

>>> from compsim.benchmarks.stats.correlation import Correlation
>>> found = Correlation(0.7, 0.69, 0.5, 3)
>>> row = Row("verbnet-cn", {"all": found}, normalize="matched", published={"all": 0.695})
>>> results = Results("STS3k", "sts3k", "0" * 64, {"all": 3}, [0.1, 0.5, 0.9], [row])
>>> print(results.to_markdown())
| method | normalize | parser | vectors | all (n=3) | published |
|---|---|---|---|---|---|
| verbnet-cn | matched |  |  | .700 | .695 |
"""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from compsim.benchmarks.stats.correlation import Correlation

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["SCHEMA", "Results", "Row", "shown", "versions"]

#: The version of the layout of ``results.json``.
SCHEMA: Final = 1

_SPECIAL: Final = re.compile(r"[&%$#_{}]")

#: Packages whose versions may matter to a score.
_PACKAGES: Final = (
    "compsim",
    "gensim",
    "networkx",
    "numba",
    "numpy",
    "penman",
    "POT",
    "scipy",
    "sentence-transformers",
    "spacy",
    "torch",
    "transformers",
    "wordfreq",
)


@dataclass(frozen=True)
class Row:
    """One method, ``parts`` its correlations on each part of the data.

    ``scores`` are those of all pairs, in order. ``failed`` counts the distinct sentences without a
    parse. ``reason`` says why there are no figures: ``status`` is "unavailable" where something
    must be installed or fetched first, "failed" where the method broke down. ``differs`` has, for
    each part, the p value of the difference from the best method there. ``published`` are the
    figures that the literature gives. ``explain`` explains the score of a pair, where it can be.
    """

    method: str
    parts: Mapping[str, Correlation] = field(default_factory=dict)
    normalize: str = ""
    parser: str = ""
    vectors: str = ""
    scores: Sequence[float] = ()
    failed: int = 0
    status: str = "ok"
    reason: str = ""
    differs: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    explain: Callable[[str, str], Explanation] | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """The method and how its scores are normalised."""
        way = "" if self.normalize == "none" else self.normalize
        return f"{self.method} {way}".strip()

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON types; Spearman's rho of each part stands under the part's name."""
        found: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("method", "normalize", "parser", "vectors", "status", "reason", "failed")
        }
        found |= {part: figures.spearman for part, figures in self.parts.items()}
        found["n"] = {part: figures.n for part, figures in self.parts.items()}
        found["parts"] = {part: figures.to_dict() for part, figures in self.parts.items()}
        found["differs"] = dict(self.differs)
        found["published"] = dict(self.published)
        found["scores"] = [None if math.isnan(s) else round(s, 6) for s in self.scores]
        return found


@dataclass(frozen=True)
class Results:
    """The rows of an evaluation and what it was made on.

    ``parts`` counts the pairs of each part, ``ratings`` are the human ones of all pairs, 0 to 1.
    ``ceiling`` is the correlation with them that a perfect model would have, as people differ.
    """

    name: str
    source: str
    checksum: str
    parts: Mapping[str, int]
    ratings: Sequence[float]
    rows: Sequence[Row]
    problems: Sequence[str] = ()
    ceiling: float | None = None

    @property
    def complete(self) -> bool:
        """Whether no method broke down."""
        return all(row.status != "failed" for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The layout of ``results.json``; all but ``created`` is the same for the same input."""
        return {
            "schema": SCHEMA,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": {"python": platform.python_version(), **versions()},
            "data": {
                "name": self.name,
                "source": self.source,
                "sha256": self.checksum,
                "parts": dict(self.parts),
                "problems": list(self.problems),
                "ceiling": self.ceiling,
                "ratings": list(self.ratings),
            },
            "rows": [row.to_dict() for row in self.rows],
        }

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head and the cells, as text; a star marks what is no worse than the best (p > .05).

        A row without figures says so in place of its first one.
        """
        published = any(row.published for row in self.rows)
        head = ["method", "normalize", "parser", "vectors"]
        head += [f"{part} (n={count})" for part, count in self.parts.items()]
        head += ["published"] * published
        body = []
        for row in self.rows:
            cells = [row.method, row.normalize, row.parser, row.vectors]
            cells += [self._cell(row, part) for part in self.parts]
            if published:
                figures = (row.published[part] for part in self.parts if part in row.published)
                cells.append(" / ".join(map(shown, figures)))
            body.append(tuple(cells))
        return tuple(head), body

    def _cell(self, row: Row, part: str) -> str:
        if row.status != "ok":
            absent = "not available here" if row.status == "unavailable" else "failed"
            return absent if part == next(iter(self.parts)) else ""
        figures = row.parts[part]
        if figures.spearman is None or figures.low is None:
            return shown(figures.spearman)
        star = "*" if row.differs.get(part, 0.0) > 0.05 else ""
        return f"{shown(figures.spearman)}{star} [{shown(figures.low)}, {shown(figures.high)}]"

    def notes(self) -> list[str]:
        """What the table cannot say: why figures are missing, and how many parses are."""
        found = []
        for row in self.rows:
            if row.status == "unavailable":
                found.append(f"{row.label}: not available here: {row.reason}")
            elif row.status == "failed":
                found.append(f"{row.label}: failed: {row.reason}")
            undefined = (
                f"{part}: {figures.note}" for part, figures in row.parts.items() if figures.note
            )
            if told := "; ".join(undefined):
                found.append(f"{row.label}: no correlation, {told}")
            if row.failed:
                found.append(f"{row.label}: {row.failed} sentences have no parse")
        return found

    def to_markdown(self) -> str:
        """The table for a README or an issue, with the notes below."""
        head, body = self.table()
        rows = [head, ("---",) * len(head), *body]
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
        lines[1] = "|" + "---|" * len(head)
        return "\n".join([*lines, *(f"\n{note}" for note in self.notes())])

    def to_latex(self) -> str:
        """The table for a paper, as ``tabular`` with booktabs rules."""
        head, body = self.table()
        columns = "l" * 4 + "r" * (len(head) - 4)
        lines = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", _latex_row(head), "\\midrule"]
        lines += map(_latex_row, body)
        lines += ["\\bottomrule", "\\end{tabular}"]
        return "\n".join([*lines, *(f"% {note}" for note in self.notes())])


def shown(value: float | None) -> str:
    """A correlation as papers print it, without the zero before the point."""
    if value is None:
        return "undefined"
    text = f"{value:.3f}".replace("-0.000", "0.000")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_SPECIAL.sub(r"\\\g<0>", cell) for cell in cells) + r" \\"


def versions(packages: Iterable[str] = _PACKAGES) -> dict[str, str]:
    """The versions of those of the packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
