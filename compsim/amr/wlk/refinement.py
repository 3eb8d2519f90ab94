"""WLK: compare two meaning graphs by the labels of their nodes, refined by Weisfeiler and Leman.

Opitz, Daza and Frank 2021, "Weisfeiler-Leman in the Bamboo". In each of k steps the label of a node
grows by what its neighbours are, and two graphs are compared by the cosine of how often each label
of each step occurs in them.

>>> from compsim.graph import RoleGraph
>>> cats = RoleGraph.from_penman("(c / chase-01 :ARG0 (a / cat) :ARG1 (m / mouse))")
>>> mice = RoleGraph.from_penman("(c / chase-01 :ARG0 (m / mouse) :ARG1 (a / cat))")
>>> x, y = label_features([cats, mice], Refinement(k=1)), label_features([mice], Refinement(k=1))
>>> [round(float(score), 3) for score in feature_cosines(x, y[[0, 0]])]  # words agree, roles do not
[0.5, 1.0]

"""

from __future__ import annotations

import hashlib
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

#: Bits of the kernels: hear the targets of one's edges, hear their sources.
SENSE: Final = {"both": 3, "out": 1, "in": 2}


@dataclass(frozen=True, slots=True)
class Refinement:
    """How labels or vectors are refined.

    ``k`` steps; ``direction``: each node hears the targets of its edges (``"out"``), the sources
    (``"in"``) or both;
    ``legacy`` (WLK) computes what the reference implementation does: whether a label occurs, not
    how often; triples at step 0 besides; step i weighted by 1 / (1 + i); neighbours on either side
    of an edge alike; and nodes of one label share the neighbours of the last.
    """

    k: int = 2
    direction: Direction = "both"
    legacy: bool = False

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
    """The labels of all steps that occur in each graph, with their counts, at unit length."""
    labels, listed, indptr = _refined(graphs, refinement)
    nodes = np.repeat(np.arange(len(graphs)), np.diff(indptr))
    steps = refinement.k + 1
    row = np.tile(nodes, steps)
    step = np.repeat(np.arange(steps), len(nodes))
    # The step is part of the code, since labels of two steps are never the same.
    code = labels.reshape(-1) ^ _salts(steps)[step]
    value = np.ones(len(code))
    if refinement.legacy:
        value = 1.0 / np.where(step == 0, 1, step + 1)
        triples = [
            (i, _code(f"triple {graph.labels[s]} {role} {graph.labels[t]}"))
            for i, graph in enumerate(listed)
            for s, role, t in graph.edges
        ]
        row = np.concatenate([row, np.array([i for i, _ in triples], dtype=np.int64)])
        code = np.concatenate([code, np.array([c for _, c in triples], dtype=np.uint64)])
        value = np.concatenate([value, np.ones(len(triples))])
    space = f"wlk {refinement}"
    return _features(row, code, value, graphs, once=refinement.legacy, space=space)


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

    listed = [plain(graph) for graph in graphs]
    if refinement.legacy:
        listed = [_constants_last(g, one) for g, one in zip(graphs, listed, strict=True)]
    indptr = _ends(len(graph.labels) for graph in listed)
    edges = [edge for graph in listed for edge in graph.edges]
    labels = np.empty((refinement.k + 1, indptr[-1]), dtype=np.uint64)
    labels[0] = [_code(label) for graph in listed for label in graph.labels]
    with np.errstate(over="ignore"):  # sums of codes wrap around
        refine_labels(
            indptr,
            _ends(len(graph.edges) for graph in listed),
            np.array([edge[0] for edge in edges], dtype=np.int32),
            np.array([edge[2] for edge in edges], dtype=np.int32),
            np.array([_code(edge[1]) for edge in edges], dtype=np.uint64),
            SENSE[refinement.direction],
            np.uint64(0 if refinement.legacy else _code("-of")),
            refinement.legacy,
            labels,
        )
    return labels, listed, indptr


def _constants_last(graph: RoleGraph, read: Plain) -> Plain:
    """The nodes in the order of the reference implementation, which matters where labels repeat."""
    named = any(node.variable is not None for node in graph.nodes)
    constant = [named and node.variable is None for node in graph.nodes]
    order = sorted(range(len(constant)), key=constant.__getitem__)
    place = {old: new for new, old in enumerate(order)}
    return Plain(
        [read.labels[i] for i in order], [(place[s], role, place[t]) for s, role, t in read.edges]
    )


def _features(
    row: npt.NDArray[np.int64],
    code: npt.NDArray[np.uint64],
    value: npt.NDArray[np.float64],
    graphs: Sequence[RoleGraph],
    *,
    once: bool,
    space: str,
) -> FeatureBatch:
    """Sum up equal codes of a row (or count them once), and scale each row to unit length."""
    order = np.lexsort((code, row))
    row, code, value = row[order], code[order], value[order]
    new = np.ones(len(row), dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (code[1:] != code[:-1])
    starts = np.flatnonzero(new)
    value = value[starts] if once or not len(starts) else np.add.reduceat(value, starts)
    row, code = row[starts], code[starts]
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
