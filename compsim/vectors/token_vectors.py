"""Vectors of exact tokens, case and punctuation included, read from a text file when asked for.

``WordVectors`` looks for the base form of a word; encoders that were trained on a file of vectors
need its tokens as they stand. Such files are big and few of their tokens are ever used, so only
their places are kept in memory.

>>> import pathlib, tempfile
>>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.txt")
>>> _ = file.write_text("Cat 1 0 0\\n. . 0 1 0\\n")
>>> vectors = TokenVectors(file)
>>> vectors.dim, vectors.get(["Cat", "cat", ". ."])
(3, {'Cat': array([1., 0., 0.], dtype=float32), '. .': array([0., 1., 0.], dtype=float32)})
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.storage.checksums import quick_fingerprint
from compsim.storage.reading import expanded

__all__ = ["TokenVectors"]

_ENDS = 1 << 20  # bytes of a line that are read at most
_KEPT = 1 << 16  # tokens that are kept ready; then reading begins anew


class TokenVectors:
    """A file of word vectors as text: GloVe's, or fastText's with its header line.

    The file is walked over once, when a vector is first asked for. Raises ``DataError`` for a file
    that is missing, empty or not one of vectors.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = expanded(path)
        self._known: dict[str, npt.NDArray[np.float32] | None] = {}
        try:
            with self.path.open("rb") as file:
                first, second = file.readline(_ENDS), file.readline(_ENDS)
        except OSError as error:
            raise DataError(
                f"the word vectors {self.path} can not be read ({error.strerror or error}): check "
                "the path"
            ) from error
        self._header = len(first.split()) == 2
        row = second if self._header else first
        self.dim = len(row.split()) - 1
        if self.dim < 2 or _numbers(row, self.dim) is None:
            raise DataError(
                f"{self.path} does not begin with a word and its vector: give a text file of word "
                "vectors, unpacked"
            )

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the file's size and of its first and last mebibyte."""
        return quick_fingerprint(self.path)

    def get(self, tokens: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The vector, float32 (dim,), of each token that the file holds.

        Raises ``DataError`` for a line that is needed and damaged.
        """
        if len(self._known) > _KEPT:
            self._known = {}  # not emptied: another thread may be reading it
        known = self._known
        # Each token is looked for once: another thread may add it at any moment.
        vectors: dict[str, npt.NDArray[np.float32] | None] = {}
        new: dict[str, int | None] = {}
        for token in tokens:
            if token in known:
                vectors[token] = known[token]
            else:
                vectors[token], new[token] = None, self._places.get(_bytes(token))
        read = self._read(new)
        known.update((token, read.get(token)) for token in new)
        vectors |= read
        return {token: vector for token, vector in vectors.items() if vector is not None}

    def _read(self, places: dict[str, int | None]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of tokens from the lines that begin at these places."""
        # In the order of the file, so that it is read forwards.
        ordered = sorted((start, token) for token, start in places.items() if start is not None)
        vectors: dict[str, npt.NDArray[np.float32]] = {}
        if not ordered:
            return vectors
        with self.path.open("rb") as file:
            for start, token in ordered:
                file.seek(start)
                vector = _numbers(file.readline(), self.dim)
                if vector is None:
                    raise DataError(
                        f"{self.path}: the vector of {token!r} is not {self.dim} finite numbers: "
                        "get the file again"
                    )
                vectors[token] = vector
        return vectors

    @cached_property
    def _places(self) -> dict[bytes, int]:
        """Offset of the line of each token; of a repeated token, the first."""
        places: dict[bytes, int] = {}
        place = 0
        with self.path.open("rb") as file:
            if self._header:
                place += len(file.readline())
            for line in file:
                content = line.rstrip()
                # Some tokens hold spaces; they are the rows with too many, and few.
                if content.count(b" ") == self.dim:
                    token = content[: content.index(b" ")]
                else:
                    token = content.rsplit(b" ", self.dim)[0]
                places.setdefault(token, place)
                place += len(line)
        return places


def _bytes(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")


def _numbers(line: bytes, dim: int) -> npt.NDArray[np.float32] | None:
    try:
        row = np.array(line.rstrip().rsplit(b" ", dim)[1:], dtype=np.float64).astype(np.float32)
    except ValueError:
        return None
    return row if len(row) == dim and np.isfinite(row).all() else None
