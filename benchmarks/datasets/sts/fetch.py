"""Fetch the files of STS3k that evaluations read, from the repository of its authors.

>>> from compsim.benchmarks.datasets import fetch_sts3k
>>> data = fetch_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> len(data)  # doctest: +SKIP
2800

A fetch that breaks off goes on where it stopped, and files that are there are not fetched again.
The authors give no checksums: those of the first fetch are kept in ``checksums.json``, and a file
fetched again has to have the same. ``COMPSIM_OFFLINE=1`` forbids it. The data's authors state no
licence: it is theirs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

from compsim.benchmarks.datasets.sts.sts3k import STS3K_FILES, STS3k, open_sts3k
from compsim.errors import DataError
from compsim.storage.downloads import fetch
from compsim.storage.files import file_lock, write_json, writing

__all__ = ["BASE_URL", "fetch_sts3k"]

#: The files of the repository's newest state, each by its path.
BASE_URL: Final = "https://raw.githubusercontent.com/bmmlab/compositional-semantics-eval/HEAD"

_SUMS: Final = "checksums.json"


def fetch_sts3k(
    folder: str | Path,
    *,
    base_url: str = BASE_URL,
    progress: bool | Callable[[int, int | None], None] | None = None,
    force: bool = False,
) -> STS3k:
    """Fetch the pairs, ratings, splits, parses and similarities of STS3k, and open them.

    Args:
        folder: Where to put them.
        base_url: A mirror with the same layout.
        progress: True, False, a callable ``(done, total)`` of bytes in the file under way, or None:
            a bar only in a terminal.
        force: Whether to fetch again what is there.

    Returns:
        The data.

    Raises:
        ServiceError: The server fails, or ``COMPSIM_OFFLINE`` is set.
        DataError: The folder cannot be written, a file is not what it was at first, or is
            malformed.

    Examples:
        >>> data = fetch_sts3k("DATA")  # doctest: +SKIP
    """
    root = Path(folder)
    missing = [file for file in STS3K_FILES if force or not (root / file).is_file()]
    if missing:
        with writing(root), file_lock(root / ".fetch.lock"):
            for file in missing:
                address = f"{base_url.rstrip('/')}/{quote(file.as_posix())}"
                check = partial(_check, root / _SUMS, file.as_posix())
                fetch(address, root / file, progress=progress, force=force, check=check)
    return open_sts3k(root)


def _check(record: Path, file: str, sha256: str, whole: bool) -> None:
    """Compare a file's checksum with the one it had first, or keep it as that if it is whole."""
    try:
        known = dict(json.loads(record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        known = {}
    if known.setdefault(file, sha256) != sha256:
        raise DataError(
            f"{file} has the SHA-256 {sha256} and not {known[file]} as when it was first fetched: "
            f"fetch it again, or delete {record} if its authors have changed it"
        )
    if whole:
        write_json(record, known)
