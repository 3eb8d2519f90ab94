"""Folders of word vectors: writing, reading and checking.

Three files: ``vectors.npy`` (one row a word, memory-mapped when read), ``words.txt`` (one word a
line, in row order) and ``meta.json``. Rows are float32, or int8 with one scale a column, as in the
built-in table. A fourth, ``frequencies.npy``, may say how frequent each word is. Nothing is
pickled.

>>> import tempfile, numpy as np
>>> from compsim.vectors.table import read_table, write_table
>>> folder = tempfile.mkdtemp() + "/tiny"
>>> _ = write_table(folder, ["cat", "dog"], np.eye(2, dtype=np.float32), name="tiny")
>>> read_table(folder).words
['cat', 'dog']
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.storage.files import file_sha256, whole_folder, write_json
from compsim.storage.reading import UNREADABLE
from compsim.storage.scratch import recover

__all__ = [
    "LARGEST",
    "Table",
    "check_content",
    "read_meta",
    "read_table",
    "usable",
    "write_table",
]

#: The largest number in a vector: a sum of a million of them is still a float32.
LARGEST = 1e30

# Format 1 had no frequencies; its tables are read as before.
_FORMAT = 2
_KNOWN = frozenset((1, _FORMAT))

_ZIPF = 9  # Zipf's scale: the decimal logarithm of how often a word comes in 10^9 words


@dataclass(frozen=True, slots=True)
class Table:
    """An opened table: ``words[i]`` has the vector ``matrix[i] * scale``.

    ``matrix`` (n, dim) is a read-only memory map, float32 or int8; ``scale`` (dim,) is float32, or
    None where the rows are the vectors themselves. ``frequencies`` (n,) float32 is the share that
    each word has in running text, None where the table does not say.
    """

    words: list[str]
    matrix: npt.NDArray[Any]
    scale: npt.NDArray[np.float32] | None
    name: str
    fingerprint: str
    folder: Path | None
    frequencies: npt.NDArray[np.float32] | None = None


def write_table(
    folder: str | Path,
    words: Sequence[str],
    matrix: npt.NDArray[Any],
    *,
    name: str,
    scale: npt.NDArray[np.float32] | None = None,
    source: dict[str, Any] | None = None,
    frequencies: npt.NDArray[np.floating[Any]] | None = None,
) -> Path:
    """Write a table folder, whole or not at all, and return its path.

    ``matrix`` (len(words), dim) is float32, or int8 with ``scale`` (dim,). A folder that is there
    already is replaced. ``source`` says where the vectors come from. ``frequencies``
    (len(words),), the share of each word in running text, is kept to about 1 %. Raises
    ``DataError`` for words or frequencies that do not fit the rows, words that repeat or hold a
    line break, NaN or infinite values, and frequencies that are not above 0 and at most 1.
    """
    folder = Path(folder)
    check_content(words, matrix, name, frequencies)
    with whole_folder(folder) as fresh:
        np.save(fresh / "vectors.npy", np.ascontiguousarray(matrix), allow_pickle=False)
        if frequencies is not None:
            zipf = (np.log10(frequencies) + _ZIPF).astype(np.float16)
            np.save(fresh / "frequencies.npy", zipf, allow_pickle=False)
        (fresh / "words.txt").write_bytes("".join(f"{w}\n" for w in words).encode("utf-8"))
        meta = {
            "format": _FORMAT,
            "name": name,
            "words": len(words),
            "dim": int(matrix.shape[1]),
            "dtype": str(matrix.dtype),
            "scale": None if scale is None else [float(f"{x:.7g}") for x in scale],
            "frequencies": frequencies is not None,
            "source": source or {},
        }
        write_json(fresh / "meta.json", meta | {"sha256": _checksum(fresh, meta)})
    return folder


def read_table(folder: str | Path, *, verify: bool = False) -> Table:
    """Open a table folder; the vectors stay on disk until they are used.

    Sizes are always checked, the checksum of all rows only with ``verify``. Raises ``DataError``
    for a folder that is no table or is damaged.
    """
    folder = Path(folder)
    recover(folder)
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        words = (folder / "words.txt").read_bytes().decode("utf-8").split("\n")[:-1]
        matrix = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        scale = None if meta["scale"] is None else np.array(meta["scale"], dtype=np.float32)
        shape, digest, name = (meta["words"], meta["dim"]), str(meta["sha256"]), str(meta["name"])
        known = meta["format"] in _KNOWN
        frequencies = _frequencies(folder) if meta.get("frequencies") else None
    except UNREADABLE as error:
        raise _damaged(folder, str(error)) from error
    if not known:
        raise _damaged(folder, "another version of compsim wrote it")
    if (
        matrix.shape != shape
        or len(words) != shape[0]
        or (scale is not None and scale.shape != matrix.shape[1:])
        or (frequencies is not None and frequencies.shape != matrix.shape[:1])
    ):
        raise _damaged(folder, f"{len(words)} words and {matrix.shape} vectors, not {shape}")
    if verify and _checksum(folder, meta) != digest:
        raise _damaged(folder, "the checksum is wrong")
    return Table(words, matrix, scale, name, digest[:16], folder, frequencies)


def read_meta(folder: Path) -> dict[str, Any]:
    """Return the metadata of a table, {} where there is no table of this version."""
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return meta if isinstance(meta, dict) and meta.get("format") in _KNOWN else {}


def usable(matrix: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return a mask of vectors (n, dim) that can be compared, bool (n,)."""
    result: npt.NDArray[np.bool_] = (np.abs(matrix) <= LARGEST).all(axis=1)  # NaN is not
    return result


def check_content(
    words: Sequence[str],
    matrix: npt.NDArray[Any],
    name: str,
    frequencies: npt.NDArray[Any] | None = None,
) -> None:
    """Raise ``DataError`` unless words, rows and frequencies can form a table."""
    if matrix.ndim != 2 or len(words) != len(matrix) or not matrix.size:
        raise DataError(
            f"the vectors {name!r} have {len(words)} words and the shape {matrix.shape}; give one "
            "row a word, at least one"
        )
    if len(set(words)) != len(words) or any("\n" in word for word in words):
        raise DataError(f"the vectors {name!r} repeat a word or break a line in one; rename it")
    if matrix.dtype.kind == "f" and not usable(matrix).all():
        raise DataError(
            f"the vectors {name!r} hold NaN, infinite values or some beyond {LARGEST:g}; repair "
            "them"
        )
    if frequencies is None:
        return
    if frequencies.shape != (len(words),) or not ((frequencies > 0) & (frequencies <= 1)).all():
        raise DataError(
            f"the frequencies of the vectors {name!r} are no shares of running text; give a number "
            f"above 0 and at most 1 for each of the {len(words)} words"
        )


def _frequencies(folder: Path) -> npt.NDArray[np.float32]:
    zipf = np.load(folder / "frequencies.npy", allow_pickle=False).astype(np.float32)
    return np.asarray(10 ** (zipf - _ZIPF), dtype=np.float32)


def _checksum(folder: Path, meta: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps([meta["words"], meta["dim"], meta["scale"]]).encode())
    more = ["frequencies.npy"] if meta.get("frequencies") else []
    for name in ("words.txt", "vectors.npy", *more):
        digest.update(file_sha256(folder / name).encode())
    return digest.hexdigest()


def _damaged(folder: Path, reason: str) -> DataError:
    return DataError(
        f"{folder} is not a whole vector table ({reason}); delete the folder and open the vectors "
        "again, or reinstall compsim if it is the built-in table"
    )
