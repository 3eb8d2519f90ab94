"""Checks of the arguments of a corpus, each with one clear error.

>>> check_ids(["a", "b", "a"])
Traceback (most recent call last):
...
compsim.errors.InputError: ids[0] and ids[2] are both 'a': give it once
>>> [(texts, ids) for texts, ids in batches(["One.", "Two.", "Three."], None, 2)]
[(['One.', 'Two.'], None), (['Three.'], None)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

import numpy as np

from compsim.errors import InputError
from compsim.retrieval.documents import Documents

__all__ = ["batches", "check_count", "check_ids", "distinct"]


def check_count(name: str, value: Any) -> None:
    """Raise ``InputError`` for what is no whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name}={value!r} is not a whole number above 0: give one")


def check_ids(ids: Iterable[str], name: str = "ids") -> list[str]:
    """Ids as a list. Raises ``InputError`` for what is no string, empty, or twice there."""
    if isinstance(ids, str | bytes):
        raise InputError(f"{name} is a single {type(ids).__name__}: give a list of strings")
    if not isinstance(ids, Iterable):
        raise InputError(f"{name} is a {type(ids).__name__}: give a list of strings")
    result: dict[str, int] = {}
    for i, one in enumerate(ids):
        if not isinstance(one, str):
            raise InputError(f"{name}[{i}] is a {type(one).__name__}: give a string")
        if not one or not (one.isascii() or _is_whole(one)):
            raise InputError(f"{name}[{i}] is {one!r}: give a string that UTF-8 can hold")
        if result.setdefault(one, i) != i:
            raise InputError(
                f"{name}[{result[one]}] and {name}[{i}] are both {one!r}: give it once"
            )
    return list(result)


def _is_whole(text: str) -> bool:
    """Return whether UTF-8 can hold a text: not so half a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def distinct(ids: Iterable[str], name: str = "candidates") -> list[str]:
    """Ids of which some may be the same, each once. Raises ``InputError`` as ``check_ids``."""
    if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
        return check_ids(ids, name)
    items = list(ids)
    try:
        return check_ids(dict.fromkeys(items), name)
    except TypeError:  # what cannot be a key of a dictionary is no string
        return check_ids(items, name)


def batches(
    documents: Documents | Iterable[str], ids: Iterable[str] | None, size: int
) -> Iterator[tuple[Documents | list[str], list[str] | None]]:
    """Some documents at a time with their ids. Raises ``InputError`` for unequal numbers."""
    if isinstance(documents, str | bytes):
        raise InputError(
            f"documents is a single {type(documents).__name__}: give a list of strings"
        )
    if not isinstance(documents, Iterable) and not isinstance(documents, Documents):
        raise InputError(f"documents is a {type(documents).__name__}: give a list of strings")
    if isinstance(ids, Sequence):
        ids = check_ids(ids)  # all of them, before the first is parsed
    elif ids is not None and not isinstance(ids, Iterable):
        ids = check_ids(ids)
    if isinstance(ids, Sized) and isinstance(documents, Sized) and len(ids) != len(documents):
        raise InputError(
            f"there are {len(documents)} documents and {len(ids)} ids: give one for each"
        )
    given = None if ids is None else iter(ids)
    if isinstance(documents, Documents):
        parts: Iterator[Any] = (
            documents[start : start + size] for start in range(0, len(documents), size)
        )
    else:
        texts = iter(documents)
        parts = iter(lambda: list(islice(texts, size)), [])
    for part in parts:
        own = None if given is None else list(islice(given, len(part)))
        if own is not None and len(own) != len(part):
            raise InputError("there are more documents than ids: give one for each")
        yield part, own
    if given is not None and next(given, None) is not None:
        raise InputError("there are more ids than documents: give one for each")
