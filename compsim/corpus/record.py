"""Record of a segment: ``segment.json``, written once with the segment, as its last file.

It has a checksum of each file, and all that a manifest is rebuilt from: how many documents the
segment has, where it stands among the others, which ones it replaced, and the settings of the
corpus. Segments of earlier releases have the checksums alone.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> settings = {"method": "mean-cn", "options": {}, "absent": [], "precision": "int8", "next_id": 2}
>>> checksum = Record({"hash.npy": 17}, About(2, 5, order=0, corpus=settings)).write(folder)
>>> Record.read(folder).about.documents, Record.read(folder).checksum == checksum
(2, True)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from compsim.storage.checksums import json_checksum
from compsim.storage.reading import open_plain

__all__ = ["META", "About", "Record"]

META: Final = "segment.json"
_FILES: Final = "files"
_SETTINGS: Final = {
    "method": str,
    "options": dict,
    "absent": list,
    "precision": str,
    "next_id": int,
}


@dataclass(frozen=True, slots=True)
class About:
    """Facts of a segment from which a manifest is rebuilt.

    ``documents`` and ``sentences`` are how many the segment has. Segments stand in the ``order`` of
    these numbers. It ``replaces`` segments that it was joined from. ``corpus`` has the settings of
    the corpus, and the next id to give when the segment was written.
    """

    documents: int
    sentences: int
    order: int
    replaces: Sequence[str] = ()
    corpus: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A checksum of each file of a segment, and what else it says; None in earlier releases."""

    files: Mapping[str, int]
    about: About | None = None

    @property
    def checksum(self) -> int:
        """The checksum of all this."""
        return json_checksum(self._fields())

    def write(self, folder: Path) -> int:
        """Write this into the folder of the segment, and return its checksum."""
        result = self._fields()
        checksum = json_checksum(result)
        (folder / META).write_text(json.dumps({**result, "checksum": checksum}), encoding="utf-8")
        return checksum

    @classmethod
    def read(cls, folder: Path) -> Record:
        """Read that of a segment.

        Raises ``FileNotFoundError`` where there is none, another ``OSError`` or ``ValueError``
        where it cannot be read, or is not as it was saved.
        """
        try:
            with open_plain(folder / META) as file:
                values = json.loads(file.read())
        except RecursionError as error:
            raise ValueError(f"{META} is nested too deeply") from error
        except ValueError as error:
            raise ValueError(f"{META} is no JSON ({error})") from error
        if not isinstance(values, dict):
            raise ValueError(f"{META} is no record of a segment")
        checksum = values.pop("checksum", None)
        if checksum is not None and checksum != json_checksum(values):
            raise ValueError(f"{META} is not as it was saved")
        files = values.pop(_FILES, None)
        if not isinstance(files, dict) or not all(type(crc) is int for crc in files.values()):
            raise ValueError(f"{META} names no files")
        return cls(files, _about(values) if values else None)

    def _fields(self) -> dict[str, Any]:
        about = {} if self.about is None else asdict(self.about)
        return {_FILES: dict(self.files), **about}


def _about(fields: Mapping[str, Any]) -> About:
    """Raises ``ValueError`` for what no release has written."""
    try:
        about = About(**fields)
    except TypeError as error:
        raise ValueError(f"{META} is of another version") from error
    counts = (about.documents, about.sentences, about.order)
    if not all(type(count) is int and count >= 0 for count in counts):
        raise ValueError(f"{META} has counts that are none")
    if not isinstance(about.replaces, list) or not all(isinstance(n, str) for n in about.replaces):
        raise ValueError(f"{META} replaces what is no list of names")
    corpus = about.corpus
    if not isinstance(corpus, dict) or {n: type(corpus[n]) for n in corpus} != _SETTINGS:
        raise ValueError(f"{META} has no settings of a corpus")
    return about
