"""Rated sentence pairs, wherever they come from.

>>> pairs = (SentencePair("Dogs bark.", "A dog barks.", 0.9), SentencePair("Hi.", "Bye.", 0.1))
>>> data = Dataset("mine", pairs, {"all": (0, 1)}, "made by hand")
>>> len(data), data.sentences()[1]
(2, 'A dog barks.')
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from compsim.graph import RoleGraph

__all__ = ["Dataset", "SentencePair"]


class SentencePair(NamedTuple):
    """Two sentences and how alike people find them.

    Attributes:
        first: A sentence.
        second: Another.
        rating: The mean human rating, from 0 to 1.

    Examples:
        >>> SentencePair("Cats sleep.", "A cat sleeps.", 0.9).rating
        0.9
    """

    first: str
    second: str
    rating: float


@dataclass(frozen=True)
class Dataset:
    """Rated sentence pairs.

    Attributes:
        name: What results call the data.
        pairs: The pairs, n of them.
        parts: The rows of each part by its name; "all" is the first part.
        source: Where they come from.
        types: The type of each pair where the data names it (n,).
        problems: What was left out, a line each.

    Examples:
        >>> pairs = (SentencePair("Cats sleep.", "A cat sleeps.", 0.9),)
        >>> data = Dataset("mine", pairs, {"all": (0,)}, "by hand")
        >>> len(data), data.sentences()
        (1, ['Cats sleep.', 'A cat sleeps.'])
    """

    name: str
    pairs: tuple[SentencePair, ...]
    parts: dict[str, tuple[int, ...]]
    source: str
    types: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    def sentences(self) -> list[str]:
        """The sentences of all pairs.

        Returns:
            Each distinct sentence once, in order of first use.
        """
        return list(dict.fromkeys(text for pair in self.pairs for text in pair[:2]))

    def roles(self, source: str | Path) -> list[tuple[RoleGraph, RoleGraph]]:
        """The published parses of each pair, in row order.

        Args:
            source: "hand-fixed", "semparse" or "spring" (AMR), or the path of a file of roles by
                row.

        Returns:
            Two graphs for each pair. A sentence may have another parse in another pair.

        Raises:
            InputError: There are none: the data is no file of STS3k's authors.
            DataError: A file is missing, or does not fit the pairs.
        """
        from compsim.benchmarks.datasets.sts.parses import published_parses

        return published_parses(self.source, source, len(self))

    @property
    def checksum(self) -> str:
        """SHA-256 of the pairs and parts, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps([self.pairs, self.parts]).encode()).hexdigest()
