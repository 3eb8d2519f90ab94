"""Downloads of data too big to ship, and their folder.

Everything lives under one folder, :func:`home`: the platform's user data folder, or the folder that
the environment variable ``COMPSIM_HOME`` names.

>>> RESOURCES["numberbatch"].file_name
'numberbatch-en-19.08.txt.gz'

:func:`download` fetches a resource once. A transfer that breaks off goes on where it stopped, two
processes that want the same file wait for each other, and the file appears under its name only when
it is complete and its SHA-256 is the expected one. ``COMPSIM_OFFLINE=1`` forbids every transfer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compsim.errors import DataError, ServiceError, UnknownNameError
from compsim.http import offline
from compsim.storage.files import file_lock, file_sha256, write_json, writing
from compsim.storage.places import home
from compsim.storage.transfer import Progress, transfer

__all__ = ["RESOURCES", "Resource", "download", "fetch", "local_path"]


@dataclass(frozen=True, slots=True)
class Resource:
    """A file that users download: its place on the web and what is known of it.

    ``sha256`` is None where the publisher gives no checksum; the sum seen at the first download is
    then written beside the file, and every later download has to match it (trust on first use). It
    is not written where the server did not tell how long the file is: a part of it could be taken
    for all.
    """

    url: str
    file_name: str
    sha256: str | None = None


RESOURCES = {
    # Its licence is CC BY-SA 4.0.
    "numberbatch": Resource(
        url="https://conceptnet.s3.amazonaws.com/downloads/2019/numberbatch/"
        "numberbatch-en-19.08.txt.gz",
        file_name="numberbatch-en-19.08.txt.gz",
    )
}


def local_path(name: str) -> Path:
    """Return where the download of ``name`` lies, or would lie."""
    return home() / "downloads" / _resource(name).file_name


def download(
    name: str,
    *,
    url: str | None = None,
    sha256: str | None = None,
    progress: bool | Progress | None = None,
    force: bool = False,
) -> Path:
    """Fetch the resource ``name`` unless it is there, and return its path.

    ``url`` names a mirror (else the environment variable ``COMPSIM_NUMBERBATCH_URL``, for the
    resource "numberbatch", else the official address). ``sha256`` is the expected checksum; without
    it, and where the publisher gives none, the one recorded at the first download counts.
    ``progress`` is True, False, a callable ``(done, total)``, or None: a bar only in a terminal.
    ``force`` fetches again even if the file is there.

    Raises ``UnknownNameError`` for an unknown name, ``ServiceError`` if the server fails or
    ``COMPSIM_OFFLINE`` is set, and ``DataError`` if the checksum is wrong.
    """
    resource = _resource(name)
    target = local_path(name)
    address = url or os.environ.get(f"COMPSIM_{name.upper()}_URL") or resource.url
    mend = "name another folder in COMPSIM_HOME"
    with writing(target.parent, mend), file_lock(target.with_name(target.name + ".lock")):
        # Looked at only inside the lock: another process may just have finished the transfer.
        if target.exists() and not force:
            if sha256 is not None:
                _check_sha256(target, sha256, target)
            return target
        part, whole = _transferred(name, address, target, progress)
        expected = sha256 or resource.sha256 or _recorded_sha256(target)
        digest = _check_sha256(part, expected, target) if expected else file_sha256(part)
        if expected or whole:
            write_json(_record_path(target), {"url": address, "sha256": digest})
        os.replace(part, target)
    return target


def fetch(
    url: str,
    target: Path,
    *,
    progress: bool | Progress | None = None,
    force: bool = False,
    check: Callable[[str, bool], None] = lambda sha256, whole: None,
) -> Path:
    """Fetch a file to ``target`` unless it is there, and return its path.

    ``check`` is told its SHA-256, and whether all of it is known to have come, before it takes its
    name, and may raise ``DataError``.

    Resumed, atomic and forbidden as :func:`download` is, and with the same errors; the caller sees
    to it that no two processes fetch the same file.
    """
    if target.exists() and not force:
        return target
    with writing(target.parent):
        part, whole = _transferred(target.name, url, target, progress)
        try:
            check(file_sha256(part), whole)
        except DataError:
            part.unlink()  # A wrong file is of no use as the start of the next attempt.
            raise
        os.replace(part, target)
    return target


def _transferred(
    name: str, address: str, target: Path, progress: bool | Progress | None
) -> tuple[Path, bool]:
    """The file under a name of its own beside ``target``, and whether it is known to be whole."""
    if offline():
        raise ServiceError(
            f"{name} is not downloaded and COMPSIM_OFFLINE is set, so nothing is fetched; "
            f"unset it, or put the file from {address} at {target}"
        )
    part = target.with_name(target.name + ".part")
    with _progress(progress, target.name) as report:
        whole = transfer(address, part, report)
    return part, whole


def _resource(name: str) -> Resource:
    try:
        return RESOURCES[name]
    except KeyError:
        known = ", ".join(sorted(RESOURCES))
        raise UnknownNameError(
            f"there is nothing called {name!r} to download; choose from: {known}"
        ) from None


def _record_path(target: Path) -> Path:
    return target.with_name(target.name + ".json")


def _recorded_sha256(target: Path) -> str | None:
    """The checksum of the first download, None where there was none or its record is damaged."""
    try:
        record: dict[str, str] = json.loads(_record_path(target).read_text(encoding="utf-8"))
        digest = record["sha256"]
        # What is no checksum could never be met.
        return digest if re.fullmatch("[0-9a-f]{64}", digest) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _check_sha256(path: Path, expected: str, target: Path) -> str:
    digest = file_sha256(path)
    if digest != expected.lower():
        if path != target:
            path.unlink()  # A wrong file is of no use as the start of the next attempt.
        raise DataError(
            f"{target.name} has the SHA-256 {digest} and not {expected.lower()} as expected; "
            f"download it again, or delete {_record_path(target)} if the publisher has changed it"
        )
    return digest


@contextlib.contextmanager
def _progress(progress: bool | Progress | None, label: str) -> Iterator[Progress]:
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import DownloadColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    columns = (*Bar.get_default_columns()[:2], DownloadColumn(), TransferSpeedColumn())
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
