"""The two calls: a corpus scored for a query, and a corpus encoded for any query."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from compsim.defaults import DEFAULT_METHOD
from compsim.distributed.encoded import EncodeJob
from compsim.distributed.pool import in_this_process, on_ray
from compsim.distributed.settings import opened, settings_of
from compsim.distributed.shards import Shard, find_shards, is_done
from compsim.distributed.work import ERROR, Job, ScoreJob
from compsim.errors import DataError, InputError
from compsim.method import Method
from compsim.retrieval import Reranker
from compsim.storage.files import file_lock, writing
from compsim.storage.reading import expanded

__all__ = ["ShardResult", "encode_shards", "score_shards"]


class ShardResult(NamedTuple):
    """Outcome of one shard.

    Attributes:
        name: Its file's name.
        rows: Its rows.
        failed: How many of them failed; 0 where it was skipped.
        skipped: Whether its result was there already.

    Examples:
        >>> ShardResult("part-0.parquet", 1000).failed
        0
    """

    name: str
    rows: int
    failed: int = 0
    skipped: bool = False


def score_shards(
    source: str | Path,
    target: str | Path,
    *,
    query: str,
    method: str | Method[Any] | Reranker = DEFAULT_METHOD,
    text_column: str = "text",
    columns: Iterable[str] | None = None,
    workers: int = 2,
    cores: float = 1,
    address: str | None = None,
    progress: Callable[[ShardResult], object] | None = None,
    **options: Any,
) -> list[ShardResult]:
    """Score every document of a corpus for one query, with ``Reranker``.

    A shard whose result is there, made with the same settings from a file of the same size and
    rows, is skipped. A document that failed, such as a null, has a null score and says why; one
    without a word has the method's lowest score and no sentence.

    Args:
        source: A folder of Parquet files, one document a row.
        target: The folder of results, made where it is missing: for each file one of its name, with
            a row for each row, in their order: ``columns``, then ``score`` (float64, that of
            ``Reranker.scores``), ``sentence``, the one that decided, and ``error``.
        query: What is asked for.
        method: A method's name, a method, or a ``Reranker``.
        text_column: The column of documents.
        columns: Which columns are copied; None: all but the texts.
        workers: Processes of Ray, each with the method of its own; 0: this process, without Ray.
        cores: Processor cores that each worker takes of Ray's.
        address: That of a Ray cluster, all of whose machines see both folders; None: the one that
            runs in this process or that ``RAY_ADDRESS`` names, else one on this machine for this
            call.
        progress: Called with each result when its shard is done.
        **options: Those of ``Reranker``, such as ``combine`` and ``whole``. Parses are not cached
            unless ``cache`` says so, since a cache of a corpus would be larger than its results.

    Returns:
        The results by name.

    Raises:
        DataError: A folder or file cannot be used, a shard lacks a column, or results there are of
            other settings.
        InputError: The query has no word, or an argument does not fit.
        MissingExtraError: The extra ``distributed`` is not installed.

    Examples:
        >>> score_shards("corpus", "scores", query="Who bit the man?", workers=8)  # doctest: +SKIP
    """
    reranker = opened(method, options)
    reranker.scores(query, [])  # raises for a query without a word
    about = settings_of("scores", reranker, text_column, columns := _named(columns))
    job = ScoreJob(
        reranker,
        text_column,
        columns,
        {**about, "query": query, "combine": reranker.combine, "exclude": reranker.exclude},
        query,
    )
    return _run(job, source, target, workers, cores, address, progress)


def encode_shards(
    source: str | Path,
    target: str | Path,
    *,
    method: str | Method[Any] | Reranker = DEFAULT_METHOD,
    text_column: str = "text",
    columns: Iterable[str] | None = None,
    workers: int = 2,
    cores: float = 1,
    address: str | None = None,
    progress: Callable[[ShardResult], object] | None = None,
    **options: Any,
) -> list[ShardResult]:
    """Encode every document of a corpus, for any number of queries.

    Each shard becomes a Parquet file and beside it a folder ``NAME.batch`` of its sentences, saved
    as ``Encoded.save`` does; ``read_documents`` reads both. The sentences of a shard are in memory
    at one time, so shards should have some thousands of documents.

    Args:
        source: A folder of Parquet files, one document a row.
        target: The folder of results. The rows have ``columns``, then ``places``, ``starts`` and
            ``ends``, the sentences of the document in that batch and in its text, and ``error``.
        method: A method's name, a method, or a ``Reranker``.
        text_column: The column of documents.
        columns: Which columns are copied; None: all, the texts too.
        workers: Processes of Ray; 0: this process, without Ray.
        cores: Processor cores that each worker takes of Ray's.
        address: That of a Ray cluster, as for ``score_shards``.
        progress: Called with each result when its shard is done.
        **options: Those of ``Reranker``.

    Returns:
        The results by name.

    Raises:
        DataError: A folder or file cannot be used, a shard lacks a column, or results there are of
            other settings.
        InputError: An argument does not fit.
        MissingExtraError: The extra ``distributed`` is not installed.

    Examples:
        >>> encode_shards("corpus", "encoded", workers=8)  # doctest: +SKIP
    """
    reranker = opened(method, options)
    about = settings_of("encoded", reranker, text_column, columns := _named(columns))
    job = EncodeJob(reranker, text_column, columns, about)
    return _run(job, source, target, workers, cores, address, progress)


def _named(columns: Iterable[str] | None) -> tuple[str, ...] | None:
    """Names of columns. Raises ``InputError`` for anything but distinct strings."""
    if columns is None:
        return None
    names = () if isinstance(columns, str) else tuple(columns)
    strings = all(isinstance(name, str) for name in names)
    if isinstance(columns, str) or not strings or len(set(names)) < len(names):
        raise InputError(f"columns={columns!r} are no columns: give a list of distinct names")
    return names


def _run(
    job: Job,
    source: str | Path,
    target: str | Path,
    workers: int,
    cores: float,
    address: str | None,
    progress: Callable[[ShardResult], object] | None,
) -> list[ShardResult]:
    """Do the shards that are not done."""
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 0:
        raise InputError(f"workers={workers!r} is not a whole number from 0")
    if isinstance(cores, bool) or not isinstance(cores, int | float) or not cores > 0:
        raise InputError(f"cores={cores!r} is not a number above 0")
    # Workers may stand in another folder.
    read, write = expanded(source).absolute(), expanded(target).absolute()
    shards = find_shards(read, write, job.text_column, job.columns)
    for shard in shards:
        _check_names(shard, [*job.copied_columns(shard.names), *job.added.names, ERROR])
    with writing(write), file_lock(write / ".lock"):
        _check_rest(write, shards)
        done = {shard: is_done(shard, job.settings) for shard in shards}
        results = {s: ShardResult(s.source.name, s.rows, skipped=True) for s in shards if done[s]}
        left = [shard for shard in shards if not done[shard]]
        if left:
            result = (
                on_ray(job, left, workers, cores, address)
                if workers
                else in_this_process(job, left)
            )
            for number, failed in result:
                shard = left[number]
                results[shard] = ShardResult(shard.source.name, shard.rows, failed)
                if progress is not None:
                    progress(results[shard])
        _remove_scratch(write)
    return [results[shard] for shard in shards]


def _check_names(shard: Shard, names: Sequence[str]) -> None:
    """Raise ``InputError`` where a result would have two columns of a name."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"the result of {shard.source} would have two columns {', '.join(map(repr, twice))}: "
            "give the columns that are to be copied"
        )


def _check_rest(folder: Path, shards: Sequence[Shard]) -> None:
    """Raise ``DataError`` where the folder of results holds one of no shard."""
    targets = {shard.target for shard in shards}
    for file in sorted(folder.glob("*.parquet")):
        if file not in targets and not file.name.startswith("."):
            raise DataError(
                f"{file} is of no file in {shards[0].source.parent}: remove it, or give another "
                "folder for the results"
            )


def _remove_scratch(folder: Path) -> None:
    """Remove what workers that were killed had begun (see ``compsim.storage.files``)."""
    for path in folder.iterdir():
        if re.fullmatch(r"\..+\.(parquet|batch)\.[0-9a-f]{8}", path.name):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
