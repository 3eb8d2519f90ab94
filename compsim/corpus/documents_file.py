"""The documents of a segment as Arrow IPC, which is read where it lies.

A record batch with an id, the text, and of each of its sentences the place in the batch of encoded
sentences and where it begins and ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.retrieval.documents import Documents

__all__ = ["open_documents", "write_documents"]


def open_documents(path: Path) -> Any:
    """Return the record batch of a file, mapped from disk.

    Raises ``OSError`` or ``ValueError`` for what cannot be read as one.
    """
    import pyarrow as pa

    table = pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
    table.validate()
    return table


def write_documents(path: Path, ids: Sequence[str], docs: Documents) -> None:
    """Write documents with their ids. Raises ``OSError`` where they cannot be written."""
    import pyarrow as pa

    def ragged(starts: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> Any:
        return pa.LargeListArray.from_arrays(
            pa.array(starts, pa.int64()), pa.array(values, pa.int64())
        )

    columns = {
        "id": pa.array(ids, pa.large_string()),
        "text": pa.array(list(docs.texts), pa.large_string()),
        "place": ragged(docs.starts, docs.places),
        "span": ragged(2 * docs.starts, docs.spans.reshape(-1)),
    }
    table = pa.RecordBatch.from_arrays([*columns.values()], names=[*columns])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_batch(table)
