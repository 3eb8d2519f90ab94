"""Limits of a request: items, characters and distinct words.

>>> check_length("query", len("Who bit the man?"), 20)
>>> check_words([["Who bit the man?"], ["The dog bit the man."]], 10)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from compsim.errors import InputError

__all__ = ["check_count", "check_length", "check_lengths", "check_words"]

_WORD: Final = re.compile(r"\w+")


def check_count(name: str, count: int, most: int) -> None:
    """Raise ``InputError`` for a list with too many items.

    >>> check_count("documents", 10_000, 1000)
    Traceback (most recent call last):
    ...
    compsim.errors.InputError: documents has 10000 items and this service takes 1000: send fewer
    """
    if count > most:
        raise InputError(f"{name} has {count} items and this service takes {most}: send fewer")


def check_length(name: str, length: int, most: int) -> None:
    """Raise ``InputError`` for a text with too many characters.

    >>> check_length("query", 30, 20)
    Traceback (most recent call last):
    ...
    compsim.errors.InputError: query has 30 characters and this service takes 20: shorten it
    """
    if length > most:
        raise InputError(
            f"{name} has {length} characters and this service takes {most}: shorten it"
        )


def check_lengths(name: str, texts: str | list[str], most: int) -> None:
    """Raise ``InputError`` for a text, or one of a list, with too many characters.

    >>> check_lengths("texts", ["It rained.", "Dogs bark." * 3], 20)
    Traceback (most recent call last):
    ...
    compsim.errors.InputError: texts.1 has 30 characters and this service takes 20: shorten it
    """
    if isinstance(texts, str):
        check_length(name, len(texts), most)
        return
    for i, text in enumerate(texts):
        check_length(f"{name}.{i}", len(text), most)


def check_words(texts: Iterable[list[str]], most: int) -> None:
    """Raise ``InputError`` for lists of texts with too many different words.

    Each new word costs memory for as long as the process lives.
    """
    words: set[str] = set()
    for several in texts:
        for text in several:
            words.update(_WORD.findall(text))
            if len(words) > most:
                raise InputError(
                    f"the request has more than {most} different words: send fewer texts in one"
                )
