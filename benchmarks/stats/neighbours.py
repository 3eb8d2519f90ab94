"""Rank of the second item of a pair among all items, by similarity to the first.

Scores come block by block, a row for each first item and a column for each distinct item, so that
no square matrix of all items is ever held. The score of a pair is read from the same product as its
rivals': a product of its own differs in the last bit, and equal vectors would outrank each other.

>>> space = Space(np.array([[1, 0], [0.9, 0.1], [0, 1], [0.9, 0.1]]), "cos")
>>> result = rank_pairs(space, np.array([[0, 1], [0, 2], [2, 0]]))
>>> result.ranks.tolist(), result.ties.tolist()
([1, 3, 3], [1, 0, 0])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

__all__ = [
    "METRICS",
    "Pairwise",
    "Ranked",
    "Scores",
    "Space",
    "nearest",
    "rank_pairs",
    "resampled_means",
    "unit_vectors",
    "unordered",
]

METRICS: Final = ("cos", "l2")
#: Pairs that are ranked at a time.
_BLOCK: Final = 256
_RESAMPLES: Final = 1000
_SEED: Final = 2024

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class Scores(Protocol):
    """Similarities of items to all items; those of equal vectors share a column."""

    #: The column of each item (n,), and how many items each column (m,) stands for.
    column: Places
    copies: Places

    def rows(self, items: Places) -> npt.NDArray[Any]:
        """The similarity of each of the items to each column: (len(items), m)."""

    def apart(self, a: Places, b: Places) -> npt.NDArray[Any]:
        """The similarity of each pair in a computation of its own (len(a),)."""


class Space:
    """Items as vectors (n, dim), compared by cosine or by their Euclidean distance, negated.

    The cosine is computed in the precision of the vectors, distances in float64, where differences
    of squares do not cancel. A zero vector has the cosine 0 with every vector. ``merged``: equal
    vectors share a column; else each has its own, and each row is a product of its own, as the
    authors of EvalRank have it.
    """

    def __init__(
        self,
        vectors: npt.NDArray[Any],
        metric: str = "cos",
        unit: bool = True,
        merged: bool = True,
    ) -> None:
        if metric not in METRICS:
            raise InputError(f"metric={metric!r} is not known: use {', '.join(METRICS)}")
        if not np.isfinite(vectors).all():
            raise InputError("vectors hold NaN or infinity: mend the model or the table")
        self.metric = metric
        if metric == "cos":
            rows = np.array(vectors, dtype=vectors.dtype if vectors.dtype.kind == "f" else float)
            rows = unit_vectors(rows) if unit else rows
        else:
            rows = np.asarray(vectors, dtype=np.float64)
        rows = np.ascontiguousarray(rows) + 0.0  # no negative zeros, whose bytes differ
        self._merged = merged
        if not merged:
            self.column, self.copies = np.arange(len(rows)), np.ones(len(rows), dtype=np.int64)
            self._distinct = rows
            self._squares = np.einsum("ij,ij->i", rows, rows)
            return
        bytes_of = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
        _, first, column, copies = np.unique(
            bytes_of, return_index=True, return_inverse=True, return_counts=True
        )
        self.column, self.copies = column.astype(np.int64), copies.astype(np.int64)
        self._distinct = rows[first]
        self._squares = np.einsum("ij,ij->i", self._distinct, self._distinct)

    @property
    def vectors(self) -> npt.NDArray[Any]:
        """The vector of each item as it is compared (n, dim)."""
        vectors: npt.NDArray[Any] = self._distinct[self.column]
        return vectors

    @property
    def zeros(self) -> int:
        """Number of items with a zero vector."""
        return int(self.copies[~self._distinct.any(axis=1)].sum())

    def rows(self, items: Places) -> npt.NDArray[Any]:
        """The similarity of each of the items to each distinct vector: (len(items), m)."""
        own = self.column[items]
        product: npt.NDArray[Any]
        if self._merged:
            product = self._distinct[own] @ self._distinct.T
        else:
            product = np.stack([self._distinct @ row for row in self._distinct[own]])
        if self.metric == "cos":
            return product
        product *= 2
        product -= self._squares
        product -= self._squares[own][:, None]
        return product

    def apart(self, a: Places, b: Places) -> npt.NDArray[Any]:
        """The similarity of each pair in a computation of its own (len(a),)."""
        x, y = self._distinct[self.column[a]], self._distinct[self.column[b]]
        if self.metric == "cos":
            product: npt.NDArray[Any] = (x * y).sum(axis=1)
            return product
        distance: npt.NDArray[Any] = np.square(x - y).sum(axis=1)
        return -distance


class Pairwise:
    """Items that a function compares: it takes places of items and gives a row for each."""

    def __init__(self, count: int, scores: Callable[[Places], npt.NDArray[Any]]) -> None:
        self.column = np.arange(count, dtype=np.int64)
        self.copies = np.ones(count, dtype=np.int64)
        self._scores = scores

    def rows(self, items: Places) -> npt.NDArray[Any]:
        """The similarity of each of the items to all: (len(items), n). NaN is the lowest."""
        result: npt.NDArray[Any] = np.nan_to_num(self._scores(items), nan=-np.inf)
        return result

    def apart(self, a: Places, b: Places) -> npt.NDArray[Any]:
        """The similarity of each pair: there is no other computation."""
        return np.concatenate([self.rows(i[None])[:, j] for i, j in zip(a, b, strict=True)])


@dataclass(frozen=True)
class Ranked:
    """Rank of each pair (n,), and the number of other items that are as near.

    ``above`` (columns,) counts in how many pairs the items of a column outrank the second item.
    ``within`` (n, k) are the ranks among the first items only, for each count that was asked for.
    """

    ranks: Places
    ties: Places
    above: Places
    within: Places


def rank_pairs(
    scores: Scores,
    pairs: Places,
    *,
    apart: bool = False,
    within: Sequence[int] = (),
    advance: Callable[[int], None] = lambda count: None,
) -> Ranked:
    """The rank of b among all items but a, by similarity to a; ties do not count against b.

    ``pairs`` (n, 2) are places of items. A pair of an item with itself has rank 1. With ``apart``
    as the authors of EvalRank do: the score of the pair is computed by itself, and compared with
    those of all items, a among them. ``within`` are counts k of first items, those of all pairs
    among them, to rank among these alone too.
    """
    ranks = np.ones(len(pairs), dtype=np.int64)
    ties = np.zeros(len(pairs), dtype=np.int64)
    repeated = np.flatnonzero(scores.copies > 1)
    above = np.zeros(len(scores.copies), dtype=np.int64)
    # How many items of each column are among the first k; exact in float32.
    first = [np.bincount(scores.column[:k], minlength=len(scores.copies)) for k in within]
    counts = np.array(first, dtype=np.float32).reshape(len(first), len(scores.copies)).T
    among = np.ones((len(pairs), len(first)), dtype=np.int64)
    for block, result in _blocks(scores, pairs):
        a, b = pairs[block].T
        lines = np.arange(len(block))
        of_pair = scores.apart(a, b) if apart else result[lines, scores.column[b]]
        own = result[lines, scores.column[a]]
        greater = result > of_pair[:, None]
        more = np.count_nonzero(greater, axis=1)
        extra = scores.copies[repeated] - 1
        more = more + greater[:, repeated] @ extra
        if apart:
            ranks[block] = np.maximum(more, 1)
        else:
            equal = result == of_pair[:, None]
            same = np.count_nonzero(equal, axis=1) + equal[:, repeated] @ extra
            different = a != b
            ranks[block] = np.where(different, 1 + more - (own > of_pair), 1)
            ties[block] = np.where(different, same - 1 - (own == of_pair), 0)
            if first:
                some = (greater.astype(np.float32) @ counts).astype(np.int64)
                some += 1 - (own > of_pair)[:, None]
                among[block] = np.where(different[:, None], some, 1)
        greater[lines, scores.column[a]] = False
        above += greater.sum(axis=0)
        advance(len(block))
    return Ranked(ranks, ties, above, among)


def nearest(row: npt.NDArray[Any], item: int, count: int) -> list[int]:
    """The ``count`` other items most like an item, by its similarities to all (n,), nearest first.

    >>> nearest(np.array([0.2, 1.0, 0.5, 0.4]), 1, 2)
    [2, 3]
    """
    order = np.argsort(-row, kind="stable")
    return [place for place in order[: count + 1].tolist() if place != item][:count]


def _blocks(scores: Scores, pairs: Places) -> Iterator[tuple[Places, npt.NDArray[Any]]]:
    """Some pairs at a time, those of one first item together, and the scores of their firsts."""
    order = np.argsort(pairs[:, 0], kind="stable")
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        firsts, line = np.unique(pairs[block, 0], return_inverse=True)
        yield block, scores.rows(firsts)[line]


def unit_vectors(vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows at unit length in their own precision; a zero row stays zero."""
    length = np.linalg.norm(vectors.astype(np.float64), axis=1)
    unit = vectors / np.where(length > 0, length, 1)[:, None]
    return unit.astype(vectors.dtype, copy=False)


def unordered(pairs: Places) -> Places:
    """For each pair a number that it shares with its other direction (n,).

    The two directions are not independent, so that intervals resample both together. Pairs that
    share one item are not joined: that would make one group of most words.
    """
    _, result = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    return np.asarray(result, dtype=np.int64).reshape(-1)


def resampled_means(values: Array, groups: Places) -> Array:
    """The mean in each of 1,000 resamples of the groups, the same ones for the same groups."""
    sums = np.bincount(groups, weights=values)
    sizes = np.bincount(groups)
    rng = np.random.default_rng(_SEED)
    times = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=_RESAMPLES)
    result: Array = (times @ sums) / (times @ sizes)
    return result
