"""AMR-SMATCH as a method: the F1 of the triples that two parses share.

Cai and Knight 2013; ``compsim.amr.smatch.score`` finds the best mapping of variables.

>>> from compsim import load
>>> method = load("amr-smatch", parser="stored:parses.jsonl")  # doctest: +SKIP
>>> print(method.explain("Cats sleep.", "Dogs sleep."))  # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.amr import DEFAULT_PARSER
from compsim.amr.smatch import NODES
from compsim.amr.smatch.triples import TripleBatch, Triples, encode, triples
from compsim.errors import InputError
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.amr.smatch import SmatchResult
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["AmrS2match", "AmrSmatch"]

#: What the published values of AMR-SMATCH divide by, in place of the numbers of triples.
_PUBLISHED_DIVISOR: Final = 12.0

_PAIRS_AT_ONCE: Final = 1 << 13


class AmrSmatch(GraphMethod[TripleBatch]):
    """Smatch: F1 of matching triples, TOP among them, under the best mapping of variables.

    - ``published=True`` scores as the published values of STS3k do: matched triples over 12;
    - ``top_concept=True`` gives TOP the root's concept as its value, as in BAMBOO's table;
    - ``nodes`` limits the search of each pair (see ``compsim.amr.smatch.score``), None not at all;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [0, 1], is symmetric wherever the search is complete, and 1 for a sentence
    with itself.
    """

    info = MethodInfo(
        name="amr-smatch",
        summary="F1 of the triples that two AMRs share (Smatch)",
        lowest=0.0,
    )
    encoded = TripleBatch

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        published: bool = False,
        top_concept: bool = False,
        nodes: int | None = NODES,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        if nodes is not None and (not isinstance(nodes, int) or nodes < 1):
            raise InputError(
                f"nodes={nodes!r} leaves no search: give 1 or more, or None for no limit"
            )
        super().__init__(parser, on_failure, cache)
        self.published = published
        self.top_concept = top_concept
        self.nodes = nodes
        if published:
            self.info = replace(type(self).info, highest=math.inf, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> TripleBatch:
        """Encode parses that are at hand, one for each sentence."""
        return encode(graphs)

    @property
    def _search(self) -> dict[str, Any]:
        """Parameters of the search."""
        return {"top_concept": self.top_concept, "nodes": self.nodes}

    def _scores(self, a: TripleBatch, b: TripleBatch) -> npt.NDArray[np.float64]:
        from compsim.amr.smatch import smatch_pairwise

        result = smatch_pairwise(a, b, **self._search)
        return result.matched / _PUBLISHED_DIVISOR if self.published else result.f1

    def _score_matrix(self, a: TripleBatch, b: TripleBatch) -> npt.NDArray[np.float32]:
        out = np.empty(len(a) * len(b), dtype=np.float32)
        first, second = a._with(a.parts, graphs=()), b._with(b.parts, graphs=())
        second = second.recoded(first.words)
        first = first.recoded(second.words)
        for start in range(0, len(out), _PAIRS_AT_ONCE):
            pairs = np.arange(start, min(start + _PAIRS_AT_ONCE, len(out)))
            rows, columns = np.divmod(pairs, len(b))
            out[pairs] = self._scores(first[rows], second[columns])
        return out.reshape(len(a), len(b))

    def _parts(self, batch: TripleBatch) -> Parts:
        """A row for each triple: those that match, then those of either graph alone."""
        from compsim.amr.smatch import smatch

        graphs = batch.graphs[0], batch.graphs[1]
        result = smatch(*graphs, **self._search)
        place = dict(result.mapping)
        first, second = (_listed(triples(graph), self.top_concept) for graph in graphs)
        divisor = _PUBLISHED_DIVISOR
        if not self.published:
            divisor = (result.total_a + result.total_b) / 2
        matched, alone = [], []
        concepts = [
            {each.holder: each for each in side if each.role == "instance"}
            for side in (first, second)
        ]
        for i, j in result.mapping:
            x, y = concepts[0][i], concepts[1][j]
            worth = 0.0 if x.value == y.value else self._likeness(x.value, y.value)
            if worth > 0.0:
                del first[x], second[y]
                one, other = x.shown(graphs[0]), y.shown(graphs[1])
                matched.append(RoleRow("instance", one, other, worth, 1.0, worth / divisor))
        for triple, count in first.items():
            there = triple.moved(place)
            both = min(count, second.get(there, 0))
            shown = triple.shown(graphs[0])
            if both:
                other = there.shown(graphs[1])
                matched.append(RoleRow(triple.role, shown, other, 1.0, both, both / divisor))
                second[there] -= both
            if count > both:
                alone.append(RoleRow(triple.role, shown, None, None, count - both, 0.0))
        for triple, count in second.items():
            if count:
                shown = triple.shown(graphs[1])
                alone.append(RoleRow(triple.role, None, shown, None, count, 0.0))
        return Parts(matched + alone, divisor, _mapping(graphs, result), result.mapping)

    def _likeness(self, x: str, y: str) -> float:
        """Return the credit of two unequal concepts that are mapped to each other."""
        return 0.0


class AmrS2match(AmrSmatch):
    """Smatch with graded concepts (S2match): two that are not equal count their cosine.

    Opitz, Parcalabescu and Frank 2020. Two senses of one word count a half.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``threshold``: the cosine from which concepts count;
    - ``parser``, ``nodes``, ``on_failure``, ``cache``: as for ``amr-smatch``.
    """

    info = MethodInfo(
        name="amr-s2match",
        summary="F1 of the triples that two AMRs share, concepts by cosine (S2match)",
        lowest=0.0,
    )

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        threshold: float = 0.5,
        nodes: int | None = NODES,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        if not isinstance(threshold, int | float) or not 0 < threshold <= 1:
            raise InputError(f"threshold={threshold!r} is no cosine above 0: give one up to 1")
        super().__init__(parser, nodes=nodes, on_failure=on_failure, cache=cache)
        self.vectors: WordVectors = WordVectors.open(vectors)
        self.threshold = threshold

    @property
    def _search(self) -> dict[str, Any]:
        return {**super()._search, "vectors": self.vectors, "threshold": self.threshold}

    def _likeness(self, x: str, y: str) -> float:
        from compsim.amr.smatch import smatch

        single = (RoleGraph((Node(concept, variable="x"),), (), 0) for concept in (x, y))
        return smatch(*single, top=False, **self._search).matched


class _Triple(NamedTuple):
    """One triple: its role, the node that it is about, and another node or a value."""

    role: str
    holder: int
    target: int
    value: str

    def moved(self, place: dict[int, int]) -> _Triple:
        """The same triple with the nodes that a mapping takes its own to (-2: none)."""
        target = self.target if self.target < 0 else place.get(self.target, -2)
        return self._replace(holder=place.get(self.holder, -2), target=target)

    def shown(self, graph: RoleGraph) -> Node:
        """Return the node that represents the triple in a table."""
        node = graph.nodes[self.holder]
        if self.role in ("instance", "TOP"):
            return node
        value = self.value if self.target < 0 else graph.nodes[self.target].label
        return Node(f"{node.label} > {value}")


def _listed(results: Triples, top_concept: bool) -> dict[_Triple, int]:
    """All triples of a graph, each with how often it occurs."""
    listed = {_Triple("instance", i, -1, concept): 1 for i, concept in results.concepts.items()}
    if results.top is not None:
        value = results.concepts[results.top] if top_concept else ""
        listed[_Triple("TOP", results.top, -1, value)] = 1
    for (role, source, target), count in results.relations.items():
        listed[_Triple(role, source, target, "")] = count
    for (role, holder, value), count in results.attributes.items():
        listed[_Triple(role, holder, -1, value)] = count
    return listed


def _mapping(graphs: tuple[RoleGraph, RoleGraph], result: SmatchResult) -> str:
    """One sentence on which variables were mapped to which."""

    def name(node: Node) -> str:
        return f"{node.variable}/{node.label}" if node.variable else node.label

    a, b = graphs[0].nodes, graphs[1].nodes
    pairs = ", ".join(f"{name(a[i])} to {name(b[j])}" for i, j in result.mapping)
    sure = "" if result.optimal else " (the search was cut short, a better one may exist)"
    return f"The mapping of variables{sure}: {pairs or 'none'}."
