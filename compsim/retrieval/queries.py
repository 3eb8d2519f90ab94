"""What is asked of documents: queries that are checked, and queries that are encoded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compsim.errors import InputError
from compsim.method import check_sentences
from compsim.plain_text import plain

if TYPE_CHECKING:
    from compsim.method import Encoded

__all__ = ["Question", "check_queries"]


@dataclass(frozen=True, eq=False)
class Question:
    """A query that is parsed and encoded: what ``Reranker.ask`` gives.

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
