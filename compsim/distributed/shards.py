"""The shards of a corpus: which there are, whether they have what is asked for, which are done.

What a shard was made with stands in the metadata of the Parquet file that it became, so that file
alone says whether it is the one that is wanted.

>>> difference({"query": "a", "combine": "max"}, {"query": "b", "combine": "max"})
"query is 'a' there and 'b' here"
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from compsim.distributed.parquet import pa, pq
from compsim.errors import DataError, InputError
from compsim.storage.reading import brief

__all__ = ["Shard", "batch_folder", "difference", "find_shards", "is_done", "made_with"]

#: Where a file that a shard became says what it was made with.
_KEY: Final = b"compsim"


@dataclass(frozen=True)
class Shard:
    """A file of the corpus, and the file that it becomes.

    ``rows``, ``size`` (bytes) and ``names``, of its columns, are those of the source.
    """

    source: Path
    target: Path
    rows: int
    size: int
    names: tuple[str, ...]

    def metadata(self, settings: Mapping[str, Any]) -> dict[bytes, bytes]:
        """Return metadata that describe the making of the target."""
        about = {"settings": dict(settings), "rows": self.rows, "bytes": self.size}
        return {_KEY: json.dumps(about, sort_keys=True).encode()}


def batch_folder(target: Path) -> Path:
    """Return the folder of a shard's encoded sentences, beside its file."""
    return target.with_suffix(".batch")


def find_shards(
    source: Path, target: Path, text_column: str, columns: Sequence[str] | None
) -> list[Shard]:
    """The Parquet files of a folder, by name, each with the file that it becomes.

    ``columns`` are those that each must have besides ``text_column``, None for none. Only the feet
    of the files are read. Raises ``DataError`` for a folder that is missing or holds no Parquet
    file, a file that cannot be read, and a file without one of the columns or without strings in
    ``text_column``; ``InputError`` where both folders are the same.
    """
    if not source.is_dir():
        raise DataError(f"{source} is no folder: give the one that holds the Parquet files")
    if source.resolve() == target.resolve():
        raise InputError(f"{source} is to be read and written: give another folder to write to")
    files = sorted(file for file in source.glob("*.parquet") if not file.name.startswith("."))
    if not files:
        raise DataError(f"{source} holds no file *.parquet: give the folder that does")
    shards = []
    for file in files:
        try:
            with pq.ParquetFile(file) as parquet:
                schema, rows = parquet.schema_arrow, parquet.metadata.num_rows
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{file} cannot be read as Parquet ({error}): mend it") from error
        _check_columns(file, schema, text_column, columns or ())
        size, names = file.stat().st_size, tuple(schema.names)
        shards.append(Shard(file, target / file.name, rows, size, names))
    return shards


def _check_columns(file: Path, schema: Any, text_column: str, columns: Sequence[str]) -> None:
    """Raise ``DataError`` for a shard that lacks a column, or has no strings where they must be."""
    for name in (text_column, *columns):
        if schema.names.count(name) != 1:
            what = "no column" if name not in schema.names else "several columns"
            raise DataError(
                f"{file} has {what} {name!r} (it has {', '.join(map(repr, schema.names))}): name "
                "the one that is meant, or mend the file"
            )
    kind = schema.field(text_column).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_null)
    if not any(test(kind) for test in tests):
        raise DataError(
            f"{file} has {kind} in its column {text_column!r}: name a column of strings"
        )


def made_with(target: Path) -> dict[str, Any] | None:
    """Return the settings a file was made with; None if unreadable or not of this package."""
    try:
        with pq.ParquetFile(target) as parquet:
            about = json.loads((parquet.schema_arrow.metadata or {})[_KEY])
            if parquet.metadata.num_rows != about["rows"]:
                return None
        result: dict[str, Any] = about
        return result if isinstance(about["settings"], dict) and "bytes" in about else None
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        return None


def is_done(shard: Shard, settings: Mapping[str, Any]) -> bool:
    """Return whether a shard's target is there, whole, of the shard as it is now.

    Raises ``DataError`` where the target was made with other settings, or is another's file.
    """
    if not shard.target.exists():
        return False
    about = made_with(shard.target)
    if about is None:
        raise DataError(
            f"{shard.target} is there already and was not made by compsim, or is damaged: remove "
            "it, or give another folder"
        )
    if about["settings"] != settings:
        raise DataError(
            f"{shard.target} was made with other settings "
            f"({difference(about['settings'], settings)}): give another folder, or remove it"
        )
    return bool((about["rows"], about["bytes"]) == (shard.rows, shard.size))


def difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """The first setting in which two differ, told."""
    for name in dict.fromkeys([*here, *there]):
        if there.get(name) != here.get(name):
            return f"{name} is {brief(there.get(name))} there and {brief(here.get(name))} here"
    return "none that is told"
