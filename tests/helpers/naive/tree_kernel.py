"""The tree kernel by its definition: all subtrees of both trees, written out and matched."""

from __future__ import annotations

from collections import Counter
from itertools import product

from compsim.benchmarks.datasets.trees.phrase_structure import PhraseTree


def rooted(node: PhraseTree, words: bool) -> list[tuple[str, int]]:
    """Each subtree that begins at a node, as text, and how many productions it has."""
    if not node.children:
        return [(f"({node.label} {node.word.lower() if words else '*'})", 1)]
    ways = [[(child.label, 0), *rooted(child, words)] for child in node.children]
    results = []
    for chosen in product(*ways):
        inside = " ".join(text for text, _ in chosen)
        results.append((f"({node.label} {inside})", 1 + sum(size for _, size in chosen)))
    return results


def subtrees(tree: PhraseTree, words: bool) -> Counter[tuple[str, int]]:
    counts: Counter[tuple[str, int]] = Counter()
    for node in tree.nodes():
        counts.update(rooted(node, words))
    return counts


def kernel(a: PhraseTree, b: PhraseTree, decay: float, words: bool) -> float:
    """The weighted number of common subtrees over the root of each tree's own."""

    def shared(x: PhraseTree, y: PhraseTree) -> float:
        first, second = subtrees(x, words), subtrees(y, words)
        return sum(count * second[of] * decay ** of[1] for of, count in first.items())

    return shared(a, b) / float(shared(a, a) * shared(b, b)) ** 0.5
