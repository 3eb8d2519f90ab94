"""SynWMD as it is written down: networkx's PageRank, every pair of subtrees, a linear program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx
import numpy as np

from compsim.parsers.pipeline.tree import Tree
from compsim.vectors.all_words import AllWords
from naive.transport import earth_movers_distance


def masses(trees: Sequence[tuple[Sequence[str], Sequence[int]]]) -> dict[str, float]:
    """The inverse PageRank of each word, that of the rarest being 1."""
    weight: dict[tuple[str, str], float] = {}
    for words, heads in trees:
        tree = nx.Graph()
        tree.add_nodes_from(range(len(words)))
        tree.add_edges_from((i, head) for i, head in enumerate(heads) if i != head)
        for i, lengths in nx.all_pairs_shortest_path_length(tree, cutoff=3):
            for j, length in lengths.items():
                if length:
                    pair = words[i], words[j]
                    weight[pair] = weight.get(pair, 0.0) + 1 / length
    graph = nx.DiGraph()
    graph.add_nodes_from(word for words, _ in trees for word in words)
    graph.add_weighted_edges_from((x, y, sum_) for (x, y), sum_ in weight.items())
    ranks = nx.pagerank(graph, alpha=0.2, tol=1e-14, max_iter=1000)
    return {word: min(ranks.values()) / rank for word, rank in ranks.items()}


def score(first: Tree, second: Tree, encoder: AllWords, mass: Mapping[str, float]) -> float:
    """The score of two sentences that have words."""
    sides = [_Side(tree, encoder, mass) for tree in (first, second)]
    x, y = sides
    cost = np.zeros((len(x.words), len(y.words)))
    for row, i in enumerate(x.words):
        for column, j in enumerate(y.words):
            apart = [1 - s @ t for s in x.subtree_vectors(i) for t in y.subtree_vectors(j)]
            cost[row, column] = (1 - x.vector[i] @ y.vector[j] + np.mean(apart)) / 2
    given = [np.array([side.mass[i] for i in side.words]) for side in sides]
    return 1 - earth_movers_distance(np.maximum(cost, 0), *given)


class _Side:
    """A sentence: its words, their vectors and masses, and its subtrees."""

    def __init__(self, tree: Tree, encoder: AllWords, mass: Mapping[str, float]) -> None:
        tokens = [tree.word(i) for i in range(len(tree))]
        self.words = [i for i, token in enumerate(tokens) if any(map(str.isalnum, token))]
        self.vector = {i: _unit(encoder.texts([tokens[i]])[0].astype(float)) for i in self.words}
        self.mass = {i: mass.get(tokens[i].lower(), 1.0) for i in self.words}
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(tree)))
        graph.add_edges_from((head, i) for i, head in enumerate(tree.heads) if i != head)
        self.subtrees = []
        for top in graph:
            grown = {top}
            for steps in (1, 2, 3):
                below = set(nx.single_source_shortest_path_length(graph, top, cutoff=steps))
                if below != grown:
                    self.subtrees.append(below)
                grown = below

    def subtree_vectors(self, i: int) -> list[np.ndarray]:
        """The vectors of the subtrees that a word stands in; its own where it stands alone."""
        results = []
        for tree in self.subtrees:
            if i in tree:
                inside = [k for k in self.words if k in tree]
                results.append(_unit(sum(self.mass[k] * self.vector[k] for k in inside)))
        return results or [self.vector[i]]


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)
