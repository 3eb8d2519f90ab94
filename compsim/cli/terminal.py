"""What every command needs of the terminal: errors and warnings in a line, tables, progress.

>>> print(aligned([("role", "F1"), ("Verb", "0.9")], right=(1,)))
role   F1
Verb  0.9
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from compsim.plain_text import UNSAFE

__all__ = [
    "aligned",
    "complain",
    "forgive_encoding",
    "one_line_warnings",
    "print_table",
    "progress",
    "say",
]

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


@contextlib.contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show each warning as one line, without file and line number."""

    def show(message: Warning | str, *details: Any, **more: Any) -> None:
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


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()
) -> None:
    """Print a table: in a terminal the last column is folded to the width, else whole lines."""
    if not sys.stdout.isatty():
        print(aligned([head, *rows], right))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(head):
        title = name.replace(" (", "\n(")
        last = i == len(head) - 1
        table.add_column(title, justify="right" if i in right else "left", no_wrap=not last)
    for row in rows:
        table.add_row(*(Text(UNSAFE.sub(" ", cell)) for cell in row))
    Console().print(table)


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
