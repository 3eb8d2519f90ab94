"""WWLK in one thread against the same computed plainly, with numpy and POT's solver.

``wwlk_pairs_per_second`` counts from parsed graphs at hand: both are encoded, then compared;
``wwlk_encoded_pairs_per_second`` compares graphs that are encoded. ``wwlk_vs_plain`` is the first
over the plain version's speed, ``transport_vs_pot`` the speed of our exact transport over that of
``ot.emd2`` on the distances of the same pairs. Runs of the two sides take turns and the best of
each counts: what other programs take away slows both.

Without graphs of your own, random ones of the size of the STS3k parses are taken.

>>> from compsim.benchmarks.speed.wlk import random_graphs
>>> len(random_graphs(3))
3
"""

from __future__ import annotations

import importlib
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from compsim.amr.wlk.refinement import Refinement
from compsim.amr.wlk.wasserstein import label_vectors, node_vectors, wasserstein
from compsim.errors import MissingExtraError
from compsim.graph import Edge, Node, RoleGraph
from compsim.kernels.transport import move, workspace

if TYPE_CHECKING:
    from compsim.vectors import WordVectors

__all__ = ["measure", "random_graphs"]

_ROLES = ("ARG0", "ARG1", "ARG2", "mod", "op1", "location", "time", "ARG0-of", "ARG1-of")
_WEIGHT = 0.2


def random_graphs(count: int, seed: int = 0) -> list[RoleGraph]:
    """Trees of 3 to 9 common words with now and then a reentrancy, as in parses of STS3k."""
    from compsim.vectors import WordVectors

    words = WordVectors.open("builtin").words
    draw = random.Random(seed)
    graphs = []
    for _ in range(count):
        size = draw.randint(3, 9)
        edges = []
        for i in range(1, size + draw.randint(0, 1)):
            role = draw.choice(_ROLES)
            ends = draw.randrange(min(i, size)), i if i < size else draw.randrange(size)
            source, target = ends[::-1] if role.endswith("-of") else ends
            edges.append(Edge(source, role.removesuffix("-of"), target))
        nodes = tuple(Node(words[draw.randrange(5_000)], variable=f"z{i}") for i in range(size))
        graphs.append(RoleGraph(nodes, tuple(edges), 0))
    return graphs


def measure(
    first: Sequence[RoleGraph] | None = None,
    second: Sequence[RoleGraph] | None = None,
    vectors: WordVectors | None = None,
    repeats: int = 5,
) -> dict[str, float]:
    """Time both versions over pairs of graphs; see the module for what the figures mean."""
    from compsim.vectors import WordVectors

    vectors = WordVectors.open("builtin") if vectors is None else vectors
    a = random_graphs(1_000, 1) if first is None else first
    b = random_graphs(1_000, 2) if second is None else second
    refinement = Refinement()
    x, y = (node_vectors(graphs, vectors, refinement, "constant") for graphs in (a, b))
    fast, plain, encoded, ours, pots = [], [], [], [], []
    threads = os.environ.get("COMPSIM_THREADS")
    os.environ["COMPSIM_THREADS"] = "1"
    try:
        scores = wasserstein(x, y, refinement)
        costs: list[npt.NDArray[np.float64]] = []
        for _ in range(repeats):
            fast.append(_seconds(lambda: _ours(a, b, vectors, refinement)))
            plain.append(_seconds(lambda: costs.extend(_plainly(a, b, vectors, refinement.k)[1])))
            encoded.append(_seconds(lambda: wasserstein(x, y, refinement)))
            del costs[len(a) :]
            ours.append(_seconds(lambda: _moved(costs)))
            pots.append(_seconds(lambda: _solved(costs)))
        expected = _plainly(a, b, vectors, refinement.k)[0]
    finally:
        if threads is None:
            del os.environ["COMPSIM_THREADS"]
        else:
            os.environ["COMPSIM_THREADS"] = threads
    return {
        "wwlk_pairs_per_second": len(a) / min(fast),
        "wwlk_encoded_pairs_per_second": len(a) / min(encoded),
        "wwlk_plain_pairs_per_second": len(a) / min(plain),
        "wwlk_vs_plain": min(plain) / min(fast),
        "transport_vs_pot": min(pots) / min(ours),
        "wwlk_largest_difference": float(np.abs(scores - expected).max()),
    }


def _ours(
    a: Sequence[RoleGraph], b: Sequence[RoleGraph], vectors: WordVectors, refinement: Refinement
) -> npt.NDArray[np.float64]:
    x, y = (node_vectors(graphs, vectors, refinement, "constant") for graphs in (a, b))
    distances: npt.NDArray[np.float64] = wasserstein(x, y, refinement)
    return distances


def _plainly(
    a: Sequence[RoleGraph], b: Sequence[RoleGraph], vectors: WordVectors, k: int
) -> tuple[list[float], list[npt.NDArray[np.float64]]]:
    """Distances, and the costs behind them, one pair after the other."""
    x, y = ([_refined(graph, vectors, k) for graph in graphs] for graphs in (a, b))
    costs = [
        np.linalg.norm(p[:, None, :] - q[None, :, :], axis=2) for p, q in zip(x, y, strict=True)
    ]
    return _solved(costs), costs


def _refined(graph: RoleGraph, vectors: WordVectors, k: int) -> npt.NDArray[np.float64]:
    now = label_vectors([node.label for node in graph.nodes], vectors).astype(np.float64)
    out = np.zeros((len(now), len(now)))
    for edge in graph.edges:  # edges between the same two nodes are one
        out[edge.source, edge.target] = _WEIGHT * (out[edge.source, edge.target] or 1.0)
    count = (out > 0).sum(axis=1) + (out > 0).sum(axis=0)
    hears = (out + out.T) / np.maximum(count, 1)[:, None]
    steps = [now]
    for _ in range(k):
        steps.append(steps[-1] + hears @ steps[-1])
    joined = np.concatenate(steps, axis=1)
    unit: npt.NDArray[np.float64] = joined / np.linalg.norm(joined, axis=1, keepdims=True)
    return unit


def _solved(costs: Sequence[npt.NDArray[np.float64]]) -> list[float]:
    try:
        ot = importlib.import_module("ot")
    except ImportError as error:
        raise MissingExtraError(
            "the plain version needs POT, which is not installed: run pip install POT", name="ot"
        ) from error
    found = []
    for cost in costs:
        n, m = cost.shape
        found.append(float(ot.emd2(np.full(n, 1 / n), np.full(m, 1 / m), cost)))
    return found


def _moved(costs: Sequence[npt.NDArray[np.float64]]) -> list[float]:
    _, *scratch = workspace(max(max(cost.shape) for cost in costs))
    return [move(cost, *cost.shape, *scratch) for cost in costs]


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
