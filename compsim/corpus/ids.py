"""Lookup of a document's position by id, without a table of all ids in memory.

A segment has the hashes of its ids in order, on disk, and the place of each. Two ids may have one
hash: the ids themselves tell which is meant.

>>> table, places = hashed(["a", "b", "c"])
>>> [array.tolist() for array in places_of(table, places, ["c", "x", "a"])]
[[0, 2], [2, 0]]
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["hashed", "places_of"]

Hashes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]


def hashed(ids: Sequence[str]) -> tuple[Hashes, Places]:
    """The hashes of ids in order, and the place of each."""
    hashes = _hashes(ids)
    order = np.argsort(hashes, kind="stable").astype(np.int64)
    return hashes[order], order


def places_of(table: Hashes, places: Places, ids: Sequence[str]) -> tuple[Places, Places]:
    """Numbers of ids, and where each may stand: as often as its hash is in the table."""
    wanted = _hashes(ids)
    low = np.searchsorted(table, wanted, side="left")
    count = np.searchsorted(table, wanted, side="right") - low
    number = np.repeat(np.arange(len(ids)), count)
    nth = np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count)
    return number, places[low[number] + nth]


def _hashes(ids: Sequence[str]) -> Hashes:
    return np.array([zlib.crc32(one.encode()) for one in ids], dtype=np.uint32)
