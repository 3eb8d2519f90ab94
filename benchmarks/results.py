"""Results of an evaluation: a row per evaluated item, as a table, JSON, Markdown or LaTeX.

>>> row = Row({"method": "verbnet-cn", "parser": "srl"}, {"all": Figure(0.7, 30, 0.61, 0.78)})
>>> print(Results("sts", "STS3k", "sts3k", "0" * 64, {"all": 30}, [row]).to_markdown())
| method | parser | all (n=30) |
|---|---|---|
| verbnet-cn | srl | .700 [.610, .780] |
"""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["FEWEST", "SCHEMA", "Comparison", "Figure", "Results", "Row", "shown", "versions"]

#: The version of the layout of ``results.json``.
SCHEMA: Final = 2

#: With fewer items no interval is shown: resamples of so few say little, and JSON has it anyway.
FEWEST: Final = 10

#: How it is said that a row has no figures, by its status.
_ABSENT: Final = {"unavailable": "not available here", "failed": "failed"}

_SPECIAL: Final = re.compile(r"[&%$#_{}]")

#: Packages whose versions may matter to a score.
_PACKAGES: Final = """\
    compsim networkx numba numpy penman POT scikit-learn scipy sentence-transformers
    spacy torch transformers wordfreq
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over ``n`` items; None where it is undefined, and ``note`` says why.

    95 % of the resamples of the items lie between ``low`` and ``high``, where that is defined;
    ``sd`` is the standard deviation of a mean's items.
    """

    value: float | None
    n: int = 0
    low: float | None = None
    high: float | None = None
    note: str = ""
    sd: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval, None where there is none or the items are too few for one.

        >>> Figure(0.7, 3, 0.61, 0.78).interval, Figure(0.7, 30, 0.61, 0.78).interval
        (None, (0.61, 0.78))
        """
        if self.low is None or self.high is None or 0 < self.n < FEWEST:
            return None
        return self.low, self.high


@dataclass(frozen=True)
class Row:
    """Evaluated item (``of``: a method, a parser, a file, and options) and its figures by name.

    ``reason`` says why there are no figures: ``status`` is "unavailable" where something must be
    installed or fetched first, "failed" where it broke down. ``notes`` are what else must be known.
    ``scores`` are those of all pairs, in order. ``differs`` has, for each figure, the p value of
    the difference from the best row, ``published`` what the literature gives. ``details`` is what
    else a task tells, as JSON types. ``explain`` explains the score of a pair, where it can be.
    ``form`` is how its figures are written, where that is not the way of the table.
    """

    of: Mapping[str, str]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    status: str = "ok"
    reason: str = ""
    notes: Sequence[str] = ()
    scores: Sequence[float] = ()
    differs: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    explain: Callable[[str, str], Explanation] | None = field(default=None, compare=False)
    form: str | None = None

    @property
    def label(self) -> str:
        """Short name of the row: the first two things that it is of."""
        return " ".join(said for said in list(self.of.values())[:2] if said not in ("", "none"))

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON types; figures by name, with all that is known of them in "figures"."""
        return {
            **self.of,
            "status": self.status,
            "reason": self.reason,
            "notes": list(self.notes),
            **{name: figure.value for name, figure in self.figures.items()},
            "n": {name: figure.n for name, figure in self.figures.items()},
            "figures": {name: asdict(figure) for name, figure in self.figures.items()},
            "differs": dict(self.differs),
            "published": dict(self.published),
            **self.details,
            "scores": [None if math.isnan(s) else round(s, 6) for s in self.scores],
        }

    @classmethod
    def measured(cls, results: Mapping[str, Any]) -> Row:
        """The row that ``measurement`` was made of."""
        figures = {name: Figure(**figure) for name, figure in results["figures"]}
        return cls(**{**results, "of": dict(results["of"]), "figures": figures})

    def measurement(self) -> dict[str, Any]:
        """Return the measured values as JSON types for storage, without comparisons."""
        figures = [(name, asdict(figure)) for name, figure in self.figures.items()]
        kept = {name: getattr(self, name) for name in ("notes", "scores", "details")}
        return {**kept, "of": list(self.of.items()), "figures": figures}


