"""What a corpus holds: one small file that names all others, replaced in one step.

A document is in the corpus when, and because, the manifest names its segment: whatever a killed
writer has left behind is named by none, and the next writer removes it.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> Manifest("hybrid", {}, precision="int8").write(folder)
>>> Manifest.read(folder).method
'hybrid'
>>> _ = (folder / NAME).write_text("{}")
>>> Manifest.read(folder)
Traceback (most recent call last):
...
compsim.corpus.manifest.OtherVersionError: ... is not a corpus of this version ...
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from compsim._version import __version__
from compsim.errors import DataError
from compsim.storage.checksums import json_checksum
from compsim.storage.files import write_durably
from compsim.storage.reading import open_plain

__all__ = ["NAME", "Entry", "Manifest", "OtherVersionError"]

NAME: Final = "corpus.json"
_FORMAT: Final = "compsim corpus 1"


class OtherVersionError(DataError):
    """A manifest that another version of compsim reads."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A segment: its folder's name, what it has, and the checksum of its list of files.

    ``deleted`` is the file of the numbers of its deleted documents with its checksum, if any are;
    ``gone`` is how many. ``index`` is the index of its sentences with its checksum, if it has one.
    """

    name: str
    documents: int
    sentences: int
    checksum: int
    gone: int = 0
    deleted: tuple[str, int] | None = None
    index: tuple[str, int] | None = None


@dataclass(frozen=True)
class Manifest:
    """The method with its options, the segments in order, and the next numbers to give.

    ``absent`` names options that no file can hold, such as a parser of one's own: they are given
    again when the corpus is opened.
    """

    method: str
    options: Mapping[str, Any]
    absent: Sequence[str] = ()
    precision: str = "int8"
    next_id: int = 0
    next_segment: int = 0
    segments: tuple[Entry, ...] = field(default=())

    @property
    def documents(self) -> int:
        """How many documents there are, without the deleted ones."""
        return sum(entry.documents - entry.gone for entry in self.segments)

    def with_entry(self, entry: Entry) -> Manifest:
        """The same with another entry for a segment, by its name."""
        others = [entry if one.name == entry.name else one for one in self.segments]
        return replace(self, segments=tuple(others))

    @property
    def named(self) -> set[str]:
        """The names of all files and folders that belong to the corpus."""
        found = {entry.name for entry in self.segments}
        for entry in self.segments:
            found |= {told[0] for told in (entry.deleted, entry.index) if told is not None}
        return found

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a corpus.

        Raises ``DataError`` where there is none, or one that is damaged or of another version.
        """
        path = folder / NAME
        try:
            with open_plain(path) as file:
                found = json.loads(file.read())
        except FileNotFoundError as error:
            raise DataError(f"{folder} is not a corpus: make one with compsim.Corpus") from error
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"{path} cannot be read ({error}): {_repair(folder)}") from error
        told = found.get("format") if isinstance(found, dict) else None
        if told != _FORMAT:
            made = f" (it is {told!r})" if isinstance(told, str) else ""
            raise OtherVersionError(
                f"{folder} is not a corpus of this version of compsim{made}: add its documents to "
                "a new one, or use the version that made it"
            )
        if found.pop("checksum", None) != json_checksum(found):
            raise DataError(f"{path} is not as it was saved: {_repair(folder)}")
        try:
            segments = tuple(_entry(one) for one in found["segments"])
            names = ("method", "options", "absent", "precision", "next_id", "next_segment")
            return cls(**{name: found[name] for name in names}, segments=segments)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path} cannot be read ({error}): {_repair(folder)}") from error

    def write(self, folder: Path) -> None:
        """Put this in place of the manifest that is there; when it returns, this is on disk.

        Raises ``OSError`` where it cannot be written; the one that was there then still is.
        """
        told: dict[str, Any] = {
            "format": _FORMAT,
            "compsim": __version__,
            "method": self.method,
            "options": dict(self.options),
            "absent": list(self.absent),
            "precision": self.precision,
            "next_id": self.next_id,
            "next_segment": self.next_segment,
            "segments": [
                [*(getattr(entry, name) for name in Entry.__slots__)] for entry in self.segments
            ],
        }
        told["checksum"] = json_checksum(told)
        write_durably(folder / NAME, lambda file: file.write(json.dumps(told).encode()))


def _repair(folder: Path) -> str:
    return f"run `compsim corpus repair {folder}`, or restore it from a copy"


def _entry(values: Sequence[Any]) -> Entry:
    told = dict(zip(Entry.__slots__, values, strict=True))
    beside = {name: tuple(told[name]) if told[name] else None for name in ("deleted", "index")}
    return Entry(**{**told, **beside})
