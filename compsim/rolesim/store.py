"""Role batches on disk: a folder of ``.npy`` files that can be memory-mapped.

The parses lie behind one another as JSON in ``graphs.npy``, so one is read without the others.

>>> import tempfile
>>> import numpy as np
>>> from compsim.rolesim.batch import RoleBatch
>>> batch = RoleBatch(np.array([0, 1]), np.array([0]), np.ones((1, 1)), roles=("Verb",))
>>> with tempfile.TemporaryDirectory() as folder:
...     batch.save(folder + "/batch")
...     RoleBatch.load(folder + "/batch", mmap=False)
RoleBatch(1 sentences, 1 phrases, 1 dimensions)
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, overload

import numpy as np
import numpy.typing as npt

from compsim.errors import CompsimError, DataError
from compsim.graph import RoleGraph
from compsim.rolesim.batch import RoleBatch

__all__ = ["load", "save"]

_FORMAT: Final = "compsim role batch 1"
_META: Final = "batch.json"
_ARRAYS: Final = ("indptr", "role", "vector", "status")

B = TypeVar("B", bound=RoleBatch)


class _StoredGraphs(Sequence[RoleGraph]):
    """Parses that are read from the folder one at a time, when they are asked for."""

    def __init__(
        self, text: npt.NDArray[np.uint8], end: npt.NDArray[np.int64], rows: range | None = None
    ) -> None:
        self._text = text
        self._end = end
        self._rows = range(len(end)) if rows is None else rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> RoleGraph: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[RoleGraph]: ...
    def __getitem__(self, index: int | slice) -> RoleGraph | Sequence[RoleGraph]:
        if isinstance(index, slice):
            return _StoredGraphs(self._text, self._end, self._rows[index])
        row = self._rows[index]
        start = int(self._end[row - 1]) if row else 0
        return RoleGraph.from_json(json.loads(self._text[start : int(self._end[row])].tobytes()))


def save(batch: RoleBatch, path: Path) -> None:
    """Write a batch to a new folder and put that in place of what was at the path."""
    if path.exists() and not (path / _META).is_file():
        raise DataError(f"{path} is there already and is not a role batch: give another path")
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(batch, name))
        parts = [json.dumps(graph.to_json()).encode() for graph in batch.graphs]
        end = np.cumsum([len(part) for part in parts], dtype=np.int64)
        text = np.array(bytearray(b"".join(parts)), dtype=np.uint8)
        np.save(folder / "graphs.npy", text)
        np.save(folder / "graphs_end.npy", end)
        meta = {"format": _FORMAT, "roles": batch.roles, "space": batch.space}
        (folder / _META).write_text(json.dumps(meta), encoding="utf-8")
        folder.chmod(0o755)
        if path.exists():
            # A folder cannot be replaced in one step while it holds files: move it aside first.
            aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.old.", dir=path.parent))
            os.replace(path, aside)
            os.replace(folder, path)
            shutil.rmtree(aside)
        else:
            os.replace(folder, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def load(kind: type[B], path: Path, mmap: bool) -> B:
    """Read a batch; its arrays are mapped from disk where ``mmap`` says so."""
    try:
        meta: dict[str, Any] = json.loads((path / _META).read_text(encoding="utf-8"))
        if not isinstance(meta, dict) or meta.get("format") != _FORMAT:
            raise DataError(f"{path} is not a role batch of this version: encode and save it again")
        arrays = {name: _read(path / f"{name}.npy", mmap) for name in _ARRAYS}
        end = _read(path / "graphs_end.npy", mmap)
        graphs: Sequence[RoleGraph] = ()
        if len(end):
            graphs = _StoredGraphs(_read(path / "graphs.npy", mmap), end)
        return kind(
            arrays["indptr"],
            arrays["role"],
            arrays["vector"],
            roles=tuple(meta["roles"]),
            status=arrays["status"],
            graphs=graphs,
            space=meta["space"],
        )
    except DataError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, CompsimError) as error:
        raise DataError(
            f"{path} cannot be read as a role batch ({error}): encode and save it again"
        ) from error


def _read(path: Path, mmap: bool) -> npt.NDArray[Any]:
    # An empty array cannot be mapped.
    array: npt.NDArray[Any] = np.load(path, mmap_mode="r" if mmap else None, allow_pickle=False)
    return array
