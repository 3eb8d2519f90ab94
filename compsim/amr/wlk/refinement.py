"""WLK: compare two meaning graphs by the labels of their nodes, refined by Weisfeiler and Leman.

Opitz, Daza and Frank 2021, "Weisfeiler-Leman in the Bamboo". In each of k steps the label of a node
grows by what its neighbours are. Two graphs are compared by the cosine of what occurs in them: the
labels of step 0 and the triples with weight 1, the labels of step i with weight 1 / (1 + i).

>>> from compsim.graph import RoleGraph
>>> cats = RoleGraph.from_penman("(c / chase-01 :ARG0 (a / cat) :ARG1 (m / mouse))")
>>> mice = RoleGraph.from_penman("(c / chase-01 :ARG0 (m / mouse) :ARG1 (a / cat))")
>>> x, y = label_features([cats, mice], Refinement(k=1)), label_features([mice], Refinement(k=1))
>>> [round(float(score), 3) for score in feature_cosines(x, y[[0, 0]])]  # words agree, roles do not
[0.522, 1.0]

The scores are those of the reference implementation (flipz357/weisfeiler-leman-amr-metrics), so it
also sets the details. Labels and roles are lower-cased. A string in quotes is not the concept of
the same letters. A node hears its neighbours on either side of an edge alike. Nodes of one label
share what the last of them has heard, the constants standing behind the variables; so the order in
which a graph is written can matter where a label repeats.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError, check_choice
from compsim.graph import RoleGraph
from compsim.graph_method import GraphBatch, status_codes
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Ragged

__all__ = [
    "SENSE",
    "Direction",
    "FeatureBatch",
    "Plain",
    "Refinement",
    "feature_cosines",
    "label_features",
    "node_labels",
    "plain",
]

Direction = Literal["both", "out", "in"]

#: Signs and numbers.
_BARE: Final = re.compile(r"[-+]|[-+]?\d+([.,]\d+)*")

#: Bits of the kernels: hear the targets of one's edges, hear their sources.
SENSE: Final = {"both": 3, "out": 1, "in": 2}


@dataclass(frozen=True, slots=True)
class Refinement:
    """Refinement of labels or vectors.

    ``k`` steps; ``direction``: each node hears the targets of its edges (``"out"``), the sources
    (``"in"``) or both.
    """

    k: int = 2
    direction: Direction = "both"

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 0 <= self.k <= 100:
            raise InputError(f"k={self.k!r} is not a number of steps: give 0 to 100")
        check_choice("direction", self.direction, get_args(Direction))


class FeatureBatch(GraphBatch):
    """Sparse vectors of unit length: ``feature`` has ``code`` uint64, sorted, ``value`` float64."""

    layout = MappingProxyType(
        {"feature.code": Field("uint64"), "feature.value": Field("float64")},
    )


class Plain(NamedTuple):
    """A graph as labels and (source, role, target)."""

    labels: list[str]
    edges: list[tuple[int, str, int]]


def plain(graph: RoleGraph) -> Plain:
    """Read labels and edges off a graph."""
    edges = [(edge.source, edge.role, edge.target) for edge in graph.edges]
    return Plain([node.label for node in graph.nodes], edges)


def label_features(graphs: Sequence[RoleGraph], refinement: Refinement) -> FeatureBatch:
    """The labels of all steps and the triples that occur in each graph, at unit length."""
    labels, listed, indptr = _refined(graphs, refinement)
    nodes = np.repeat(np.arange(len(graphs)), np.diff(indptr))
    steps = refinement.k + 1
    step = np.repeat(np.arange(steps), len(nodes))
    triples = [
        (i, _code(f"triple {graph.labels[s]} {role} {graph.labels[t]}"))
        for i, graph in enumerate(listed)
        for s, role, t in graph.edges
    ]
    # The step is part of the code, since labels of two steps are never the same.
    code = np.concatenate(
        [
            labels.reshape(-1) ^ _salts(steps)[step],
            np.array([c for _, c in triples], dtype=np.uint64),
        ]
    )
    row = np.concatenate([np.tile(nodes, steps), np.array([i for i, _ in triples], dtype=np.int64)])
    value = np.concatenate([1.0 / (1 + step), np.ones(len(triples))])
    return _features(row, code, value, graphs, space=f"wlk {refinement}")


def feature_cosines(
    a: FeatureBatch,
    b: FeatureBatch,
    rows: npt.NDArray[np.int64] | None = None,
    columns: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.float64]:
    """Cosines of row i of a and of b, or of these rows of a and these of b: float64 (pairs,)."""
    from compsim.amr.wlk.kernel import cosines, run

    a.check(b)
    rows = np.arange(len(a)) if rows is None else rows
    columns = np.arange(len(b)) if columns is None else columns
    if len(rows) != len(columns):
        raise InputError(f"there are {len(rows)} and {len(columns)} graphs: give as many of each")
    out = np.zeros(len(rows))
    arguments = (a.parts["feature"].arrays, b.parts["feature"].arrays, rows, columns)
    run(cosines, arguments, len(rows), len(rows) // 16, out)
    return out


def node_labels(
    graphs: Sequence[RoleGraph], refinement: Refinement
) -> list[npt.NDArray[np.uint64]]:
    """The code of each node's label at each step, uint64 (k + 1, nodes) for each graph."""
    labels, _, indptr = _refined(graphs, refinement)
    labels ^= _salts(refinement.k + 1)[:, None]
    return [labels[:, start:stop] for start, stop in pairwise(indptr.tolist())]


