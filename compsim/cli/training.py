"""``compsim fit-weights``: role weights that are learned from ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compsim.cli import terminal
from compsim.cli.options import Data, Json, ParserName, Roles, Vectors, options_set

__all__ = ["fit_weights"]


def fit_weights(
    data: Data,
    out: Annotated[Path, typer.Option(help="the TOML file to write")],
    parser: ParserName = None,
    roles: Roles = None,
    vectors: Vectors = None,
    folds: Annotated[int, typer.Option(min=2, help="parts of the cross-validation")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="how pairs are dealt to the folds")] = 0,
    json: Json = None,
) -> None:
    """Fit role weights to ratings; show how they do on pairs that they have not seen.

    The file that is written is for --weights. Weights fitted to a set of data say nothing about
    how well the method does on it: the held-out figures do.
    """
    from compsim.benchmarks.datasets import open_sts3k
    from compsim.benchmarks.training.fit_weights import fit_weights as fitted
    from compsim.registry import load
    from compsim.storage.files import write_json, write_text

    if parser is not None and roles is not None:
        raise typer.BadParameter(
            "they exclude each other: give one", param_hint="--parser, --roles"
        )
    method = load("verbnet-cn", weights="paper", **options_set(parser=parser, vectors=vectors))
    with terminal.progress("fitting", folds + 1) as advance:
        found = fitted(
            open_sts3k(data), method, roles=roles, folds=folds, seed=seed, advance=advance
        )
    head, rows = found.table()
    terminal.print_table(head, rows, tuple(range(1, len(head))))
    if found.note:
        terminal.complain(found.note)
    write_text(out, found.to_toml())
    print(f"{out}: for --weights")
    if json is not None:
        write_json(json, found.to_dict())
