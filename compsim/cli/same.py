"""``compsim same``: a decision, same or different, for two texts or a file of pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from compsim.cli.pair_files import Output, Pairs, answer_pairs, check_texts
from compsim.defaults import DEFAULT_METHOD
from compsim.guard.names import MAX_FALSE

if TYPE_CHECKING:
    from compsim.guard.guard import Guard

__all__ = ["same"]


def same(
    first: Annotated[
        str | None, typer.Argument(metavar="[A]", help="the first text, unless --pairs is given")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="[B]", help="the second text")] = None,
    pairs: Pairs = None,
    output: Output = None,
    method: MethodName = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    guard: Annotated[
        Path | None,
        typer.Option(help="file with a guard fitted to your own pairs, written by Guard.save"),
    ] = None,
    max_false: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="accepted false positive rate: the share of different pairs that may be "
            "answered same, above 0 and below 1 (default: 0.05)",
        ),
    ] = None,
    option: OptionsOf = None,
    form: TextForm = TextFormat.TEXT,
) -> None:
    """Decide whether two texts say the same, and print the differences.

    The exit status is 0 for "same", 1 for "different" and "unsure". With --pairs, one JSON line is
    printed for each pair, in the order of the file and with its fields; the status is 0 then.
    """
    check_texts(first, second, pairs, output)
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
        answer_pairs(
            pairs, output, "deciding", lambda a, b: [each.to_dict() for each in judge.same(a, b)]
        )
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
