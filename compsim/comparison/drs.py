"""Similarity of discourse representation structures (Farouk 2020): words, relations, word order.

The discourse representation structure (DRS) of a sentence is read off its role graph of concepts. A
node is a discourse referent with a one-place condition, its lemma; an edge is a two-place
condition, ``agent(e, x)``. A condition of a negated event stands in a negated box, and has no
counterpart outside one. Three measures are averaged: how far each sentence's one-place conditions
are covered by the other's, by the cosine of their words; how far its two-place conditions are; and
how alike the order of the words is.

>>> from compsim import load
>>> method = load("drs", vectors="builtin")
>>> same, swapped = method.similarity_pairwise(
...     ["The dog bit the man."] * 2, ["The man was bitten by the dog.", "The man bit the dog."]
... )
>>> bool(1 > same > swapped)
True

Farouk, "Measuring text similarity based on structure and word embedding", Cognitive Systems
Research 63 (2020). The paper's parser, its word vectors and the shares of its three measures are
not at hand: role graphs, the word vectors of this library and equal shares stand for them. The
order measure is that of Li et al. (2006), "Sentence similarity based on semantic nets and corpus
statistics", with its threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from compsim.collection import paused
from compsim.comparison.batch import ConceptBatch, ConceptEncoder
from compsim.comparison.drs_measures import compare, structures
from compsim.errors import InputError
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.parsers.grammar.expansion import expanded

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.vectors import KeyedVectors, WordVectors
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["DrsMethod"]


class DrsMethod(GraphMethod[ConceptBatch]):
    """A weighted mean of word coverage, coverage of DRS relations, and word order similarity.

    - ``words``, ``structure``, ``order``: how much each of the three measures counts, numbers that
      are not negative and not all 0;
    - ``vectors``: word vectors, what ``WordVectors.open`` takes;
    - ``parser``: one of role graphs of concepts, or any other, whose phrases are expanded to
      concepts through the sentence's tree; ``on_failure``, ``cache``: see ``GraphMethod``.

    Let s(x, y) be the cosine of two words, at least 0. Word coverage is the mean over the words of
    a sentence of the best s with a word of the other, and the mean of both directions. Relation
    coverage is the same over two-place conditions, where r(x, y) and r(x', y') of the same role and
    negation are (s(x, x') + s(y, y')) / 2 alike, all others 0. Order similarity is
    1 - |p - q| / |p + q|: for each word of either sentence p has its place in the first sentence
    and q in the second, that of the word most like it, the nearest of several, or 0 where that is
    less than .4 alike. Where neither sentence has a relation, ``structure`` does not count; where
    it alone was to count, the words do.

    The score lies in [0, 1] and is symmetric; a sentence scores 1 with itself. Raises
    ``InputError`` for shares that are negative, not finite or all 0.
    """

    info = MethodInfo(
        name="drs",
        summary="coverage of the words and relations of two DRSs, and word order (Farouk 2020)",
        lowest=0.0,
    )
    encoded = ConceptBatch
    part = "concept"
    without = "it has no concept"

    def __init__(
        self,
        parser: str | Parser | None = None,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        words: float = 1.0,
        structure: float = 1.0,
        order: float = 1.0,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        super().__init__("concepts" if parser is None else parser, on_failure, cache)
        self.shares = words, structure, order
        _check_shares(self.shares)
        self._encoder = ConceptEncoder.open(vectors)
        self.vectors: PhraseEncoder = self._encoder.vectors

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> ConceptBatch:
        """Encode parses that are at hand, one for each sentence; phrases become concepts."""
        with paused():
            return self._encoder.encode(expanded(graphs))

    def _scores(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        pairs = zip(structures(a), structures(b), strict=True)
        return np.array([compare(x, y).score(self.shares) for x, y in pairs], dtype=np.float64)

    def _score_matrix(self, a: ConceptBatch, b: ConceptBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        others = structures(b)
        out = np.zeros((len(a), len(b)), dtype=np.float32)
        for row, x in zip(out, structures(a), strict=True):
            row[:] = [compare(x, y).score(self.shares) for y in others]
        return out

    def _parts(self, batch: ConceptBatch) -> Parts:
        """A row for each condition of either DRS with its best counterpart, one for the order."""
        compared = compare(*structures(batch))
        words, relations, order = compared.shares(self.shares)
        first, second = batch.graphs
        rows = _rows("word", compared.word, words, list(first.nodes), list(second.nodes))
        rows += _rows(
            "relation", compared.relation, relations, _relations(first), _relations(second)
        )
        whole = RoleRow.whole(batch.texts, compared.order)
        added = order * compared.order
        rows.append(replace(whole, role="order", weight=order, contribution=added))
        note = "Each condition of a sentence is compared with its best counterpart in the other."
        return Parts(rows, note=note, score=compared.score(self.shares))


def _rows(
    name: str,
    alike: npt.NDArray[np.float64],
    share: float,
    first: Sequence[Node],
    second: Sequence[Node],
) -> list[RoleRow]:
    """The rows of one kind of conditions, those of the first sentence before the second's."""
    rows = []
    for here in range(len(first)):
        there = int(alike[here].argmax()) if len(second) else -1
        rows.append(_row(name, alike, here, there, share / 2 / len(first), first, second))
    for there in range(len(second)):
        here = int(alike[:, there].argmax()) if len(first) else -1
        rows.append(_row(name, alike, here, there, share / 2 / len(second), first, second))
    return rows


def _row(
    name: str,
    alike: npt.NDArray[np.float64],
    here: int,
    there: int,
    weight: float,
    first: Sequence[Node],
    second: Sequence[Node],
) -> RoleRow:
    """The row of two conditions, or of one without a counterpart."""
    if here < 0:
        return RoleRow(name, None, second[there], None, weight, 0.0)
    if there < 0:
        return RoleRow(name, first[here], None, None, weight, 0.0)
    value = float(alike[here, there])
    return RoleRow(name, first[here], second[there], value, weight, weight * value)


def _relations(graph: RoleGraph) -> list[Node]:
    """The two-place conditions of a graph as nodes: ``agent(bit, dog)``."""
    label = [node.label for node in graph.nodes]
    return [
        Node(f"{edge.role}({label[edge.source]}, {label[edge.target]})") for edge in graph.edges
    ]


def _check_shares(shares: tuple[float, float, float]) -> None:
    """Raise ``InputError`` for shares that no mean can be taken with."""
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in shares)
    if not numbers or not all(math.isfinite(one) and one >= 0 for one in shares) or not sum(shares):
        raise InputError(
            f"words={shares[0]!r}, structure={shares[1]!r} and order={shares[2]!r} are no shares: "
            "give numbers of 0 or more, one of them above 0"
        )
