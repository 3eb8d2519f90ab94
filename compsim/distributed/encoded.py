"""Shards that are encoded once, for many queries: to disk, and back as documents.

Beside the file that a shard becomes lies a folder, ``NAME.batch``: its sentences as the method's
``encode`` gives them, saved. The file says of each document which of them are its own (``places``)
and where they stand in its text (``starts``, ``ends``, in characters).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from compsim.distributed.parquet import pa, pq
from compsim.distributed.shards import Shard, batch_folder, made_with
from compsim.distributed.work import Job, Rows
from compsim.errors import DataError
from compsim.retrieval import Documents, Reranker
from compsim.storage.reading import expanded

if TYPE_CHECKING:
    from compsim.batches import Encoded
    from compsim.method import Method

__all__ = ["EncodeJob", "read_documents"]


@dataclass(frozen=True)
class EncodeJob(Job):
    """The encoded sentences of each shard; ``parts`` are those of the shard that is being done."""

    parts: list[Encoded] = field(default_factory=list)

    @property
    def added(self) -> Any:
        """``places``, ``starts`` and ``ends``, each a list of int64."""
        return pa.schema([(name, pa.list_(pa.int64())) for name in ("places", "starts", "ends")])

    def copied_columns(self, names: Sequence[str]) -> list[str]:
        """By default all columns: a text is what its sentences are cut out of."""
        return list(names if self.columns is None else self.columns)

    @contextmanager
    def writing(self, shard: Shard) -> Iterator[EncodeJob]:
        """Collect the sentences of one shard, and save them after the last."""
        # A file without its folder is never there: what an earlier run made of it goes first.
        shard.target.unlink(missing_ok=True)
        folder = batch_folder(shard.target)
        job = replace(self, parts=[])
        yield job
        if job.parts:
            self.reranker.method.encoded.concat(job.parts).save(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)

    def rows(self, texts: list[str]) -> Rows:
        """Encode documents."""
        documents = Documents.encode(texts, self.reranker.method.encode)
        before = sum(map(len, self.parts))
        if documents.batch is not None:
            self.parts.append(documents.batch)
        columns = (documents.places + before, documents.spans[:, 0], documents.spans[:, 1])
        cuts = documents.starts[1:-1]
        lists = ([one.tolist() for one in np.split(column, cuts)] for column in columns)
        return dict(zip(("places", "starts", "ends"), lists, strict=True)) if texts else {}


def read_documents(
    path: str | Path, method: Method[Any] | Reranker, text_column: str = "text"
) -> Documents:
    """The documents of a shard that ``encode_shards`` made, for ``Reranker.rank`` and ``scores``.

    Args:
        path: The Parquet file in the folder of results.
        method: The method that encoded it, or a reranker of that method.
        text_column: The column of texts.

    Returns:
        Document i is row i of the file; one that failed has no sentence. Arrays stay on disk until
        they are used.

    Raises:
        DataError: The file is no such shard, lacks the texts, or its encoded sentences are missing
            or were made by another method.

    Examples:
        >>> documents = read_documents("encoded/part-0.parquet", reranker)  # doctest: +SKIP
        >>> reranker.rank("Who bit the man?", documents, top_k=10)  # doctest: +SKIP
    """
    file = expanded(path)
    if isinstance(method, Reranker):
        method = method.method
    about = made_with(file)
    if about is None or about["settings"].get("kind") != "encoded":
        raise DataError(f"{file} is no shard that encode_shards made: give one that is")
    wanted = [text_column, "places", "starts", "ends"]
    try:
        with pq.ParquetFile(file) as parquet:
            if text_column not in parquet.schema_arrow.names:
                raise DataError(
                    f"{file} has no column {text_column!r}: name the column of texts, or encode "
                    "with it among the columns"
                )
            table = parquet.read(columns=wanted)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{file} cannot be read ({error}): encode the shard again") from error
    rows = {name: table.column(name).to_pylist() for name in wanted}
    places, starts, ends = (
        np.array([value for one in rows[name] for value in one or ()], dtype=np.int64)
        for name in wanted[1:]
    )
    counts = [len(one or ()) for one in rows["places"]]
    batch = method.encoded.load(batch_folder(file)) if len(places) else None
    if batch is not None and (places.min() < 0 or places.max() >= len(batch)):
        raise DataError(f"{file} and {batch_folder(file)} do not fit: encode the shard again")
    return Documents(
        [text or "" for text in rows[text_column]],
        batch,
        places,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.stack([starts, ends], axis=1),
    )
