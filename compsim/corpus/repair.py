"""A manifest that was lost or damaged, rebuilt from the segments that check out.

A segment says where it stands, which ones it replaced and what the settings of the corpus are, so
that only the deletions are left to find out: of each segment the longest list of deleted documents
that checks out counts, and a document that stands in a later segment too is gone from the earlier
one, since no two have one id. What is not certain is told. Damaged segments are set aside, where no
writer removes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.corpus.manifest import NAME, Entry, Manifest, OtherVersionError
from compsim.corpus.names import SEGMENTS, DeletedName, index_name, number_of
from compsim.corpus.record import Record
from compsim.corpus.segment import Segment
from compsim.corpus.segment_files import counted, deleted_rows, write_deleted
from compsim.corpus.writing import locked, on_disk
from compsim.errors import DataError, InputError
from compsim.storage.checksums import file_checksum

__all__ = ["ASIDE", "Repair", "repair"]

#: The folder in that of the corpus where damaged segments are set aside.
ASIDE: Final = "damaged"
#: How many segments a note names.
_SHOWN: Final = 8

Rows = npt.NDArray[np.int64]


@dataclass
class Repair:
    """A manifest that was rebuilt, the segments that were set aside, and what is not certain."""

    manifest: Manifest
    set_aside: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Sound(NamedTuple):
    """A segment that checks out, the rows that are deleted, and the manifest's word on it."""

    segment: Segment
    deleted: Rows
    known: Entry | None


def repair(path: Path, settings: Callable[[str], Manifest] | None) -> Repair:
    """Rebuild the manifest of a corpus, and write it.

    ``settings`` makes an empty manifest for a precision, for a corpus whose segments do not say
    how it was made. Raises ``DataError`` where there are no segments, the manifest is of another
    version, another process is writing, or nothing can be written, and ``InputError`` where
    ``settings`` are missing.
    """
    folder = path / SEGMENTS
    with on_disk(path):
        if folder.is_symlink() or not folder.is_dir() or not any(folder.iterdir()):
            raise DataError(f"{path} has no segments of a corpus: there is nothing to repair")
    with locked(path):
        known, notes = _manifest(path)
        sound, damaged = _segments(folder, known, notes)
        empty = known or _settings(path, sound, settings)
        last = max((_number(name) for name in _names(folder)), default=-1)
        empty = replace(empty, next_segment=max(empty.next_segment, last + 1))
        with on_disk(path):
            for name, reason in damaged.items():
                notes.append(f"{name} was set aside in {path / ASIDE}: {reason}")
                _set_aside(path, name)
            manifest = _rebuilt(folder, empty, sound, notes)
            manifest.write(path)
    Manifest.read(path)
    return Repair(manifest, list(damaged), notes)


def _manifest(path: Path) -> tuple[Manifest | None, list[str]]:
    """Return the manifest that is there, None where it was lost, and a note on that."""
    if not os.path.lexists(path / NAME):
        return None, [f"{NAME} was missing"]
    try:
        return Manifest.read(path), []
    except OtherVersionError:
        raise
    except DataError as error:
        _check_readable(path / NAME, error)
        return None, [f"{NAME} was damaged"]


def _segments(
    folder: Path, known: Manifest | None, notes: list[str]
) -> tuple[list[_Sound], dict[str, str]]:
    """Return the segments that check out, in order, and the others with what is wrong with each."""
    named = {} if known is None else {entry.name: entry for entry in known.segments}
    sound: dict[str, _Sound] = {}
    damaged: dict[str, str] = {}
    unlisted: list[str] = []
    for name in sorted(_names(folder), key=_number):
        # What the manifest no longer names was replaced.
        if known is not None and name not in named and _number(name) < known.next_segment:
            continue
        try:
            segment = Segment(folder, _entry(folder, name))
            segment.check()
        except FileNotFoundError as error:
            damaged[name] = f"{Path(str(error.filename)).name} is missing"
        except (OSError, ValueError) as error:
            _check_readable(folder / name, error)
            damaged[name] = str(error.__cause__ or error)
        else:
            entry = named.get(name)
            if entry is not None and entry.documents != len(segment):
                notes.append(
                    f"{name}: {NAME} counted {entry.documents} documents, it has {len(segment)}"
                )
            sound[name] = _Sound(segment, _deleted(segment, entry, unlisted, notes), entry)
    if unlisted:
        notes.append(f"none is taken as deleted where no list says so: {_brief(unlisted)}")
    for name in sorted(named.keys() - sound.keys() - damaged.keys()):
        notes.append(f"{name} is gone, with {named[name].documents} documents")
    for one in [*sound.values()]:
        about = one.segment.record.about
        for name in () if about is None else about.replaces:
            damaged.pop(name, None)
            sound.pop(name, None)
    order = sorted(sound.values(), key=lambda one: (one.segment.order, _number(one.segment.name)))
    return order, damaged


def _check_readable(path: Path, error: Exception) -> None:
    """Raise ``DataError`` for what the system does not let us read: it may be whole."""
    if isinstance(error, PermissionError) or isinstance(error.__cause__, PermissionError):
        raise DataError(f"{path} may not be read: give the right to, and repair then") from error


def _entry(folder: Path, name: str) -> Entry:
    """Return what a manifest says of a segment, deletions aside."""
    record = Record.read(folder / name)
    about = record.about
    counts = counted(folder / name, record) if about is None else (about.documents, about.sentences)
    return Entry(name, *counts, record.checksum)


