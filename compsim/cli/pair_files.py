"""Files of text pairs, read and answered row by row: CSV, TSV and JSON lines.

>>> import io
>>> list(read_pairs(io.StringIO("first\\tsecond\\nCats sleep.\\tDogs bark.\\n"), Path("p.tsv")))
[{'first': 'Cats sleep.', 'second': 'Dogs bark.'}]
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer

from compsim.cli import terminal
from compsim.errors import DataError

__all__ = ["Output", "Pairs", "answer_pairs", "check_texts", "read_pairs"]

Row = dict[str, Any]

#: Pairs that are answered at a time.
_BATCH: Final = 512
_COLUMNS: Final = ("first", "second")
_SEPARATORS: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}

Pairs = Annotated[
    Path | None,
    typer.Option(
        help="the pairs of this file: CSV or TSV with the columns first and second, or JSON lines "
        "with these fields; - reads any of these formats from standard input"
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(help="with --pairs: output file; CSV or TSV by its extension, else JSON lines"),
]


def check_texts(
    first: str | None, second: str | None, pairs: Path | None, output: Path | None
) -> None:
    """Raise a usage error unless there are two texts, or a file of pairs and perhaps an output."""
    if output is not None and pairs is None:
        raise typer.BadParameter("--output is where --pairs FILE goes: give both, or neither")
    if (pairs is None) == (first is None or second is None) or (pairs and first is not None):
        raise typer.BadParameter("give two texts, or --pairs FILE")


def answer_pairs(
    path: Path,
    output: Path | None,
    label: str,
    answer: Callable[[list[str], list[str]], Sequence[Row]],
) -> None:
    """Write each pair of a file with its answer, in their order, batch by batch.

    Args:
        path: The file of pairs; ``-`` is standard input.
        output: The file to write, or None for JSON lines on standard output.
        label: What the progress bar says.
        answer: Gives the fields that each pair of two lists of texts gets.

    Raises:
        DataError: The file cannot be read, or a row of it has no two texts.
    """
    with ExitStack() as stack:
        source: TextIO = sys.stdin
        if str(path) != "-":
            try:
                source = stack.enter_context(path.open(encoding="utf-8-sig", newline=""))
            except OSError as error:
                raise DataError(f"{path} can not be read ({error}): name another file") from error
        rows = read_pairs(source, path)
        target: TextIO | None = None
        if output is not None:
            if output.resolve() == path.resolve():
                raise DataError(f"{output} holds the pairs: give another name for the answers")
            try:
                target = stack.enter_context(output.open("w", encoding="utf-8", newline=""))
            except OSError as error:
                raise DataError(
                    f"{output} can not be written ({error}): make its folder, or name another file"
                ) from error
        write = _writer(target, output)
        quiet = target is None and sys.stdout.isatty()
        advance = stack.enter_context(terminal.progress(label, None, quiet=quiet))
        while batch := list(islice(rows, _BATCH)):
            answers = answer([row["first"] for row in batch], [row["second"] for row in batch])
            for row, fields in zip(batch, answers, strict=True):
                write({**row, **fields})
            (sys.stdout if target is None else target).flush()
            advance(len(batch))


def read_pairs(source: TextIO, path: Path) -> Iterator[Row]:
    """Yield the rows of a file, each with the texts ``first`` and ``second``.

    The ending of the name says how it is written; where it does not, the first line does. Raises
    ``DataError`` for what is no such row.
    """
    separator = _SEPARATORS.get(path.suffix.lower())
    lines: Iterator[str] = iter(source)
    if separator is None and path.suffix.lower() not in (".jsonl", ".ndjson", ".json"):
        try:
            head = next(lines, "")
        except UnicodeDecodeError as error:
            raise DataError(f"{path}, line 1: {error}: give a file in UTF-8") from error
        lines = chain([head], lines)
        if head.strip() and head.lstrip()[0] not in "{[":
            separator = "\t" if "\t" in head else ","
    return _json_lines(lines, path) if separator is None else _table(lines, path, separator)


def _table(lines: Iterator[str], path: Path, separator: str) -> Iterator[Row]:
    reader = csv.DictReader(lines, strict=True, delimiter=separator)
    try:
        for row in reader:
            yield _checked(row, path, reader.line_num)
    except (csv.Error, UnicodeDecodeError) as error:
        line = reader.line_num + isinstance(error, UnicodeDecodeError)
        raise DataError(f"{path}, line {line}: {error}: save it as CSV or TSV in UTF-8") from error


def _json_lines(lines: Iterator[str], path: Path) -> Iterator[Row]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _checked(json.loads(line), path, number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path}, line {number + isinstance(error, UnicodeDecodeError)}: no JSON ({error}): "
            "give an object a line"
        ) from error


def _checked(row: object, path: Path, line: int) -> Row:
    if isinstance(row, dict) and all(isinstance(row.get(name), str) for name in _COLUMNS):
        return row
    names = ", ".join(map(str, row)) if isinstance(row, dict) else ""
    there = f" among {names}" if names else ""
    raise DataError(
        f"{path}, line {line}: no texts called first and second{there}: give both columns"
    )


def _writer(target: TextIO | None, output: Path | None) -> Callable[[Row], None]:
    """Return what writes a row: a line of a table with a head, or of JSON."""
    separator = _SEPARATORS.get(output.suffix.lower()) if output is not None else None
    if target is None or separator is None:
        return lambda row: _say(json.dumps(row, ensure_ascii=False), target)
    table = csv.writer(target, delimiter=separator, lineterminator="\n")
    head: list[str] = []

    def write(row: Row) -> None:
        if not head:
            head.extend(row)
            table.writerow(head)
        cells = (row.get(name) for name in head)
        table.writerow(
            json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell
            for cell in cells
        )

    return write


def _say(line: str, target: TextIO | None) -> None:
    if target is None:
        terminal.say(line)
    else:
        target.write(line + "\n")
