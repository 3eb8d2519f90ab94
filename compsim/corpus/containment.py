"""Containment: what a corpus reads and writes lies in its own folder.

Names come from files that somebody else may have made, and so do links. Neither may lead out.

>>> is_inside("batch/status.npy"), is_inside("../secret.npy"), is_inside("/dev/zero")
(True, False, False)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from compsim.corpus.manifest import Entry
from compsim.errors import DataError

__all__ = ["is_inside", "refuse_links"]

_PART: Final = r"[0-9A-Za-z_][0-9A-Za-z_.-]*"
_PATH: Final = re.compile(rf"{_PART}(/{_PART})*")


def is_inside(name: object) -> bool:
    """Return whether a name of a file leads into the folder that it is joined to."""
    return isinstance(name, str) and _PATH.fullmatch(name) is not None


def refuse_links(folder: Path, entry: Entry) -> None:
    """Raise ``DataError`` for a link among a segment's files, or in place of their ``folder``.

    What is missing is left to whoever reads it.
    """
    beside = [one[0] for one in (entry.deleted, entry.index) if one is not None]
    named = (folder, folder / entry.name, *(folder / name for name in beside))
    for path in (*filter(os.path.islink, named), *_links(folder / entry.name)):
        raise DataError(
            f"{path} is a link, and a corpus has none: put what it leads to in its place"
        )


def _links(folder: Path) -> Iterator[Path]:
    """Yield the links in a folder and in those below it."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as items:
        for item in items:
            if item.is_symlink():
                yield Path(item.path)
            elif item.is_dir(follow_symlinks=False):
                yield from _links(Path(item.path))
