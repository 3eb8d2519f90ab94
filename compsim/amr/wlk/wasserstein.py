"""WWLK: compare two meaning graphs by how far the vectors of one's nodes are from the other's.

Opitz, Daza and Frank 2021, "Weisfeiler-Leman in the Bamboo". In each of k steps the vector of a
node grows by the mean of its neighbours' vectors, each times the weight of its edge. A node is then
the vectors of all steps side by side at unit length, and the score is 1 minus the earth mover's
distance between the two sets of nodes.

>>> from compsim.amr.wlk.refinement import Refinement
>>> from compsim.graph import RoleGraph
>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["chase", "cat", "mouse"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
>>> cats = RoleGraph.from_penman("(c / chase-01 :ARG0 (a / cat) :ARG1 (m / mouse))")
>>> mice = RoleGraph.from_penman("(c / chase-01 :ARG0 (m / mouse) :ARG1 (a / cat))")
>>> batch = node_vectors([cats, mice], vectors, Refinement())
>>> (1 - wasserstein(batch, batch[[1, 0]], Refinement())).round(2)
array([0.87, 0.87])

The reference implementation draws the vectors of unknown words and the weights of edges at random;
here they follow from a hash of the word or role, so a score depends on nothing but the two graphs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np
import numpy.typing as npt

from compsim.amr.wlk.refinement import SENSE, Refinement, plain
from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import GraphBatch, status_codes
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Ragged, read_only

if TYPE_CHECKING:
    from compsim.vectors import WordVectors

__all__ = [
    "EdgeWeights",
    "NodeBatch",
    "alignment",
    "edge_weight",
    "label_vectors",
    "node_vectors",
    "wasserstein",
]

EdgeWeights = Literal["min-entropy", "constant"]

_CONSTANT_WEIGHT: Final = 0.2
_LOWEST_WEIGHT, _HIGHEST_WEIGHT, _WEIGHTS_TRIED = 0.2, 0.35, 10
_UNKNOWN_RANGE: Final = 0.05
_PARTS: Final = re.compile(r"[-\s]+")
_SENSE_NUMBER: Final = re.compile(r"(-\d+)+$")
_NEGATION: Final = ("false", "not", "untrue")

#: Relations of AMR, in the order in which their weights are chosen; first those with numbers.
_RELATIONS: Final = """
    accompanier age beneficiary calendar card century concession condition consist-of cost day
    dayperiod decade degree destination direction domain duration edge era example extent
    frequency instrument li location manner medium mod mode month name ord part path polarity
    polite poss purpose quant quarter range rel scale season source subevent time timezone topic
    unit value weekday wiki year year2
"""

_NUMBERED_RELATIONS: Final = {"ARG": range(10), "op": range(1, 11), "snt": range(1, 6)}


class NodeBatch(GraphBatch):
    """Graphs whose nodes have vectors.

    ``node`` has ``row`` int32, a node's place in the table of label vectors, ``shared["table"]``
    float32 (labels, dim); ``edge`` has ``source`` and ``target`` int32, nodes of the graph from 0,
    and ``weight`` float32. Edges between the same two nodes are one, their weights multiplied.
    """

    layout = MappingProxyType(
        {
            "node.row": Field("int32", 0, of="shared.table"),
            "edge.source": Field("int32", 0, of="part.node"),
            "edge.target": Field("int32", 0, of="part.node"),
            "edge.weight": Field("float32"),
            "shared.table": Field("float32", dimensions=2),
        }
    )

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Nodes, edges and the table of label vectors as the kernels take them."""
        parts = (*self.parts["node"].arrays, *self.parts["edge"].arrays)
        return (*parts, read_only(self.shared["table"]))

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        tables: dict[int, npt.NDArray[Any]] = {}
        nodes, start = [], {}
        for batch in batches:
            table = batch.shared["table"]
            if id(table) not in tables:
                start[id(table)] = sum(map(len, tables.values()))
                tables[id(table)] = table
            node = batch.parts["node"]
            row = node.columns["row"] + np.int32(start[id(table)])
            nodes.append(Ragged(node.indptr, {"row": row}))
        edges = [batch.parts["edge"] for batch in batches]
        parts = {"node": nodes[0].joined(nodes[1:]), "edge": edges[0].joined(edges[1:])}
        shared = {"table": np.concatenate(list(tables.values()))}
        return batches[0]._with(parts, shared=shared, **common)


def node_vectors(
    graphs: Sequence[RoleGraph],
    vectors: WordVectors,
    refinement: Refinement,
    edge_weights: EdgeWeights = "min-entropy",
) -> NodeBatch:
    """The graphs with the vector of each node's label and the weight of each edge."""
    same = edge_weights == "constant"
    place: dict[str, int] = {}
    row: list[int] = []
    edges: list[tuple[int, int, float]] = []
    node_ends, edge_ends = [0], [0]
    for graph in graphs:
        labels, between = plain(graph)
        row += [place.setdefault(label, len(place)) for label in labels]
        joined: dict[tuple[int, int], float] = {}
        for source, role, target in between:
            weight = _CONSTANT_WEIGHT if same else edge_weight(role)
            joined[source, target] = joined.get((source, target), 1.0) * weight
        edges += [(source, target, product) for (source, target), product in joined.items()]
        node_ends.append(len(row))
        edge_ends.append(len(edges))
    return NodeBatch(
        {
            "node": Ragged(np.array(node_ends), {"row": np.array(row, dtype=np.int32)}),
            "edge": Ragged(
                np.array(edge_ends),
                {
                    "source": np.array([edge[0] for edge in edges], dtype=np.int32),
                    "target": np.array([edge[1] for edge in edges], dtype=np.int32),
                    "weight": np.array([edge[2] for edge in edges], dtype=np.float32),
                },
            ),
        },
        status=status_codes(graphs),
        graphs=graphs,
        space=f"{vectors.space} {refinement} {edge_weights}",
        shared={"table": label_vectors(list(place), vectors)},
    )


