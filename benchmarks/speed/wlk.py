"""WWLK in one thread against the same computed plainly, with numpy and POT's solver.

``wwlk_pairs_per_second`` counts from parsed graphs at hand: both are encoded, then compared;
``wwlk_encoded_pairs_per_second`` compares graphs that are encoded. ``wwlk_vs_plain`` is the first
over the plain version's speed, ``transport_vs_pot`` the speed of our exact transport over that of
``ot.emd2`` on the distances of the same pairs. Runs of the two sides take turns and the best of
each counts: what other programs take away slows both.

>>> from compsim.benchmarks.speed.wlk import measure
>>> figures = measure("data")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from compsim.amr.wlk.refinement import Refinement
from compsim.amr.wlk.wasserstein import NodeBatch, label_vectors, node_vectors, wasserstein
from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.speed.smatch import development_graphs
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import environment
from compsim.graph import RoleGraph
from compsim.kernels.transport import move, workspace
from compsim.vectors import WordVectors

__all__ = ["measure"]

_WEIGHT = 0.2


def measure(data: str | Path, repeats: int = 5) -> dict[str, float]:
    """Time both versions over the graphs of STS3k; see the module for what the figures mean."""
    vectors = WordVectors.open("builtin")
    a, b = development_graphs(data)
    refinement = Refinement()

    def encoded() -> tuple[NodeBatch, NodeBatch]:
        x, y = (node_vectors(graphs, vectors, refinement, "constant") for graphs in (a, b))
        return x, y

    x, y = encoded()
    expected, costs = _plainly(a, b, vectors, refinement.k)
    with environment("COMPSIM_THREADS", "1"):
        scores = wasserstein(x, y, refinement)
        best = best_times(
            {
                "fast": lambda: wasserstein(*encoded(), refinement),
                "plain": lambda: _plainly(a, b, vectors, refinement.k),
                "encoded": lambda: wasserstein(x, y, refinement),
                "ours": lambda: _moved(costs),
                "pots": lambda: _solved(costs),
            },
            repeats,
        )
    return {
        "wwlk_pairs_per_second": len(a) / best["fast"],
        "wwlk_encoded_pairs_per_second": len(a) / best["encoded"],
        "wwlk_plain_pairs_per_second": len(a) / best["plain"],
        "wwlk_vs_plain": best["plain"] / best["fast"],
        "transport_vs_pot": best["pots"] / best["ours"],
        "wwlk_largest_difference": float(np.abs(scores - expected).max()),
    }


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
    ot = library("ot", "POT")
    results = []
    for cost in costs:
        n, m = cost.shape
        results.append(float(ot.emd2(np.full(n, 1 / n), np.full(m, 1 / m), cost)))
    return results


def _moved(costs: Sequence[npt.NDArray[np.float64]]) -> list[float]:
    _, *scratch = workspace(max(max(cost.shape) for cost in costs))
    return [move(cost, *cost.shape, *scratch) for cost in costs]
