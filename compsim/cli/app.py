"""The commands but ``parse`` and ``bench``: scores, explanations, and what is installed where."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from compsim.cli import (
    agents,
    bench,
    corpus,
    exporting,
    grammar,
    methods,
    parse,
    same,
    scoring,
    serving,
    smatch,
    terminal,
    training,
)
from compsim.cli.options import AsJson, Commands, TableForm, TableFormat

__all__ = ["app"]

app: Final = typer.Typer(
    name="compsim",
    cls=Commands,
    help="How alike two sentences are, judged by who did what to whom.",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
cache: Final = typer.Typer(cls=Commands, help="The parses kept on disk.", rich_markup_mode=None)
app.command("similarity")(scoring.similarity)
app.command("explain")(scoring.explain)
app.command("rank")(scoring.rank)
app.command("same")(same.same)
app.command("methods")(methods.methods)
app.command("parse")(parse.parse)
app.command("smatch")(smatch.smatch)
app.add_typer(bench.app, name="bench")
app.add_typer(corpus.app, name="corpus")
app.add_typer(grammar.app, name="grammar")
app.command("serve")(serving.serve)
app.command("mcp")(agents.mcp)
app.command("fit-weights")(training.fit_weights)
app.command("export-onnx")(exporting.export_onnx)
app.add_typer(cache, name="cache")

#: What ``compsim download`` can fetch.
_DOWNLOADS: Final = {
    "numberbatch": "the word vectors of the papers: ConceptNet Numberbatch 19.08, English",
    "sts3k": "the sentence pairs, ratings and parses of the STS3k paper",
}


def _version(wanted: bool) -> None:
    if wanted:
        from compsim._version import __version__

        print(f"compsim {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="show the version")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def download(
    name: Annotated[
        str | None, typer.Argument(help="what to fetch; without it, all downloads are listed")
    ] = None,
    url: Annotated[str | None, typer.Option(help="fetch from this mirror")] = None,
    sha256: Annotated[str | None, typer.Option(help="the checksum that the file must have")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="download even if the file exists")
    ] = False,
    to: Annotated[
        Path | None, typer.Option(help="sts3k: the folder (default: in the user data folder)")
    ] = None,
    form: TableForm = TableFormat.TABLE,
) -> None:
    """Download word vectors or a data set and convert it; without NAME list what there is."""
    from compsim.errors import check_choice
    from compsim.storage import downloads
    from compsim.storage.places import home

    folder = to or home() / "compositional-semantics-eval"
    if name is None:
        _list_downloads(folder, form)
        return
    check_choice("name", name, list(_DOWNLOADS))
    if name == "sts3k":
        from compsim.benchmarks.datasets.sts.fetch import BASE_URL, fetch_sts3k

        data = fetch_sts3k(folder, base_url=url or BASE_URL, force=force)
        print(f"STS3k: {len(data)} pairs, in {folder}: give it as --data")
        return
    from compsim.vectors import WordVectors

    downloads.download(name, url=url, sha256=sha256, force=force)
    if sys.stderr.isatty():
        terminal.complain("converting the vectors, which is done once ...")
    vectors = WordVectors.open(name)
    place = downloads.local_path(name)
    print(f"{name}: {len(vectors)} words, {vectors.dim} dimensions, in {place}")


def _list_downloads(folder: Path, form: TableFormat) -> None:
    """List the downloads, and the path of each that is present."""
    from compsim.storage.downloads import local_path

    places = {name: folder if name == "sts3k" else local_path(name) for name in _DOWNLOADS}
    here = {name: str(place) if place.exists() else "" for name, place in places.items()}
    if form is TableFormat.JSON:
        terminal.say_json(
            [{"name": n, "is": is_, "here": here[n] or None} for n, is_ in _DOWNLOADS.items()]
        )
        return
    rows = [(name, here[name] or "no", is_) for name, is_ in _DOWNLOADS.items()]
    terminal.print_table(("name", "here", "is"), rows)


@cache.command("info")
def cache_info(form: TableForm = TableFormat.TABLE) -> None:
    """Show the path, the number of parses and the size of the parse cache, and the other caches."""
    from compsim.doctor import cache_report

    if form is TableFormat.JSON:
        also = [{"name": n, "path": str(path), "bytes": size} for n, path, size in _other_caches()]
        terminal.say_json({**cache_report(), "also": also})
        return
    for name, value in cache_report().items():
        print(f"{name}: {value}")
    for name, place, size in _other_caches():
        print(f"{name}: {size} bytes in {place}")


@cache.command("clear")
def cache_clear() -> None:
    """Delete all caches: parses, vectors of services and results of evaluations."""
    from compsim.benchmarks.workspace import Workspace
    from compsim.doctor import cache_report
    from compsim.embeddings.services.vector_cache import VectorCache, default_path
    from compsim.parsers.cache import ParseCache

    result = cache_report()
    if result["entries"]:
        ParseCache(result["path"]).clear()
    print(f"cleared {result['entries']} parses")
    for name, _, size in _other_caches():
        print(f"cleared {name}: {size} bytes")
    if default_path().exists():
        VectorCache(default_path()).clear()
    Workspace().clear()


def _other_caches() -> list[tuple[str, Path, int]]:
    """Return the other caches beside parses: name, path and bytes of each that exists."""
    from compsim.benchmarks.workspace import Workspace
    from compsim.embeddings.services.vector_cache import default_path

    vectors, workspace = default_path(), Workspace()
    results = [("vectors of services", vectors, vectors.stat().st_size if vectors.exists() else 0)]
    results.append(("evaluations", workspace.folder, workspace.size()))
    return [entry for entry in results if entry[2]]


@app.command()
def doctor(
    warm: Annotated[
        bool, typer.Option("--warm", help="compile all kernels for this machine")
    ] = False,
    form: TableForm = TableFormat.TABLE,
    as_json: AsJson = False,
) -> None:
    """Show versions, data and settings, and try whether things work."""
    from compsim.doctor import as_rows, report, warm_up

    kernels = {}
    if warm:
        with _ended_by_an_interrupt():
            kernels = {"kernels": warm_up()}
    result = report() | kernels
    if as_json or form is TableFormat.JSON:
        terminal.say_json(result)
    else:
        terminal.print_table(("what", "found"), as_rows(result))
    if not result["works"]:
        raise typer.Exit(1)


@contextlib.contextmanager
def _ended_by_an_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process itself: what a compiler calls back can swallow an exception."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