def label_vectors(labels: Sequence[str], vectors: WordVectors) -> npt.NDArray[np.float32]:
    """The vector of each label, float32 (labels, dim): the mean of its words' vectors.

    Sense numbers are dropped, ``-`` is read as a negation, a phrase stands for its content words.
    A label without a known word gets small random numbers that follow from its hash.
    """
    table = np.zeros((len(labels), vectors.dim), dtype=np.float32)
    phrases = [i for i, label in enumerate(labels) if re.search(r"\s", label.strip())]
    if phrases:
        table[phrases] = vectors.texts([labels[i] for i in phrases])
    words = [() if i in set(phrases) else _words(label) for i, label in enumerate(labels)]
    rows = vectors.rows([word for several in words for word in several])
    owner = np.repeat(np.arange(len(labels)), [len(several) for several in words])[rows >= 0]
    np.add.at(table, owner, vectors.take(rows[rows >= 0]))
    table /= np.maximum(np.bincount(owner, minlength=len(labels)), 1)[:, None].astype(np.float32)
    for i in np.flatnonzero(~table.any(axis=1)).tolist():
        table[i] = _hashed(f"label {labels[i]}", vectors.dim, -_UNKNOWN_RANGE, _UNKNOWN_RANGE)
    return table


def _words(label: str) -> tuple[str, ...]:
    if label == "-":
        return _NEGATION
    bare = _SENSE_NUMBER.sub("", label.strip().replace(":", ""))
    return tuple(part for part in _PARTS.split(bare) if part)


def _hashed(text: str, count: int, low: float, high: float) -> npt.NDArray[np.float64]:
    """Numbers evenly spread over low..high that follow from the text, float64 (count,)."""
    data = hashlib.shake_256(text.encode("utf-8", "surrogatepass")).digest(4 * count)
    return low + (high - low) * (np.frombuffer(data, dtype="<u4") + 0.5) / 2.0**32


@lru_cache(maxsize=1 << 12)
def edge_weight(role: str) -> float:
    """The weight of a role where weights are chosen for minimum entropy, between 0.2 and 0.35.

    Of ten numbers that follow from the role's hash, the one that makes the weights of all relations
    of AMR so far least evenly spread (Opitz, Daza and Frank 2021; there the numbers are random and
    the relations those of the corpus). A role beside the relations of AMR is weighed against all.

    >>> edge_weight("ARG0") == edge_weight("ARG0") != edge_weight("ARG1")
    True
    """
    known = _relation_weights()
    return known[role] if role in known else _least_even(list(known.values()), role)


@cache
def _relation_weights() -> dict[str, float]:
    weights: dict[str, float] = {}
    numbered = [f"{name}{i}" for name, places in _NUMBERED_RELATIONS.items() for i in places]
    for role in (*numbered, *_RELATIONS.split()):
        weights[role] = _least_even(list(weights.values()), role)
    return weights


def _least_even(chosen: list[float], role: str) -> float:
    tried = _hashed(f"edge {role}", _WEIGHTS_TRIED, _LOWEST_WEIGHT, _HIGHEST_WEIGHT)
    several = np.column_stack([np.tile(chosen, (len(tried), 1)), tried])
    share = several / several.sum(axis=1, keepdims=True)
    return float(tried[np.argmin(-(share * np.log(share)).sum(axis=1))])


def wasserstein(
    a: NodeBatch, b: NodeBatch, refinement: Refinement, *, matrix: bool = False
) -> npt.NDArray[Any]:
    """Earth mover's distances: of graph i and graph i, float64 (n,), or float32 (n, m).

    NaN where a graph has no nodes.
    """
    from compsim.amr.wlk.kernel import run, wasserstein_matrix, wasserstein_pairs

    a.check(b)
    if matrix and len(a) > len(b):  # the longer side is split up among threads
        return np.ascontiguousarray(wasserstein(b, a, refinement, matrix=True).T)
    if not matrix and len(a) != len(b):
        raise InputError(f"there are {len(a)} and {len(b)} graphs: give as many of each")
    sense = SENSE[refinement.direction]
    arguments = (a.arrays, b.arrays, refinement.k, sense)
    if matrix:
        distances = np.full((len(a), len(b)), np.nan, dtype=np.float32)
        run(wasserstein_matrix, arguments, len(b), len(a) * len(b), distances)
        return distances
    out = np.full(len(a), np.nan)
    run(wasserstein_pairs, arguments, len(a), len(a), out)
    return out


def alignment(
    a: NodeBatch, b: NodeBatch, refinement: Refinement
) -> list[tuple[int, int, float, float]]:
    """Return the transport of two graphs: (node of a, node of b, flow, distance), flow above 0.

    ``a`` and ``b`` hold one graph each. The flows sum to 1, flow times distance to the distance of
    the graphs.
    """
    from compsim.amr.wlk.kernel import embed
    from compsim.kernels.transport import transport

    sense = SENSE[refinement.direction]
    x, y = (embed(g.arrays, 0, refinement.k, sense).astype(np.float64) for g in (a, b))
    cost = np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))
    _, flow = transport(cost)
    return [
        (int(i), int(j), float(flow[i, j]), float(cost[i, j]))
        for i, j in zip(*np.nonzero(flow), strict=True)
    ]