@dataclass(frozen=True)
class Comparison:
    """Two methods side by side: by how much the first one's figure is the higher.

    ``low`` and ``high`` bound 95 % of the resamples of the items, the same ones for both methods;
    ``p`` is two-sided, of this comparison alone. ``unit`` says what is drawn anew, ``lower``
    whether a lower figure is better, ``data`` what it is of where that is not told elsewhere.
    """

    figure: str
    first: str
    second: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    items: int
    unit: str
    lower: bool = False
    data: str = ""
    form: str = ""

    def cells(self) -> tuple[str, ...]:
        """The line of a table, as text; no interval and no p of too few items."""
        result = Figure(self.difference, self.items, self.low, self.high)
        results = shown(self.difference, self.form)
        if (self.difference or 0.0) > 0:
            results = f"+{results}"
        if result.interval is not None:
            results += f" [{', '.join(shown(end, self.form) for end in result.interval)}]"
        p = "" if result.interval is None or self.p is None else shown(self.p)
        figure = f"{self.figure}, lower is better" if self.lower else self.figure
        of = (self.data, figure, f"{self.first} - {self.second}")
        return (*of, results, p, f"{self.items} {self.unit}")


#: What the cells of a comparison are.
_COMPARED: Final = ("data", "figure", "side by side", "difference", "p", "over")


