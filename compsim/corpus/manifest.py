"""Manifest of a corpus: one small file that names all others, replaced atomically.

A document is in the corpus when, and because, the manifest names its segment: whatever a killed
writer has left behind is named by none, and the next writer removes it.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> Manifest("hybrid", {}, precision="int8").write(folder)
>>> Manifest.read(folder).method
'hybrid'
>>> _ = (folder / NAME).write_text('{"format": "compsim corpus 9"}')
>>> Manifest.read(folder)
Traceback (most recent call last):
...
compsim.corpus.manifest.OtherVersionError: ... is not a corpus of this version ...
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from compsim._version import __version__
from compsim.errors import DataError
from compsim.storage.checksums import json_checksum
from compsim.storage.files import write_durably
from compsim.storage.reading import brief, open_plain

__all__ = ["NAME", "Entry", "Manifest", "OtherVersionError"]

NAME: Final = "corpus.json"
_FORMAT: Final = "compsim corpus 1"
_ANY_FORMAT: Final = re.compile(r"compsim corpus \d{1,9}")
#: Segments, and files beside them: nothing that leads out of their folder.
_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*(\.[0-9A-Za-z_-]+)*")
#: What a count stays below, so that a sum of them is still the length of something.
_MOST: Final = 1 << 40
_FIELDS: Final = (
    *("method", "options", "absent", "precision"),
    *("next_id", "next_segment", "segments"),
)


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
        """Number of documents, without the deleted ones."""
        return sum(entry.documents - entry.gone for entry in self.segments)

    def with_entry(self, entry: Entry) -> Manifest:
        """The same with another entry for a segment, by its name."""
        others = [entry if one.name == entry.name else one for one in self.segments]
        return replace(self, segments=tuple(others))

    @property
    def named(self) -> set[str]:
        """The names of all files and folders that belong to the corpus."""
        names = {entry.name for entry in self.segments}
        for entry in self.segments:
            names |= {item[0] for item in (entry.deleted, entry.index) if item is not None}
        return names

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a corpus.

        Raises ``DataError`` where there is none, or one that is damaged or of another version.
        """
        path = folder / NAME
        try:
            # A link leads out of the corpus.
            if path.is_symlink():
                raise ValueError("it is no plain file")
            with open_plain(path) as file:
                values = json.loads(file.read())
        except FileNotFoundError as error:
            raise DataError(f"{folder} is not a corpus: make one with compsim.Corpus") from error
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"{path} cannot be read ({error}): {_repair(folder)}") from error
        result = values.get("format") if isinstance(values, dict) else None
        if not isinstance(result, str) or not _ANY_FORMAT.fullmatch(result):
            raise DataError(f"{path} is not as it was saved: {_repair(folder)}")
        try:
            checksum = values.pop("checksum", None)
            # Another version may have none; one that is wrong is damage in any.
            if checksum != json_checksum(values) and (result == _FORMAT or checksum is not None):
                raise DataError(f"{path} is not as it was saved: {_repair(folder)}")
            if result != _FORMAT:
                raise OtherVersionError(
                    f"{folder} is not a corpus of this version of compsim (it is {brief(result)}): "
                    "add its documents to a new one, or use the version that made it"
                )
            return cls(**_fields(values))
        except DataError:
            raise
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path} cannot be read ({error}): {_repair(folder)}") from error

    def write(self, folder: Path) -> None:
        """Put this in place of the manifest that is there; when it returns, this is on disk.

        Raises ``OSError`` where it cannot be written; the one that was there then still is.
        """
        result: dict[str, Any] = {
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
        result["checksum"] = json_checksum(result)
        write_durably(folder / NAME, lambda file: file.write(json.dumps(result).encode()))


def _fields(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a manifest. Raises ``ValueError`` for one that no corpus has written."""
    missing = [name for name in _FIELDS if name not in results]
    if missing:
        raise ValueError(f"it has no {missing[0]}")
    options, absent = results["options"], results["absent"]
    if not isinstance(options, dict) or not all(map(_is_option, options)):
        raise ValueError("its options are no names with values")
    if not isinstance(absent, list) or not all(map(_is_option, absent)):
        raise ValueError("what must be given again is no list of names")
    if not isinstance(results["method"], str) or not results["method"]:
        raise ValueError("its method is no name")
    if results["precision"] not in ("int8", "float32"):
        raise ValueError(f"its precision is {brief(results['precision'])}")
    if not isinstance(results["segments"], list):
        raise ValueError("its segments are no list")
    segments = tuple(map(_entry, results["segments"]))
    if len({entry.name for entry in segments}) < len(segments):
        raise ValueError("it names a segment twice")
    return {
        "method": results["method"],
        "options": options,
        "absent": absent,
        "precision": results["precision"],
        "next_id": _count("next_id", results["next_id"]),
        "next_segment": _count("next_segment", results["next_segment"]),
        "segments": segments,
    }


def _entry(values: Any) -> Entry:
    """Return a segment. Raises ``ValueError`` for what no corpus has written."""
    if not isinstance(values, list) or len(values) != len(Entry.__slots__):
        raise ValueError("a segment is not told as it should be")
    by_name = dict(zip(Entry.__slots__, values, strict=True))
    name = _name(by_name["name"])
    documents, sentences, gone = (
        _count(key, by_name[key]) for key in ("documents", "sentences", "gone")
    )
    deleted, index = (_beside(name, by_name[key]) for key in ("deleted", "index"))
    if gone > documents or (gone > 0) != (deleted is not None):
        raise ValueError(f"the segment {name} has {gone} deleted documents")
    checksum = _checksum(by_name["checksum"])
    return Entry(name, documents, sentences, checksum, gone, deleted, index)


def _beside(segment: str, value: Any) -> tuple[str, int] | None:
    """Return the name and the checksum of a file beside a segment, None where there is none."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"a file of the segment {segment} is not told as it should be")
    name = _name(value[0])
    if not name.startswith(f"{segment}."):
        raise ValueError(f"{name} is no file of the segment {segment}")
    return name, _checksum(value[1])


def _name(value: Any) -> str:
    """Return the name of a file in the folder of segments, which leads nowhere else."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"{brief(value)} is no name of a segment or of a file of one")
    return value


def _count(name: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value < _MOST:
        raise ValueError(f"{name} is {brief(value)}")
    return value


def _checksum(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise ValueError(f"a checksum is {brief(value)}")
    return value


def _is_option(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier()


def _repair(folder: Path) -> str:
    return f"run `compsim corpus repair {folder}`, or restore it from a copy"
