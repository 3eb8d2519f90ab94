"""Items of an evaluation as points of a vector space: looked up, centred or normalised, unknown.

>>> from compsim.vectors import WordVectors
>>> table = WordVectors.from_arrays(["cat", "dog", "car"], [[1, 0], [0.9, 0.1], [0, 1]])
>>> result = items_of_words(table, ["Dog", "zebra", "car"], how=Comparison(center=False))
>>> result.kept.tolist(), result.scores.rows(result.kept[:1]).shape
([0, 2], (1, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats.neighbours import Scores, Space, unit_vectors
from compsim.embeddings.postprocess import Normalizer
from compsim.errors import DataError
from compsim.vectors import WordVectors

__all__ = [
    "Comparison",
    "Items",
    "bag_vectors",
    "items_of_bags",
    "items_of_vectors",
    "items_of_words",
]

#: "All but the top" as EvalRank's authors do it removes so many components of any dimensions.
_COMPONENTS: Final = 2
#: What EvalRank's authors have for a sentence without a known word, in each dimension.
_NOTHING: Final = 1e-9

#: Rows of a table that are moved at a time.
_ROWS: Final = 16_384

Array = npt.NDArray[Any]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Comparison:
    """Comparison of two items: cosine or the method's own similarity.

    ``metric`` is one of ``stats.neighbours``; ``center``: less their mean, where they are not
    normalised; ``oov``, "drop", "average" or "zero", is what those without a vector have;
    ``published``: also as the authors of EvalRank do.
    """

    metric: str = "cos"
    center: bool = True
    oov: str = "drop"
    published: bool = False


_PLAIN: Final = Comparison()


@dataclass(frozen=True)
class Items:
    """The items that can be compared: their places among all (m,), and what compares them.

    ``published`` compares them as the authors of EvalRank do, where that was asked for.
    """

    kept: Places
    scores: Scores
    published: Scores | None = None
    notes: tuple[str, ...] = ()

    @property
    def has_vectors(self) -> bool:
        """True if items are vectors, so that a row of scores is one product."""
        return isinstance(self.scores, Space)


def items_of_words(
    table: WordVectors,
    words: Sequence[str],
    normalize: str = "none",
    how: Comparison = _PLAIN,
) -> Items:
    """Words as a table has them, in any case: of those that differ in case the first counts.

    The mean, the normalisation and the "average" of unknown words are of the whole table.
    """
    rows = _lower_rows(table)
    values = np.array([rows.get(word.lower(), -1) for word in words], dtype=np.int64)
    known, own = np.unique(values[values >= 0], return_inverse=True)
    values[values >= 0] = own
    move = _mover(table, normalize, how.center)
    average = None
    if how.oov == "average":
        total = np.zeros(table.dim)
        for chunk in _chunks(table):
            moved = move(chunk)
            total += (unit_vectors(moved) if how.metric == "cos" else moved).sum(axis=0)
        average = total / len(table)
    moved = move(table.take(known).astype(np.float64))
    return _items(moved, values, how, np.dtype(np.float64), average)


def _mover(table: WordVectors, normalize: str, center: bool) -> Callable[[Array], Array]:
    """Return a function that normalises or centres rows of a table; zero rows stay zero.

    The whole table is held in float64 only where a normalisation is fitted to it.
    """
    fitted, mean = None, np.zeros(table.dim)
    if normalize != "none":
        whole = _finite(table.take(np.arange(len(table)))).astype(np.float64)
        fitted = Normalizer.fit(normalize, whole, components=_COMPONENTS)  # type: ignore[arg-type]
    elif center:
        for chunk in _chunks(table):
            mean += _finite(chunk).sum(axis=0)
        mean /= len(table)

    def move(vectors: Array) -> Array:
        moved = fitted.moved(_finite(vectors)) if fitted is not None else _finite(vectors) - mean
        moved[~vectors.any(axis=1)] = 0.0
        return moved

    return move


def _chunks(table: WordVectors) -> Iterator[Array]:
    """The rows of a table, float64, some at a time."""
    for start in range(0, len(table), _ROWS):
        yield table.take(np.arange(start, min(start + _ROWS, len(table)))).astype(np.float64)


def _finite(vectors: Array) -> Array:
    """The vectors; raises ``DataError`` for NaN and infinity."""
    if not np.isfinite(vectors).all():
        bad = int((~np.isfinite(vectors).all(axis=1)).sum())
        raise DataError(f"{bad} vectors hold NaN or infinity: mend the model or the table")
    return vectors


def items_of_bags(
    table: WordVectors,
    sentences: Sequence[str],
    normalize: str = "none",
    how: Comparison = _PLAIN,
) -> Items:
    """Sentences as the means of the vectors of their words, split at white space, in lower case.

    No word is left out, and none brought to a base form: EvalRank's baseline.
    """
    used, known = _bags(table, sentences)
    # In one order, so that the same words have the same sum to the last bit.
    matrix = table.take(used).astype(np.float64)
    means = _means(matrix, map(sorted, known))
    made = items_of_vectors(means, normalize, how=replace(how, published=False))
    if not how.published:
        return made
    matrix[:] = _decimals(table.take(used))
    nothing = _NOTHING if how.oov == "zero" else 0.0
    theirs = items_of_vectors(_means(matrix, known, nothing), normalize, how=how)
    return replace(made, published=theirs.published)


def bag_vectors(
    table: WordVectors, sentences: Sequence[str], normalize: str = "none"
) -> npt.NDArray[np.float64]:
    """The mean vector of the words of each sentence, float64 (n, dim); zeros where it has none.

    Words are those of ``items_of_bags``; a normalisation is fitted to all words of the table.
    """
    used, known = _bags(table, sentences)
    move = _mover(table, normalize, center=False)
    means: npt.NDArray[np.float64] = _means(move(table.take(used).astype(np.float64)), known)
    return means


def _bags(table: WordVectors, sentences: Sequence[str]) -> tuple[Places, list[list[int]]]:
    """The rows of a table that are used, ascending, and the places of each sentence's words."""
    rows = _lower_rows(table)
    bags = [[rows[word] for word in text.lower().split() if word in rows] for text in sentences]
    used = sorted({row for bag in bags for row in bag})
    place = {row: i for i, row in enumerate(used)}
    return np.array(used, dtype=np.int64), [[place[row] for row in bag] for bag in bags]


