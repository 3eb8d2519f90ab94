"""Batches of graphs on disk: a folder of ``.npy`` files that can be memory-mapped.

>>> import tempfile
>>> import numpy as np
>>> from compsim.amr.batch import GraphBatch, Ragged
>>> from compsim.graph import RoleGraph
>>> part = Ragged(np.array([0, 2]), {"code": np.array([7, 8])})
>>> batch = GraphBatch({"word": part}, status=np.zeros(1), graphs=[RoleGraph.failed("a", "")])
>>> with tempfile.TemporaryDirectory() as folder:
...     batch.save(folder + "/batch")
...     GraphBatch.load(folder + "/batch", mmap=False)
GraphBatch(1 sentences)
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from compsim.amr.batch import GraphBatch, Ragged
from compsim.errors import CompsimError, DataError
from compsim.rolesim.store import _StoredGraphs

__all__ = ["load", "save"]

_FORMAT: Final = "compsim graph batch 1"
_META: Final = "batch.json"

B = TypeVar("B", bound=GraphBatch)


def save(batch: GraphBatch, path: Path) -> None:
    """Write a batch to a new folder and put that in place of what was at the path."""
    if path.exists() and not (path / _META).is_file():
        raise DataError(f"{path} is there already and is not a batch: give another path")
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        for name, array in _arrays(batch).items():
            np.save(folder / f"{name}.npy", array)
        meta = {
            "format": _FORMAT,
            "kind": batch.kind,
            "space": batch.space,
            "parts": {name: list(part.columns) for name, part in batch.parts.items()},
            "shared": list(batch.shared),
        }
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
            raise DataError(f"{path} is no batch of this version: encode and save it again")
        if meta["kind"] != kind.kind:
            raise DataError(
                f"{path} holds a batch of {meta['kind']}, not of {kind.kind}: load it with the "
                "method that made it"
            )

        def read(name: str) -> npt.NDArray[Any]:
            array: npt.NDArray[Any] = np.load(
                path / f"{name}.npy", mmap_mode="r" if mmap else None, allow_pickle=False
            )
            return array

        parts = {
            part: Ragged(read(f"{part}.indptr"), {name: read(f"{part}.{name}") for name in columns})
            for part, columns in meta["parts"].items()
        }
        return kind(
            parts,
            status=read("status"),
            graphs=_StoredGraphs(read("graphs"), read("graphs_end")),
            space=meta["space"],
            shared={name: read(f"shared.{name}") for name in meta["shared"]},
        )
    except DataError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, CompsimError) as error:
        raise DataError(
            f"{path} cannot be read as a batch ({error}): encode and save it again"
        ) from error


def _arrays(batch: GraphBatch) -> dict[str, npt.NDArray[Any]]:
    """Every array of a batch by the name of its file."""
    found: dict[str, npt.NDArray[Any]] = {"status": batch.status}
    for name, part in batch.parts.items():
        found[f"{name}.indptr"] = part.indptr
        found |= {f"{name}.{column}": array for column, array in part.columns.items()}
    found |= {f"shared.{name}": array for name, array in batch.shared.items()}
    texts = [json.dumps(graph.to_json()).encode() for graph in batch.graphs]
    found["graphs_end"] = np.cumsum([len(text) for text in texts], dtype=np.int64)
    found["graphs"] = np.array(bytearray(b"".join(texts)), dtype=np.uint8)
    return found
