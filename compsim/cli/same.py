"""``compsim same``: two texts, or a file of pairs, and whether they say the same."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TextIO

import typer

from compsim.cli import terminal
from compsim.cli.options import (
    MethodName,
    OptionsOf,
    ParserName,
    TextForm,
    TextFormat,
    Vectors,
    options_set,
)
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import DataError
from compsim.guard.names import MAX_FALSE

if TYPE_CHECKING:
    from compsim.guard.guard import Guard

__all__ = ["same"]

#: Pairs of a file that are decided at a time.
_BATCH: Final = 512
_COLUMNS: Final = ("first", "second")


def same(
    first: Annotated[
        str | None, typer.Argument(metavar="[A]", help="the first text, unless --pairs is given")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="[B]", help="the second text")] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            help="decide the pairs of this file: CSV with the columns first and second, or JSON "
            "lines with these fields; - is standard input, as JSON lines"
        ),
    ] = None,
    method: MethodName = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    guard: Annotated[Path | None, typer.Option(help="a guard that Guard.save wrote")] = None,
    max_false: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="the share of different pairs that may be answered same"),
    ] = None,
    option: OptionsOf = None,
    form: TextForm = TextFormat.TEXT,
) -> None:
    """Decide whether two texts say the same, and print why not; the status is 1 unless they do.

    Pairs of a file are answered as JSON lines, in their order, each with the fields that it came
    with; the status is 0 then.
    """
    alone = pairs is None
    if alone == (first is None or second is None) or (pairs is not None and first is not None):
        raise typer.BadParameter("give two texts, or --pairs FILE")
    from compsim.guard.guard import Guard

    options = options_set(option, parser=parser, vectors=vectors)
    judge: Guard
    if guard is not None:
        judge = Guard.load(guard, **options)
        if max_false is not None:
            judge.max_false = max_false
    else:
        judge = Guard(method, MAX_FALSE if max_false is None else max_false, **options)
    if pairs is not None:
        _decide_pairs(judge, pairs)
        return
    assert first is not None
    assert second is not None
    verdict = judge.same(first, second)
    if form is TextFormat.JSON:
        terminal.say_json(verdict.to_dict())
    else:
        terminal.say(str(verdict))
    if not verdict:
        raise typer.Exit(1)


def _decide_pairs(judge: Guard, path: Path) -> None:
    """Write a line of JSON for each pair of a file, batch by batch."""
    with ExitStack() as stack:
        if str(path) == "-":
            source: TextIO = sys.stdin
        else:
            try:
                source = stack.enter_context(path.open(encoding="utf-8", newline=""))
            except OSError as error:
                raise DataError(f"{path} can not be read ({error}): name another file") from error
        as_csv = path.suffix.lower() == ".csv"
        rows = _of_csv(source, path) if as_csv else _of_json_lines(source, path)
        quiet = sys.stdout.isatty()
        advance = stack.enter_context(terminal.progress("deciding", None, quiet=quiet))
        while batch := list(islice(rows, _BATCH)):
            verdicts = judge.same([row["first"] for row in batch], [row["second"] for row in batch])
            for row, verdict in zip(batch, verdicts, strict=True):
                terminal.say(json.dumps({**row, **verdict.to_dict()}, ensure_ascii=False))
            sys.stdout.flush()
            advance(len(batch))


def _of_csv(source: TextIO, path: Path) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(source, strict=True)
    try:
        for row in reader:
            yield _checked(row, path, reader.line_num)
    except (csv.Error, UnicodeDecodeError) as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}: give a CSV file") from error


def _of_json_lines(source: TextIO, path: Path) -> Iterator[dict[str, str]]:
    number = 0
    try:
        for number, line in enumerate(source, 1):
            if line.strip():
                yield _checked(json.loads(line), path, number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path}, line {number + isinstance(error, UnicodeDecodeError)}: no JSON ({error}): "
            "give an object a line"
        ) from error


def _checked(row: object, path: Path, line: int) -> dict[str, str]:
    texts = [row.get(name) for name in _COLUMNS] if isinstance(row, dict) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise DataError(f"{path}, line {line}: no texts called first and second: give both")
    assert isinstance(row, dict)
    return row
