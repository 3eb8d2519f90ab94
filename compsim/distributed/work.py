"""Work on one shard: its documents in pieces, each to rows of one Parquet file.

A document that fails, whatever the reason, is a row that says so. What would fail for every
document, a service that does not answer or a package that is missing, ends the run instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from compsim.distributed.parquet import pa, pq
from compsim.distributed.shards import Shard
from compsim.errors import DataError, MissingExtraError, ServiceError
from compsim.retrieval import Documents, Reranker
from compsim.storage.files import whole_file

__all__ = ["ERROR", "Job", "Rows", "ScoreJob"]

#: The column that says why a document failed.
ERROR: Final = "error"
#: Documents, and characters of them, that are encoded at a time.
_DOCUMENTS: Final = 256
_CHARACTERS: Final = 1_000_000
#: What no other document would survive either.
_FATAL: Final = (ServiceError, MissingExtraError)

#: The columns that a job adds, by name: one value for each document, None for one that failed.
Rows = dict[str, list[Any]]


class _Text(NamedTuple):
    """A document as a shard has it: its text, or why it has none."""

    text: str
    error: str | None = None


@dataclass(frozen=True)
class Job(ABC):
    """Work on shards; ``run`` does one. It pickles as its options, the method is made again.

    - ``reranker``: splits documents, and encodes or scores them;
    - ``text_column``: the column of documents;
    - ``columns``: those that are written as they are, None for the usual ones (see ``kept``);
    - ``settings``: what the results depend on, as JSON types.
    """

    reranker: Reranker
    text_column: str
    columns: tuple[str, ...] | None
    settings: Mapping[str, Any]

    @property
    @abstractmethod
    def added(self) -> Any:
        """The columns that are added, a ``pyarrow.Schema`` without ``ERROR``."""

    @abstractmethod
    def rows(self, texts: list[str]) -> Rows:
        """Return the added columns for each of these documents."""

    def copied_columns(self, names: Sequence[str]) -> list[str]:
        """Return the columns of a shard that are copied: by default all but the texts."""
        if self.columns is not None:
            return list(self.columns)
        return [name for name in names if name != self.text_column]

    def writing(self, shard: Shard) -> AbstractContextManager[Job]:
        """The job for one shard, entered before its first row; left after its last."""
        return nullcontext(self)

    def run(self, shard: Shard) -> int:
        """Do one shard; give how many of its documents failed.

        Raises ``DataError`` for a shard that cannot be read or written, ``ServiceError`` and
        ``MissingExtraError`` where no document can be done.
        """
        try:
            return self._run(shard)
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, _FATAL):
                raise
            raise DataError(
                f"{shard.source} cannot be read, or {shard.target} not written ({error}): mend "
                "that, and run it again"
            ) from error

    def _run(self, shard: Shard) -> int:
        failed = 0
        with pq.ParquetFile(shard.source) as file:
            kept = self.copied_columns(file.schema_arrow.names)
            fields = [file.schema_arrow.field(name) for name in kept]
            schema = pa.schema(
                [*fields, *self.added, pa.field(ERROR, pa.string())],
                metadata=shard.metadata(self.settings),
            )
            read = list(dict.fromkeys([*kept, self.text_column]))
            with (
                whole_file(shard.target) as out,
                self.writing(shard) as job,
                pq.ParquetWriter(out, schema) as writer,
            ):
                for block in file.iter_batches(_DOCUMENTS, columns=read):
                    column = block.column(block.schema.get_field_index(self.text_column))
                    texts = _texts(column)
                    added: Rows = {name: [] for name in (*self.added.names, ERROR)}
                    for piece in _pieces(texts):
                        for name, values in job._done(piece).items():
                            added[name] += values
                    failed += sum(error is not None for error in added[ERROR])
                    old = [block.column(block.schema.get_field_index(name)) for name in kept]
                    new = [
                        pa.array(added[field.name], field.type)
                        for field in list(schema)[len(kept) :]
                    ]
                    writer.write_batch(pa.record_batch([*old, *new], schema=schema))
        return failed

    def _done(self, piece: Sequence[_Text]) -> Rows:
        """Return the added columns for some documents, and the error of each."""
        good = [i for i, one in enumerate(piece) if one.error is None]
        errors: list[str | None] = [one.error for one in piece]
        out: Rows = {name: [None] * len(piece) for name in self.added.names}

        def put(places: list[int]) -> None:
            for name, values in self.rows([piece[i].text for i in places]).items():
                for i, value in zip(places, values, strict=True):
                    out[name][i] = value

        try:
            put(good)
        except _FATAL:
            raise
        except Exception:  # of one of them: which, is seen one by one
            for i in good:
                try:
                    put([i])
                except _FATAL:
                    raise
                except Exception as error:  # whatever a method does
                    errors[i] = f"{type(error).__name__}: {error}"
        return {**out, ERROR: errors}


def _texts(column: Any) -> list[_Text]:
    """The documents of a column; one that is null or no UTF-8 has an error."""
    if pa.types.is_null(column.type):
        return [_Text("", "the text is null")] * len(column)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    # As bytes, since one that is no UTF-8 would take the others with it.
    wide = column.cast(pa.large_string()) if pa.types.is_string(column.type) else column
    texts = []
    for value in wide.view(pa.large_binary()).to_pylist():
        if value is None:
            texts.append(_Text("", "the text is null"))
            continue
        try:
            texts.append(_Text(value.decode()))
        except UnicodeDecodeError as error:
            texts.append(_Text("", f"the text is not UTF-8 (byte {error.start})"))
    return texts


def _pieces(texts: Sequence[_Text]) -> Iterator[Sequence[_Text]]:
    """Stretches of documents that are done at a time: the encoded sentences must fit in memory."""
    start = size = 0
    for i, one in enumerate(texts):
        if i > start and size + len(one.text) > _CHARACTERS:
            yield texts[start:i]
            start, size = i, 0
        size += len(one.text)
    if start < len(texts):
        yield texts[start:]


@dataclass(frozen=True)
class ScoreJob(Job):
    """The score of each document for ``query``, and the sentence that decided."""

    query: str

    @property
    def added(self) -> Any:
        """``score`` (float64) and ``sentence``, null for a document without a word."""
        return pa.schema([("score", pa.float64()), ("sentence", pa.string())])

    def rows(self, texts: list[str]) -> Rows:
        """Score documents."""
        documents = Documents.encode(texts, self.reranker.method.encode)
        scores, best = self.reranker.decided(self.query, documents)
        results = [
            None if place < 0 else documents.sentences(i)[place]
            for i, place in enumerate(best.tolist())
        ]
        return {"score": scores.tolist(), "sentence": results}