def _deleted(segment: Segment, entry: Entry | None, unlisted: list[str], notes: list[str]) -> Rows:
    """Return the deleted rows of a segment by the best list of them that there is.

    A segment for which neither a list nor the manifest says anything is put to ``unlisted``.
    """
    none = np.zeros(0, dtype=np.int64)
    folder = segment.path.parent
    if entry is not None and entry.deleted is None:
        return none
    if entry is not None and entry.deleted is not None:
        name, checksum = entry.deleted
        rows = _rows(folder / name, checksum, entry.gone, len(segment))
        if rows is not None:
            return rows
    lists = [(one, path) for path in folder.iterdir() if (one := DeletedName.parse(path.name))]
    lists = [(one, path) for one, path in lists if one.segment == segment.name]
    damaged = 0 if entry is None else entry.gone
    for one, path in sorted(lists, reverse=True, key=lambda pair: pair[0].deletions):
        rows = _rows(path, one.checksum, one.deletions, len(segment))
        if rows is not None:
            notes.append(f"{segment.name}: {path.name} was taken for the newest list of deletions")
            break
        damaged = max(damaged, one.deletions)
    else:
        rows = none
        if not damaged:
            unlisted.append(segment.name)
    if damaged > len(rows):
        notes.append(
            f"{segment.name}: a list of {damaged} deletions is damaged or gone, so that "
            f"{damaged - len(rows)} deleted documents are there again: delete them again"
        )
    return rows


def _rows(path: Path, checksum: int | None, count: int, documents: int) -> Rows | None:
    """Return a list of deleted documents, None where it does not check out."""
    try:
        if checksum is not None and file_checksum(path) != checksum:
            return None
        return deleted_rows(path, count, documents)
    except (OSError, ValueError):
        return None


def _settings(
    path: Path, sound: list[_Sound], settings: Callable[[str], Manifest] | None
) -> Manifest:
    """Return an empty manifest with the settings of the corpus."""
    results = [one.segment.record.about for one in sound]
    recorded = [about.corpus for about in results if about is not None]
    if settings is None and recorded:
        newest = max(recorded, key=lambda corpus: int(corpus["next_id"]))
        return Manifest(**newest)
    if settings is None:
        raise InputError(
            f"the segments of {path} do not say how it was made (an earlier release wrote them): "
            "give the method and its options as they were, with --method and --option"
        )
    code = [one.segment.coded.code for one in sound if one.segment.coded is not None]
    made = settings("float32" if code and code[0].dtype == np.float32 else "int8")
    if recorded and recorded[0]["method"] != made.method:
        raise DataError(
            f"{path} was made with the method {recorded[0]['method']!r}, not {made.method!r}: "
            "repair it without a method"
        )
    return made


def _rebuilt(folder: Path, empty: Manifest, sound: list[_Sound], notes: list[str]) -> Manifest:
    """Return the manifest of some segments; writes the lists of deleted documents that changed."""
    later: set[str] = set()
    entries: dict[str, Entry] = {}
    next_id = empty.next_id
    for one in sorted(sound, key=lambda one: -_number(one.segment.name)):
        segment = one.segment
        ids = segment.ids
        again = [row for row, own in enumerate(ids) if own in later]
        later.update(ids)
        next_id = max(next_id, _next_id(segment, ids))
        gone = np.union1d(one.deleted, np.array(again, dtype=np.int64))
        deleted = None
        if len(gone):
            deleted = write_deleted(folder, segment.name, gone)
        if len(gone) > len(one.deleted):
            count = len(gone) - len(one.deleted)
            notes.append(f"{segment.name}: {count} documents are there in a later segment too")
        entries[segment.name] = replace(
            segment.entry, gone=len(gone), deleted=deleted, index=_index(folder, one, notes)
        )
    segments = tuple(entries[one.segment.name] for one in sound)
    return replace(empty, next_id=next_id, segments=segments)


def _next_id(segment: Segment, ids: Iterable[str]) -> int:
    """Return the first number that is above all ids that are numbers, as ``add`` gives them."""
    about = segment.record.about
    numbers = [int(one) + 1 for one in ids if one.isascii() and one.isdigit() and len(one) < 16]
    recorded = 0 if about is None else int(about.corpus["next_id"])
    return max([recorded, *numbers])


def _index(folder: Path, one: _Sound, notes: list[str]) -> tuple[str, int] | None:
    """Return the index of a segment where the manifest has its checksum, and it fits."""
    name = index_name(one.segment.name)
    known = None if one.known is None else one.known.index
    there = (folder / name).is_file()
    if there and known is not None and file_checksum(folder / name) == known[1]:
        return known
    if there or known is not None:
        notes.append(f"{one.segment.name}: its index was left out, build it again")
    return None


def _set_aside(path: Path, name: str) -> None:
    """Move a segment, and what lies beside it, to where no writer removes it."""
    aside = path / ASIDE
    aside.mkdir(exist_ok=True)
    for item in sorted((path / SEGMENTS).iterdir()):
        if item.name != name and not item.name.startswith(f"{name}."):
            continue
        target, number = aside / item.name, 1
        while os.path.lexists(target):
            number += 1
            target = aside / f"{item.name}.{number}"
        item.rename(target)


def _names(folder: Path) -> list[str]:
    """Return the names of all segments."""
    return [
        item.name
        for item in folder.iterdir()
        if number_of(item.name) is not None and item.is_dir() and not item.is_symlink()
    ]


def _brief(names: list[str]) -> str:
    """Return some names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _number(name: str) -> int:
    return number_of(name) or 0
