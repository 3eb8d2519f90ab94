"""Features: buckets that the columns of candidates and predicates are hashed to.

Each *template* mixes a few columns into one feature, for all rows of a batch at once. A feature is
a bucket number in ``[0, BUCKETS)``; the same text gives the same bucket on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.parsers.roles.candidates import COLUMNS, SENSE_COLUMNS

__all__ = ["BUCKETS", "CONTENT", "PREDICATE", "TEMPLATES", "buckets", "sense_buckets"]

BUCKETS: Final = 1 << 17

PREDICATE: Final = COLUMNS.index("predicate")
CONTENT: Final = COLUMNS.index("content")

TEMPLATES: tuple[tuple[str, ...], ...] = (
    ("path",), ("path", "voice"), ("path", "voice", "objects"), ("path", "voice", "side"),
    ("path", "marker"), ("path", "marker", "voice"), ("path", "content"), ("path", "content_tag"),
    ("path", "lemma"), ("path", "ctag"), ("path", "edge"), ("path", "tag"), ("path", "relation"),
    ("path", "frame"), ("path", "frame", "voice"), ("path", "rank"), ("path", "particle"),
    ("path", "predicate"), ("path", "predicate", "voice"), ("path", "predicate", "marker"),
    ("path", "predicate", "voice", "objects"), ("path", "predicate", "frame"),
    ("path", "predicate", "particle"), ("path", "predicate", "preps"),
    ("path", "predicate", "rank"),
    ("path", "predicate", "content"), ("path", "predicate", "content_tag"),
    ("predicate", "marker"), ("predicate", "content"), ("predicate", "dep", "content_tag"),
    ("marker", "content"), ("marker", "content_tag"), ("marker", "content_tag", "side"),
    ("marker", "edge"), ("marker", "host"), ("dep", "content"), ("dep", "lemma", "side"),
    ("dep", "content_tag", "side", "voice"), ("content", "side"), ("content",), ("lemma", "ctag"),
    ("dep", "edge", "content"), ("dep", "frame", "rank"), ("path", "objects", "subject", "voice"),
    ("predicate", "path", "subject", "objects"), ("path", "host"), ("path", "shape"),
    ("path", "marker", "last"), ("dep", "side", "last"), ("dep", "predicate", "side"),
    ("path", "suffix"), ("dep", "side", "suffix"), ("marker", "suffix", "content_tag"),
)  # fmt: skip


def buckets(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Feature buckets of candidate rows: (n, len(COLUMNS)) -> (n, len(TEMPLATES))."""
    out = np.empty((len(rows), len(TEMPLATES)), dtype=np.int64)
    for i, template in enumerate(TEMPLATES):
        out[:, i] = _mix([rows[:, COLUMNS.index(name)] for name in template], i + 1)
    return out


def sense_buckets(
    rows: npt.NDArray[np.uint64], senses: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """Buckets of each context column seen with a roleset: (n, len(SENSE_COLUMNS))."""
    columns = [_mix([senses, rows[:, i]], i + 1) for i in range(len(SENSE_COLUMNS))]
    return np.stack(columns, axis=1)


def _mix(columns: Sequence[npt.NDArray[np.uint64]], salt: int) -> npt.NDArray[np.int64]:
    """Multiply-xorshift hash of parallel columns; unsigned arithmetic wraps by definition."""
    mixed = np.full(len(columns[0]), salt, dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return ((mixed >> np.uint64(40)) & np.uint64(BUCKETS - 1)).astype(np.int64)
