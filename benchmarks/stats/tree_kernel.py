"""The tree kernel of Collins and Duffy (2002): how much structure two trees share.

``K(a, b)`` is the number of subtrees that two trees have in common, where a subtree holds all or
none of the children of each of its nodes. With a decay below 1, one of n productions counts as
decay^n, since large trees share far more subtrees than small ones. Divided by the root of
``K(a, a) K(b, b)`` it lies between 0 and 1.

>>> from compsim.benchmarks.datasets.trees.phrase_structure import read_brackets
>>> trees = read_brackets("(S (N a) (V b)) (S (N c) (V d)) (S (V b) (N a))")
>>> kernel(trees, decay=1.0).round(3).tolist()  # six subtrees; the last has another S
[[1.0, 1.0, 0.333], [1.0, 1.0, 0.333], [0.333, 0.333, 1.0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.trees.phrase_structure import PhraseTree
from compsim.errors import InputError
from compsim.kernels.compilation import compiled

__all__ = ["kernel", "mean_similarity"]

_RESAMPLES: Final = 1000


def kernel(
    trees: Sequence[PhraseTree], decay: float = 0.4, words: bool = False
) -> npt.NDArray[np.float64]:
    """The normalised kernel of all pairs of n trees, float64 (n, n); the diagonal is 1.

    ``words``: words count; else a tag above one word is that tag above any other. Raises
    ``InputError`` for a decay that is not above 0 and at most 1.
    """
    if not 0 < decay <= 1:
        raise InputError(f"decay={decay} is not above 0 and at most 1")
    numbers: dict[str, int] = {}
    production: list[int] = []
    first, child = [0], [0]
    below: list[int] = []
    for tree in trees:
        nodes = tree.nodes()
        place = {id(node): i for i, node in enumerate(nodes)}
        for node in nodes:
            text = node.production(words)
            production.append(numbers.setdefault(text, len(numbers)))
            below += [place[id(kid)] for kid in node.children]
            child.append(len(below))
        first.append(len(production))
    values = np.zeros((len(trees), len(trees)))
    _kernel(
        np.array(first, dtype=np.int64),
        np.array(production, dtype=np.int64),
        np.array(child, dtype=np.int64),
        np.array(below, dtype=np.int64),
        decay,
        values,
    )
    own = np.sqrt(np.diagonal(values))
    shares: npt.NDArray[np.float64] = values / own[:, None] / own[None, :]
    return shares


def mean_similarity(shares: npt.NDArray[np.float64], seed: int = 0) -> tuple[float, float, float]:
    """The mean over pairs of different trees of a matrix (n, n), and its 95 % interval.

    The interval resamples trees; a tree that is drawn twice makes no pair with itself. Raises
    ``InputError`` for fewer than two trees.
    """
    count = len(shares)
    if count < 2:
        raise InputError(f"{count} trees have no pairs: give two or more")
    rng = np.random.default_rng(seed)
    times = np.vstack(
        [np.ones(count), rng.multinomial(count, np.full(count, 1 / count), size=_RESAMPLES)]
    )
    apart = shares - np.diag(np.diagonal(shares))
    total = ((times @ apart) * times).sum(axis=1)
    pairs = times.sum(axis=1) ** 2 - (times**2).sum(axis=1)
    drawn = total / np.maximum(pairs, 1.0)
    low, high = np.percentile(drawn[1:], [2.5, 97.5])
    return float(drawn[0]), float(low), float(high)


@compiled()
def _kernel(first: Any, production: Any, child: Any, below: Any, decay: float, out: Any) -> None:
    """Fill out (n, n); nodes of tree t are first[t] to first[t + 1], each before those below it.

    ``below[child[i]:child[i + 1]]`` are the places in their tree of the children of node i.
    """
    count = first.shape[0] - 1
    largest = 0
    for t in range(count):
        largest = max(largest, first[t + 1] - first[t])
    common = np.zeros((largest, largest))
    for a in range(count):
        for b in range(a, count):
            total = 0.0
            for i in range(first[a + 1] - first[a] - 1, -1, -1):
                x = first[a] + i
                for j in range(first[b + 1] - first[b] - 1, -1, -1):
                    y = first[b] + j
                    value = 0.0
                    if production[x] == production[y]:
                        value = decay
                        for k in range(child[x + 1] - child[x]):
                            value *= 1.0 + common[below[child[x] + k], below[child[y] + k]]
                    common[i, j] = value
                    total += value
            out[a, b] = total
            out[b, a] = total
