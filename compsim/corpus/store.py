"""The folder of a corpus: its manifest, its segments, and the one writer at a time.

A reader maps segments that never change. Where a writer has replaced some of them meanwhile, what
was being read is read again from the newest manifest.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from compsim.corpus.manifest import NAME, Entry, Manifest
from compsim.corpus.segment import Segment, saved_array, write_segment
from compsim.errors import DataError, InputError
from compsim.kernels.quantization import Coded
from compsim.retrieval.documents import Documents
from compsim.storage.files import file_lock

__all__ = ["Places", "Store", "all_found", "places_of"]

_SEGMENTS: Final = "segments"
_LOCK: Final = ".lock"
#: How often a reader looks again where a writer has replaced what it was about to read.
_TRIES: Final = 20

T = TypeVar("T")
#: The number of a segment and a row in it, for each id; None for one that is not there.
Places = list[tuple[int, int] | None]


class Store:
    """The files of a corpus.

    Raises ``DataError`` for a folder that is no corpus, and for one that is damaged or of another
    version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._segments: dict[Entry, Segment] = {}
        self._manifest: Manifest
        self._read()

    @classmethod
    def make(cls, path: Path, manifest: Manifest) -> None:
        """Make a corpus without documents, unless another process just has.

        Raises ``DataError`` where something else is there, or nothing can be written.
        """
        if path.exists() and not path.is_dir():
            raise DataError(f"{path} is a file: give a folder")
        with _on_disk(path):
            path.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            if (path / NAME).exists():
                return
            if {one.name for one in path.iterdir()} - {_LOCK, _SEGMENTS}:
                raise DataError(f"{path} is there already and is not a corpus: give another folder")
            with _on_disk(path):
                (path / _SEGMENTS).mkdir(exist_ok=True)
                manifest.write(path)

    @property
    def manifest(self) -> Manifest:
        """The manifest as it was last read."""
        return self._manifest

    def fresh(self) -> Manifest:
        """The manifest as it is on disk."""
        if self._stamp() != self._seen:
            self._read()
        return self._manifest

    def segments(self) -> list[Segment]:
        """All segments that the manifest names, in order."""
        for entry in self._manifest.segments:
            if entry not in self._segments:
                self._segments[entry] = Segment(self.path / _SEGMENTS, entry)
        return [self._segments[entry] for entry in self._manifest.segments]

    def steadily(self, work: Callable[[Sequence[Segment]], T]) -> T:
        """Work with the segments, again from the start where a writer has replaced some of them.

        Raises ``DataError`` where one is missing or damaged.
        """
        for _ in range(_TRIES):
            told = self.fresh()
            try:
                return work(self.segments())
            except (FileNotFoundError, DataError) as error:
                self._read()
                if self._manifest != told:
                    continue
                if isinstance(error, DataError):
                    raise
                raise DataError(
                    f"{error.filename} is missing: restore the corpus from a copy"
                ) from error
        raise DataError(f"{self.path} changes faster than it can be read: try again")

    def find(self, ids: Sequence[str]) -> Places:
        """Where each document stands."""
        return self.steadily(lambda segments: places_of(segments, ids))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one writer, on the newest manifest, without what a killed one has left.

        Raises ``DataError`` where another is writing.
        """
        with _locked(self.path):
            self._read()
            self.sweep()
            yield

    def append(
        self, ids: Sequence[str], docs: Documents, coded: Coded | None, next_id: int
    ) -> None:
        """Write documents as a segment; they are in the corpus when this returns.

        Raises ``DataError`` where they cannot be written; the corpus is then as it was.
        """
        entry = self._written(ids, docs, coded)
        told = replace(self._manifest, segments=(*self._manifest.segments, entry))
        self._acknowledge(replace(told, next_id=next_id))

    def exchange(
        self, names: Sequence[str], made: tuple[Sequence[str], Documents, Coded | None] | None
    ) -> None:
        """Put one segment, or none, in place of some neighbours."""
        new = [] if made is None else [self._written(*made)]
        kept: list[Entry] = []
        for entry in self._manifest.segments:
            if entry.name == names[0]:
                kept += new
            if entry.name not in names:
                kept.append(entry)
        self._acknowledge(replace(self._manifest, segments=tuple(kept)))
        self.sweep()

    def delete(self, rows: dict[int, list[int]]) -> None:
        """Delete rows of segments, by their number."""
        told = self._manifest
        segments = self.segments()
        with _on_disk(self.path):
            for number, own in rows.items():
                segment = segments[number]
                gone: npt.NDArray[np.int64] = np.union1d(
                    segment.deleted, np.array(own, dtype=np.int64)
                )
                name = f"{segment.entry.name}.deleted-{len(gone)}.npy"
                crc = saved_array(self.path / _SEGMENTS / name, gone)
                changed = replace(segment.entry, gone=len(gone), deleted=(name, crc))
                told = told.with_entry(changed)
        self._acknowledge(told)

    def add_index(self, segment: Segment, write: Callable[[Path], int]) -> None:
        """Give a segment an index, a file that ``write`` writes and returns the checksum of."""
        name = f"{segment.entry.name}.index"
        with _on_disk(self.path):
            crc = write(self.path / _SEGMENTS / name)
        self._acknowledge(self._manifest.with_entry(replace(segment.entry, index=(name, crc))))

    def sweep(self) -> None:
        """Remove what belongs to no segment: a killed writer left it, or it was replaced."""
        named = self._manifest.named
        for path in (self.path / _SEGMENTS).iterdir():
            if path.name in named:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _written(self, ids: Sequence[str], docs: Documents, coded: Coded | None) -> Entry:
        number = self._manifest.next_segment
        self._manifest = replace(self._manifest, next_segment=number + 1)
        with _on_disk(self.path):
            return write_segment(self.path / _SEGMENTS / f"{number:06d}", ids, docs, coded)

    def _acknowledge(self, told: Manifest) -> None:
        """What this manifest names is the corpus from now on."""
        with _on_disk(self.path):
            told.write(self.path)
        self._read()

    def _read(self) -> None:
        # The stamp first: what is replaced in between is read once more.
        self._seen = self._stamp()
        self._manifest = Manifest.read(self.path)
        known = set(self._manifest.segments)
        self._segments = {entry: one for entry, one in self._segments.items() if entry in known}

    def _stamp(self) -> tuple[int, int, int] | None:
        """What tells the manifest from one that has taken its place."""
        try:
            told = (self.path / NAME).stat()
        except OSError:
            return None
        return told.st_ino, told.st_mtime_ns, told.st_size


def places_of(segments: Sequence[Segment], ids: Sequence[str]) -> Places:
    """The segment and the row of each id."""
    found: Places = [None] * len(ids)
    for number, segment in enumerate(segments):
        for i, row in enumerate(segment.find(ids)):
            if row >= 0:
                found[i] = number, row
    return found


def all_found(ids: Sequence[str], places: Places) -> list[tuple[int, int]]:
    """Raise ``InputError`` for an id that has no place."""
    for one, place in zip(ids, places, strict=True):
        if place is None:
            raise InputError(f"the corpus has no document {one!r}: give ids that it has")
    return [place for place in places if place is not None]


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = file_lock(path / _LOCK, wait=False)
    try:
        lock.__enter__()
    except BlockingIOError as error:
        raise DataError(
            f"{path} is being written to by another process: try again when it is done"
        ) from error
    except OSError as error:
        raise _unwritten(path, error) from error
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


@contextlib.contextmanager
def _on_disk(path: Path) -> Iterator[None]:
    """What cannot be written is one error."""
    try:
        yield
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: Any) -> DataError:
    return DataError(
        f"{path} can not be written ({error.strerror or error}): free some space or mend that; "
        "what was saved before is there"
    )
