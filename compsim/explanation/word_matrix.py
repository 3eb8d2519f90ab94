"""Word matrix: the contribution of each pair of words; its cells sum to the score.

>>> first = (MatrixWord("Cats", (0, 4)), MatrixWord("[SEP]", None, "special"))
>>> second = (MatrixWord("Dogs", (0, 4)),)
>>> words = WordMatrix(first, second, ((0.5,), (-0.25,)))
>>> words.total, words.sums
(0.25, ((0.5, -0.25), (0.25,)))
>>> words.strongest(10)
([WordPair(first=0, second=0, value=0.5)], [WordPair(first=1, second=0, value=-0.25)])
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from compsim.graph import Span

__all__ = ["Kind", "MatrixWord", "WordMatrix", "WordPair", "figure"]

#: A word of the sentence, a token that the model adds, or a word of the prompt before it.
Kind = Literal["word", "special", "prompt"]


class MatrixWord(NamedTuple):
    """A row or a column: the word and where it stands.

    Attributes:
        text: The word.
        span: Its characters ``[start, end)`` in the sentence; None for what does not stand there,
            and where the model does not tell.
        kind: A word of the sentence, a ``special`` token that the model adds, or a word of the
            ``prompt`` before it.

    Examples:
        >>> MatrixWord("Cats", (0, 4)).kind
        'word'
    """

    text: str
    span: Span | None
    kind: Kind = "word"


class WordPair(NamedTuple):
    """A cell: the places of its two words, and what they add."""

    first: int
    second: int
    value: float


@dataclass(frozen=True, slots=True)
class WordMatrix:
    """The words of both sentences, and what each pair of them adds.

    Attributes:
        first: The words of the first sentence, n of them.
        second: The words of the second, m of them.
        values: What each pair adds, n rows of m cells.

    Examples:
        >>> cats, dogs = MatrixWord("Cats", (0, 4)), MatrixWord("Dogs", (0, 4))
        >>> WordMatrix((cats,), (dogs,), ((0.5,),)).total
        0.5
    """

    first: tuple[MatrixWord, ...]
    second: tuple[MatrixWord, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def total(self) -> float:
        """The sum of all cells."""
        return math.fsum(value for row in self.values for value in row)

    @property
    def sums(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Sums of the rows and of the columns: the contribution of each word of both sentences."""
        columns = zip(*self.values, strict=True)
        return tuple(map(math.fsum, self.values)), tuple(map(math.fsum, columns))

    def strongest(self, most: int) -> tuple[list[WordPair], list[WordPair]]:
        """The pairs that matter most.

        Args:
            most: How many of either kind.

        Returns:
            The pairs that add, and those that take off, strongest first.
        """
        pairs = [
            WordPair(i, j, value)
            for i, row in enumerate(self.values)
            for j, value in enumerate(row)
            if value
        ]
        pairs.sort(key=lambda pair: -abs(pair.value))
        adding = [pair for pair in pairs if pair.value > 0]
        taking = [pair for pair in pairs if pair.value < 0]
        return adding[:most], taking[:most]

    def to_dict(self) -> dict[str, Any]:
        """The words with their characters and kind, and all cells.

        Returns:
            ``first`` and ``second``, lists of words, and ``values``.
        """
        result = {
            side: [
                {"word": text, "span": None if span is None else list(span), "kind": kind}
                for text, span, kind in words
            ]
            for side, words in (("first", self.first), ("second", self.second))
        }
        return {**result, "values": [list(row) for row in self.values]}


def figure(value: float) -> str:
    """Return a cell or sum with four decimals, and no minus where they are all 0."""
    return f"{round(value, 4) + 0.0:.4f}"
