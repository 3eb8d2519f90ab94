"""Slow, obvious twins of the AMR methods: strings, dicts, Python floats, and POT's transport.

Nothing here is shared with the package but the random numbers behind unknown words and edges.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import ot

from compsim.amr.paths import verb_lemma
from compsim.amr.wlk.wasserstein import edge_weight, label_vectors
from compsim.graph import RoleGraph
from compsim.vectors import WordVectors

Edges = list[tuple[int, str, int]]
Weight = Callable[[str], float]


def parts(graph: RoleGraph) -> tuple[list[str], Edges]:
    labels = [node.label for node in graph.nodes]
    edges = [(edge.source, edge.role, edge.target) for edge in graph.edges]
    return labels, edges


# --- WLK -----------------------------------------------------------------------------------------


def cosine(x: dict[str, float], y: dict[str, float]) -> float:
    product = sum(x[key] * y[key] for key in x if key in y)
    length = math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))
    return product / length if length else 0.0


def features(text: str, k: int, direction: str) -> dict[str, float]:
    """Return the weighted features of a graph in PENMAN notation, as the reference does it.

    Not so where a constant is spelled like a concept: the reference takes one for the other there.
    """
    import penman

    triples = [(s, r, str(t).lower()) for s, r, t in penman.decode(text).triples]
    concept = {s: t.strip('"') for s, r, t in triples if r == ":instance"}
    edges = []
    constants: set[int] = set()
    for place, (source, role, target) in enumerate(triples):
        if role != ":instance":
            known = target in concept
            edges.append((source, role[1:].lower(), target if known else f"constant {place}"))
            constants |= set() if known else {place}
    for place in constants:  # in the order of the set
        concept[f"constant {place}"] = triples[place][2]
    labels = concept
    result = {f"0 {label}": 1.0 for label in labels.values()}
    result |= {f"triple {labels[s]} {role} {labels[t]}": 1.0 for s, role, t in edges}
    for step in range(1, k + 1):
        grown = {}
        for v in labels:
            heard = [labels[v]]
            for source, role, target in edges:
                if source == v and direction in ("both", "out"):
                    heard.append(f"{role}_{labels[target]}")
                if target == v and direction in ("both", "in"):
                    heard.append(f"{role}_{labels[source]}")
            grown[labels[v]] = " ::: ".join(sorted(heard))  # the last node of a label counts
        labels = {v: grown[label] for v, label in labels.items()}
        result |= {f"{step} {label}": 1 / (1 + step) for label in labels.values()}
    return result


def wlk(a: str, b: str, k: int = 2, direction: str = "both") -> float:
    return cosine(features(a, k, direction), features(b, k, direction))


# --- WWLK ----------------------------------------------------------------------------------------


def node_vectors(
    graph: RoleGraph, vectors: WordVectors, k: int, direction: str, weight: Weight
) -> np.ndarray:
    labels, edges = parts(graph)
    now = label_vectors(labels, vectors).astype(np.float64)
    steps = [now]
    for _ in range(k):
        new = now.copy()
        for v in range(len(labels)):
            heard = []
            if direction in ("both", "out"):
                for other in {t for s, _, t in edges if s == v}:
                    w = [weight(role) for s, role, t in edges if (s, t) == (v, other)]
                    heard.append(math.prod(w) * now[other])
            if direction in ("both", "in"):
                for other in {s for s, _, t in edges if t == v}:
                    w = [weight(role) for s, role, t in edges if (s, t) == (other, v)]
                    heard.append(math.prod(w) * now[other])
            if heard:
                new[v] += sum(heard) / len(heard)
        steps.append(new)
        now = new
    joined = np.concatenate(steps, axis=1)
    return joined / np.linalg.norm(joined, axis=1, keepdims=True)


def wwlk(
    a: RoleGraph,
    b: RoleGraph,
    vectors: WordVectors,
    k: int = 2,
    direction: str = "both",
    edge_weights: str = "min-entropy",
) -> float:
    def weight(role: str) -> float:
        return 0.2 if edge_weights == "constant" else edge_weight(role)

    x, y = (node_vectors(g, vectors, k, direction, weight) for g in (a, b))
    cost = np.linalg.norm(x[:, None, :] - y[None, :, :], axis=2)
    uniform = np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y))
    return 1 - float(ot.emd2(*uniform, cost))


# --- AMR-CN --------------------------------------------------------------------------------------


def paths(text: str, fillers: str) -> dict[str, list[str]]:
    """Fillers of each path of a graph in PENMAN notation, read off its tree."""
    import penman

    tree = penman.parse(text)
    concepts: dict[str, str] = {}
    for variable, branches in tree.nodes():
        for role, target in branches:
            if role == "/":
                concepts[variable] = target
    number = {variable: i for i, variable in enumerate(concepts, start=1)}
    result: dict[str, list[str]] = {}

    def word(concept: str) -> str:
        bare = re.sub(r"-\d+$", "", concept.strip('"'))
        bare = bare.split("-")[0] if fillers == "last" else bare
        return verb_lemma(bare.lower()) if bare else concept

    def walk(node: tuple[str, list[tuple[str, object]]], path: str) -> None:
        variable, branches = node
        result.setdefault(path, []).append(word(concepts[variable]))
        for role, target in branches:
            if role == "/":
                continue
            below = f"{path}.{role[1:]}"
            if isinstance(target, tuple):
                walk(target, below)
            elif target in concepts:
                again = f"^{number[target]}" if fillers == "last" else word(concepts[target])
                result.setdefault(below, []).append(again)
            else:
                result.setdefault(below, []).append(word(str(target)))

    walk(tree.node, "MAIN")
    return {path: words[-1:] if fillers == "last" else words for path, words in result.items()}


def amr_cn(a: str, b: str, vectors: WordVectors, fillers: str = "last") -> float:
    def mean(words: list[str]) -> np.ndarray | None:
        rows = vectors.rows([word for word in words if not word.startswith("^")])
        known = vectors.take(rows[rows >= 0]).astype(np.float64)
        return known.mean(axis=0) if len(known) else None

    def alike(first: list[str], second: list[str]) -> float:
        x, y = mean(first), mean(second)
        if x is None or y is None:
            return float(x is None and y is None and sorted(first) == sorted(second))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    first, second = paths(a, fillers), paths(b, fillers)
    total = sum(alike(first[path], second[path]) for path in first if path in second)
    return 2 * total / (len(first) + len(second))
