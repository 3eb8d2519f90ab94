"""Time of one pair by the length of its texts.

45 patterns are repeated without an end, some of which a parser, a tokenizer or an alignment once
took quadratic time for. One text is the pattern, the other "The cat saw" before it; each pair is
new, so that nothing is kept of it.

>>> len(PATTERNS), repeated("a, ", 8)
(45, 'a, a, a,')
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

__all__ = ["PATTERNS", "Growth", "measure", "repeated"]

PATTERNS: Final = (
    *("the dog bit the man and ", "he said that ", "red, blue, ", "the man who saw "),
    *("The dog bit the man. ", "a ", "x", "(", '"He said ', "not ", "7", "1,234.5 "),
    *("\N{GRINNING FACE}", "\u200b", "\u05e9\u05dc\u05d5\u05dd ", "a/", "a-", "<b>x</b>", "a,b;"),
    *("don't ", ".", " ", "a\n", "older than ", "of ", "steel bridge ", "gave the boy the book "),
    *("\u732b\u54ac\u72d7\u3002", "e\u0301\u0301", "U.S. ", "twenty hundred ", "DOG BIT "),
    *("3 pm on Monday ", "ate before he ", "a_b_", "@a #b ", "'", "\u2014", "the dog bit; "),
    *("who bit ", "was bitten by ", "there is ", "it was on Friday that ", "neither nor "),
    "because ",
)


class Growth(NamedTuple):
    """CPU seconds of one pair of a pattern by its length, of the scores and of an explanation."""

    pattern: str
    scored: tuple[float, ...]
    explained: float

    @property
    def steepest(self) -> float:
        """The most that the time of a score grew from one length to the next."""
        # What takes hundredths of a second is noise.
        floor = 0.1
        pairs = zip(self.scored, self.scored[1:], strict=False)
        return max(max(after, floor) / max(before, floor) for before, after in pairs)


def repeated(pattern: str, length: int) -> str:
    """Return a pattern again and again, so many characters."""
    return (pattern * (length // len(pattern) + 1))[:length]


def measure(
    method: Any, lengths: Iterable[int] = (5_000, 10_000, 20_000), rounds: int = 2
) -> list[Growth]:
    """Time a pair of each pattern at each length, the best of some rounds, and one explanation.

    ``method`` keeps no parses. An explanation is of texts of the last length, as HTML. Matrices are
    multiplied in one thread: from some size on others wait busily for more, and CPU time counts
    what they wait.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        return _growths(method, tuple(lengths), rounds)


def _growths(method: Any, sizes: Sequence[int], rounds: int) -> list[Growth]:
    method.warm_up()
    method.explain("The dog bit the man.", "The man bit.").to_html()
    growths = []
    for pattern in PATTERNS:
        scored = tuple(
            min(_seconds(method, pattern, size, number) for number in range(rounds))
            for size in sizes
        )
        start = time.process_time()
        method.explain(*_pair(pattern, sizes[-1], rounds)).to_html()
        growths.append(Growth(pattern, scored, time.process_time() - start))
    return growths


def _seconds(method: Any, pattern: str, length: int, number: int) -> float:
    first, second = _pair(pattern, length, number)
    start = time.process_time()
    method.similarity_pairwise([first], [second])
    return time.process_time() - start


def _pair(pattern: str, length: int, number: int) -> tuple[str, str]:
    """Return two texts that differ from those of other numbers in their last letter."""
    last = "zyxwv"[number % 5]
    first = repeated(pattern, length - 1) + last
    return first, repeated("The cat saw " + pattern, length - 2) + last + "."
