"""The folder of a corpus: its manifest, its segments, and the one writer at a time.

A reader maps segments that never change. Where a writer has replaced some of them meanwhile, what
was being read is read again from the newest manifest. Threads can share a store: one at a time
reads the manifest, so that none brings back an older one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from compsim.corpus.compaction import Joined, check_same
from compsim.corpus.manifest import NAME, Entry, Manifest
from compsim.corpus.names import SEGMENTS, index_name, segment_name
from compsim.corpus.record import About
from compsim.corpus.segment import Segment
from compsim.corpus.segment_files import write_deleted, write_segment
from compsim.corpus.sweeping import check_segments, free_number, sweep
from compsim.corpus.writing import LOCK, locked, on_disk, present
from compsim.errors import DataError, InputError
from compsim.kernels.locks import SharedLock
from compsim.kernels.quantization import Coded
from compsim.retrieval.documents import Documents
from compsim.storage.scratch import is_left_of

__all__ = [
    "Places",
    "Store",
    "check_free",
    "places_of",
    "read_manifest",
    "require_all",
    "settings_of",
]

#: How often a reader looks again where a writer has replaced what it was about to read.
_TRIES: Final = 20
#: Up to so many sentences of a corpus all of them are held against their checksums before a search:
#: with ``hybrid`` some 6 KB each, half a second in all.
_THOROUGH: Final = 100_000

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
        self._lock = SharedLock()
        self._segments: dict[Entry, Segment] = {}
        self._manifest: Manifest
        self._seen: tuple[int, int, int] | None
        self._read()

    @classmethod
    def make(cls, path: Path, manifest: Manifest) -> None:
        """Make a corpus without documents, unless another process just has.

        Raises ``DataError`` where something else is there, or nothing can be written.
        """
        check_free(path)
        with on_disk(path):
            path.mkdir(parents=True, exist_ok=True)
        with locked(path):
            if (path / NAME).exists():
                return
            check_free(path)
            with on_disk(path):
                (path / SEGMENTS).mkdir(exist_ok=True)
                check_segments(path, manifest)
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
        results: list[Segment] = []
        with self._lock:
            entries = self._manifest.segments
            thorough = sum(entry.sentences for entry in entries) <= _THOROUGH
            for entry in entries:
                segment = self._segments.get(entry)
                if segment is None:
                    segment = Segment(self.path / SEGMENTS, entry, thorough)
                    self._segments[entry] = segment
                results.append(segment)
        return results

    def opened(self, names: Sequence[str]) -> list[Segment]:
        """Some segments opened anew, with nothing mapped that is no longer there."""
        entries = [entry for entry in self._manifest.segments if entry.name in names]
        return [Segment(self.path / SEGMENTS, entry) for entry in entries]

    def steadily(self, work: Callable[[Sequence[Segment]], T]) -> T:
        """Work with the segments, again from the start where a writer has replaced some of them.

        Raises ``DataError`` where one is missing or damaged.
        """
        for _ in range(_TRIES):
            result = self.fresh()
            try:
                with present(self.path):
                    return work(self.segments())
            except DataError:
                self._read()
                if self._manifest == result:
                    raise
        raise DataError(f"{self.path} changes faster than it can be read: try again")

    def find(self, ids: Sequence[str]) -> Places:
        """Return the position of each document."""
        return self.steadily(lambda segments: places_of(segments, ids))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one writer, on the newest manifest, without what a killed one has left.

        Raises ``DataError`` where another is writing, and where what is not of this corpus might
        be removed.
        """
        with locked(self.path):
            self._read()
            check_segments(self.path, self._manifest)
            self.sweep()
            yield

    def append(
        self, ids: Sequence[str], docs: Documents, coded: Coded | None, next_id: int
    ) -> None:
        """Write documents as a segment; they are in the corpus when this returns.

        Raises ``DataError`` where they cannot be written; the corpus is then as it was.
        """
        text = replace(self._manifest, next_id=next_id)
        entry, text = self._written(text, ids, docs, coded)
        self._acknowledge(replace(text, segments=(*text.segments, entry)))

    def exchange(self, names: Sequence[str], made: Joined | None) -> None:
        """Put one segment, or none, in place of some neighbours.

        Raises ``DataError`` where it is not on disk as it was made; they are there then.
        """
        manifest = self._manifest
        new: list[Entry] = []
        if made is not None:
            order = next(one.order for one in self.segments() if one.entry.name == names[0])
            entry, manifest = self._written(manifest, *made, order=order, replaces=names)
            self._check_written(entry, made)
            new.append(entry)
        kept: list[Entry] = []
        for entry in manifest.segments:
            if entry.name == names[0]:
                kept += new
            if entry.name not in names:
                kept.append(entry)
        self._acknowledge(replace(manifest, segments=tuple(kept)))
        self.sweep()

    def delete(self, rows: dict[int, list[int]]) -> None:
        """Delete rows of segments, by their number."""
        manifest = self._manifest
        with present(self.path):
            segments = self.segments()
        with on_disk(self.path), present(self.path):
            for number, own in rows.items():
                segment = segments[number]
                gone: npt.NDArray[np.int64] = np.union1d(
                    segment.deleted, np.array(own, dtype=np.int64)
                )
                deleted = write_deleted(self.path / SEGMENTS, segment.entry.name, gone)
                changed = replace(segment.entry, gone=len(gone), deleted=deleted)
                manifest = manifest.with_entry(changed)
        self._acknowledge(manifest)

    def add_index(self, segment: Segment, write: Callable[[Path], int]) -> None:
        """Give a segment an index, a file that ``write`` writes and returns the checksum of."""
        name = index_name(segment.entry.name)
        with on_disk(self.path):
            crc = write(self.path / SEGMENTS / name)
        self._acknowledge(self._manifest.with_entry(replace(segment.entry, index=(name, crc))))

    def sweep(self) -> None:
        """Remove what belongs to no segment: a killed writer left it, or it was replaced."""
        sweep(self.path / SEGMENTS, self._manifest.named)

    def _written(
        self,
        manifest: Manifest,
        ids: Sequence[str],
        docs: Documents,
        coded: Coded | None,
        order: int | None = None,
        replaces: Sequence[str] = (),
    ) -> tuple[Entry, Manifest]:
        """Write a segment; returns it, and the manifest ``manifest`` with the next number."""
        number = free_number(self.path / SEGMENTS, manifest.next_segment)
        about = About(
            len(docs),
            0 if docs.batch is None else len(docs.batch),
            number if order is None else order,
            replaces,
            settings_of(manifest),
        )
        with on_disk(self.path):
            folder = self.path / SEGMENTS / segment_name(number)
            entry = write_segment(folder, ids, docs, coded, about)
        return entry, replace(manifest, next_segment=number + 1)

    def _check_written(self, entry: Entry, made: Joined) -> None:
        """Raise ``DataError`` where a segment is not what it was made of; it is removed then."""
        try:
            check_same(Segment(self.path / SEGMENTS, entry), made)
        except (OSError, ValueError) as error:
            self.sweep()
            raise DataError(
                f"{self.path}: joined segments are not on disk as they were written "
                f"({error.__cause__ or error}): check the disk; what was saved before is there"
            ) from error

    def _acknowledge(self, manifest: Manifest) -> None:
        """Make this manifest the current one."""
        with on_disk(self.path):
            manifest.write(self.path)
        self._read()

    def _read(self) -> None:
        with self._lock:
            # The stamp first: what is replaced in between is read once more.
            seen = self._stamp()
            manifest = read_manifest(self.path)
            known = set(manifest.segments)
            self._segments = {entry: one for entry, one in self._segments.items() if entry in known}
            self._manifest = manifest
            self._seen = seen

    def _stamp(self) -> tuple[int, int, int] | None:
        """Return a stamp that differs once another manifest has replaced this one."""
        try:
            result = (self.path / NAME).stat()
        except OSError:
            return None
        return result.st_ino, result.st_mtime_ns, result.st_size


