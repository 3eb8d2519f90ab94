"""``compsim bench sts3k``, ``sts``, ``ratings``: methods against people, people themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compsim.cli import terminal
from compsim.cli.options import OptionsOf, ParserName, Vectors, given, listed, settings
from compsim.storage.files import write_text

if TYPE_CHECKING:
    from compsim.benchmarks.datasets import Dataset
    from compsim.benchmarks.evaluation import Spec
    from compsim.benchmarks.results import Results
    from compsim.benchmarks.stats.agreement import Statistics

__all__ = ["Data", "Json", "Roles", "published_file", "ratings", "sts", "sts3k"]

Data = Annotated[
    Path,
    typer.Option(
        envvar="COMPSIM_DATA", help="a copy of bmmlab/compositional-semantics-eval, or its parent"
    ),
]
Methods = Annotated[
    str, typer.Option(help="names, separated by commas; all: every method whose model is here")
]
Roles = Annotated[
    str | None,
    typer.Option(
        help="instead of a parser, published parses: hand-fixed, semparse, gpt4, spring (AMR), "
        "or a JSON file"
    ),
]
Normalize = Annotated[
    str | None,
    typer.Option(
        help="how scores are normalised, for the methods that know this way; all: each of a "
        "method's ways"
    ),
]
Scores = Annotated[
    list[Path] | None,
    typer.Option(help="a file of similarities, one a line; may be repeated", metavar="FILE"),
]
Jobs = Annotated[int, typer.Option(min=1, help="methods that run at a time")]
Fresh = Annotated[bool, typer.Option("--fresh", help="compute anew what was kept")]
Json = Annotated[Path | None, typer.Option("--json", help="also write the figures here")]
Html = Annotated[Path | None, typer.Option(help="also write a report with plots here")]
Markdown = Annotated[Path | None, typer.Option(help="also write the table here")]
Latex = Annotated[Path | None, typer.Option(help="also write the table here")]


def sts3k(
    data: Data,
    methods: Methods = "verbnet-cn",
    parser: ParserName = None,
    roles: Roles = None,
    vectors: Vectors = None,
    normalize: Normalize = None,
    option: OptionsOf = None,
    scores: Scores = None,
    jobs: Jobs = 1,
    fresh: Fresh = False,
    json: Json = None,
    html: Html = None,
    markdown: Markdown = None,
    latex: Latex = None,
) -> None:
    """Correlate scores with the human ratings of STS3k (Spearman), in all and by part.

    In brackets the 95 % interval; a star marks what is not significantly worse than the best.
    """
    from compsim.benchmarks.datasets import open_sts3k

    if parser is not None and roles is not None:
        raise typer.BadParameter(
            "they exclude each other: give one", param_hint="--parser, --roles"
        )
    if (published := published_file(parser)) is not None:
        parser, roles = None, published
    chosen = {"parser": parser, "vectors": vectors, **settings(option)}
    specs = _specs(methods, chosen, normalize, roles, scores)
    opened = open_sts3k(data)
    # What the report says of the raters takes some seconds to read.
    people = opened.statistics() if html is not None else None
    results = _evaluated([opened], specs, jobs, fresh, people)
    _write(results, json, markdown, latex)
    if html is not None:
        from compsim.benchmarks.report import page

        write_text(html, page([(opened, results[0], people)]))
    _show(results)


def sts(
    datasets: Annotated[
        str,
        typer.Option(
            help="PATH or FORMAT:PATH, separated by commas; formats: sick, stsb, csv, tsv, jsonl "
            "and others, see `compsim.benchmarks.datasets`"
        ),
    ],
    methods: Methods = "verbnet-cn",
    parser: ParserName = None,
    vectors: Vectors = None,
    normalize: Normalize = None,
    option: OptionsOf = None,
    jobs: Jobs = 1,
    fresh: Fresh = False,
    low: Annotated[float | None, typer.Option(help="tables: the lowest rating there is")] = None,
    high: Annotated[float | None, typer.Option(help="tables: the highest rating there is")] = None,
    json: Json = None,
    html: Html = None,
    markdown: Markdown = None,
    latex: Latex = None,
) -> None:
    """Correlate scores with human ratings of any sentence pairs (Spearman)."""
    from compsim.benchmarks.datasets import open_dataset

    named = listed(datasets)
    if not named:
        raise typer.BadParameter("name at least one", param_hint="--datasets")
    opened = [open_dataset(spec, **given(low=low, high=high)) for spec in named]
    chosen = {"parser": parser, "vectors": vectors, **settings(option)}
    specs = _specs(methods, chosen, normalize, None, None)
    results = _evaluated(opened, specs, jobs, fresh)
    _write(results, json, markdown, latex)
    if html is not None:
        from compsim.benchmarks.report import page

        write_text(html, page([(d, r, None) for d, r in zip(opened, results, strict=True)]))
    _show(results)


def ratings(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="a pair a row and a rater a column, CSV or workbook; or the folder of STS3k",
        ),
    ],
    low: Annotated[float | None, typer.Option(help="the lowest rating there is")] = None,
    high: Annotated[float | None, typer.Option(help="the highest rating there is")] = None,
    json: Json = None,
) -> None:
    """Show how far people agree on their ratings, and so how well any method can do."""
    from compsim.benchmarks.datasets import open_sts3k
    from compsim.benchmarks.results import shown
    from compsim.benchmarks.stats.agreement import statistics
    from compsim.storage.files import write_json

    found = open_sts3k(data).statistics() if data.is_dir() else statistics(data, low=low, high=high)
    if found is None:
        raise typer.BadParameter(
            f"{data} holds no ratings by participant", param_hint="FILE|FOLDER"
        )
    rows = [
        (part, str(of.pairs), *map(shown, (of.deviation, of.reliability, of.kappa, of.kappa_all)))
        for part, of in found.agreement.items()
    ]
    head = ("part", "pairs", "SD a pair", "split-half reliability", "weighted kappa", "of all")
    terminal.print_table(head, rows, (1, 2, 3, 4, 5))
    print(
        f"{found.ratings} ratings by {found.raters} people; means from {found.minimum:.3f} to "
        f"{found.maximum:.3f}, mean {found.mean:.3f}, SD {found.deviation:.3f}"
    )
    print(
        f"against shuffled ratings: Kolmogorov-Smirnov D = {found.distance:.3f}, p = {found.p:.2g}"
    )
    if json is not None:
        write_json(json, found.to_dict())


def published_file(parser: str | None) -> str | None:
    """The file of ``stored:FILE`` where it holds roles by row number, not by sentence."""
    name, _, path = (parser or "").partition(":")
    return path if name == "stored" and path and not path.endswith(".jsonl") else None


def _specs(
    methods: str,
    options: dict[str, Any],
    normalize: str | None,
    roles: str | None,
    scores: list[Path] | None,
) -> list[Spec]:
    """Each method in each way to normalise, then the files of similarities."""
    from compsim.benchmarks.evaluation import Spec, read_scores
    from compsim.registry import methods as known
    from compsim.registry import normalizations
    from compsim.registry import options as takes

    names = listed(methods)
    every = names == ["all"]
    if every:
        names = [info.name for info in known()]
    if not names and not scores:
        raise typer.BadParameter("name at least one method", param_hint="--methods")
    ways = {name: normalizations(name) for name in names}
    if normalize not in (None, "all") and not any(normalize in of for of in ways.values()):
        there = dict.fromkeys(way for of in ways.values() for way in of)
        raise typer.BadParameter(
            f"no method here is normalised by {normalize!r}: use {', '.join(there) or 'none'}",
            param_hint="--normalize",
        )
    options = given(**options)
    taken = {name: set(takes(name)) for name in names}
    specs = []
    for name in names:
        # What no method takes goes to all of them, so that each can say what it does take.
        own = {
            option: value
            for option, value in options.items()
            if option in taken[name] or not any(option in of for of in taken.values())
        }
        chosen: list[str | None] = [way for way in ways[name] if normalize in (way, "all")]
        specs += [
            Spec(name, own if way is None else {**own, "normalize": way}, roles, optional=every)
            for way in chosen or [None]
        ]
    return specs + [Spec(label, scores=found) for label, found in read_scores(scores or ())]


def _evaluated(
    datasets: Sequence[Dataset],
    specs: Sequence[Spec],
    jobs: int,
    fresh: bool,
    people: Statistics | None = None,
) -> list[Results]:
    from compsim.benchmarks.evaluation import evaluate
    from compsim.benchmarks.published import published
    from compsim.benchmarks.workspace import Workspace

    workspace = Workspace()
    if fresh:
        workspace.clear()
    found = []
    for data in datasets:
        for problem in data.problems:
            terminal.complain(f"{data.name}: {problem}")
        total = len(data.sentences()) * len(specs)
        with terminal.progress(data.name, total) as advance:
            found.append(
                evaluate(
                    data,
                    specs,
                    jobs=jobs,
                    workspace=workspace,
                    ceiling=_ceiling(people),
                    published=partial(published, data.name),
                    advance=lambda _, count: advance(count),
                )
            )
    return found


def _show(found: Sequence[Results]) -> None:
    """Print the tables; the status is 1 where a method broke down."""
    for results in found:
        if len(found) > 1:
            print(f"{results.name} ({results.source})")
        head, body = results.table()
        terminal.print_table(head, body, tuple(range(4, len(head))))
        for note in results.notes():
            terminal.complain(note)
    if not all(results.complete for results in found):
        raise typer.Exit(1)


def _ceiling(people: Statistics | None) -> float | None:
    """How well a perfect model would correlate with the mean ratings, as they are not perfect.

    That is the square root of their reliability (correction for attenuation, Spearman 1904).
    """
    reliability = people.agreement["all"].reliability if people else None
    return reliability**0.5 if reliability and reliability > 0 else None


def _write(
    found: Sequence[Results], json: Path | None, markdown: Path | None, latex: Path | None
) -> None:
    from compsim.storage.files import write_json

    if json is not None:
        one = len(found) == 1
        write_json(json, found[0].to_dict() if one else {"data": [r.to_dict() for r in found]})
    if markdown is not None:
        write_text(markdown, "\n\n".join(r.to_markdown() for r in found) + "\n")
    if latex is not None:
        write_text(latex, "\n\n".join(r.to_latex() for r in found) + "\n")
