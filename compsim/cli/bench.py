"""``compsim bench``: role F1, correlation with human ratings, AMR parses, BAMBOO, and speed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from compsim.cli import sts, terminal, training
from compsim.cli.options import ParserName, Vectors, listed, only_one
from compsim.cli.sts import Data, Roles

__all__ = ["app"]

app: Final = typer.Typer(
    help="Measure accuracy and speed.", rich_markup_mode=None, add_completion=False
)

JsonFile = Annotated[Path | None, typer.Option("--json", help="also write the figures here")]


@app.command("roles")
def roles_command(
    data: Data,
    parser: ParserName = None,
    parses: Annotated[
        Path | None, typer.Option(help="dependency trees (CoNLL) to read roles off, for srl")
    ] = None,
    roles: Roles = None,
    json: JsonFile = None,
) -> None:
    """Score a parser's roles, word by word, against roles fixed by hand (F1)."""
    from compsim.benchmarks.datasets import open_sts3k
    from compsim.benchmarks.tasks.roles import compare, parse_file, parse_sentences

    only_one(**{"--parser": parser, "--parses": parses, "--roles": roles})
    roles = roles or sts.published_file(parser)
    sts3k = open_sts3k(data)
    gold = sts3k.roles("hand-fixed")
    if roles is not None:
        found = sts3k.roles(roles)
    elif parses is not None:
        found = parse_file(sts3k, parses)
    else:
        from compsim.parsers import load

        maker = load(parser or "srl")
        with terminal.progress("parsing", len(sts3k.sentences())) as advance:
            found = parse_sentences(sts3k, maker, advance)
    scores = compare(gold, found)
    rows = [
        (role, *(f"{v:.4f}" for v in (c.precision, c.recall, c.f1)), str(c.both + c.missed))
        for role, c in [*scores.per_role.items(), ("all", scores.total)]
    ]
    terminal.print_table(("role", "precision", "recall", "F1", "words"), rows, (1, 2, 3, 4))
    print(f"{scores.sentences} sentences, {len(scores.failed)} distinct ones without a parse")
    for text in scores.failed[:5]:
        terminal.complain(f"no parse: {text}")
    if len(scores.failed) > 5:
        terminal.complain(f"no parse: and {len(scores.failed) - 5} more")
    _write(json, scores.to_dict())


app.command("sts3k")(sts.sts3k)
app.command("sts")(sts.sts)
app.command("ratings")(sts.ratings)
app.command("finetune")(training.finetune)


@app.command("amr")
def amr_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="PENMAN graphs with ::snt comments")
    ],
    parser: Annotated[
        str,
        typer.Option(
            help="amr, amrlib[:FOLDER], amr-stored:FILE or amr-server:URL",
            metavar="NAME[:ARGUMENT]",
        ),
    ] = "amr",
    json: JsonFile = None,
) -> None:
    """Score a parser's AMRs by Smatch against those of a file (micro, bootstrap interval)."""
    from compsim.benchmarks.tasks.amr import measure
    from compsim.parsers import load

    # The sentences are counted only once the files are read.
    with terminal.progress("parse", None) as advance:
        found = measure(files, load(parser), advance)
    score = found.corpus
    low, high = score.interval or (score.f1, score.f1)
    head = ("parser", "sentences", "precision", "recall", "F1", "95 %")
    figures = (f"{value:.4f}" for value in (score.precision, score.recall, score.f1))
    row = (parser, str(score.pairs), *figures, f"{low:.4f} to {high:.4f}")
    terminal.print_table(head, [row], (1, 2, 3, 4, 5))
    if found.failed:
        terminal.complain(f"{found.failed} sentences have no parse")
    if found.unread:
        terminal.complain(f"{found.unread} graphs are left out: not readable, or no sentence")
    _write(json, found.to_dict())


@app.command("bamboo")
def bamboo_command(
    data: Annotated[
        Path,
        typer.Option(
            envvar="COMPSIM_DATA",
            help="a copy of flipz357/bamboo-amr-benchmark, an archive of it, or their parent",
        ),
    ],
    methods: Annotated[
        str, typer.Option(help="names, separated by commas")
    ] = "amr-smatch,amr-cn,amr-wlk,amr-wwlk",
    vectors: Vectors = None,
    json: JsonFile = None,
) -> None:
    """Score AMR methods on BAMBOO: Pearson's r with ratings, and role confusion (accuracy)."""
    from compsim.benchmarks.tasks.bamboo import DATA_SETS, PUBLISHED, SPLITS, measure, open_bamboo

    names = listed(methods)
    if not names:
        raise typer.BadParameter("name at least one method", param_hint="--methods")
    found = []
    splits = [open_bamboo(data, split) for split in SPLITS]
    with terminal.progress("bamboo", len(names) * len(splits)) as advance:
        for split in splits:
            for name in names:
                found.append(measure(split, name, **_taken(name, names, vectors=vectors)))
                advance(1)
    head = ["method", "split", *DATA_SETS, *(f"{name} roles" for name in DATA_SETS)]
    rows = [
        (
            row.method,
            row.split,
            *("undefined" if row.main[n] is None else f"{row.main[n]:.2f}" for n in DATA_SETS),
            *(f"{row.roles[name]:.2f}" for name in DATA_SETS),
        )
        for row in found
    ]
    rows += [
        (f"{name}, published", "test", *(f"{figure:.2f}" for figure in figures))
        for name, figures in PUBLISHED.items()
    ]
    terminal.print_table(head, rows, range(2, len(head)))
    for row in found:
        if row.failed:
            terminal.complain(f"{row.method}, {row.split}: {row.failed} graphs cannot be read")
    _write(json, {"rows": [row.to_dict() for row in found]})


@app.command("words")
def words_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="two words and a rating a line")
    ],
    vectors: Vectors = None,
    json: JsonFile = None,
) -> None:
    """Correlate the cosines of word vectors with human ratings of word pairs (Spearman)."""
    from compsim.benchmarks.tasks.words import measure_file
    from compsim.vectors import WordVectors

    table = WordVectors.open(vectors)
    rows = [measure_file(table, file) for file in files]
    body = [
        (row.name, row.vectors, _figure(row.spearman), str(row.pairs), str(row.unknown))
        for row in rows
    ]
    head = ("set", "vectors", "Spearman", "pairs", "unknown")
    terminal.print_table(head, body, (2, 3, 4))
    _write(json, {"rows": [row.to_dict() for row in rows]})


@app.command("speed")
def speed_command(
    data: Annotated[
        Path | None,
        typer.Option(help="folder of compositional-semantics-eval and amr: graphs are timed too"),
    ] = None,
    json: JsonFile = None,
) -> None:
    """Measure how fast this machine parses, encodes and compares."""
    from compsim.benchmarks.speed import run

    figures = run(data=data)
    terminal.print_table(
        ("figure", "value"), [(name, f"{value:.6g}") for name, value in figures.items()], (1,)
    )
    _write(json, dict(figures))


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _taken(name: str, names: list[str], **given: Any) -> dict[str, Any]:
    """The options that are given and that a method takes; all, where none of the methods does."""
    from compsim.registry import options

    return {
        option: value
        for option, value in given.items()
        if value is not None
        and (option in options(name) or not any(option in options(other) for other in names))
    }


def _write(path: Path | None, figures: dict[str, Any]) -> None:
    if path is not None:
        from compsim.storage.files import write_json

        write_json(path, figures)
