"""``compsim parse``: sentences in, one a line, role graphs out, as they come."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from compsim.cli import terminal
from compsim.cli.options import PARSERS

if TYPE_CHECKING:
    from compsim.graph import Node, RoleGraph
    from compsim.parsers.base import Parser

__all__ = ["ParseFormat", "parse", "readable"]

_BATCH: Final = 256


class ParseFormat(StrEnum):
    """Format of role graphs."""

    JSONL = "jsonl"
    TABLE = "table"
    PENMAN = "penman"
    SVG = "svg"
    DOT = "dot"


def parse(
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="sentences, one a line; - is standard input")
    ] = Path("-"),
    parser: Annotated[
        str,
        typer.Option(
            help=PARSERS,
            metavar="NAME[:ARGUMENT]",
        ),
    ] = "srl",
    form: Annotated[
        ParseFormat | None,
        typer.Option("--format", help="jsonl unless the output is a terminal, then table"),
    ] = None,
) -> None:
    """Parse sentences into role graphs, one line of output for each line of input.

    A blank line, or a sentence that cannot be parsed, gives a graph with status failed. An SVG is
    one line; DOT is what Graphviz reads.
    """
    from compsim.parsers import load

    on_terminal = sys.stdout.isatty()
    chosen = form or (ParseFormat.TABLE if on_terminal else ParseFormat.JSONL)
    with ExitStack() as stack:
        source: BinaryIO
        if str(file) == "-":
            source, total = sys.stdin.buffer, None
        else:
            source, total = stack.enter_context(file.open("rb")), _count(file)
        maker = load(parser)
        # Who types sentences wants an answer after each.
        size = 1 if source.isatty() else _BATCH
        advance = stack.enter_context(terminal.progress("parsing", total, quiet=on_terminal))
        lines = _sentences(source)
        while batch := list(islice(lines, size)):
            for graph in _parse(maker, batch):
                terminal.say(_written(graph, chosen))
            sys.stdout.flush()
            advance(len(batch))


def _count(file: Path) -> int | None:
    """The number of lines, for the progress bar; None where reading would use them up."""
    if not file.is_file():
        return None
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _sentences(source: BinaryIO) -> Iterator[str]:
    """The lines of a file without their ends; only a line feed ends a line."""
    for number, line in enumerate(source, start=1):
        content = line.removesuffix(b"\n").removesuffix(b"\r")
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            terminal.complain(f"warning: line {number} is not UTF-8: bad bytes become U+FFFD")
            text = content.decode("utf-8", "replace")
        yield text.removeprefix("\ufeff") if number == 1 else text


def _parse(parser: Parser, batch: list[str]) -> Iterator[RoleGraph]:
    from compsim.graph import RoleGraph

    # Blank lines are answered here: not every parser is a service that should be asked.
    filled = [text for text in batch if text.strip()]
    graphs = iter(parser.parse(filled) if filled else [])
    for text in batch:
        yield next(graphs) if text.strip() else RoleGraph.failed(text, "empty line", parser.name)


def _written(graph: RoleGraph, form: ParseFormat) -> str:
    if form is ParseFormat.JSONL:
        return json.dumps(graph.to_json(), separators=(",", ":"))
    if form is ParseFormat.SVG:
        return graph.to_svg()
    if form is ParseFormat.DOT:
        return graph.to_dot()
    return readable(graph) + "\n" if form is ParseFormat.TABLE else graph.to_penman() + "\n"


def readable(graph: RoleGraph) -> str:
    """The sentence, then its predicates, the main one first, each with its phrases.

    >>> from compsim.graph import RoleGraph
    >>> print(readable(RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})))
    Cats sleep.
      Verb   sleep
      Agent  Cats
    """
    lines = [" ".join(graph.text.split())]
    if graph.reason:
        lines.append(f"  {graph.status.value}: {graph.reason}")
    for frame in graph.frames():
        root = frame.predicate
        if len(lines) > 1:
            lines.append("")
        sense = f" [{root.sense}]" if root.sense else ""
        rows = [("Verb", root.label + sense + _features(root))]
        rows += [(role, node.label + _features(node)) for role, node in frame.roles.items()]
        lines += ["  " + line for line in terminal.aligned(rows).split("\n")]
    return "\n".join(lines)


def _features(node: Node) -> str:
    """Return the features of a node beside its meaning, in brackets."""
    text = ", ".join(f"{name} {value}" for name, value in node.features)
    return f"  ({text})" if text else ""