def check_free(path: Path) -> None:
    """Raise ``DataError`` where no new corpus can be made: something else is there."""
    with on_disk(path):
        if path.exists() and not path.is_dir():
            raise DataError(f"{path} is a file: give a folder")
        if not path.exists():
            return
        _refuse_segments(path)
        names = {one.name for one in path.iterdir() if not is_left_of(one.name, NAME)}
        if names - {LOCK, SEGMENTS}:
            raise DataError(f"{path} is there already and is not a corpus: give another folder")


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of a corpus. Raises ``DataError`` where there is none, or it is damaged."""
    if not os.path.lexists(path / NAME):
        _refuse_segments(path)
    return Manifest.read(path)


def _refuse_segments(path: Path) -> None:
    """Raise ``DataError`` where there are segments: whoever sees no manifest must not remove them.

    That is a copy which is not complete, or a manifest that was lost.
    """
    folder = path / SEGMENTS
    with on_disk(path):
        if not os.path.lexists(path / NAME) and folder.is_dir() and any(folder.iterdir()):
            raise DataError(
                f"{path} has segments and no {NAME}: rebuild that with `compsim corpus repair "
                f"{path}`, or restore it from a copy"
            )


def settings_of(manifest: Manifest) -> dict[str, Any]:
    """Return the settings of a corpus, as each of its segments remembers them."""
    return {
        "method": manifest.method,
        "options": dict(manifest.options),
        "absent": list(manifest.absent),
        "precision": manifest.precision,
        "next_id": manifest.next_id,
    }


def places_of(segments: Sequence[Segment], ids: Sequence[str]) -> Places:
    """The segment and the row of each id."""
    places: Places = [None] * len(ids)
    for number, segment in enumerate(segments):
        for i, row in enumerate(segment.find(ids)):
            if row >= 0:
                places[i] = number, row
    return places


def require_all(ids: Sequence[str], places: Places) -> list[tuple[int, int]]:
    """Raise ``InputError`` for an id that has no place."""
    for one, place in zip(ids, places, strict=True):
        if place is None:
            raise InputError(f"the corpus has no document {one!r}: give ids that it has")
    return [place for place in places if place is not None]
