"""Checks of an index file before usearch maps it, which trusts all of it.

The file of usearch 2: the vectors behind their number and length, a head, the level of each node,
and the nodes, each with its key, its level and its neighbours on every level up to its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.storage.reading import open_plain

__all__ = ["check_index"]

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

_HEAD: Final = np.dtype(
    [
        ("magic", "S7"), ("version", "<u2", 3), ("metric", "S1"), ("scalar", "u1"),
        ("key", "u1"), ("slot", "u1"), ("present", "<u8"), ("deleted", "<u8"), ("dim", "<u8"),
        ("multi", "u1"), ("reserved", "u1", 22),
    ]
)  # fmt: skip
_GRAPH: Final = np.dtype([(name, "<u8") for name in ("size", "width", "base", "level", "entry")])
_MATRIX: Final = np.dtype([("rows", "<u4"), ("columns", "<u4")])
#: Of a cosine, of int8.
_METRIC: Final = b"c"
_INT8: Final = 0x17
#: The bytes of a key with a level.
_KEY: Final = 10
#: Nodes that are looked at at a time.
_BLOCK: Final = 1 << 13


def check_index(path: Path, count: int, dim: int) -> None:
    """Raise ``ValueError`` for what is no index of so many int8 vectors of a length.

    Raises ``OSError`` where it cannot be read.
    """
    with open_plain(path) as file:
        size = file.seek(0, 2)
        if size < _MATRIX.itemsize:
            raise ValueError(f"{path.name} is no index")
        data = np.memmap(file, np.uint8, mode="r").view(np.ndarray)
    if not _is_index(data, count, dim):
        raise ValueError(f"{path.name} is no index of {count} vectors of {dim} numbers")


def _is_index(data: Bytes, count: int, dim: int) -> bool:
    start = _MATRIX.itemsize + count * dim
    nodes_at = start + _HEAD.itemsize + _GRAPH.itemsize + 2 * count
    if len(data) < nodes_at:
        return False
    matrix, head = data[: _MATRIX.itemsize].view(_MATRIX)[0], _struct(data, start, _HEAD)
    graph = _struct(data, start + _HEAD.itemsize, _GRAPH)
    fits = (
        (int(matrix["rows"]), int(matrix["columns"])) == (count, dim)
        and (head["magic"], int(head["version"][0])) == (b"usearch", 2)
        and (head["metric"], int(head["scalar"])) == (_METRIC, _INT8)
        and (int(head["present"]), int(head["deleted"]), int(head["dim"])) == (count, 0, dim)
        and not head["multi"]
        and int(graph["size"]) == count
        and int(graph["entry"]) < count
    )
    if not fits:
        return False
    levels: Numbers = data[nodes_at - 2 * count : nodes_at].view("<i2").astype(np.int64)
    width, base = int(graph["width"]), int(graph["base"])
    # What a node can take is bound by the file, so that no sum is beyond 64 bits.
    if levels.min() < 0 or max(width, base) > len(data):
        return False
    sizes = _KEY + 4 + 4 * base + levels * (4 + 4 * width)
    if int(sizes.sum()) != len(data) - nodes_at or levels[int(graph["entry"])] != graph["level"]:
        return False
    offsets: Numbers = nodes_at + np.cumsum(sizes) - sizes
    return levels.max() == graph["level"] and _are_nodes(data, offsets, levels, base, width)


def _are_nodes(data: Bytes, offsets: Numbers, levels: Numbers, base: int, width: int) -> bool:
    """Return whether all nodes have keys and neighbours that there are."""
    for start in range(0, len(offsets), _BLOCK):
        own, level = offsets[start : start + _BLOCK], levels[start : start + _BLOCK]
        keys = _gathered(data, own, np.dtype("<u8"), 1)
        again = _gathered(data, own + 8, np.dtype("<i2"), 1)[:, 0]
        if keys.max() >= len(levels) or (again != level).any():
            return False
        place, room = own + _KEY, base
        for depth in range(int(level.max()) + 1):
            if not _are_neighbours(data, place[level >= depth], levels, depth, room):
                return False
            place, room = place + 4 + 4 * room, width
    return True


def _are_neighbours(data: Bytes, places: Numbers, levels: Numbers, depth: int, room: int) -> bool:
    """Return whether all lists of neighbours on a level name nodes that are on it."""
    values = _gathered(data, places, np.dtype("<u4"), 1 + room).astype(np.int64)
    count, slots = values[:, :1], values[:, 1:]
    used = np.arange(room) < count
    slots = np.where(used, slots, 0)
    if (count > room).any() or (slots >= len(levels)).any():
        return False
    return bool((np.where(used, levels[slots], depth) >= depth).all())


def _gathered(data: Bytes, places: Numbers, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """So many numbers at each place."""
    rows = data[places[:, None] + np.arange(count * dtype.itemsize)]
    numbers: npt.NDArray[Any] = rows.view(dtype)
    return numbers


def _struct(data: Bytes, start: int, dtype: np.dtype[Any]) -> Any:
    return data[start : start + dtype.itemsize].view(dtype)[0]
