"""Segments joined: which ones belong together, and what is left of them.

>>> entries = [Entry(name, documents, 1, 0) for name, documents in (("a", 2), ("b", 2), ("c", 9))]
>>> groups(entries, most=5)
[['a', 'b']]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from compsim.corpus.manifest import Entry
from compsim.corpus.segment import Segment
from compsim.kernels.quantization import Coded
from compsim.method import Encoded
from compsim.retrieval.documents import Documents

__all__ = ["compacted", "groups"]

Rows = npt.NDArray[np.int64]


def groups(entries: Sequence[Entry], most: int) -> list[list[str]]:
    """Names of neighbours that together have at most so many sentences; what is fine is left."""
    found: list[list[Entry]] = []
    room = 0
    for entry in entries:
        size = max(entry.sentences, entry.documents - entry.gone)
        if not found or size > room:
            found.append([])
            room = most
        found[-1].append(entry)
        room -= size
    return [[one.name for one in own] for own in found if len(own) > 1 or own[0].gone]


def compacted(
    segments: Sequence[Segment], encoded: type[Encoded]
) -> tuple[list[str], Documents, Coded | None] | None:
    """Ids, documents and vectors of all that is not deleted; None where nothing is."""
    ids: list[str] = []
    texts: list[str] = []
    batches: list[Encoded] = []
    codes: list[Coded] = []
    places: list[Rows] = []
    spans: list[Rows] = []
    lengths: list[Rows] = []
    size = 0
    for segment in segments:
        rows = np.flatnonzero(segment.alive)
        docs = segment.documents(encoded)[rows]
        every = segment.ids
        ids += [every[row] for row in rows.tolist()]
        texts += docs.texts
        lengths.append(np.diff(docs.starts))
        spans.append(docs.spans)
        if not len(docs.places):
            continue
        assert docs.batch is not None
        used, place = np.unique(docs.places, return_inverse=True)
        places.append(place + size)
        size += len(used)
        batches.append(docs.batch[used])
        if segment.coded is not None:
            code, scale, error = segment.coded
            codes.append(Coded(code[used], scale[used], error[used]))
    if not ids:
        return None
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    none = np.zeros(0, dtype=np.int64)
    docs = Documents(
        texts,
        type(batches[0]).concat(batches) if batches else None,
        np.concatenate(places).astype(np.int64) if places else none,
        starts,
        np.concatenate(spans),
    )
    joined = map(np.concatenate, zip(*codes, strict=True))
    coded = Coded(*joined) if codes else None
    return ids, docs, coded
