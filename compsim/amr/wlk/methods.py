"""AMR-WLK and AMR-WWLK as methods: Weisfeiler-Leman kernels over parsed sentences.

Opitz, Daza and Frank 2021; ``compsim.amr.wlk.refinement`` and ``compsim.amr.wlk.wasserstein`` hold
what they compute.

>>> from compsim import load
>>> method = load("amr-wlk", parser="stored:parses.jsonl")  # doctest: +SKIP
>>> float(method.similarity_pairwise(["Cats sleep."], ["Cats sleep."])[0])  # doctest: +SKIP
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import numpy as np
import numpy.typing as npt

from compsim.amr import DEFAULT_PARSER
from compsim.amr.wlk.refinement import (
    Direction,
    FeatureBatch,
    Refinement,
    feature_cosines,
    label_features,
    node_labels,
)
from compsim.amr.wlk.wasserstein import EdgeWeights, NodeBatch, alignment, node_vectors, wasserstein
from compsim.errors import check_choice
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_method import GraphMethod, OnFailure, Parts
from compsim.method import MethodInfo
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["AmrWlk", "AmrWwlk", "warm_up"]

#: Pairs whose places are listed at a time.
_PAIRS_AT_ONCE = 1 << 22


class AmrWlk(GraphMethod[FeatureBatch]):
    """WLK: the cosine of the refined labels and the triples that occur in two graphs.

    - ``k``: how many steps labels are refined;
    - ``direction``: a node hears the targets of its edges (``"out"``), the sources (``"in"``)
      or both;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [0, 1], is symmetric, and 1 for a sentence with itself.
    """

    info = MethodInfo(
        name="amr-wlk",
        summary="cosine of the Weisfeiler-Leman labels of two AMRs (Opitz et al. 2021)",
        lowest=0.0,
    )
    encoded = FeatureBatch

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        k: int = 2,
        direction: Direction = "both",
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        self.refinement = Refinement(k, direction)
        super().__init__(parser, on_failure, cache)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> FeatureBatch:
        """Encode parses that are at hand, one for each sentence."""
        return label_features(graphs, self.refinement)

    def _scores(self, a: FeatureBatch, b: FeatureBatch) -> npt.NDArray[np.float64]:
        return feature_cosines(a, b)

    def _score_matrix(self, a: FeatureBatch, b: FeatureBatch) -> npt.NDArray[np.float32]:
        out = np.empty((len(a), len(b)), dtype=np.float32)
        step = max(1, _PAIRS_AT_ONCE // max(len(b), 1))
        for start in range(0, len(a), step):
            rows, columns = np.indices((min(step, len(a) - start), len(b)))
            scores = feature_cosines(a, b, rows.reshape(-1) + start, columns.reshape(-1))
            out[start : start + step] = scores.reshape(rows.shape)
        return out

    def _parts(self, batch: FeatureBatch) -> Parts:
        """A row for each label that both graphs have, then what has no like at any step."""
        feature = batch.parts["feature"]
        x, y = (
            dict(zip(*(c.tolist() for c in feature[slice(i, i + 1)].columns.values()), strict=True))
            for i in range(2)
        )
        graphs = [batch.graphs[0], batch.graphs[1]]
        labels = node_labels(graphs, self.refinement)
        of_node = [_nodes_by_label(codes) for codes in labels]
        rows = []
        divisor = 1.0
        for code in x:
            if code not in y:
                continue
            step, place = of_node[0].get(code, (0, -1))
            _, other = of_node[1].get(code, (0, -1))
            first, second = _node(graphs[0], place), _node(graphs[1], other)
            name = f"step {step}" if place >= 0 else "triple"
            weight = 1.0 / (step + 1) ** 2
            product = x[code] * y[code]
            divisor = weight / product
            rows.append((step, place, RoleRow(name, first, second, 1.0, weight, product)))
        rows.sort(key=lambda entry: (entry[1] < 0, *entry[:2]))
        results = [row for _, _, row in rows]
        for side in range(2):
            for place, code in enumerate(labels[side][0].tolist()):
                if code not in (y if side == 0 else x):
                    node = graphs[side].nodes[place]
                    shown = (node, None) if side == 0 else (None, node)
                    results.append(RoleRow("step 0", shown[0], shown[1], None, 0.0, 0.0))
        note = "A step is how far around a node is compared; step i weighs 1 / (1 + i) squared."
        # Those that are alike furthest around first.
        alike = [np.argwhere(x[:, None] == y) for x, y in zip(*labels, strict=True)][::-1]
        pairs = [(i, j) for places in alike for i, j in places.tolist()]
        return Parts(results, divisor, note, _mapping(pairs))


def _mapping(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of nodes for the picture, from pairs of places, best first.

    A node is in one pair at most.
    """
    mapping: dict[int, int] = {}
    for i, j in pairs:
        if i not in mapping and j not in mapping.values():
            mapping[i] = j
    return list(mapping.items())


