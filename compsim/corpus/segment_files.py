"""The files of a segment, written once, and the lists of deleted documents beside them."""

from __future__ import annotations

import io
import shutil
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.corpus.documents_file import open_documents, write_documents
from compsim.corpus.ids import hashed
from compsim.corpus.manifest import Entry
from compsim.corpus.names import deleted_name
from compsim.corpus.record import About, Record
from compsim.kernels.quantization import Coded
from compsim.retrieval.documents import Documents
from compsim.storage.arrays import load_array
from compsim.storage.checksums import check_file, file_checksum
from compsim.storage.durable import sync_folder, sync_tree
from compsim.storage.files import write_durably

__all__ = ["CODED", "DOCUMENTS", "counted", "deleted_rows", "write_deleted", "write_segment"]

DOCUMENTS: Final = "documents.arrow"
#: The arrays of the first look.
CODED: Final = ("whole", "scale", "error")


def write_segment(
    folder: Path, ids: Sequence[str], docs: Documents, coded: Coded | None, about: About
) -> Entry:
    """Write a segment, all of it on disk when this returns; ``coded`` are rows of the batch.

    Raises ``OSError`` or ``DataError`` where it cannot be written; nothing is left of it then. A
    folder that is there already stays as it is.
    """
    folder.mkdir()
    try:
        if docs.batch is not None:
            docs.batch.save(folder / "batch")
        write_documents(folder / DOCUMENTS, ids, docs)
        arrays: dict[str, npt.NDArray[Any]] = dict(zip(("hash", "place"), hashed(ids), strict=True))
        if coded is not None:
            arrays |= dict(zip(CODED, coded, strict=True))
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        named = {path.relative_to(folder).as_posix(): file_checksum(path) for path in files}
        checksum = Record(named, about).write(folder)
        sync_tree(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Entry(folder.name, about.documents, about.sentences, checksum)


def write_deleted(folder: Path, segment: str, rows: npt.NDArray[np.int64]) -> tuple[str, int]:
    """Write a list of deleted documents beside their segment, and have it on disk.

    Returns its name and its checksum. Raises ``OSError`` where it cannot be written.
    """
    content = io.BytesIO()
    np.save(content, rows)
    checksum = zlib.crc32(content.getvalue())
    name = deleted_name(segment, len(rows), checksum)
    write_durably(folder / name, lambda file: file.write(content.getvalue()))
    return name, checksum


def counted(folder: Path, record: Record) -> tuple[int, int]:
    """Return how many documents and sentences a segment has whose record does not say.

    Raises ``OSError`` or ``ValueError`` where these cannot be counted.
    """
    ends = "batch/records_end.npy"
    for name in (DOCUMENTS, ends):
        if name in record.files:
            check_file(folder / name, record.files[name])
    documents = open_documents(folder / DOCUMENTS)[0].num_rows
    return documents, len(load_array(folder / ends)) if ends in record.files else 0


def deleted_rows(path: Path, count: int, documents: int) -> npt.NDArray[np.int64]:
    """Read the numbers of so many deleted documents, of so many documents.

    Raises ``OSError``, or ``ValueError`` for what is no such list.
    """
    rows = load_array(path)
    fits = (
        rows.dtype == np.int64
        and rows.shape == (count,)
        and bool((np.diff(rows) > 0).all())
        and (not count or 0 <= rows[0] <= rows[-1] < documents)
    )
    if not fits:
        raise ValueError(f"{path.name} is no list of {count} of {documents} documents")
    return rows
