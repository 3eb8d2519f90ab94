"""``compsim fit-weights`` and ``compsim bench finetune``: what can be learned from ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compsim.cli import terminal
from compsim.cli.options import ParserName, Vectors, given, listed, only_one
from compsim.cli.sts import Data, Json, Roles

__all__ = ["finetune", "fit_weights"]


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

    only_one(**{"--parser": parser, "--roles": roles})
    method = load("verbnet-cn", **given(parser=parser, vectors=vectors))
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


def finetune(
    data: Data,
    methods: Annotated[
        str, typer.Option(help="names, separated by commas; verbnet-cn or of sentence vectors")
    ] = "verbnet-cn,mean-cn,sbert",
    vectors: Vectors = None,
    seeds: Annotated[int, typer.Option(min=1, help="trainings of each network")] = 5,
    train: Annotated[
        Path | None,
        typer.Option(help="instead, fine-tune a sentence transformer and save it in this folder"),
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="with --train: its folder or hub name (default: MiniLM)")
    ] = None,
    split: Annotated[
        str, typer.Option(help="with --train: random, grouped or adversarial")
    ] = "adversarial",
    json: Json = None,
) -> None:
    """Train small networks on features of the pairs, as in section 4.7 of the STS3k paper.

    A figure is Spearman's rho on pairs held out, over seeds; in brackets its standard deviation.
    """
    from compsim.benchmarks.datasets import open_sts3k
    from compsim.benchmarks.training.finetune import SIZES, fine_tuning_study, splits
    from compsim.registry import load, options
    from compsim.storage.files import write_json

    opened = open_sts3k(data)
    if train is not None:
        from compsim.benchmarks.results import shown
        from compsim.benchmarks.training.finetune_transformer import BATCH, EPOCHS, fine_tune

        chosen = {found.name: found for found in splits(opened, 0)}
        if split not in chosen:
            raise typer.BadParameter(f"use {', '.join(chosen)}", param_hint="--split")
        steps = EPOCHS * -(-len(chosen[split].train) // BATCH)
        with terminal.progress("training", steps) as advance:
            tuned = fine_tune(opened, chosen[split], train, base=base, advance=advance)
        for when, figures in (("before", tuned.before), ("after", tuned.after)):
            print(f"{when}: {shown(figures.spearman)} on {figures.n} pairs held out ({split})")
        if json is not None:
            write_json(json, tuned.to_dict())
        return
    names = listed(methods)
    loaded = [
        load(name, **given(vectors=vectors if "vectors" in options(name) else None))
        for name in names
    ]
    total = len(names) * seeds * len(splits(opened, 0)) * len(SIZES)
    with terminal.progress("training", total) as advance:
        study = fine_tuning_study(
            opened, loaded, seeds=seeds, advance=lambda _, count: advance(count)
        )
    head, rows = study.table()
    terminal.print_table(head, rows, tuple(range(2, len(head))))
    for note in study.notes():
        terminal.complain(note)
    if json is not None:
        write_json(json, study.to_dict())