def _nodes_by_label(codes: npt.NDArray[np.uint64]) -> dict[int, tuple[int, int]]:
    """The step and the first node of each label code."""
    nodes: dict[int, tuple[int, int]] = {}
    for step, row in enumerate(codes.tolist()):
        for place, code in enumerate(row):
            nodes.setdefault(code, (step, place))
    return nodes


def _node(graph: RoleGraph, place: int) -> Node:
    """The node at a place, or what stands for a triple, whose place is -1."""
    return graph.nodes[place] if place >= 0 else Node("triple")


class AmrWwlk(GraphMethod[NodeBatch]):
    """WWLK: 1 minus the earth mover's distance between the refined node vectors of two graphs.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``k``: how many steps labels are refined;
    - ``direction``: a node hears the targets of its edges (``"out"``), the sources (``"in"``)
      or both;
    - ``edge_weights``: ``"min-entropy"`` (each role its own, see
      ``compsim.amr.wlk.wasserstein.edge_weight``) or ``"constant"``, 0.2 for all;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1], is symmetric, and 1 for a sentence with itself.
    """

    info = MethodInfo(
        name="amr-wwlk",
        summary="1 - earth mover's distance of refined AMR node vectors (Opitz et al. 2021)",
    )
    encoded = NodeBatch

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        k: int = 2,
        direction: Direction = "both",
        edge_weights: EdgeWeights = "min-entropy",
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        check_choice("edge_weights", edge_weights, get_args(EdgeWeights))
        self.refinement = Refinement(k, direction)
        self.edge_weights: EdgeWeights = edge_weights
        super().__init__(parser, on_failure, cache)
        self.vectors: WordVectors = WordVectors.open(vectors)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> NodeBatch:
        """Encode parses that are at hand, one for each sentence."""
        return node_vectors(graphs, self.vectors, self.refinement, self.edge_weights)

    def align(self, first: RoleGraph, second: RoleGraph) -> list[tuple[int, int, float, float]]:
        """Return the transport: (node of the first, node of the second, flow, distance)."""
        batch = self.encode_graphs([first, second])
        if batch.failed.any():
            return []
        return alignment(batch[:1], batch[1:], self.refinement)

    def _scores(self, a: NodeBatch, b: NodeBatch) -> npt.NDArray[np.float64]:
        return 1.0 - wasserstein(a, b, self.refinement)

    def _score_matrix(self, a: NodeBatch, b: NodeBatch) -> npt.NDArray[np.float32]:
        scores: npt.NDArray[np.float32] = 1 - wasserstein(a, b, self.refinement, matrix=True)
        return scores

    def _parts(self, batch: NodeBatch) -> Parts:
        """A row for each pair of aligned nodes: how alike, and how much of the graphs they are."""
        rows = []
        flows = alignment(batch[:1], batch[1:], self.refinement)
        for i, j, flow, distance in flows:
            first, second = batch.graphs[0].nodes[i], batch.graphs[1].nodes[j]
            name = f"{first.variable or first.label}~{second.variable or second.label}"
            alike = 1.0 - distance
            rows.append(RoleRow(name, first, second, alike, flow, flow * alike))
        rows.sort(key=lambda row: -row.contribution)
        note = "A row's cosine is 1 minus the distance of the nodes, its weight what moves."
        flows.sort(key=lambda results: (-results[2], results[3]))
        mapping = _mapping((i, j) for i, j, *_ in flows)
        return Parts(rows, note=note, mapping=mapping)


def warm_up() -> None:
    """Compile the kernels of both methods, or load their machine code, ahead of the first call."""
    graphs = [RoleGraph.from_penman("(d / dog :mod (o / old))")] * 2
    wlk, wwlk = AmrWlk(cache=False), AmrWwlk(vectors="builtin", cache=False)
    counts, nodes = wlk.encode_graphs(graphs), wwlk.encode_graphs(graphs)
    wlk.similarity_pairwise(counts, counts)
    wlk.similarity(counts, counts)
    wwlk.similarity_pairwise(nodes, nodes)
    wwlk.similarity(nodes, nodes)
    wwlk.align(*graphs)
