"""Segments joined: which ones belong together, and what is left of them.

>>> entries = [Entry(name, documents, 1, 0) for name, documents in (("a", 2), ("b", 2), ("c", 9))]
>>> groups(entries, most=5)
[['a', 'b']]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.corpus.first_look import coded_vectors
from compsim.corpus.manifest import Entry
from compsim.corpus.segment import Segment
from compsim.kernels.quantization import Coded
from compsim.retrieval.documents import Documents

__all__ = ["Joined", "check_same", "compacted", "groups"]


class Joined(NamedTuple):
    """Parts of a merged segment; ``coded`` are the vectors of the first look, if there are any."""

    ids: list[str]
    docs: Documents
    coded: Coded | None


def groups(entries: Sequence[Entry], most: int) -> list[list[str]]:
    """Names of neighbours that together have at most so many sentences; what is fine is left."""
    results: list[list[Entry]] = []
    room = 0
    for entry in entries:
        size = max(entry.sentences, entry.documents - entry.gone)
        if not results or size > room:
            results.append([])
            room = most
        results[-1].append(entry)
        room -= size
    return [[one.name for one in own] for own in results if len(own) > 1 or own[0].gone]


def compacted(segments: Sequence[Segment], encoded: type[Encoded], precision: str) -> Joined | None:
    """Ids, documents and vectors of all that is not deleted; None where nothing is.

    Where some segments have vectors for the first look, those of the others are made. Raises
    ``DataError`` for a segment that is not as it was saved.
    """
    ids: list[str] = []
    parts: list[Documents] = []
    codes: list[Coded | None] = []
    for segment in segments:
        # What is joined gets checksums of its own: they would hide what is damaged.
        segment.check()
        rows = np.flatnonzero(segment.alive)
        docs = segment.documents(encoded)[rows]
        every = segment.ids
        ids += [every[row] for row in rows.tolist()]
        parts.append(docs.alone())
        if parts[-1].batch is not None:
            used, coded = np.unique(docs.places), segment.coded
            codes.append(None if coded is None else Coded(*(part[used] for part in coded)))
    if not ids:
        return None
    batches = [part.batch for part in parts if part.batch is not None]
    return Joined(ids, Documents.concat(parts), _joined(codes, batches, precision))


def check_same(segment: Segment, made: Joined) -> None:
    """Raise ``ValueError`` or ``OSError`` where a segment does not hold what it was made of."""
    segment.check()
    there: list[npt.NDArray[np.generic]] = [segment.places, segment.starts, segment.spans]
    expected: list[npt.NDArray[np.generic]] = [made.docs.places, made.docs.starts, made.docs.spans]
    if segment.ids != made.ids or segment.texts != list(made.docs.texts):
        raise ValueError("its documents are others")
    if (segment.coded is None) != (made.coded is None):
        raise ValueError("its vectors are gone")
    there += segment.coded or ()
    expected += made.coded or ()
    if made.docs.batch is not None:
        batch = segment.documents(type(made.docs.batch)).batch
        assert batch is not None
        stored, other = batch._to_stored(), made.docs.batch._to_stored()
        if stored.arrays.keys() != other.arrays.keys():
            raise ValueError("its arrays are others")
        there += stored.arrays.values()
        expected += [other.arrays[name] for name in stored.arrays]
        if list(stored.records) != list(other.records):
            raise ValueError("its sentences are others")
    if not all(map(np.array_equal, there, expected)):
        raise ValueError("its arrays are others")


def _joined(
    codes: Sequence[Coded | None], batches: Sequence[Encoded], precision: str
) -> Coded | None:
    """The vectors of the first look, one batch behind another; None where no batch has any."""
    if all(coded is None for coded in codes):
        return None
    every = [
        coded_vectors(batch, precision) if coded is None else coded
        for coded, batch in zip(codes, batches, strict=True)
    ]
    return Coded(*map(np.concatenate, zip(*every, strict=True)))
