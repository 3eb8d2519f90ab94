"""Folds for cross-validation in which no text is in both training and test.

Pairs that share a text, directly or through other pairs, form a group (a connected component of the
graph whose nodes are texts and whose edges are pairs); a group is never split.

>>> pairs = [("a", "b"), ("b", "c"), ("d", "e")]
>>> groups_of(pairs).tolist(), folds_of(pairs, 2).tolist()
([0, 0, 1], [0, 0, 1])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["deal", "folds_of", "groups_of"]

Rows = npt.NDArray[np.int64]


def groups_of(pairs: Sequence[tuple[str, str]]) -> Rows:
    """Return the group of each pair, (n,), numbered in order of first use."""
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while (above := parent.setdefault(text, text)) != text:
            parent[text] = text = parent[above]
        return text

    for first, second in pairs:
        parent[root(second)] = root(first)
    number: dict[str, int] = {}
    groups = [number.setdefault(root(first), len(number)) for first, _ in pairs]
    return np.array(groups, dtype=np.int64)


def deal(groups: Rows, folds: int, rng: np.random.Generator | None = None) -> Rows:
    """Return the fold of each pair, (n,): groups go to the emptiest fold, the largest first.

    Groups of one size are in their order, or in that which ``rng`` draws.
    """
    counts = np.bincount(groups)
    order = np.arange(len(counts)) if rng is None else rng.permutation(len(counts))
    order = order[np.argsort(-counts[order], kind="stable")]
    fold_of = np.zeros(len(counts), dtype=np.int64)
    filled = [0] * folds
    for group in order.tolist():
        emptiest = filled.index(min(filled))
        fold_of[group] = emptiest
        filled[emptiest] += int(counts[group])
    dealt: Rows = fold_of[groups]
    return dealt


def folds_of(pairs: Sequence[tuple[str, str]], count: int) -> Rows:
    """Return the fold of each pair, (n,): pairs that share a text are in one fold."""
    return deal(groups_of(pairs), count)
