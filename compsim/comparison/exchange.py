"""Two wordings that have changed places in texts that are else alike word for word.

"A cat on a sofa and a dog on a rug", "a dog on a sofa and a cat on a rug": whatever a parser makes
of either text, the words show what has moved. Where relations disagree as well, it is no matter of
order alone, as in a list or between symmetric relations. The functions run as they are or compiled
(``kernel``).
"""

from __future__ import annotations

from typing import Any, Final

from compsim.comparison.likeness import same_word

__all__ = ["find_exchange"]

#: Words of either wording at most.
_LONGEST: Final = 4


def find_exchange(a: Any, i: int, b: Any, j: int) -> tuple[int, int, int, int]:
    """Return the two wordings of sentence i of a that have changed places in sentence j of b.

    They are the first word of each in a and the one after its last, four times 0 where there are
    none. Some words stand between them. ``a`` and ``b`` are ``ConceptArrays``.
    """
    first, end, second, second_end = a.word[i], a.word[i + 1], b.word[j], b.word[j + 1]
    if end - first != second_end - second:
        return 0, 0, 0, 0
    while first < end and same_word(a, first, b, second):
        first += 1
        second += 1
    while first < end and same_word(a, end - 1, b, second_end - 1):
        end -= 1
        second_end -= 1
    count = end - first
    for p in range(1, min(_LONGEST, count - 2) + 1):
        if not _equal_words(a, first, b, second_end - p, p):
            continue
        for q in range(1, min(_LONGEST, count - p - 1) + 1):
            moved = _equal_words(a, end - q, b, second, q)
            if moved and _equal_words(a, first + p, b, second + q, count - p - q):
                return first, first + p, end - q, end
    return 0, 0, 0, 0


def _equal_words(a: Any, p: int, b: Any, q: int, count: int) -> bool:
    """Return whether ``count`` words from p of a on are those from q of b on."""
    same = True
    for k in range(count):
        same = same and same_word(a, p + k, b, q + k)
    return same
