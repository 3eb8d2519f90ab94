"""``compsim fit-weights``: role weights, or the hybrid's constants, learned from ratings."""

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
    method: Annotated[
        str, typer.Option(help="verbnet-cn, or hybrid, alone or with its whole: hybrid:mean-cn")
    ] = "verbnet-cn",
    parser: ParserName = None,
    roles: Roles = None,
    vectors: Vectors = None,
    folds: Annotated[int, typer.Option(min=2, help="parts of the cross-validation")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="how pairs are dealt to the folds")] = 0,
    json: Json = None,
    form: TableForm = TableFormat.TABLE,
) -> None:
    """Fit role weights, or the hybrid's constants, to ratings; show how they do on other pairs.

    The file that is written is for --weights, or -o scheme=FILE. Values fitted to a set of data say
    nothing about how well the method does on it: the held-out figures do.
    """
    from compsim.benchmarks.datasets import open_dataset, open_sts3k
    from compsim.benchmarks.specs import named
    from compsim.benchmarks.training.fit_hybrid import fit_hybrid
    from compsim.benchmarks.training.fit_weights import fit_weights as fit_roles
    from compsim.benchmarks.training.fits import Fit
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
    name, first = named(method)
    given = {**first, **options_set(parser=parser, vectors=vectors)}
    with terminal.progress("fitting", folds + 1) as advance:
        found: Fit
        if name == "hybrid":
            if roles is not None:
                raise typer.BadParameter("the hybrid takes no such parses", param_hint="--roles")
            found = fit_hybrid(pairs, load(name, **given), folds=folds, seed=seed, advance=advance)
        else:
            loaded = load(name, **{"weights": "paper", **given})
            found = fit_roles(pairs, loaded, roles=roles, folds=folds, seed=seed, advance=advance)
    write_text(out, found.to_toml())
    if form is TableFormat.JSON:
        terminal.say_json(found.to_dict())
    else:
        head, rows = found.table()
        terminal.print_table(head, rows, tuple(range(1, len(head))))
        print(f"{out}: for {'-o scheme=' if name == 'hybrid' else '--weights'}")
    if found.note:
        terminal.complain(found.note)
    if json is not None:
        write_json(json, found.to_dict())