@dataclass(frozen=True)
class Results:
    """The rows of an evaluation and what it was made on.

    ``columns`` are the figures of its table, each with the number of items that it is over where
    that is the same in all rows, else 0; ``form`` is how they are written: as papers write
    correlations, or a format. ``about`` tells of the data, ``summary`` and ``remarks`` say in lines
    what the table does not, ``details`` the same and more as JSON types. ``literature`` are rows of
    others' figures. ``comparisons`` set the first method against each other one, ``parts`` are the
    results of which these are a summary.
    """

    task: str
    name: str
    source: str
    checksum: str
    columns: Mapping[str, int]
    rows: Sequence[Row]
    form: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    summary: Sequence[str] = ()
    remarks: Sequence[str] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    literature: Sequence[Row] = ()
    comparisons: Sequence[Comparison] = ()
    parts: Sequence[Results] = ()

    @property
    def complete(self) -> bool:
        """True if nothing broke down."""
        own = all(row.status != "failed" for row in self.rows)
        return own and all(part.complete for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The layout of ``results.json``; all but ``created`` is the same for the same input."""
        data = {"name": self.name, "source": self.source, "sha256": self.checksum, **self.about}
        return {
            "schema": SCHEMA,
            "task": self.task,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": {"python": platform.python_version(), **versions()},
            "data": data,
            **self.details,
            "rows": [row.to_dict() for row in self.rows],
            "side_by_side": [asdict(comparison) for comparison in self.comparisons],
            **({"parts": [part.to_dict() for part in self.parts]} if self.parts else {}),
        }

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head and the cells, as text; a star marks what is no worse than the best (p > .05).

        A row without figures says so in place of its first one.
        """
        rows = [*self.rows, *self.literature]
        of = list(dict.fromkeys(name for row in rows for name in row.of))
        published = any(row.published for row in rows)
        columns = [f"{name} (n={n})" if n else name for name, n in self.columns.items()]
        body = []
        for row in rows:
            cells = [row.of.get(name, "") for name in of]
            cells += [self._cell(row, name) for name in self.columns]
            if published:
                figures = (row.published[name] for name in self.columns if name in row.published)
                cells.append(" / ".join(map(shown, figures)))
            body.append(tuple(cells))
        return (*of, *columns, *["published"] * published), body

    def side_by_side(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head and the cells of the comparisons, as text; no rows where there are none."""
        body = [comparison.cells() for comparison in self.comparisons]
        kept = [i for i, _ in enumerate(_COMPARED) if i or any(row[0] for row in body)]
        return tuple(_COMPARED[i] for i in kept), [tuple(row[i] for i in kept) for row in body]

    @property
    def words(self) -> int:
        """Number of leading columns of the table that hold words, not figures."""
        return len(dict.fromkeys(name for row in self.rows for name in row.of))

    def _cell(self, row: Row, name: str) -> str:
        if row.status != "ok":
            return _ABSENT[row.status] if name == next(iter(self.columns)) else ""
        figure = row.figures.get(name)
        if figure is None:
            return ""
        if isinstance(figure.value, int):
            return str(figure.value)
        form = self.form if row.form is None else row.form
        value = shown(figure.value, form)
        if figure.value is not None and figure.sd is not None:
            return f"{value} ({shown(figure.sd, form)})"
        if figure.value is None or figure.interval is None:
            return value
        star = "*" if row.differs.get(name, 0.0) > 0.05 else ""
        return f"{value}{star} [{', '.join(shown(end, form) for end in figure.interval)}]"

    def notes(self) -> list[str]:
        """Return notes below the table: reasons of missing figures, facts to read a row by."""
        results = []
        for row in self.rows:
            if row.status != "ok":
                results.append(f"{row.label}: {_ABSENT[row.status]}: {row.reason}")
            undefined = (f"{name}: {f.note}" for name, f in row.figures.items() if f.note)
            if text := "; ".join(undefined):
                results.append(f"{row.label}: no correlation, {text}")
            results += [f"{row.label}: {note}" for note in row.notes]
        return [*results, *self.remarks]

    def to_markdown(self) -> str:
        """The table for a README or an issue, with the notes below, and what it sums up."""
        lines = [_markdown(*self.table())]
        lines += [f"\n{note}" for note in (*self.summary, *self.notes())]
        if self.comparisons:
            lines += ["", _markdown(*self.side_by_side())]
        for part in self.parts:
            lines += [f"\n## {part.name}\n", part.to_markdown()]
        return "\n".join(lines)

    def to_latex(self) -> str:
        """The table for a paper, as ``tabular`` with booktabs rules; what it sums up follows."""
        lines = [_latex(*self.table(), self.words)]
        lines += [f"% {note}" for note in (*self.summary, *self.notes())]
        if self.comparisons:
            head, body = self.side_by_side()
            lines += ["", _latex(head, body, len(head) - 3)]
        for part in self.parts:
            lines += [f"\n% {part.name}", part.to_latex()]
        return "\n".join(lines)


def shown(value: float | None, form: str = "") -> str:
    """A figure in a format; else as papers print correlations, without the zero before the point.

    >>> shown(-0.25), shown(0.98765, ".2f")
    ('-.250', '0.99')
    """
    if value is None:
        return "undefined"
    if form:
        text = format(value, form)
        return text.removeprefix("-") if not float(text) else text
    text = f"{value:.3f}".replace("-0.000", "0.000")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table with a line for each row."""
    lines = ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in body]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *lines])


def _latex(head: Sequence[str], body: Sequence[Sequence[str]], words: int) -> str:
    """The same as ``tabular``, the first columns flush left."""
    columns = "l" * words + "r" * (len(head) - words)
    lines = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", _latex_row(head), "\\midrule"]
    return "\n".join([*lines, *map(_latex_row, body), "\\bottomrule", "\\end{tabular}"])


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_SPECIAL.sub(r"\\\g<0>", cell) for cell in cells) + r" \\"


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """The versions of those of the packages, by default all that may matter, that are installed."""
    result = {}
    for package in packages or _PACKAGES.split():
        try:
            result[package] = version(package)
        except PackageNotFoundError:
            continue
    return result
