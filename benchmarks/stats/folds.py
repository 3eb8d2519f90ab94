"""Folds for cross-validation in which no sentence is in both training and test.

Pairs that share a sentence, directly or through other pairs, form a group (a connected component
of the graph whose nodes are sentences and whose edges are pairs); a group is never split.

>>> from compsim.benchmarks.datasets import Dataset, SentencePair
>>> pairs = [SentencePair(*words, 0.0) for words in ("ab", "bc", "ca", "de", "ef", "fd")]
>>> data = Dataset("toy", tuple(pairs), {"all": tuple(range(6))}, "")
>>> groups(data).tolist()
[0, 0, 0, 1, 1, 1]
>>> made = split(data, 2)
>>> sorted(test.tolist() for test in made.tests)
[[0, 1, 2], [3, 4, 5]]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.errors import InputError
from compsim.guard.folds import deal, groups_of

__all__ = ["Folds", "groups", "split"]

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Folds:
    """The test rows of each fold, ascending; the other rows are for training.

    ``groups`` counts the groups of pairs and ``largest`` the pairs of the largest. ``note`` says
    so where the folds could not keep the groups whole.
    """

    tests: tuple[Rows, ...]
    groups: int
    largest: int
    note: str = ""

    def train(self, fold: int) -> Rows:
        """The rows that are not in a fold, ascending."""
        others = [test for i, test in enumerate(self.tests) if i != fold]
        return np.sort(np.concatenate(others))


def groups(data: Dataset) -> Rows:
    """The group of each pair, int64 (n,), numbered in order of first use.

    Sentences that differ in case or spaces only are the same sentence.
    """
    return groups_of([(_plain(pair.first), _plain(pair.second)) for pair in data.pairs])


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def split(data: Dataset, folds: int, seed: int = 0) -> Folds:
    """Deal the pairs into folds of about equal size, group by group, the largest groups first.

    Where one group has more than half of the pairs, or there are fewer groups than folds, single
    pairs are dealt, and the note says so. Raises ``InputError`` for fewer than two folds, or fewer
    than three pairs for each, which a correlation needs.
    """
    if folds < 2 or len(data) < 3 * folds:
        raise InputError(
            f"{len(data)} pairs cannot be cut into {folds} folds: take 2 folds or more, with 3 "
            "pairs or more for each"
        )
    group = groups(data)
    size = np.bincount(group)
    note = ""
    if size.max() > len(data) / 2 or len(size) < folds:
        note = (
            f"the sentences are so interlinked ({len(size)} groups, the largest with {size.max()} "
            f"of {len(data)} pairs) that folds are of single pairs: a sentence may be in both "
            "training and test, so the held-out figures are too high"
        )
        dealt = np.arange(len(data))
    else:
        dealt = group
    fold_of = deal(dealt, folds, np.random.default_rng(seed))
    tests = tuple(np.flatnonzero(fold_of == fold) for fold in range(folds))
    return Folds(tests, len(size), int(size.max()), note)
