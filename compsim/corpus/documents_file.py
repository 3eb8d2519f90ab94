"""The documents of a segment as Arrow IPC, which is read where it lies.

A record batch with an id, the text, and of each of its sentences the place in the batch of encoded
sentences and where it begins and ends.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.retrieval.documents import Documents

__all__ = ["open_documents", "write_documents"]


def open_documents(path: Path) -> tuple[Any, mmap.mmap]:
    """Return the record batch of a file, and the file as it is mapped from disk.

    Raises ``OSError`` or ``ValueError`` for what cannot be read as one.
    """
    import pyarrow as pa

    with path.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        file = pa.ipc.open_file(pa.py_buffer(mapped))
        if not file.schema.equals(_schema()) or file.num_record_batches != 1:
            raise ValueError(f"{path.name} does not hold documents")
        table = file.get_batch(0)
        table.validate(full=True)
    except pa.ArrowException as error:
        raise ValueError(f"{path.name} cannot be read ({error})") from error
    if any(column.null_count or column.offset for column in table.columns):
        raise ValueError(f"{path.name} has documents that are none")
    return table, mapped


def _schema() -> Any:
    import pyarrow as pa

    text, numbers = pa.large_string(), pa.large_list(pa.int64())
    return pa.schema([("id", text), ("text", text), ("place", numbers), ("span", numbers)])


def write_documents(path: Path, ids: Sequence[str], docs: Documents) -> None:
    """Write documents with their ids. Raises ``OSError`` where they cannot be written."""
    import pyarrow as pa

    def ragged(starts: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> Any:
        return pa.LargeListArray.from_arrays(
            pa.array(starts, pa.int64()), pa.array(values, pa.int64())
        )

    columns = [
        pa.array(ids, pa.large_string()),
        pa.array(list(docs.texts), pa.large_string()),
        ragged(docs.starts, docs.places),
        ragged(2 * docs.starts, docs.spans.reshape(-1)),
    ]
    table = pa.RecordBatch.from_arrays(columns, schema=_schema())
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_batch(table)
