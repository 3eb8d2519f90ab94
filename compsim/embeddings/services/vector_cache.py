"""Sentence vectors, kept by what was encoded and by the model, so that nothing is paid for twice.

>>> import tempfile, numpy as np
>>> cache = VectorCache(tempfile.mkdtemp() + "/embeddings.sqlite")
>>> cache.put({"Cats sleep.": np.array([1, 2], dtype=np.float32)}, "a model")
>>> cache.get(["Cats sleep.", "Dogs bark."], "a model")
{'Cats sleep.': array([1., 2.], dtype=float32)}
>>> cache.get(["Cats sleep."], "another model")
{}
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from compsim.storage.places import home
from compsim.storage.sqlite_cache import SqliteCache, key_of

__all__ = ["VectorCache", "default_path"]

_STORED = np.dtype("<f4")


def default_path() -> Path:
    """Return the default path of the cache: ``embeddings.sqlite`` in the user-data folder."""
    return home() / "embeddings.sqlite"


class VectorCache:
    """Keeps at most ``max_entries`` vectors in the file ``path``, the oldest out first.

    ``path=None``, or with one warning a folder that can not be written, keeps nothing. Safe for
    several threads and processes.
    """

    def __init__(self, path: str | Path | None, *, max_entries: int = 500_000) -> None:
        self._file = SqliteCache(
            path,
            table="vectors",
            column="vector BLOB",
            max_entries=max_entries,
            name="vector cache",
            without="vectors are not kept",
        )

    def __reduce__(self) -> tuple[partial[VectorCache], tuple[()]]:
        return partial(VectorCache, self.path, max_entries=self._file.max_entries), ()

    @property
    def path(self) -> Path | None:
        """Path of the file; None if it cannot be used."""
        return self._file.path

    def __len__(self) -> int:
        held = self._file.held()
        return 0 if held is None else held[0]

    def get(self, texts: Iterable[str], space: str) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors that are kept for ``space``, by text."""
        wanted = {key_of(space, text): text for text in texts}
        result, bad = {}, []
        for key, value in self._file.get(list(wanted)):
            vector = _decode(value)
            if vector is None:
                bad.append(key)
            else:
                result[wanted[key]] = vector
        if bad:
            self._file.drop(bad)
        return result

    def put(self, vectors: Mapping[str, npt.NDArray[np.float32]], space: str) -> None:
        """Keep vectors under their texts; what is kept already stays."""
        self._file.put([(key_of(space, text), _encode(row)) for text, row in vectors.items()])

    def clear(self) -> None:
        """Forget everything."""
        self._file.clear()

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._file.close()


def _encode(vector: npt.NDArray[np.float32]) -> bytes:
    content = vector.astype(_STORED).tobytes()
    return zlib.crc32(content).to_bytes(4, "big") + content


def _decode(value: object) -> npt.NDArray[np.float32] | None:
    """The vector, or None where the file has been damaged."""
    if not isinstance(value, bytes) or len(value) < 8 or len(value) % 4:
        return None
    if zlib.crc32(value[4:]).to_bytes(4, "big") != value[:4]:
        return None
    return np.frombuffer(value, _STORED, offset=4).astype(np.float32)
