"""``compsim similarity``, ``explain`` and ``rank``: scores, and what they are made of."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from compsim.cli import terminal
from compsim.cli.explaining import ExplainFormat, chosen_format, score_as_json, show
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

__all__ = ["explain", "rank", "similarity"]

First = Annotated[str, typer.Argument(metavar="A", help="the first sentence")]
Second = Annotated[str, typer.Argument(metavar="B", help="the second sentence")]
Normalize = Annotated[
    str | None,
    typer.Option(
        help="normalisation of the score. With --weights: matched, union or fixed. For sentence "
        "vectors zscore, abtt, pcr, whitening or flow"
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(help="role weights of verbnet-cn: paper, uniform, framenet, ucca, or a TOML file"),
]


def similarity(
    first: Annotated[
        str | None, typer.Argument(metavar="[A]", help="the first sentence, unless --pairs")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="[B]", help="the second sentence")] = None,
    pairs: Pairs = None,
    output: Output = None,
    method: MethodName = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    normalize: Normalize = None,
    weights: Weights = None,
    option: OptionsOf = None,
    form: TextForm = TextFormat.TEXT,
    explain: Annotated[
        bool, typer.Option("--explain", help="also print the contributions to the score")
    ] = False,
) -> None:
    """Print how alike two sentences are; --explain adds why, also to JSON.

    Pairs of a file are written as JSON lines, in their order, each with the fields that it came
    with and its score.
    """
    check_texts(first, second, pairs, output)
    from compsim.registry import load

    options = options_set(
        option, parser=parser, vectors=vectors, normalize=normalize, weights=weights
    )
    opened = load(method, **options)
    if pairs is not None:
        answer_pairs(pairs, output, "scoring", lambda a, b: _scores(opened, a, b))
        return
    assert first is not None
    assert second is not None
    if explain:
        form_of_all = ExplainFormat.JSON if form is TextFormat.JSON else ExplainFormat.TABLE
        show(opened.explain(first, second), form_of_all)
        return
    score = opened.similarity(first, second)
    if form is TextFormat.JSON:
        terminal.say(score_as_json(method, (first, second), score))
    else:
        print(f"{round(score, 4) + 0.0:.4f}")  # the sum makes -0.0 a 0.0


def _scores(method: Any, first: list[str], second: list[str]) -> list[dict[str, float | None]]:
    """Return the field ``score`` of each pair; null where the method has none."""
    scores = method.similarity_pairwise(first, second).tolist()
    return [{"score": None if math.isnan(score) else score + 0.0} for score in scores]


def explain(
    first: First,
    second: Second,
    method: MethodName = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    normalize: Normalize = None,
    weights: Weights = None,
    option: OptionsOf = None,
    form: Annotated[
        ExplainFormat | None,
        typer.Option("--format", help="how to write it (default: what --output ends in, or table)"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="output file; the format follows from the extension: .html, .json, .txt or .svg"
        ),
    ] = None,
) -> None:
    """Show what the score of two sentences is made of, role by role."""
    from compsim.api import explain as explained

    chosen = chosen_format(form, output)
    options = options_set(
        option, parser=parser, vectors=vectors, normalize=normalize, weights=weights
    )
    show(explained(first, second, method, **options), chosen, output)


def rank(
    query: Annotated[str, typer.Argument(help="what is looked for")],
    documents: Annotated[
        Path, typer.Option(help="documents, one a line; - is standard input", show_default=False)
    ],
    top_k: Annotated[int | None, typer.Option(min=1, help="how many (default: all)")] = None,
    method: MethodName = DEFAULT_METHOD,
    parser: ParserName = None,
    vectors: Vectors = None,
    option: OptionsOf = None,
    form: TextForm = TextFormat.TEXT,
) -> None:
    """Print the documents of a file by how well they fit a query: score, line, document."""
    from compsim.retrieval.reranker import Reranker

    texts = _lines(documents)
    reranker = Reranker(method, **options_set(option, parser=parser, vectors=vectors))
    places = [i for i, text in enumerate(texts) if text.strip()]
    ranking = reranker.rank(query, [texts[i] for i in places], top_k, True)
    rows = [{**one, "line": places[one.pop("corpus_id")] + 1} for one in ranking]
    if form is TextFormat.JSON:
        terminal.say_json(rows)
        return
    for one in rows:
        terminal.say(f"{one['score'] + 0.0:.4f}  {one['line']}  {' '.join(one['text'].split())}")


def _lines(path: Path) -> list[str]:
    """Return the lines of a text file, or of standard input."""
    from compsim.storage.reading import read_text

    text = sys.stdin.read() if str(path) == "-" else read_text(path, "give a text file")
    return text.splitlines()
