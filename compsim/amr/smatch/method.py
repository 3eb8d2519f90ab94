"""AMR-SMATCH as a method: the F1 of the triples that two parses share.

Cai and Knight 2013; ``compsim.amr.smatch.score`` finds the best mapping of variables.

>>> from compsim import load
>>> method = load("amr-smatch", parser="stored:parses.jsonl")  # doctest: +SKIP
>>> print(method.explain("Cats sleep.", "Dogs sleep."))  # doctest: +SKIP
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.amr import DEFAULT_PARSER
from compsim.amr.smatch import NODES
from compsim.amr.smatch.triples import COLUMNS, TripleBatch, Triples, encode, triples
from compsim.errors import InputError
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_batch import GraphBatch, status_codes
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.kernels.ragged import Ragged
from compsim.method import MethodInfo

if TYPE_CHECKING:
    from compsim.amr.smatch import SmatchResult
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache

__all__ = ["AmrSmatch", "GraphTriples"]

#: What the published values of AMR-SMATCH divide by, in place of the numbers of triples.
_PUBLISHED_DIVISOR: Final = 12.0

_PAIRS_AT_ONCE: Final = 1 << 13


class GraphTriples(GraphBatch):
    """The triples of the graphs; the arrays are those of ``TripleBatch``."""

    @classmethod
    def from_graphs(cls, graphs: Sequence[RoleGraph]) -> Self:
        """Encode the triples of each graph."""
        parts, shared = _arrays(encode(graphs))
        return cls(parts, status=status_codes(graphs), graphs=graphs, shared=shared)

    @cached_property
    def triples(self) -> TripleBatch:
        """The triples as ``compsim.amr.smatch.score`` takes them."""
        columns: dict[str, npt.NDArray[Any]] = {}
        for kind in COLUMNS:
            columns |= self.parts[kind].columns
        top = self.parts["top"].columns["top"]
        pointers = {kind: self.parts[kind].indptr for kind in COLUMNS}
        return TripleBatch(_words(self.shared["words"].tobytes()), top, pointers, columns)

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        parts, shared = _arrays(TripleBatch.concat(batch.triples for batch in batches))
        return batches[0]._with(parts, shared=shared, **common)


def _arrays(batch: TripleBatch) -> tuple[dict[str, Ragged], dict[str, npt.NDArray[Any]]]:
    parts = {
        kind: Ragged(batch.pointers[kind], {name: batch.columns[name] for name in names})
        for kind, names in COLUMNS.items()
    }
    parts["top"] = Ragged(np.arange(len(batch) + 1), {"top": batch.top})
    words = json.dumps(list(batch.vocabulary)).encode("ascii")
    return parts, {"words": np.frombuffer(words, dtype=np.uint8)}


@lru_cache(maxsize=16)
def _words(data: bytes) -> list[str]:
    # Cached so that parts of one batch have one list: batches of one list need no recoding.
    words: list[str] = json.loads(data)
    return words


class AmrSmatch(GraphMethod[GraphTriples]):
    """Smatch: F1 of matching triples, TOP among them, under the best mapping of variables.

    - ``published=True`` scores as the published values do: matched triples over 12;
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
    encoded = GraphTriples

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        published: bool = False,
        nodes: int | None = NODES,
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        if nodes is not None and nodes < 1:
            raise InputError(
                f"nodes={nodes} leaves no search: give 1 or more, or None for no limit"
            )
        super().__init__(parser, on_failure, cache)
        self.published = published
        self.nodes = nodes
        if published:
            self.info = replace(type(self).info, highest=math.inf, identity=None)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> GraphTriples:
        """Encode parses that are at hand, one for each sentence."""
        return GraphTriples.from_graphs(graphs)

    def _scores(self, a: GraphTriples, b: GraphTriples) -> npt.NDArray[np.float64]:
        return self._of_triples(a.triples, b.triples)

    def _score_matrix(self, a: GraphTriples, b: GraphTriples) -> npt.NDArray[np.float32]:
        out = np.empty(len(a) * len(b), dtype=np.float32)
        first, second = a.triples, b.triples
        second = second.recoded(first.vocabulary)
        first = first.recoded(second.vocabulary)
        for start in range(0, len(out), _PAIRS_AT_ONCE):
            pairs = np.arange(start, min(start + _PAIRS_AT_ONCE, len(out)))
            rows, columns = np.divmod(pairs, len(b))
            out[pairs] = self._of_triples(first[rows], second[columns])
        return out.reshape(len(a), len(b))

    def _of_triples(self, a: TripleBatch, b: TripleBatch) -> npt.NDArray[np.float64]:
        from compsim.amr.smatch import smatch_pairwise

        found = smatch_pairwise(a, b, nodes=self.nodes)
        return found.matched / _PUBLISHED_DIVISOR if self.published else found.f1

    def _parts(self, batch: GraphTriples) -> Parts:
        """A row for each triple: those that match, then those of either graph alone."""
        from compsim.amr.smatch import smatch

        graphs = batch.graphs[0], batch.graphs[1]
        result = smatch(*graphs, nodes=self.nodes)
        place = dict(result.mapping)
        first, second = (_listed(triples(graph)) for graph in graphs)
        divisor = _PUBLISHED_DIVISOR
        if not self.published:
            divisor = (result.total_a + result.total_b) / 2
        matched, alone = [], []
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
        """What stands for the triple in a table."""
        node = graph.nodes[self.holder]
        if self.target < 0 and not self.value:
            return node
        value = self.value if self.target < 0 else graph.nodes[self.target].label
        return node if self.role == "instance" else Node(f"{node.label} > {value}")


def _listed(found: Triples) -> dict[_Triple, int]:
    """All triples of a graph, each with how often it occurs."""
    listed = {_Triple("instance", i, -1, concept): 1 for i, concept in found.concepts.items()}
    if found.top is not None:
        listed[_Triple("TOP", found.top, -1, "")] = 1
    for (role, source, target), count in found.relations.items():
        listed[_Triple(role, source, target, "")] = count
    for (role, holder, value), count in found.attributes.items():
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