def _means(matrix: Array, rows: Iterable[list[int]], nothing: float = 0.0) -> Array:
    """The mean of some rows of a matrix for each sentence, float64 (n, dim)."""
    none = np.full(matrix.shape[1], nothing)
    return np.array([matrix[of].mean(axis=0) if of else none for of in rows])


def _decimals(vectors: Array) -> Array:
    """float32 numbers as the float64 numbers that a text file of up to 6 digits says."""
    decimals: Array = vectors.astype(str).astype(np.float64)
    return decimals


def items_of_vectors(
    vectors: Array,
    normalize: str = "none",
    fitted: Normalizer | None = None,
    how: Comparison = _PLAIN,
) -> Items:
    """Items by their vectors (n, dim); a row of zeros is an item without a vector.

    The mean, a normalisation that is not ``fitted``, and the "average" are of all items that have
    one; with "zero" those without count as vectors of zeros before the mean is subtracted.
    """
    # With "zero" what has no vector is like any other: far from the mean.
    there = np.asarray(vectors.any(axis=1)) | (how.oov == "zero")
    known = vectors[there].astype(np.float64)
    moved = _moved(known, known, normalize, how.center, fitted) if len(known) else known
    indices = np.where(there, np.cumsum(there) - 1, -1)
    return _items(moved, indices, how, vectors.dtype)


def _lower_rows(table: WordVectors) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, word in enumerate(table.words):
        rows.setdefault(word.lower(), row)
    return rows


def _moved(
    vectors: Array, fit: Array, normalize: str, center: bool, fitted: Normalizer | None = None
) -> Array:
    """Vectors (n, dim), float64, normalised or less the mean of those that it is fitted to."""
    _finite(vectors)
    if fitted is None and normalize != "none":
        fitted = Normalizer.fit(normalize, fit, components=_COMPONENTS)  # type: ignore[arg-type]
    if fitted is None and not center:
        return vectors
    moved = vectors - fit.mean(axis=0) if fitted is None else fitted.moved(vectors)
    return moved


def _items(
    moved: Array,
    results: Places,
    how: Comparison,
    precision: np.dtype[Any],
    average: Array | None = None,
) -> Items:
    """The items whose vectors are rows of ``moved``; -1 in ``results`` for those that have none.

    ``average`` (dim,) is the vector of these, by default the mean of all rows; ``precision`` that
    of what compares as published.
    """
    unit = unit_vectors(moved) if how.metric == "cos" else moved
    known = results >= 0
    kept = np.flatnonzero(known) if how.oov == "drop" else np.arange(len(results))
    vectors = unit[results[kept]] if len(unit) else np.zeros((len(kept), moved.shape[1]))
    if how.oov == "average" and len(moved):
        # As it is, not at unit length: what is unknown is unlike everything.
        vectors[~known[kept]] = unit.mean(axis=0) if average is None else average
    elif how.oov != "drop":
        vectors[~known[kept]] = 0.0
    notes = []
    if zeros := int((~vectors.any(axis=1)).sum()):
        notes.append(f"{zeros} items have the vector zero, which is as near to all others")
    scores = Space(vectors.astype(np.float32), how.metric, unit=False)
    theirs = None
    if how.published:
        theirs = Space(vectors.astype(precision), how.metric, unit=False, merged=False)
    return Items(kept, scores, theirs, tuple(notes))
