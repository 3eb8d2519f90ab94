"""Pairs of a query and a document, and judgements of them, checked.

>>> read_pairs([("Dogs bark.", "A dog barked."), ("Dogs bark.", "It rained.")])
(['Dogs bark.', 'Dogs bark.'], ['A dog barked.', 'It rained.'])
>>> read_judgement(0, ("Dogs bark.", "A dog barked.", 2))
('Dogs bark.', 'A dog barked.', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Real
from typing import Any

import numpy as np

from compsim.errors import InputError
from compsim.method import check_sentences
from compsim.retrieval.queries import check_queries

__all__ = ["read_judgement", "read_pairs"]


def read_pairs(pairs: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the queries and the documents of pairs.

    Raises:
        InputError: Something is no pair of strings, or a query has no word.
    """
    for i, pair in enumerate(pairs):
        if isinstance(pair, str) or len(pair) != 2:
            raise InputError(f"pairs[{i}] is no pair: give a query and a document")
    queries = check_queries([query for query, _ in pairs])
    return queries, check_sentences([text for _, text in pairs], "documents")


def read_judgement(place: int, given: Any) -> tuple[Any, Any, bool]:
    """Return a query, a document, and whether it is relevant; raises ``InputError`` for no such."""
    ordered = isinstance(given, Iterable) and not isinstance(given, Mapping | Set)
    parts = list(given) if ordered else []
    grade: Any = parts[2] if len(parts) == 3 else None
    number = isinstance(grade, Real | np.bool_) and grade == grade
    if not number:
        raise InputError(
            f"judgements[{place}] is none: give a query, a document, and a number above 0 for a "
            "relevant one"
        )
    return parts[0], parts[1], bool(grade > 0)
