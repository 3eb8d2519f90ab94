"""Terminal output of every command: one-line errors and warnings, tables, progress.

>>> print(aligned([("role", "F1"), ("Verb", "0.9")], right=(1,)))
role   F1
Verb  0.9
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from compsim.plain_text import UNSAFE

__all__ = [
    "aligned",
    "complain",
    "forgive_encoding",
    "one_line_warnings",
    "print_table",
    "progress",
    "say",
    "say_json",
]

#: The last column of a table is folded to no less than this.
_FOLDED: Final = 24

Advance = Callable[[int], None]


def complain(message: str) -> None:
    """Write one line to standard error, whatever line breaks or control characters there are."""
    with contextlib.suppress(OSError):
        print("compsim:", " ".join(UNSAFE.sub(" ", message).split()), file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Write to standard output; a terminal gets spaces for control characters but line feeds."""
    if sys.stdout.isatty():
        text = "\n".join(UNSAFE.sub(" ", line) for line in text.split("\n"))
    print(text)


def say_json(results: Any) -> None:
    """Write JSON types to standard output, indented; what is not ASCII is escaped."""
    say(json.dumps(results, indent=2))


@contextlib.contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show each warning as one line, without file and line number."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        complain(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def forgive_encoding() -> None:
    """Write what the terminal's encoding cannot express as escapes rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows as lines of equal columns; those in ``right`` are flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def width() -> int | None:
    """The columns of the terminal, or what ``COLUMNS`` says; None where neither tells.

    Files and pipes take whole lines.
    """
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdecimal():
        return None
    return shutil.get_terminal_size().columns


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()
) -> None:
    """Print a table, nothing of it cut off.

    Where lines have a width the last column is folded to it; where the others leave too little of
    it, each row is a list of its cells below its name.

    :param head: the names of the columns.
    :param rows: the cells, the first one the name of the row.
    :param right: the columns that are flush right.
    """
    from compsim.explanation.columns import columns

    room = width()
    if room is None:
        print(aligned([head, *rows], right))
        return
    rows = [[UNSAFE.sub(" ", cell) for cell in row] for row in rows]
    titles = [name.replace(" (", "\n(") for name in head]
    needed = [
        max(columns(line) for line in [*title.split("\n"), *cells])
        for title, *cells in zip(titles, *rows, strict=True)
    ]
    gaps = 3 * (len(head) - 1) + 1
    folded = min(needed[-1], _FOLDED) if len(head) - 1 not in right else needed[-1]
    if sum(needed[:-1]) + folded + gaps > room:
        print("\n".join(_listed(head, row, room) for row in rows))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, title in enumerate(titles):
        last = i == len(head) - 1
        table.add_column(title, justify="right" if i in right else "left", no_wrap=not last)
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=room).print(table)


def _listed(head: Sequence[str], row: Sequence[str], room: int) -> str:
    """A row as lines: its name, then each cell that is not empty behind its column's name."""
    from compsim.explanation.columns import wrapped

    lines = wrapped(row[0], room)
    for name, cell in zip(head[1:], row[1:], strict=True):
        if cell:
            lines += ["  " + line for line in wrapped(f"{name}: {cell}", room - 2, "  ")]
    return "\n".join(lines)


@contextlib.contextmanager
def progress(label: str, total: int | None, *, quiet: bool = False) -> Iterator[Advance]:
    """A bar on standard error, and what moves it on; neither where that is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TimeRemainingColumn(),  # only where the total is known
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as p:
        task = p.add_task(label, total=total)
        yield lambda count: p.advance(task, count)
