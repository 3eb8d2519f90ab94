"""Names of what lies in the folder of segments.

>>> segment_name(7), deleted_name("000007", 2, 0xBEEF)
('000007', '000007.deleted-2.0000beef.npy')
>>> DeletedName.parse("000007.deleted-2.0000beef.npy")
DeletedName(segment='000007', deletions=2, checksum=48879)
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = [
    "SEGMENTS",
    "DeletedName",
    "deleted_name",
    "index_name",
    "is_beside",
    "number_of",
    "segment_name",
]

#: The folder of segments, in that of the corpus.
SEGMENTS: Final = "segments"
_SEGMENT: Final = re.compile(r"[0-9]{6,12}")
#: Earlier releases wrote no checksum into the name.
_DELETED: Final = re.compile(r"([0-9]{6,12})\.deleted-([0-9]{1,12})(?:\.([0-9a-f]{8}))?\.npy")

_INDEX: Final = re.compile(r"[0-9]{6,12}\.index")


def segment_name(number: int) -> str:
    """Return the name of a segment's folder."""
    return f"{number:06d}"


def number_of(name: str) -> int | None:
    """Return the number of a segment by its name, None for another name."""
    return int(name) if _SEGMENT.fullmatch(name) else None


def is_beside(name: str) -> bool:
    """Return whether a name is that of a file that lies beside a segment."""
    return bool(_DELETED.fullmatch(name) or _INDEX.fullmatch(name))


def index_name(segment: str) -> str:
    """Return the name of the index of a segment."""
    return f"{segment}.index"


def deleted_name(segment: str, count: int, checksum: int) -> str:
    """Return the name of the list of a segment's deleted documents, of which there are so many."""
    return f"{segment}.deleted-{count}.{checksum:08x}.npy"


class DeletedName(NamedTuple):
    """Parsed name of a list of deleted documents; ``checksum`` is None where it has none."""

    segment: str
    deletions: int
    checksum: int | None

    @classmethod
    def parse(cls, name: str) -> DeletedName | None:
        """Return what a name says, None for that of something else."""
        match = _DELETED.fullmatch(name)
        if match is None:
            return None
        checksum = None if match[3] is None else int(match[3], 16)
        return cls(match[1], int(match[2]), checksum)
