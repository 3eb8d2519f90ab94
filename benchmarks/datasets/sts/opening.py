"""Open a dataset by its path: the format is recognised, or named before a colon.

>>> data = open_dataset("SICK_train.txt.gz")  # doctest: +SKIP
>>> data = open_dataset("stss131:downloads/data.csv")  # doctest: +SKIP
>>> data = open_dataset("csv:mine.csv", first="a", second="b", rating="score",
...                     low=0, high=5)  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from compsim.benchmarks.datasets.sts.formats import FORMATS, Format, recognise
from compsim.benchmarks.datasets.sts.pairs import Dataset
from compsim.benchmarks.datasets.sts.records import Record, dataset
from compsim.benchmarks.datasets.sts.sts3k import open_sts3k
from compsim.benchmarks.datasets.tables import (
    cell_text,
    read_objects,
    read_table,
    separator,
)
from compsim.errors import DataError, InputError, UnknownNameError
from compsim.storage.reading import read_text, shortened

__all__ = ["has_pairs", "open_dataset"]

#: Names of columns that are taken where none are given, in lower case.
_COMMON: Final = {
    "first": ("first", "sentence1", "sentence_1", "sentence_a", "text1", "s1"),
    "second": ("second", "sentence2", "sentence_2", "sentence_b", "text2", "s2"),
    "rating": ("rating", "score", "similarity", "similarity_score", "relatedness_score", "label"),
    "types": ("type", "pair_type"),
    "parts": ("part", "split"),
}
_OPTIONAL: Final = ("types", "parts")

#: Files of STS12 to STS16: the pairs, and beside them the ratings, a line each.
_INPUT: Final = "STS.input."
_GOLD: Final = "STS.gs."

_FREE: Final = ("csv", "tsv", "jsonl")
#: In place of the columns of a row: why it cannot be used.
_BAD: Final = "\0bad"


def open_dataset(
    source: Any,
    *,
    first: str | None = None,
    second: str | None = None,
    rating: str | Sequence[str] | None = None,
    types: str | None = None,
    parts: str | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Dataset:
    """Read rated pairs from a file, a copy of STS3k's repository, or a Hugging Face dataset.

    Rows that cannot be used are left out; ``problems`` of the data names them, and repeated pairs.

    Args:
        source: A path, gzipped or not, alone or behind the name of a format and a colon: sts3k (a
            folder), csv, tsv, jsonl, or one of ``formats.FORMATS``. Without a name the first line
            tells. Or a ``datasets.Dataset``, or a ``DatasetDict``, whose splits become parts.
        first: The column of a table that has the first sentences.
        second: The one that has the second.
        rating: The one that has the ratings, or several, a rater each, that are averaged.
        types: The one that says of what kind a pair is.
        parts: The one that says to which part it belongs.
        low: The low end of the scale of ratings.
        high: Its high end.

    Returns:
        The pairs, their ratings scaled from 0 to 1.

    Raises:
        DataError: A file cannot be read, or has fewer than three pairs.
        UnknownNameError: There is no such format.

    Examples:
        >>> data = open_dataset("mine.csv", low=0, high=5)  # doctest: +SKIP
    """
    columns = {"first": first, "second": second, "types": types, "parts": parts}
    if not isinstance(source, (str, Path)):
        rows = list(_rows_of(source))
        name = str(getattr(getattr(source, "info", None), "dataset_name", None) or "dataset")
        records = _records("the dataset", rows, _keys(rows), rating, columns)
        return dataset(name, name, records, low=low, high=high, row="row")
    kind, path = _kind_and_path(source)
    own = low is not None or high is not None or rating or any(columns.values())
    if kind == "sts3k":
        if own:
            raise InputError(f"STS3k at {path} has its own columns and scale: leave yours out")
        return open_sts3k(path)
    if not os.path.isfile(path):  # which takes a path of any length
        raise DataError(f"there is no file {shortened(str(path))}: give the path of a dataset")
    if path.name.startswith(_INPUT):
        return dataset(_stem(path), str(path), _with_gold(path), low=0, high=5)
    if kind in FORMATS:
        if own:
            raise InputError(
                f"{path} is in the format {kind!r}, which has its own columns and scale: leave "
                f"yours out, or name the table as csv:{path}"
            )
        return _in_format(path, FORMATS[kind])
    if kind == "jsonl":
        rows = [(line, {k.lower(): v for k, v in row.items()}) for line, row in read_objects(path)]
        head = _keys(rows)
    else:
        mark = "\t" if kind == "tsv" else separator(read_text(path).partition("\n")[0])
        table = read_table(path, mark, quoted=mark != "\t")
        head = [cell.lower() for cell in table[0][1]] if table else []
        rows = [(line, _row(head, cells)) for line, cells in table[1:]]
    records = _records(str(path), rows, head, rating, columns)
    return dataset(_stem(path), str(path), records, low=low, high=high)


def has_pairs(line: str) -> bool:
    """Return whether a first line names columns of two sentences and a rating.

    >>> has_pairs("sentence1,sentence2,score"), has_pairs("a,b,c")
    (True, False)
    """
    cells = {cell.strip().strip('"').lower() for cell in line.split(separator(line))}
    return all(cells & set(_COMMON[role]) for role in _COMMON if role not in _OPTIONAL)


def _keys(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> list[str]:
    return list(dict.fromkeys(key for _, row in rows for key in row))


def _row(head: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    """A row by column, or why it is none: with too many cells, none is sure to be in its column."""
    if len(cells) > len(head) and any(cells[len(head) :]):
        return {_BAD: f"there are {len(cells)} cells under {len(head)} columns"}
    return dict(zip(head, cells, strict=False))


def _kind_and_path(source: str | Path) -> tuple[str, Path]:
    """The format, "" for a table of unknown columns, and the path."""
    kinds = {"sts3k", *_FREE, *FORMATS}
    name, colon, rest = str(source).partition(":")
    if colon and name.lower() in kinds:
        return name.lower(), Path(rest)
    path = Path(source)
    # A single letter is a drive of Windows.
    if colon and len(name) > 1 and name.isidentifier() and not path.exists():
        raise UnknownNameError(
            f"there is no format {name!r}: choose from {', '.join(sorted(kinds))}"
        )
    if path.is_dir():
        return "sts3k", path
    if not path.is_file():
        return "", path
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".jsonl" in suffixes or ".ndjson" in suffixes:
        return "jsonl", path
    lines = read_text(path).lstrip().split("\n", 1)
    return recognise(lines[0], path.name) or "", path


def _in_format(path: Path, published: Format) -> Dataset:
    return dataset(
        published.name or _stem(path),
        str(path),
        _published_records(path, published),
        low=published.low,
        high=published.high,
        raters=published.raters,
    )


def _with_gold(path: Path) -> Iterator[Record]:
    """Yield the rated pairs of a task of SemEval 2012 to 2016; those without a rating are none."""
    gold = path.with_name(_GOLD + path.name.removeprefix(_INPUT))
    if not gold.is_file():
        raise DataError(f"there is no file {gold}: put the ratings of {path.name} beside it")
    lines = [read_text(file).rstrip("\n").split("\n") for file in (path, gold)]
    if len(lines[0]) != len(lines[1]):
        raise DataError(
            f"{path} has {len(lines[0])} pairs and {gold.name} {len(lines[1])} lines: take both "
            "files from one release"
        )
    for number, (pair, rating) in enumerate(zip(*lines, strict=True), start=1):
        # STS16 has the source of each sentence behind them.
        first, second, *_ = (cell.strip() for cell in (pair + "\t").split("\t"))
        if rating.strip():
            yield Record(number, first, second, rating.strip())


def _published_records(path: Path, published: Format) -> Iterator[Record]:
    # Sentences that are all quotation keep their quotes.
    table = read_table(path, published.mark, quoted=published.quoted, verbatim=True)
    head: list[str] = []
    if published.header and table:
        head = [cell.lower() for cell in table[0][1]]
        table = table[1:]
    for place, (line, cells) in enumerate(table):
        names = head or [str(i) for i in range(len(cells))]
        row = dict(zip(names, cells, strict=False))
        try:
            first, second = published.pair(row)
            rating = row[published.rating]
        except KeyError as error:
            column = error.args[0] if head else f"cell {int(error.args[0]) + 1}"
            yield Record(line, bad=f"there is no {column}")
            continue
        if place == 0 and published.header is None and rating.isidentifier():
            continue  # a header; one that says "nan" is left out as well
        yield Record(
            line,
            first,
            second,
            rating,
            next((row[name] for name in published.types if row.get(name)), ""),
            next((row[name].lower() for name in published.parts if row.get(name)), ""),
        )


def _records(
    source: str,
    rows: Sequence[tuple[int, Mapping[str, Any]]],
    names: Sequence[str],
    rating: str | Sequence[str] | None,
    columns: Mapping[str, str | None],
) -> Iterator[Record]:
    """The records of a table, its columns found by the names given or by common ones."""
    one, two, kind, part = (_column(source, names, role, name) for role, name in columns.items())
    several = [rating] if rating is None or isinstance(rating, str) else rating
    ratings = [_column(source, names, "rating", name) for name in several]
    for line, row in rows:
        values = [row.get(name) for name in ratings]
        yield Record(
            line,
            cell_text(row.get(one)),
            cell_text(row.get(two)),
            values if len(values) > 1 else values[0],
            cell_text(row.get(kind)),
            cell_text(row.get(part)),
            row.get(_BAD, ""),
        )


def _column(source: str, names: Sequence[str], role: str, given: str | None) -> str:
    if given is not None:
        if given.lower() not in names:
            raise DataError(f"{source} has no column {given!r}: choose from {', '.join(names)}")
        return given.lower()
    match = next((name for name in _COMMON[role] if name in names), "")
    if not match and role not in _OPTIONAL:
        raise DataError(
            f"{source} is in no known format, and none of its columns "
            f"{', '.join(names) or '(none)'} is known as the {role}: name it as {role}"
        )
    return match


def _rows_of(source: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a Hugging Face dataset from 0, those of a ``DatasetDict`` with their split."""
    splits = source if isinstance(source, Mapping) else {"": source}
    number = 0
    for name, split in splits.items():
        if not hasattr(split, "column_names"):
            raise InputError(
                f"{type(source).__name__} is no dataset: give a path, or a dataset of the package "
                "datasets"
            )
        for row in split:
            yield number, {k.lower(): v for k, v in row.items()} | ({"part": name} if name else {})
            number += 1


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name
