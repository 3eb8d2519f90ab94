"""Queries: checks and encoding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from compsim.errors import InputError
from compsim.plain_text import plain
from compsim.sentences import check_sentences

if TYPE_CHECKING:
    from compsim.batches import Encoded

__all__ = ["Question", "check_limits", "check_queries", "check_threshold"]


@dataclass(frozen=True, eq=False)
class Question:
    """Encoded query, the result of ``Reranker.ask``.

    Attributes:
        text: The query as it was given.
        asked: What it asks for, then what it leaves out.
        batch: These, encoded.

    Examples:
        >>> from compsim import Reranker
        >>> reranker = Reranker("verbnet-cn", vectors="builtin")
        >>> reranker.ask("Who bit the man, but not the dog?").asked
        ('Who bit the man?', 'the dog')
    """

    text: str
    asked: tuple[str, ...]
    batch: Encoded


def check_queries(queries: Iterable[str]) -> list[str]:
    """Return queries as a list; raises ``InputError`` for one that is no string or has no word.

    >>> check_queries(["Who bit the man?"])
    ['Who bit the man?']
    """
    checked = check_sentences(queries, "queries")
    for i, query in enumerate(checked):
        if not any(map(str.isalnum, plain(query))):
            raise InputError(f"query {i} is {query!r}, without a word: give at least one")
    return checked


def check_limits(top_k: Any, score_threshold: Any, name: str = "top_k") -> None:
    """Raise ``InputError`` for a ``top_k`` or a threshold that documents cannot be chosen by.

    ``name`` is what ``top_k`` is called where it was given.
    """
    whole = isinstance(top_k, int | np.integer) and not isinstance(top_k, bool)
    if top_k is not None and not (whole and top_k >= 1):
        raise InputError(f"{name}={top_k!r} is not a whole number above 0, or None for all")
    check_threshold(score_threshold)


def check_threshold(value: Any) -> None:
    """Raise ``InputError`` for a ``score_threshold`` that is neither a number nor None."""
    number = isinstance(value, Real) and not isinstance(value, bool) and value == value
    if value is not None and not number:
        raise InputError(
            f"score_threshold={value!r} is not a number: give the lowest score that is kept, or "
            "None for all"
        )
