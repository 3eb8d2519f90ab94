"""``compsim smatch``: the Smatch score of two files of AMRs, with the best mapping of each pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from compsim.cli import terminal
from compsim.cli.options import AsJson, TableForm, TableFormat

if TYPE_CHECKING:
    from compsim.amr.smatch import PairScores
    from compsim.amr.smatch.corpus import CorpusScore
    from compsim.graph import RoleGraph

__all__ = ["smatch"]

#: With fewer pairs an interval says little.
_FEWEST: Final = 10

Files = Annotated[
    tuple[Path, Path],
    typer.Option("-f", "--files", metavar="A B", help="two files of AMRs, as many in each"),
]


def smatch(
    files: Files,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="one line for each pair of AMRs")
    ] = False,
    fine_grained: Annotated[
        bool, typer.Option("--fine-grained", help="one line for each aspect of meaning")
    ] = False,
    top: Annotated[bool, typer.Option(help="count the TOP triple")] = True,
    top_concept: Annotated[
        bool,
        typer.Option(
            "--top-concept",
            help="compare the concept of the root in the TOP triple, as older releases of "
            "smatch do",
        ),
    ] = False,
    attributes: Annotated[bool, typer.Option(help="count constants")] = True,
    senses: Annotated[
        bool, typer.Option(help="keep sense numbers; --no-senses: bite-01 matches bite-02")
    ] = True,
    form: TableForm = TableFormat.TABLE,
    as_json: AsJson = False,
) -> None:
    """Score the AMRs of file A against those of file B by the triples they share.

    An AMR that cannot be read causes a warning and counts as empty.
    """
    from compsim.amr.smatch import smatch_pairwise
    from compsim.amr.smatch.triples import encode
    from compsim.collection import paused
    from compsim.errors import InputError

    as_json |= form is TableFormat.JSON
    if pairwise and fine_grained:
        raise InputError("--pairwise and --fine-grained are two ways to look: choose one")
    if fine_grained and (top_concept or not (top and attributes and senses)):
        raise InputError("--fine-grained counts its own triples: leave out the options on these")
    with paused():
        first, second = _read(files[0]), _read(files[1])
        if len(first) != len(second):
            raise InputError(
                f"{files[0]} has {len(first)} AMRs and {files[1]} has {len(second)}: give two "
                "files of the same sentences"
            )
        if not first:
            raise InputError(f"{files[0]} and {files[1]} hold no AMR: give files of PENMAN graphs")
        if fine_grained:
            _print_aspects(first, second, as_json=as_json)
            return
        scores = smatch_pairwise(
            encode(first),
            encode(second),
            top=top,
            top_concept=top_concept,
            attributes=attributes,
            senses=senses,
        )
        if pairwise:
            _print_pairs(first, second, scores, as_json=as_json)
        else:
            _print_total(scores, as_json=as_json)


def _print_aspects(
    first: Sequence[RoleGraph], second: Sequence[RoleGraph], *, as_json: bool
) -> None:
    from compsim.amr.smatch.finegrained import fine_grained

    aspects = fine_grained(first, second)
    if as_json:
        terminal.say_json({name: _rounded(asdict(s)) for name, s in aspects.items()})
        return
    rows = [(name, *_cells(score)) for name, score in aspects.items()]
    terminal.print_table(("aspect", "precision", "recall", "F1"), rows, right=(1, 2, 3))


def _print_pairs(
    first: Sequence[RoleGraph], second: Sequence[RoleGraph], scores: PairScores, *, as_json: bool
) -> None:
    names = ("precision", "recall", "f1", "optimal")
    columns = (getattr(scores, name).tolist() for name in names)
    for a, b, *row in zip(first, second, *columns, strict=True):
        line: dict[str, Any] = dict(zip(names, row, strict=True))
        # Two AMRs that could not be read are not alike for that.
        if a.reason or b.reason:
            line |= dict.fromkeys(names[:3], 0.0)
        print(json.dumps(_rounded(line)) if as_json else f"{line['f1']:.4f}")


def _print_total(scores: PairScores, *, as_json: bool) -> None:
    from compsim.amr.smatch.corpus import corpus_score

    total = corpus_score(scores.matched, scores.total_a, scores.total_b)
    if as_json:
        exact = int(scores.optimal.sum())
        terminal.say_json(_rounded({**asdict(total), "optimal": exact}))
        return
    heads = ("precision", "recall", "F1")
    print(terminal.aligned(list(zip(heads, _cells(total), strict=True))))
    if total.interval is not None and total.pairs >= _FEWEST:
        low, high = total.interval
        print(f"95% interval of F1: {low:.4f} to {high:.4f}, {total.pairs} pairs")
    if not scores.optimal.all():
        count = int((~scores.optimal).sum())
        terminal.complain(f"warning: the search was cut short for {count} pairs of large AMRs")


def _read(path: Path) -> list[RoleGraph]:
    from compsim.graph import Status
    from compsim.graph.penman_reader import read_amr

    graphs = list(read_amr(path))
    for graph in graphs:
        if graph.status is Status.FAILED:
            terminal.complain(f"warning: {path}, {graph.reason}")
    return graphs


def _cells(score: CorpusScore) -> tuple[str, str, str]:
    return f"{score.precision:.4f}", f"{score.recall:.4f}", f"{score.f1:.4f}"


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {key: round(v, 6) if isinstance(v, float) else v for key, v in values.items()}
