"""Text files as rows of cells, each with the number of its line; gzipped or not.

>>> import os, tempfile
>>> path = Path(tempfile.mkdtemp(), "pairs.csv")
>>> _ = path.write_text('one,two,score' + os.linesep + '"Hi, you.",Hello.,4' + os.linesep)
>>> read_table(path, ",")
[(1, ['one', 'two', 'score']), (2, ['Hi, you.', 'Hello.', '4'])]
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, TypeAlias

from compsim.errors import DataError
from compsim.storage.reading import parse_json, read_text

__all__ = ["Cells", "cell_text", "number", "read_objects", "read_table", "separator"]

Cells: TypeAlias = tuple[int, list[str]]


def read_table(
    path: Path, mark: str, quoted: bool | None = None, verbatim: bool = False
) -> list[Cells]:
    """The rows of a file, blank ones left out; ``mark`` separates cells, " " being any blanks.

    With ``quoted``, by default in a file with commas, quotes may hold a cell together, lines
    included. Else they are text, but for a pair around a whole cell between tabs, which is text too
    with ``verbatim``.
    """
    text = read_text(path)
    if mark == "," if quoted is None else quoted:
        # A cell may hold a line's end: a row is where it starts.
        rows, start = [], 1
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    rows.append((start, [cell.strip() for cell in cells]))
                start = reader.line_num + 1
        except csv.Error as error:
            raise DataError(f"{path}, line {start}: {error}: give a CSV file") from error
        return rows
    return [
        (
            number,
            [
                cell.strip() if verbatim else _unquoted(cell, mark)
                for cell in line.split(mark if mark != " " else None)
            ],
        )
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


def read_objects(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file with one a line."""
    objects = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        value = parse_json(line, f"{path}, line {number}", "give JSON, one object a line")
        if not isinstance(value, dict):
            raise DataError(f"{path}, line {number}: no object: give JSON, one object a line")
        objects.append((number, value))
    return objects


def cell_text(cell: Any) -> str:
    """Return the text of a cell, "" for an empty one."""
    return "" if cell is None else str(cell).strip()


def number(value: Any) -> float | None:
    """The number that a cell holds, None where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def separator(line: str) -> str:
    """Return the delimiter of a line: the most frequent of tab, semicolon and comma."""
    return max("\t;,", key=line.count)


def _unquoted(cell: str, mark: str) -> str:
    cell = cell.strip()
    if mark == "\t" and len(cell) > 1 and cell[0] == cell[-1] == '"':
        inner = cell[1:-1]
        # `"yes" and "no"` is no quoted cell: inner quotes would be doubled.
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return cell
