"""Mass of each word of a sentence: word flow of SynWMD (Wei, Wang and Kuo 2022).

Words that stand near each other in dependency trees are joined in a graph: each time that one is at
most three steps from another, their edge grows by 1 / steps. The PageRank of a word in this graph
(damping 0.2, as the authors have it) says how common it is among all neighbours; its mass is the
inverse, here as a share of that of the rarest word. Small words weigh next to nothing, without a
list of them.

>>> graph = WordGraph()
>>> graph.add(["the", "dog", "barks"], [1, 2, 2])
>>> graph.add(["the", "cat", "sleeps"], [1, 2, 2])
>>> masses = graph.masses()
>>> masses["the"] < masses["dog"] < masses["barks"] == 1.0
True
>>> default_masses()["the"] < 0.01
True
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.storage.places import weights_folder

__all__ = ["DAMPING", "STEPS", "WordGraph", "default_masses", "is_word"]

#: How far apart two words of a tree may be.
STEPS: Final = 3
#: The share of rank that flows along edges.
DAMPING: Final = 0.2
#: Ranks that change by no more, all together, are found.
_SETTLED: Final = 1e-12


class WordGraph:
    """Words that stand near each other in the trees that are added."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._first, self._second = array("q"), array("q")
        self._steps = array("b")

    def add(self, words: Sequence[str], heads: Sequence[int]) -> None:
        """Add the tree of a sentence: its words, and the head of each, itself for a root."""
        numbers = [self._number.setdefault(word, len(self._number)) for word in words]
        near: list[list[int]] = [[] for _ in words]
        for i, head in enumerate(heads):
            if head != i:
                near[i].append(head)
                near[head].append(i)
        for i, number in enumerate(numbers):
            ends = [(i, i)]
            # In a tree there is one way to each word: never back.
            for step in range(1, STEPS + 1):
                ends = [(k, j) for j, before in ends for k in near[j] if k != before]
                self._first.extend([number] * len(ends))
                self._second.extend([numbers[k] for k, _ in ends])
                self._steps.extend([step] * len(ends))

    def masses(self) -> dict[str, float]:
        """Return the mass of each word, above 0 and up to 1: the inverse of its PageRank."""
        if not self._number:
            return {}
        rank = self._ranks()
        return dict(zip(self._number, (rank.min() / rank).tolist(), strict=True))

    def _ranks(self) -> npt.NDArray[np.float64]:
        """The PageRank of each word, float64 (words,)."""
        count = len(self._number)
        first, second = (np.frombuffer(part, np.int64) for part in (self._first, self._second))
        weight = 1.0 / np.frombuffer(self._steps, np.int8)
        out = np.bincount(first, weight, count)
        share = weight / out[first]
        alone = out == 0
        rank = np.full(count, 1.0 / count)
        while True:
            moved = np.bincount(second, share * rank[first], count) + rank[alone].sum() / count
            new: npt.NDArray[np.float64] = DAMPING * moved + (1.0 - DAMPING) / count
            change = float(np.abs(new - rank).sum())
            rank = new
            if change <= _SETTLED:
                return rank


def is_word(token: str) -> bool:
    """Return whether a token has a letter or a digit.

    >>> is_word("n't"), is_word("--")
    (True, False)
    """
    return any(map(str.isalnum, token))


@cache
def default_masses() -> Mapping[str, float]:
    """Return the masses that are shipped (``weights/masses.txt``); other words have 1."""
    lines = (weights_folder() / "masses.txt").read_text(encoding="utf8").splitlines()
    return MappingProxyType({word: float(mass) for word, mass in (x.split("\t") for x in lines)})
