"""A table of token vectors, whose weighted mean over a sentence is the sentence's vector.

>>> import numpy as np
>>> pieces = WordPieces(["cat", "##s", "sleep"])
>>> table = StaticTable(np.eye(3), np.array([2, 1, 1], np.float32), pieces, "toy")
>>> table.vectors(["Cats sleep.", ""]).tolist()
[[0.5, 0.25, 0.25], [0.0, 0.0, 0.0]]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from compsim.embeddings.static.pieces import Place, WordPieces
from compsim.errors import DataError
from compsim.kernels.quantization import quantized
from compsim.storage.files import file_sha256, whole_folder, write_json
from compsim.storage.places import weights_folder
from compsim.vectors.means import stretch_means

__all__ = ["StaticTable", "Tokenizer", "read_static", "shipped", "write_static"]

_FORMAT: Final = 1
_FILES: Final = ("vectors.npy", "weights.npy", "words.txt")


class Tokenizer(Protocol):
    """Tokenizer of the words of a table."""

    def rows(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the rows of all tokens, and where those of each text end: (n + 1,) from 0."""

    def places(self, text: str) -> list[Place]:
        """Return the rows of a text and the characters that each stands for."""

    def name(self, row: int) -> str:
        """Return the token of a row."""


@dataclass(frozen=True)
class StaticTable:
    """Token vectors: row i is ``matrix[i] * weights[i]``.

    ``matrix`` (n, dim) is int8 or a float; ``weights`` (n,) float32. ``space`` tells one table from
    another.
    """

    matrix: npt.NDArray[Any]
    weights: npt.NDArray[np.float32]
    tokenizer: Tokenizer
    space: str

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return int(self.matrix.shape[1])

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the weighted mean of the token vectors of each text: float32 (n, dim)."""
        rows, ends = self.tokenizer.rows(texts)
        return stretch_means(self.matrix, rows, ends, self.weights[rows])

    def parts(self, places: Sequence[Place]) -> npt.NDArray[np.float64]:
        """Return what each place adds to the sum: float64 (len(places), dim)."""
        rows = np.array([place.row for place in places], dtype=np.int64)
        shares = np.array([place.share for place in places])
        vectors: npt.NDArray[np.float64] = self.matrix[rows].astype(np.float64)
        return vectors * (shares * self.weights[rows])[:, None]


@cache
def shipped() -> StaticTable:
    """Return the table that is installed with the package; it is opened once in a process."""
    return read_static(weights_folder() / "static")


def write_static(
    folder: str | Path,
    words: Sequence[str],
    vectors: npt.NDArray[np.float32],
    source: dict[str, Any],
) -> Path:
    """Write token vectors (len(words), dim) in one byte a number, and return the folder.

    Each row has a scale of its own, its weight. ``source`` says where the vectors come from.
    """
    folder = Path(folder)
    coded = quantized(vectors)
    with whole_folder(folder) as fresh:
        np.save(fresh / "vectors.npy", coded.code, allow_pickle=False)
        np.save(fresh / "weights.npy", coded.scale, allow_pickle=False)
        (fresh / "words.txt").write_bytes("".join(f"{word}\n" for word in words).encode())
        meta = {"format": _FORMAT, "source": source, "sha256": _checksums(fresh)}
        write_json(fresh / "meta.json", meta)
    return folder


def read_static(folder: str | Path, *, verify: bool = False) -> StaticTable:
    """Open a folder that :func:`write_static` wrote; the vectors stay on disk until they are used.

    Sizes are always checked, the checksums of the files only with ``verify``. Raises ``DataError``
    for a folder that is no such table or is damaged.
    """
    folder = Path(folder)
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        words = (folder / "words.txt").read_bytes().decode().split("\n")[:-1]
        matrix = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        weights = np.load(folder / "weights.npy", allow_pickle=False)
        known, digests = meta["format"] == _FORMAT, dict(meta["sha256"])
        fits = matrix.ndim == 2 and matrix.dtype == np.int8 and weights.dtype == np.float32
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, str(error)) from error
    if not known:
        raise _damaged(folder, "another version of compsim wrote it")
    if not fits or weights.shape != matrix.shape[:1] or len(words) != len(matrix):
        raise _damaged(folder, f"{len(words)} tokens and {matrix.shape} vectors")
    if verify and _checksums(folder) != digests:
        raise _damaged(folder, "a checksum is wrong")
    space = f"static {hashlib.sha256(str(sorted(digests.items())).encode()).hexdigest()[:16]}"
    return StaticTable(matrix, weights, WordPieces(words), space)


def _checksums(folder: Path) -> dict[str, str]:
    return {name: file_sha256(folder / name) for name in _FILES}


def _damaged(folder: Path, why: str) -> DataError:
    return DataError(
        f"{folder} is no table of token vectors ({why}): install compsim again, or make it anew"
    )
