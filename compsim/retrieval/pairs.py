"""Pairs of a query and a document, and judgements of them, checked.

>>> read_pairs([("Dogs bark.", "A dog barked."), ("Dogs bark.", "It rained.")])
(['Dogs bark.', 'Dogs bark.'], ['A dog barked.', 'It rained.'])
>>> read_judgement(0, ("Dogs bark.", "A dog barked.", 2))
('Dogs bark.', 'A dog barked.', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from numbers import Real
from typing import Any

import numpy as np

from compsim.errors import InputError
from compsim.retrieval.queries import check_queries
from compsim.sentences import check_sentences

__all__ = ["as_pairs", "places_of", "read_judgement", "read_judgements", "read_pairs"]


def as_pairs(given: Iterable[Any]) -> tuple[list[Any], bool]:
    """Return a list of pairs, and whether one pair was given in place of a list.

    Raises ``InputError`` for what has no order.

    >>> as_pairs(("Dogs bark.", "A dog barked."))
    ([['Dogs bark.', 'A dog barked.']], True)
    """
    if not _is_ordered(given):
        raise InputError(f"inputs is a {type(given).__name__}: give a list of pairs")
    listed = list(given)
    single = len(listed) == 2 and all(isinstance(one, str) for one in listed)
    return ([listed], True) if single else (listed, False)


def read_pairs(pairs: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Return the queries and the documents of pairs.

    Raises:
        InputError: Something is no pair of strings, such as a dictionary or a set, or a query has
            no word.
    """
    read = []
    for i, pair in enumerate(pairs):
        parts = list(pair) if _is_ordered(pair) else []
        if len(parts) != 2:
            kind = type(pair).__name__
            raise InputError(
                f"pairs[{i}] is no pair but a {kind}: give (query, document), two strings"
            )
        read.append(parts)
    queries = check_queries([query for query, _ in read])
    return queries, check_sentences([text for _, text in read], "documents")


def places_of(queries: Iterable[str]) -> dict[str, list[int]]:
    """Return where each distinct query stands.

    >>> places_of(["Dogs bark.", "It rained.", "Dogs bark."])
    {'Dogs bark.': [0, 2], 'It rained.': [1]}
    """
    places: dict[str, list[int]] = {}
    for i, query in enumerate(queries):
        places.setdefault(query, []).append(i)
    return places


def read_judgement(place: int, given: Any) -> tuple[Any, Any, bool]:
    """Return a query, a document, and whether it is relevant; raises ``InputError`` for no such."""
    parts = list(given) if _is_ordered(given) else []
    grade: Any = parts[2] if len(parts) == 3 else None
    number = isinstance(grade, Real | np.bool_) and grade == grade
    if not number:
        raise InputError(
            f"judgements[{place}] is none: give a query, a document, and a number above 0 for a "
            "relevant one"
        )
    return parts[0], parts[1], bool(grade > 0)


def read_judgements(judgements: Iterable[Any]) -> tuple[list[tuple[Any, Any]], list[bool]]:
    """Return pairs of a query and a document, and whether each is relevant; raises ``InputError``.

    >>> read_judgements([("Dogs bark.", "A dog barked.", 2)])
    ([('Dogs bark.', 'A dog barked.')], [True])
    """
    if not isinstance(judgements, Iterable):
        raise InputError(f"judgements={judgements!r} is no list: give one of triples")
    read = [read_judgement(i, one) for i, one in enumerate(judgements)]
    return [one[:2] for one in read], [relevant for _, _, relevant in read]


def _is_ordered(given: Any) -> bool:
    """Return whether something has items in an order; the letters of a string are none."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | Set)