def _refined(
    graphs: Sequence[RoleGraph], refinement: Refinement
) -> tuple[npt.NDArray[np.uint64], list[Plain], npt.NDArray[np.int64]]:
    """Labels of all nodes at all steps (k + 1, nodes), their graphs, and where these start."""
    from compsim.amr.wlk.kernel import refine_labels

    listed = [_compared(graph) for graph in graphs]
    indptr = _ends(len(graph.labels) for graph in listed)
    edges = [edge for graph in listed for edge in graph.edges]
    labels = np.empty((refinement.k + 1, indptr[-1]), dtype=np.uint64)
    labels[0] = [_code(label) for graph in listed for label in graph.labels]
    order = [node for graph in graphs for node in _reading_order(graph)]
    with np.errstate(over="ignore"):  # sums of codes wrap around
        refine_labels(
            indptr,
            _ends(len(graph.edges) for graph in listed),
            np.array([edge[0] for edge in edges], dtype=np.int32),
            np.array([edge[2] for edge in edges], dtype=np.int32),
            np.array([_code(edge[1]) for edge in edges], dtype=np.uint64),
            SENSE[refinement.direction],
            np.array(order, dtype=np.int32),
            labels,
        )
    return labels, listed, indptr


def _constants(graph: RoleGraph) -> list[bool]:
    """Return a mask of constants: nodes without a variable, where some node has one."""
    named = any(node.variable is not None for node in graph.nodes)
    return [named and node.variable is None for node in graph.nodes]


def _compared(graph: RoleGraph) -> Plain:
    """Labels and roles in lower case, and the strings among the constants in quotes.

    A graph does not keep the quotes, but AMR sets them around all constants but signs, numbers and
    modes. (A few numbers in names have them too.)
    """
    labels = [node.label.lower() for node in graph.nodes]
    edges = [(e.source, e.role.lower(), e.target) for e in graph.edges]
    constant = _constants(graph)
    for _, role, target in edges:
        if constant[target] and role != "mode" and not _BARE.fullmatch(labels[target]):
            labels[target] = f'"{labels[target]}"'
    return Plain(labels, edges)


def _reading_order(graph: RoleGraph) -> list[int]:
    """The nodes in the order of the reference implementation: variables, then constants."""
    constant = _constants(graph)
    variables = [node for node, is_constant in enumerate(constant) if not is_constant]
    # It goes through a Python set of the places that the constants' triples have among all, and
    # each variable has a triple for its concept, behind the edge that leads to it.
    places: set[int] = set()
    at: dict[int, int] = {}
    seen = set() if graph.root is None else {graph.root}
    place = len(seen)
    for edge in graph.edges:
        for node in (edge.source, edge.target):
            if constant[node]:
                at.setdefault(place, node)
                places.add(place)
        new = {n for n in (edge.source, edge.target) if not constant[n]} - seen
        seen |= new
        place += 1 + len(new)
    result = dict.fromkeys(at[place] for place in places)
    rest = (node for node, is_constant in enumerate(constant) if is_constant)
    return [*variables, *dict.fromkeys([*result, *rest])]


def _features(
    row: npt.NDArray[np.int64],
    code: npt.NDArray[np.uint64],
    value: npt.NDArray[np.float64],
    graphs: Sequence[RoleGraph],
    *,
    space: str,
) -> FeatureBatch:
    """Count equal codes of a row once, and scale each row to unit length."""
    order = np.lexsort((code, row))
    row, code, value = row[order], code[order], value[order]
    new = np.ones(len(row), dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (code[1:] != code[:-1])
    row, code, value = row[new], code[new], value[new]
    square = np.bincount(row, weights=value**2, minlength=len(graphs))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(graphs)))])
    part = Ragged(indptr, {"code": code, "value": value / np.sqrt(square)[row]})
    return FeatureBatch({"feature": part}, status=status_codes(graphs), graphs=graphs, space=space)


def _ends(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(list(lengths), dtype=np.int64)]).astype(np.int64)


def _code(text: str) -> int:
    """A 64-bit hash that is the same in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _salts(steps: int) -> npt.NDArray[np.uint64]:
    return np.array([_code(f"step {step}") for step in range(steps)], dtype=np.uint64)
