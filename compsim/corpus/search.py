"""Searching segments: a look at every sentence, then the method's own score for the best documents.

The method's score is looked at in the order of what the first look allows, so that the search may
end where no other document can be among the best; that end is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.corpus.first_look import FirstLook
from compsim.corpus.index import nearest
from compsim.corpus.segment import Segment
from compsim.errors import DataError, InputError
from compsim.kernels.quantization import Coded
from compsim.kernels.scan import scan
from compsim.retrieval.combination import deciding
from compsim.retrieval.documents import Documents
from compsim.retrieval.queries import Question
from compsim.retrieval.reranker import Reranker

__all__ = ["Hit", "best", "ranked"]

#: Documents that are scored at a time while the best are looked for, at first.
_STEP: Final = 1024
#: Documents of a segment that are read before the pages that they lie on are given back, of each of
#: some ten files up to 128 KB a document.
_TOUCHED: Final = 16
#: Documents that are put in order at a time where all may have to be looked at.
_ORDERED: Final = 8192

Rows: TypeAlias = npt.NDArray[np.int64]
#: The number of a segment, the segment, and some of its rows.
Chosen: TypeAlias = tuple[int, Segment, Rows]


class Hit(NamedTuple):
    """A document that was found: its segment and row, its score, and its sentence that decided.

    ``sentence`` is the place of that in the segment, -1 where it has none that can be compared.
    """

    segment: int
    row: int
    score: float
    sentence: int


def ranked(reranker: Reranker, question: Question, chosen: Iterable[Chosen]) -> list[Hit]:
    """Some rows of some segments, scored; in their order.

    Raises ``DataError`` for a segment whose vectors are damaged so that no score comes of them.
    """
    chosen = list(chosen)
    if not chosen:
        return []
    # All segments in one comparison: each has its price, and a few pairs alone are compared slowly.
    docs = Documents.concat(
        [_read_rows(segment, rows, reranker.method.encoded) for _, segment, rows in chosen]
    )
    numbers = [number for number, _, rows in chosen for _ in range(len(rows))]
    at_rows = [row for _, _, rows in chosen for row in rows.tolist()]
    if docs.batch is None:
        lowest = reranker.method.info.lowest
        return [Hit(number, row, lowest, -1) for number, row in zip(numbers, at_rows, strict=True)]
    try:
        each = reranker.sentence_scores(question, docs)
    except InputError:  # a vector that is no number: of the corpus, if it is damaged
        for _, segment, _ in chosen:
            segment.verify()
        raise
    scores = reranker.document_scores(each, docs).tolist()
    places = deciding(each[0], docs.starts)
    begin = np.concatenate([segment.starts[rows] for _, segment, rows in chosen])
    at = np.where(places >= 0, begin + places, -1).tolist()
    return [Hit(*hit) for hit in zip(numbers, at_rows, scores, at, strict=True)]


def _read_rows(segment: Segment, rows: Rows, encoded: type[Encoded]) -> Documents:
    """Read some documents of a segment, and no sentence of others, into memory."""
    docs = segment.documents(encoded)[rows].alone()
    segment.touched += len(rows)
    if segment.touched >= _TOUCHED:
        segment.release()
    return docs


def best(
    reranker: Reranker,
    look: FirstLook | None,
    question: Question,
    segments: Sequence[Segment],
    top_k: int,
    depth: int | None,
) -> list[Hit]:
    """The best documents of all segments, ties in their order.

    With a first look, documents are scored in the order of what it allows until no other can be
    among the best, but no more than ``depth``; None: however many it takes. Without one, all are.
    """
    item: list[Hit] = []
    if look is None:
        for number, segment in enumerate(segments):
            every = np.flatnonzero(segment.alive)
            item += ranked(reranker, question, [(number, segment, every)])
            item = _first(item, top_k)
        return item
    limit = None if depth is None else max(depth, top_k)
    bound = _bounds(look, question, segments, reranker.method.info.lowest, limit)
    starts = np.cumsum([0, *map(len, segments)])
    for chosen in _in_order(bound, limit):
        # Nothing from here on can score more than this.
        if len(item) == top_k and bound[chosen[0]] < item[-1].score:
            break
        item += ranked(reranker, question, _by_segment(np.sort(chosen), segments, starts))
        item = _first(item, top_k)
    return item


def _first(results: list[Hit], top_k: int) -> list[Hit]:
    return sorted(results, key=lambda hit: (-hit.score, hit.segment, hit.row))[:top_k]


def _by_segment(
    numbers: Rows, segments: Sequence[Segment], starts: npt.NDArray[np.int64]
) -> Iterator[Chosen]:
    """Numbers of documents of all segments, in order, as rows of each."""
    cuts = np.searchsorted(numbers, starts).tolist()
    for number, segment in enumerate(segments):
        own = numbers[cuts[number] : cuts[number + 1]]
        if len(own):
            yield number, segment, own - starts[number]


def _in_order(bound: npt.NDArray[np.float32], limit: int | None) -> Iterator[Rows]:
    """The numbers of the documents with the highest bounds, in order, some at a time."""
    left = np.flatnonzero(bound > -np.inf)
    left = left if limit is None else _highest(left, bound, limit)
    size = _ORDERED
    step = _STEP
    while len(left):
        high = _highest(left, bound, size)
        for begin in range(0, len(high), step):
            yield high[begin : begin + step]
        step = _ORDERED
        rest = np.ones(len(bound), dtype=np.bool_)
        rest[high] = False
        left = left[rest[left]]
        size *= 8


def _highest(numbers: Rows, bound: npt.NDArray[np.float32], count: int) -> Rows:
    """So many of the numbers, those with the highest bounds, in order; ties by number."""
    if len(numbers) > count:
        numbers = numbers[np.argpartition(-bound[numbers], count - 1)[:count]]
    return numbers[np.lexsort((numbers, -bound[numbers]))]


def _bounds(
    look: FirstLook,
    question: Question,
    segments: Sequence[Segment],
    lowest: float,
    limit: int | None,
) -> npt.NDArray[np.float32]:
    """The most that each document's score can be, float32 (documents,).

    -inf for deleted ones and, in segments with an index, for those of which no sentence is among
    the ``limit`` that are found.
    """
    unit = look.unit(question.batch)[0]
    for segment in segments:
        if segment.coded is not None and segment.coded.code.shape[1] != len(unit):
            raise DataError(
                f"{segment.path}: whole.npy has vectors of {segment.coded.code.shape[1]} numbers "
                f"and the query has {len(unit)}: restore the corpus from a copy"
            )
    rows = [_indexed_rows(segment, unit, limit) for segment in segments]
    parts: list[Coded] = []
    for segment, own in zip(segments, rows, strict=True):
        if segment.coded is not None:
            code, scale, error = segment.coded
            result = segment.coded if own is None else Coded(code[own], scale[own], error[own])
            parts.append(result)
    whole = scan(parts, unit)
    out = []
    begin = 0
    for segment, own in zip(segments, rows, strict=True):
        bound = np.full(len(segment), lowest if own is None else -np.inf, dtype=np.float32)
        if segment.coded is None and segment.entry.sentences:
            bound[:] = np.inf  # added by a method that had no first look
        elif segment.coded is not None:
            size = segment.entry.sentences if own is None else len(own)
            here = whole[begin : begin + size]
            begin += size
            if own is None:
                filled = np.flatnonzero(np.diff(segment.starts))
                # No mean of some of its sentences is more than the best of them.
                highest = np.maximum.reduceat(here[segment.places], segment.starts[filled])
                bound[filled] = look.bound(highest)
            else:
                number, at = segment.owners(own)
                np.maximum.at(bound, number, look.bound(here)[at])
        if segment.entry.gone:
            bound[~segment.alive] = -np.inf
        out.append(bound)
    return np.concatenate(out) if out else np.zeros(0, dtype=np.float32)


def _indexed_rows(
    segment: Segment, unit: npt.NDArray[np.float32], limit: int | None
) -> Rows | None:
    """The sentences that an index finds; None where all are looked at."""
    if limit is None or segment.index is None or not unit.any():
        return None
    return nearest(segment.index, unit, limit + segment.entry.gone)
