"""``compsim corpus``: documents encoded once, kept in a folder, and searched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from compsim.cli import terminal
from compsim.cli.options import (
    AsJson,
    Commands,
    OptionsOf,
    ParserName,
    TextForm,
    TextFormat,
    Vectors,
    options_set,
)

if TYPE_CHECKING:
    from compsim.corpus import Corpus

__all__ = ["app"]

app: Final = typer.Typer(
    cls=Commands, help="Documents encoded once and searched.", rich_markup_mode=None
)

Folder = Annotated[Path, typer.Argument(metavar="CORPUS", help="the folder of the corpus")]
Ids = Annotated[list[str], typer.Argument(metavar="ID", help="ids of documents")]
Method = Annotated[
    str | None,
    typer.Option(help="the similarity method, one of `compsim methods` (default: the corpus's)"),
]


def _opened(
    folder: Path,
    method: str | None = None,
    parser: str | None = None,
    vectors: str | None = None,
    option: list[str] | None = None,
) -> Corpus:
    from compsim.corpus import Corpus

    return Corpus.open(folder, method, **options_set(option, parser=parser, vectors=vectors))


@app.command()
def add(
    corpus: Folder,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="[FILE]",
            help="documents, one a line: plain text, or with --jsonl "
            '{"id": ..., "text": ...}; - is standard input',
        ),
    ] = Path("-"),
    jsonl: Annotated[bool, typer.Option("--jsonl", help="each line is JSON")] = False,
    method: Method = None,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
    precision: Annotated[
        str | None, typer.Option(help="data type of the vectors of a new corpus: int8 or float32")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="documents written at a time")] = 1000,
) -> None:
    """Append documents to a corpus, which is made where there is none; print how many."""
    from compsim.corpus import Corpus

    given = options_set(option, parser=parser, vectors=vectors)
    ids: list[str] = []
    with ExitStack() as stack:
        source: BinaryIO = sys.stdin.buffer
        if str(file) != "-":
            # Ahead of the corpus, so that a file that cannot be read leaves no empty one behind.
            source = stack.enter_context(file.open("rb"))
        opened = Corpus(corpus, method, precision=precision, **given)
        advance = stack.enter_context(terminal.progress("adding", None))
        done = opened.add(
            _documents(source, str(file), ids if jsonl else None),
            _drained(ids) if jsonl else None,
            batch_size=batch_size,
            saved=lambda some: advance(len(some)),
        )
    print(f"{len(done)} documents added, {len(opened)} in all")


def _drained(ids: list[str]) -> Iterator[str]:
    """The ids that were read with the documents so far, each given once."""
    while ids:
        yield ids.pop(0)


def _documents(source: BinaryIO, name: str, ids: list[str] | None) -> Iterator[str]:
    """The documents of a file, a line each; of JSON lines, whose ids are put into ``ids``."""
    from compsim.errors import DataError
    from compsim.storage.reading import lines_of, parse_json

    for number, line in enumerate(lines_of(source, Path(name)), start=1):
        if ids is None:
            yield line.decode("utf-8", "replace").rstrip("\r\n")
            continue
        if not line.strip():
            continue
        result = parse_json(line, f"{name}, line {number}", "give one JSON object a line")
        results = result if isinstance(result, dict) else {}
        if not isinstance(results.get("id"), str) or not isinstance(results.get("text"), str):
            raise DataError(f'{name}, line {number}: give {{"id": "...", "text": "..."}}')
        ids.append(results["id"])
        yield results["text"]


@app.command()
def search(
    corpus: Folder,
    query: Annotated[str, typer.Argument(help="what is looked for")],
    top_k: Annotated[int, typer.Option(min=1, help="how many documents")] = 10,
    depth: Annotated[
        int,
        typer.Option(
            min=1,
            help="how many of the best candidates of the first pass are compared in full; see "
            "--exact",
        ),
    ] = 1000,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="compare as many documents as needed for the exact result"),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="also explain the score of the best document")
    ] = False,
    form: TextForm = TextFormat.TEXT,
    as_json: AsJson = False,
    method: Method = None,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
) -> None:
    """Print the documents that fit a query best: score, id, and the sentence that decided."""
    opened = _opened(corpus, method, parser, vectors, option)
    match = opened.search(query, top_k, depth=None if exact else depth)
    if as_json or form is TextFormat.JSON:
        terminal.say_json(match)
    else:
        for one in match:
            text = " ".join((one["sentence"] or one["text"]).split())
            terminal.say(f"{one['score'] + 0.0:.4f}  {one['corpus_id']}  {text}")
    if explain and match:
        terminal.say("")
        terminal.say(str(opened.explain(query, match[0]["corpus_id"])))


@app.command()
def delete(corpus: Folder, ids: Ids) -> None:
    """Delete documents by their ids."""
    opened = _opened(corpus)
    print(f"{opened.delete(ids)} documents deleted, {len(opened)} in all")


@app.command()
def compact(
    corpus: Folder,
    index: Annotated[
        bool,
        typer.Option(
            "--index",
            help="also build a nearest-neighbour index of the sentences; worthwhile from "
            "about a million documents",
        ),
    ] = False,
    method: Method = None,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
) -> None:
    """Join small segments, and free the space of deleted documents."""
    opened = _opened(corpus, method, parser, vectors, option)
    count = opened.compact()
    if index:
        opened.build_index()
    print(f"{len(opened)} documents in {count} segments")


@app.command()
def repair(
    corpus: Folder,
    method: Annotated[
        str | None,
        typer.Option(help="what the corpus was made with, where its segments do not say"),
    ] = None,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
) -> None:
    """Rebuild the manifest of a corpus, corpus.json, from the segments that check out."""
    from compsim.corpus import Corpus

    given = options_set(option, parser=parser, vectors=vectors)
    result = Corpus.repair(corpus, method, **given)
    for note in result["notes"]:
        terminal.say(note)
    print(f"{result['documents']} documents in {result['segments']} segments")


@app.command()
def info(
    corpus: Folder,
    verify: Annotated[
        bool, typer.Option("--verify", help="read all and compare with the checksums")
    ] = False,
    form: TextForm = TextFormat.TEXT,
    as_json: AsJson = False,
) -> None:
    """Show what a corpus is and how much it holds."""
    opened = _opened(corpus)
    if verify:
        opened.verify()
    result = opened.info | ({"verified": True} if verify else {})
    if as_json or form is TextFormat.JSON:
        terminal.say_json(result)
    else:
        for name, value in result.items():
            print(f"{name}: {value}")
