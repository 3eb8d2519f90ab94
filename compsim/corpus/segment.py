"""A segment: some documents, encoded, in a folder that is written once and never changed.

- ``batch/``: the distinct sentences as the method encoded them, as ``Encoded.save`` writes them;
- ``documents.arrow``: an id, the text, and of each of its sentences the place in the batch and
  where it begins and ends, as Arrow IPC, which is read where it lies;
- ``whole.npy``, ``scale.npy``, ``error.npy``: whole-sentence vectors for the first look, where the
  method has such: see ``compsim.kernels.quantization``;
- ``hash.npy``, ``place.npy``: where an id stands: see ``compsim.corpus.ids``;
- ``segment.json``: a checksum of each file, and what a manifest is rebuilt from: see
  ``compsim.corpus.record``.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.corpus.containment import is_inside, refuse_links
from compsim.corpus.documents_file import open_documents
from compsim.corpus.ids import hashed, places_of
from compsim.corpus.index import opened
from compsim.corpus.manifest import NAME, Entry
from compsim.corpus.names import number_of
from compsim.corpus.record import META, Record
from compsim.corpus.segment_files import CODED, DOCUMENTS, deleted_rows
from compsim.corpus.writing import aside
from compsim.embeddings.batch import VectorBatch
from compsim.errors import DataError
from compsim.hybrid.batch import HybridBatch
from compsim.kernels.quantization import Coded
from compsim.retrieval.documents import Documents
from compsim.storage.arrays import map_array
from compsim.storage.batch_files import Records
from compsim.storage.checksums import check_file, file_checksum

__all__ = ["Segment"]

#: The largest files of a batch: the vectors, and what the sentences were.
_LARGE: Final = ("vector.npy", "records.npy")


class Segment:
    """A segment as it is read: what is asked for is mapped from disk, the rest is left there.

    ``folder`` holds the segments, ``entry`` says what the manifest says of this one. Raises
    ``FileNotFoundError`` where it is gone, ``DataError`` where it is not as it was saved: each file
    is held against its checksum when it is first used, and only then mapped. The vectors and the
    parses of sentences, the largest, are if it is ``thorough``; else ``verify`` alone reads all of
    them, and no damage to them does more than change numbers and texts.
    """

    def __init__(self, folder: Path, entry: Entry, thorough: bool = True) -> None:
        self.entry = entry
        self._thorough = thorough
        self.path = folder / entry.name
        with self._reading():
            refuse_links(folder, entry)
            self.record = Record.read(self.path)
            if self.record.checksum != entry.checksum:
                raise ValueError(f"{META} is not as it was saved")
            if not all(map(is_inside, self.record.files)):
                raise ValueError(f"{META} names files that are not its own")
            about = self.record.about
            counts = (entry.documents, entry.sentences)
            if about is not None and (about.documents, about.sentences) != counts:
                raise ValueError(f"{NAME} counts its documents or sentences otherwise")

    def __len__(self) -> int:
        return self.entry.documents

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.entry.name

    @property
    def order(self) -> int:
        """The number by which it stands among the others."""
        about = self.record.about
        return (number_of(self.entry.name) or 0) if about is None else about.order

    def verify(self) -> None:
        """Read all files. Raises ``DataError`` for one that is not as it was saved."""
        with self._reading():
            results = [(self.path / name, crc) for name, crc in self.record.files.items()]
            beside = (self.entry.deleted, self.entry.index)
            results += [(self.path.parent / one[0], one[1]) for one in beside if one is not None]
            for path, crc in results:
                if file_checksum(path) != crc:
                    raise ValueError(f"{path.name} is not as it was saved")

    def check(self) -> None:
        """Read all files, and see whether they fit together.

        Raises ``DataError`` where they are not as they were saved, or do not.
        """
        self.verify()
        hashes = hashed(self.ids)
        coded = self.coded
        with self._reading():
            fits = (
                np.array_equal(hashes[0], self._hashes[0])
                and np.array_equal(hashes[1], self._hashes[1])
                and len(self.starts) == len(self.alive) + 1
                and (coded is None or len(coded.code) == self.entry.sentences)
            )
            if not fits:
                raise ValueError("its files do not fit together")

    @cached_property
    def _table(self) -> Any:
        """The record batch of the documents."""
        with self._reading():
            table, self._mapped = open_documents(self._checked(DOCUMENTS))
            if table.num_rows != len(self):
                raise ValueError(f"{DOCUMENTS} has {table.num_rows} documents")
            return table

    @cached_property
    def _structure(self) -> tuple[npt.NDArray[np.int64], ...]:
        """``places``, ``starts`` and ``spans`` of ``Documents``, as they lie on disk."""
        place, span = (self._table.column(name) for name in ("place", "span"))
        with self._reading():
            places = place.values.to_numpy(zero_copy_only=True)
            starts = place.offsets.to_numpy(zero_copy_only=True)
            spans = span.values.to_numpy(zero_copy_only=True).reshape(-1, 2)
            fits = (
                (len(starts), len(places)) == (len(self) + 1, len(spans))
                and starts[0] == 0
                and starts[-1] == len(places)
                and bool((np.diff(starts) >= 0).all())
                and np.array_equal(span.offsets.to_numpy(zero_copy_only=True), 2 * starts)
                and (not len(places) or 0 <= places.min() <= places.max() < self.entry.sentences)
            )
            if not fits:
                raise ValueError(f"{DOCUMENTS}: its sentences do not fit together")
        self._release_checked()
        return places, starts, spans

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """The sentences of document i are ``starts[i]:starts[i + 1]``."""
        return self._structure[1]

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """Rows of these documents in the batch."""
        return self._structure[0]

    @property
    def spans(self) -> npt.NDArray[np.int64]:
        """Start and end of each sentence in its document, (sentences, 2)."""
        return self._structure[2]

    @cached_property
    def coded(self) -> Coded | None:
        """The vectors of whole sentences, None where the method has none."""
        # What the record names may be lost, which is no segment without a first look.
        if "whole.npy" not in self.record.files:
            return None
        with self._reading():
            result = Coded(*map(self._array, CODED))
            fits = (
                result.code.dtype in (np.int8, np.float32)
                and result.code.ndim == 2
                and result.scale.dtype == result.error.dtype == np.float32
                and result.scale.ndim == result.error.ndim == 1
                and {len(each) for each in result} == {self.entry.sentences}
            )
            if not fits:
                raise ValueError("whole.npy, scale.npy and error.npy do not fit together")
            return result

    @cached_property
    def index(self) -> Any:
        """The index of its sentences, None where it has none, or usearch is not installed."""
        if self.entry.index is None or self.coded is None or find_spec("usearch") is None:
            return None
        name, crc = self.entry.index
        with self._reading():
            check_file(self.path.parent / name, crc)
            count, dim = self.coded.code.shape
            return opened(self.path.parent / name, count, dim)

    def owners(self, sentences: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
        """The documents that have some sentences of the batch, and for each which of these."""
        order, starts = self._owners
        count = np.diff(starts)[sentences]
        which = np.repeat(np.arange(len(sentences)), count)
        nth = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        place = order[starts[sentences][which] + nth]
        return np.searchsorted(self.starts, place, side="right") - 1, which

    @cached_property
    def _owners(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Positions in ``places`` of each sentence of the batch, and their offsets."""
        order = np.argsort(self.places, kind="stable")
        starts = np.searchsorted(self.places[order], np.arange(self.entry.sentences + 1))
        return order, starts

    @cached_property
    def alive(self) -> npt.NDArray[np.bool_]:
        """Mask of documents that are not deleted, bool (documents,)."""
        alive = np.ones(len(self), dtype=np.bool_)
        if self.entry.deleted is not None:
            alive[self.deleted] = False
        return alive

    @property
    def deleted(self) -> npt.NDArray[np.int64]:
        """The numbers of its deleted documents, in order."""
        if self.entry.deleted is None:
            return np.zeros(0, dtype=np.int64)
        name, crc = self.entry.deleted
        path = self.path.parent / name
        with self._reading():
            check_file(path, crc)
            return deleted_rows(path, self.entry.gone, len(self))

    def documents(self, encoded: type[Encoded]) -> Documents:
        """Its documents; ``encoded`` is the class of the method's batches."""
        if self._documents is None:
            batch = None
            # Its folder may be gone: a writer has replaced the segment, or somebody removed it.
            if self.entry.sentences:
                with self._reading():
                    for name in self.record.files:
                        large = name.endswith(_LARGE)
                        if name.startswith("batch/") and (self._thorough or not large):
                            self._checked(name)
                batch = encoded.load(self.path / "batch", verify=False)
                with self._reading():
                    if len(batch) != self.entry.sentences:
                        raise ValueError("batch has other sentences")
            texts: Records[str] = Records(range(len(self)), self.text)
            places, starts, spans = self._structure
            self._documents = Documents(texts, batch, places, starts, spans)
            self._release_checked()
        return self._documents

    _documents: Documents | None = None
    #: The file of the documents, once it is open.
    _mapped: mmap.mmap | None = None
    #: How many documents were compared since their pages were given back.
    touched = 0

    def _release_checked(self) -> None:
        """Give pages back where much was read to be checked, of which little is needed."""
        if not self._thorough:
            self.release()

    def release(self) -> None:
        """Give the pages of documents and sentences that were read back to the system.

        It maps some more around each that is read, which would add up to the whole file.
        """
        self.touched = 0
        batch = None if self._documents is None else self._documents.batch
        mapped = [self._mapped, *map(_file_of, _arrays(batch))]
        if hasattr(mmap, "MADV_DONTNEED"):
            for file in mapped:
                if file is not None:
                    file.madvise(mmap.MADV_DONTNEED)

    def text(self, row: int) -> str:
        """The text of a document."""
        result: str = self._table.column("text")[row].as_py()
        return result

    def id(self, row: int) -> str:
        """The id of a document."""
        result: str = self._table.column("id")[row].as_py()
        return result

    @property
    def texts(self) -> list[str]:
        """The texts of all documents, deleted ones too."""
        results: list[str] = self._table.column("text").to_pylist()
        return results

    @property
    def ids(self) -> list[str]:
        """The ids of all documents, deleted ones too."""
        results: list[str] = self._table.column("id").to_pylist()
        return results

    def find(self, ids: Sequence[str]) -> list[int]:
        """The row of each id, -1 where it is not here or deleted."""
        with self._reading():
            number, rows = places_of(*self._hashes, ids)
            starts, data = self._id_bytes
            result = number, rows, starts[rows], starts[rows + 1], self.alive[rows]
        out = [-1] * len(ids)
        for i, row, start, stop, alive in zip(*(each.tolist() for each in result), strict=True):
            if alive and data[start:stop].tobytes() == ids[i].encode():
                out[i] = row
        return out

    @cached_property
    def _id_bytes(self) -> tuple[npt.NDArray[np.int64], memoryview]:
        """All ids in UTF-8, one behind another, and where each begins."""
        _, ends, data = self._table.column("id").buffers()
        return np.frombuffer(ends, dtype=np.int64), memoryview(data)

    @cached_property
    def _hashes(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        with self._reading():
            hashes, place = self._array("hash"), self._array("place")
            fits = (
                hashes.dtype == np.uint32
                and place.dtype == np.int64
                and hashes.shape == place.shape == (len(self),)
                and (not len(self) or 0 <= place.min() <= place.max() < len(self))
            )
            if not fits:
                raise ValueError("hash.npy and place.npy do not fit together")
            return hashes, place

    def _array(self, name: str) -> npt.NDArray[Any]:
        path = self._checked(f"{name}.npy")
        try:
            # A plain view: indexing a memmap makes a memmap each time.
            return map_array(path).view(np.ndarray)
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from error

    def _checked(self, name: str) -> Path:
        """The path of a file that is as it was saved; raises what ``check_file`` does."""
        if name not in self.record.files:
            raise ValueError(f"{META} has no checksum of {name}")
        check_file(self.path / name, self.record.files[name])
        return self.path / name

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn read errors into one error; leave a missing file to the caller."""
        try:
            yield
        except FileNotFoundError:
            raise
        except DataError:
            raise
        except (
            *(OSError, ValueError, KeyError, TypeError, IndexError),
            *(RuntimeError, MemoryError, OverflowError),
        ) as error:
            # What the system does not let us read may be whole.
            mend = "mend that" if isinstance(error, OSError) else aside(self.path.parent.parent)
            raise DataError(
                f"{self.path} cannot be read ({error}): {mend}, or restore it from a copy"
            ) from error


def _arrays(batch: Encoded | None) -> list[npt.NDArray[Any]]:
    """The arrays of what each sentence has, of the kinds of batches that have a first look."""
    if isinstance(batch, HybridBatch):
        parts = batch.roles.parts.values()
        return [batch.whole.vector, *(array for part in parts for array in part.arrays)]
    return [batch.vector] if isinstance(batch, VectorBatch) else []


def _file_of(array: Any) -> mmap.mmap | None:
    """Return the file that an array is a part of; None for one in memory."""
    while array is not None and not isinstance(array, mmap.mmap):
        array = getattr(array, "base", None)
    return array
