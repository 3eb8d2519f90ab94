"""``compsim fit-weights``: role weights learned from ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compsim.cli import terminal
from compsim.cli.options import (
    Json,
    ParserName,
    Roles,
    TableForm,
    TableFormat,
    Vectors,
    options_set,
)

__all__ = ["fit_weights"]


def fit_weights(
    out: Annotated[Path, typer.Option(help="the TOML file to write")],
    data: Annotated[
        Path | None, typer.Option(envvar="COMPSIM_DATA", help="a copy of STS3k's repository")
    ] = None,
    ratings: Annotated[
        str | None,
        typer.Option(help="your own rated pairs, PATH or FORMAT:PATH, in place of STS3k"),
    ] = None,
    parser: ParserName = None,
    roles: Roles = None,
    vectors: Vectors = None,
    folds: Annotated[int, typer.Option(min=2, help="parts of the cross-validation")] = 5,
    seed: Annotated[
        int, typer.Option(min=0, help="random seed of the assignment of pairs to folds")
    ] = 0,
    json: Json = None,
    form: TableForm = TableFormat.TABLE,
) -> None:
    """Fit the role weights of verbnet-cn to ratings; show how they do on other pairs.

    The output file is a value for --weights. Figures on the fitted pairs say
    nothing about how well the method does on it: the held-out figures do.
    """
    from compsim.benchmarks.datasets import open_dataset, open_sts3k
    from compsim.benchmarks.training.fit_weights import fit_weights as fit_roles
    from compsim.registry import load
    from compsim.storage.files import write_json, write_text

    if parser is not None and roles is not None:
        raise typer.BadParameter(
            "they exclude each other: give one", param_hint="--parser, --roles"
        )
    if ratings is not None:
        pairs = open_dataset(ratings)
    elif data is not None:
        pairs = open_sts3k(data)
    else:
        raise typer.BadParameter("give one of them", param_hint="--ratings, --data")
    given = {"weights": "paper", **options_set(parser=parser, vectors=vectors)}
    with terminal.progress("fitting", folds + 1) as advance:
        method = load("verbnet-cn", **given)
        result = fit_roles(pairs, method, roles=roles, folds=folds, seed=seed, advance=advance)
    write_text(out, result.to_toml())
    if form is TableFormat.JSON:
        terminal.say_json(result.to_dict())
    else:
        head, rows = result.table()
        terminal.print_table(head, rows, tuple(range(1, len(head))))
        print(f"{out}: for --weights")
    if result.note:
        terminal.complain(result.note)
    if json is not None:
        write_json(json, result.to_dict())
