"""Tables of ratings: a pair a row, a rater a column, gaps where a rater did not see a pair.

A CSV or TSV file, or an Excel workbook (its first sheet), with a header. The raters are the columns
whose name is a whole number, as in the workbook that STS3k's authors publish, else the columns that
are named.

>>> from compsim.benchmarks.datasets.sts.ratings import read_ratings
>>> read_ratings("STS3k_all_participant_data.xlsx").shape  # doctest: +SKIP
(2800, 501)
>>> read_ratings("mine.csv", ["ann", "bob"])  # doctest: +SKIP
array([[ 1., nan],
       [ 4.,  5.]])
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.tables import cell_text, number, read_table, separator
from compsim.errors import DataError, MissingExtraError
from compsim.missing import install_command
from compsim.storage.reading import read_text

__all__ = ["read_ratings"]

#: How tables write that there is nothing.
_GAPS = ("", "-", "na", "n/a", "nan", "none", "null")


def read_ratings(path: str | Path, raters: Sequence[str] | None = None) -> npt.NDArray[np.float64]:
    """The ratings, float64 (pairs, raters), NaN for a gap.

    Raises ``DataError``, naming file and row, for a file that cannot be read, columns that it does
    not have, and what is neither number nor gap; ``MissingExtraError`` for a workbook without
    openpyxl.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"there is no file {path}: give a table of ratings, CSV or xlsx")
    rows: Sequence[tuple[int, Sequence[Any]]]
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        rows = _sheet(path)
    else:
        rows = read_table(path, separator(read_text(path).partition("\n")[0]), quoted=True)
    if not rows:
        raise DataError(f"{path} is empty: give a table with a header and a pair a row")
    columns = _columns(path, rows[0][1], raters)
    table = []
    for row, cells in rows[1:]:
        if all(cell_text(cell) == "" for cell in cells):
            continue
        table.append([_rating(path, row, cells, column) for column in columns])
    return np.array(table, dtype=np.float64).reshape(len(table), len(columns))


def _columns(path: Path, header: Sequence[Any], raters: Sequence[str] | None) -> list[int]:
    names = [cell_text(cell) for cell in header]
    if raters is None:
        columns = [i for i, name in enumerate(names) if name.isdecimal()]
        if not columns:
            raise DataError(
                f"{path} has no columns named 1, 2, 3, ...: name those of the raters among "
                f"{', '.join(filter(None, names))}"
            )
        return columns
    missing = [name for name in raters if name not in names]
    if missing:
        raise DataError(
            f"{path} has no column {missing[0]!r}: choose from {', '.join(filter(None, names))}"
        )
    return [names.index(name) for name in raters]


def _rating(path: Path, row: int, cells: Sequence[Any], column: int) -> float:
    text = cell_text(cells[column]) if column < len(cells) else ""
    if text.lower() in _GAPS:
        return math.nan
    value = number(text)
    if value is None or math.isinf(value):
        raise DataError(
            f"{path}, row {row}, column {column + 1}: {text!r} is not a number: leave the cell "
            "empty where there is no rating"
        )
    return value


def _sheet(path: Path) -> list[tuple[int, Sequence[Any]]]:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingExtraError(
            f"{path.name} needs openpyxl, which is not installed: "
            f"run {install_command('bench')}, or save the sheet as CSV",
            name="openpyxl",
        ) from error
    try:
        book = load_workbook(path, read_only=True)
        rows: Iterable[Sequence[Any]] = book.worksheets[0].iter_rows(values_only=True)
        sheet = list(enumerate(rows, start=1))
        book.close()
    except Exception as error:  # zip, XML and keys: a damaged workbook fails in many ways
        raise DataError(f"{path} is no workbook ({error}): fetch or save it again") from error
    return sheet
