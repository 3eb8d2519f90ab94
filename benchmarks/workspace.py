"""Disk cache of evaluation results, keyed by a hash of their inputs.

A key stands for everything that a result depends on: the method and its options, the sentences, the
installed code and packages. So a run that was interrupted goes on where it stopped, the same run is
answered at once, and nothing stale is ever read.

>>> key("verbnet-cn", {"normalize": "fixed"}) == key("verbnet-cn", {"normalize": "fixed"})
True
>>> key("verbnet-cn", {"parser": object()}) is None  # what has no content of its own is not kept
True
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import compsim
from compsim.errors import DataError
from compsim.storage.files import write_json
from compsim.storage.places import home, weights_folder

if TYPE_CHECKING:
    from compsim.batches import Encoded

__all__ = ["Workspace", "by_content", "key"]

E = TypeVar("E", bound="Encoded")


def key(*content: Any) -> str | None:
    """A key of content made of strings, numbers, paths, lists and dicts; None for other content.

    A path to a file or folder stands for what is there: sizes and times of change.
    """
    try:
        text = json.dumps([_code(), content], sort_keys=True, default=_plain)
    except TypeError:
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def by_content(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with paths for the names of files that are there, as in "stored:FILE" too.

    A function by its name has the file that it stands in: what that reads is not seen.
    """

    def read(name: str, value: Any) -> Any:
        if not isinstance(value, str) or not value:
            return value
        places = [Path(text) for text in (value, value.partition(":")[2]) if text]
        if name == "function":
            from compsim.embeddings.functions import source_of

            places += filter(None, [source_of(value)])
        return [value, *(place for place in places if place.exists())]

    return {name: read(name, value) for name, value in options.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        files = sorted(value.rglob("*")) if value.is_dir() else [value]
        stats = [(str(file), file.stat()) for file in files if file.is_file()]
        return [str(value.absolute())] + [(n, s.st_size, s.st_mtime_ns) for n, s in stats]
    raise TypeError(f"{type(value).__name__} has no content")


@cache
def _code() -> str:
    """Return a fingerprint of the installed code and packages."""
    # A folder of its own stands behind each part of an editable install.
    from compsim import benchmarks, parsers

    folders = {Path(place) for part in (compsim, parsers, benchmarks) for place in part.__path__}
    folders.add(weights_folder())
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
    kept = [file for file in files if "__pycache__" not in file.parts]
    stats = [(str(file), file.stat()) for file in kept]
    content = [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats]
    content += sorted(
        f"{distribution.name} {distribution.version}" for distribution in distributions()
    )
    return hashlib.sha256("\n".join(content).encode()).hexdigest()


class Workspace:
    """Scores and encoded sentences in a folder, by default in the user's data folder."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = home() / "bench" if folder is None else Path(folder)

    def read(self, name: str | None) -> dict[str, Any] | None:
        """Return the value under a key, None if there is none or it cannot be read."""
        if name is None:
            return None
        try:
            values: dict[str, Any] = json.loads(self._scores(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return values

    def write(self, name: str | None, value: Mapping[str, Any]) -> None:
        """Keep JSON types under a key; nothing is kept without one, or where nothing can be."""
        if name is not None:
            with contextlib.suppress(OSError):
                self._scores(name).parent.mkdir(parents=True, exist_ok=True)
                write_json(self._scores(name), dict(value))

    def read_batch(self, kind: type[E], name: str | None) -> E | None:
        """An encoded batch, None where there is none or it cannot be read."""
        if name is None:
            return None
        try:
            return kind.load(self._batch(name), mmap=False)
        except DataError:
            return None

    def write_batch(self, name: str | None, batch: Encoded) -> None:
        """Keep an encoded batch under a key; nothing is kept without one, or where nothing can."""
        if name is not None:
            with contextlib.suppress(DataError):
                batch.save(self._batch(name))

    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _scores(self, name: str) -> Path:
        return self.folder / "scores" / f"{name}.json"

    def _batch(self, name: str) -> Path:
        return self.folder / "encoded" / name[:2] / name
