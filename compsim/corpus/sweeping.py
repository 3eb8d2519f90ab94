"""The folder of segments kept clean: what a killed writer left, or another segment replaced, goes.

Nothing else does: only plain files and folders with the names that a corpus gives are removed, and
no link is followed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path
from typing import Final

from compsim.corpus.manifest import NAME, Manifest
from compsim.corpus.names import SEGMENTS, is_beside, number_of, segment_name
from compsim.errors import DataError
from compsim.storage.scratch import target_of

__all__ = ["check_segments", "free_number", "sweep"]

_REPAIR: Final = "compsim corpus repair"


def check_segments(path: Path, manifest: Manifest) -> None:
    """Raise ``DataError`` where a writer might remove what a corpus did not make.

    That is behind a link, or where the manifest is older than the segments, as one restored from a
    copy is.
    """
    folder = path / SEGMENTS
    try:
        mode = folder.lstat().st_mode
        newer = _newer(folder, manifest) if stat.S_ISDIR(mode) else []
    except FileNotFoundError as error:
        raise DataError(f"{folder} is missing: restore the corpus from a copy") from error
    except OSError as error:
        raise DataError(
            f"{folder} cannot be read ({error.strerror or error}): mend that, or restore the "
            "corpus from a copy"
        ) from error
    if not stat.S_ISDIR(mode):
        raise DataError(
            f"{folder} is a link or a file, and a corpus is written to in its own folder alone: "
            "put the segments there"
        )
    if newer:
        raise DataError(
            f"{path / NAME} is older than the segments, of which it does not name {newer[0]}: run "
            f"`{_REPAIR} {path}`, or remove that if it is none"
        )


def _newer(folder: Path, manifest: Manifest) -> list[str]:
    """Return the segments that no writer has left there which knew this manifest, in order."""
    named = manifest.named
    last = max([manifest.next_segment, *(number_of(name) or 0 for name in named)])
    with os.scandir(folder) as items:
        return sorted(
            item.name
            for item in items
            if item.name not in named
            and item.is_dir(follow_symlinks=False)
            and (number_of(item.name) or 0) > last
        )


def sweep(folder: Path, named: set[str]) -> None:
    """Remove segments, and files beside them, that the manifest does not name."""
    with os.scandir(folder) as items:
        unnamed = [item for item in items if item.name not in named]
    for item in unnamed:
        if number_of(item.name) is not None and item.is_dir(follow_symlinks=False):
            shutil.rmtree(item.path, ignore_errors=True)
        elif is_beside(target_of(item.name) or item.name) and item.is_file(follow_symlinks=False):
            with contextlib.suppress(OSError):
                os.unlink(item.path)


def free_number(folder: Path, number: int) -> int:
    """Return the first number from this one on that no segment has."""
    while os.path.lexists(folder / segment_name(number)):
        number += 1
    return number
