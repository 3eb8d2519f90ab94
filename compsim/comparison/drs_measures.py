"""The three measures of two discourse representation structures: words, relations, word order.

>>> import numpy as np
>>> eye = np.eye(3)  # dog, bite, man
>>> bites = Structure(eye, np.array([[1, 0, 0, 0], [1, 2, 1, 0]]))
>>> bitten = Structure(eye, np.array([[1, 2, 0, 0], [1, 0, 1, 0]]))
>>> found = compare(bites, bitten)
>>> found.words, found.relations, found.order
(1.0, 0.5, 1.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.packed import unpacked

if TYPE_CHECKING:
    from compsim.comparison.batch import ConceptBatch

__all__ = ["Compared", "Structure", "compare", "structures"]

Floats = npt.NDArray[np.float64]

#: Words less alike than this have no place in each other's sentence (Li et al. 2006).
_THRESHOLD: Final = 0.4
#: Vectors of equal words may miss a cosine of 1 by so much.
_ROUNDING: Final = 1e-6


class Structure(NamedTuple):
    """A DRS: ``vector`` (n, dim), unit rows of its n one-place conditions, in text order.

    ``relation`` int64 (m, 4) has source, target, number of the role and negation (0 or 1) of its
    two-place conditions.
    """

    vector: Floats
    relation: npt.NDArray[np.int64]


def structures(batch: ConceptBatch) -> list[Structure]:
    """Return the DRS of each sentence of a batch."""
    node, edge, table = batch.parts["node"], batch.parts["edge"], unpacked(batch.shared["vector"])
    lemma, negated = node.columns["lemma"], node.columns["negated"]
    columns = [edge.columns[name].astype(np.int64) for name in ("source", "target", "role")]
    relation = np.column_stack([*columns, np.zeros_like(columns[0])])
    result = []
    for i in range(len(batch)):
        nodes = slice(*node.indptr[i : i + 2])
        own = relation[slice(*edge.indptr[i : i + 2])].copy()
        own[:, 3] = negated[nodes][own[:, 0]]
        result.append(Structure(table[lemma[nodes]].astype(np.float64), own))
    return result


@dataclass(frozen=True)
class Compared:
    """Two structures compared: ``word`` (n, m) and ``relation`` (k, l) tell how alike each two are.

    All values lie in [0, 1].
    """

    word: Floats
    relation: Floats

    @property
    def words(self) -> float:
        """The mean of how far the words of each sentence are covered by those of the other."""
        return _coverage(self.word)

    @property
    def relations(self) -> float:
        """The same of the relations; 0 where one sentence alone has any."""
        return _coverage(self.relation)

    @property
    def has_relations(self) -> bool:
        """Whether either sentence has a relation."""
        return self.relation.shape != (0, 0)

    @cached_property
    def order(self) -> float:
        """How alike the order of the words is: 1 - |p - q| / |p + q|; 0 without words."""
        n, m = self.word.shape
        if not n or not m:
            return 0.0
        p = np.concatenate([np.arange(1.0, n + 1), _places(self.word.T)])
        q = np.concatenate([_places(self.word), np.arange(1.0, m + 1)])
        return 1.0 - float(np.linalg.norm(p - q) / np.linalg.norm(p + q))

    def shares(self, given: tuple[float, float, float]) -> tuple[float, float, float]:
        """The shares of words, relations and order, which sum to 1."""
        words, relations, order = given
        relations *= self.has_relations
        total = words + relations + order
        # Only relations were asked for, and there are none: the words have to do.
        return (words / total, relations / total, order / total) if total else (1.0, 0.0, 0.0)

    def score(self, given: tuple[float, float, float]) -> float:
        """The mean of the three measures by their shares."""
        parts = zip(self.shares(given), (self.words, self.relations, self.order), strict=True)
        return min(1.0, sum(share * value for share, value in parts))


def compare(a: Structure, b: Structure) -> Compared:
    """Return how alike the conditions of two structures are, each with each."""
    # Not a product of matrices, which rounds by the number of threads.
    word: Floats = np.clip(np.einsum("id,jd->ij", a.vector, b.vector), 0.0, 1.0)
    word[word > 1.0 - _ROUNDING] = 1.0
    (source, target), (other_source, other_target) = a.relation.T[:2], b.relation.T[:2]
    alike = (word[np.ix_(source, other_source)] + word[np.ix_(target, other_target)]) / 2
    same = (a.relation[:, None, 2:] == b.relation[None, :, 2:]).all(axis=2)
    return Compared(word, np.where(same, alike, 0.0))


def _coverage(alike: Any) -> float:
    """The mean of the best of each row and the best of each column, both directions alike."""
    if not alike.size:
        return 0.0
    return float(alike.max(axis=1).mean() + alike.max(axis=0).mean()) / 2


def _places(alike: Floats) -> Floats:
    """The place, from 1, of the word most like each of some (n, m), 0 where none is alike.

    Of words that are equally alike it is the nearest, so that a word that occurs twice has each of
    its places.
    """
    n, m = alike.shape
    best = alike.max(axis=1, keepdims=True)
    apart = np.abs(np.arange(n)[:, None] - np.arange(m))
    nearest = np.where(alike == best, apart, n + m).argmin(axis=1)
    result: Floats = np.where(best[:, 0] < _THRESHOLD, 0, nearest + 1.0)
    return result
