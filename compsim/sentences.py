"""Checks of sentences, the one gate that all texts of a call pass.

>>> check_sentences(word for word in ["Cats sleep.", "Dogs bark."])
['Cats sleep.', 'Dogs bark.']
>>> check_sentences(["Cats sleep.", None])
Traceback (most recent call last):
...
compsim.errors.InputError: sentences[1] is None: drop what has no text, or put "" there
"""

from __future__ import annotations

import re
from collections.abc import Iterable, KeysView, Mapping, Set
from typing import Final

from compsim.errors import InputError

__all__ = ["check_pairs", "check_sentences", "unequal_lengths"]

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def check_sentences(sentences: Iterable[str], name: str = "sentences") -> list[str]:
    """A list of plain strings, with each lone surrogate replaced by U+FFFD.

    Any ordered iterable does: a generator, the keys of a dictionary, an array, a pandas Series.
    Raises ``InputError`` that names the index and type of what is not a string.
    """
    if isinstance(sentences, str):
        raise InputError(
            f"{name} is a single str: give a list of strings, or wrap the one in a list"
        )
    if isinstance(sentences, bytes | bytearray):
        raise InputError(f"{name} is a single bytes: decode it to a string")
    if isinstance(sentences, Mapping):
        raise InputError(f"{name} is a {type(sentences).__name__}: give a list of its texts")
    if isinstance(sentences, Set) and not isinstance(sentences, KeysView):
        raise InputError(
            f"{name} is a {type(sentences).__name__}, which has no order: give a list of strings"
        )
    if not isinstance(sentences, Iterable):
        raise InputError(f"{name} is {_kind(sentences)}: give a string or a list of strings")
    checked = []
    for i, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            raise InputError(f"{name}[{i}] is {_kind(sentence)}: {_mend(sentence)}")
        text = str(sentence)
        if not text.isascii():
            text = _LONE_SURROGATE.sub("\ufffd", text)
        checked.append(text)
    return checked


def _kind(value: object) -> str:
    """Return the kind of a value that should be a string, for an error."""
    # pandas has NaN where there is no text.
    if value is None or (isinstance(value, float) and value != value):
        return str(value)
    return f"a {type(value).__name__}"


def _mend(value: object) -> str:
    """Return the remedy for an item of a list that is no string."""
    if value is None or isinstance(value, float):
        return 'drop what has no text, or put "" there'
    if isinstance(value, tuple | list) and len(value) == 2:
        return "for pairs give the first sentences as one list and the second as another"
    return "give a string"


def check_pairs(a: Iterable[str], b: Iterable[str]) -> tuple[list[str], list[str]]:
    """Two lists of strings of the same length. Raises ``InputError`` where they are not."""
    first, second = check_sentences(a, "the first list"), check_sentences(b, "the second list")
    if len(first) != len(second):
        raise InputError(unequal_lengths(len(first), len(second)))
    return first, second


def unequal_lengths(n: int, m: int) -> str:
    """Return the error of two lists of n and of m sentences that should be pairs."""
    return (
        f"the first list has {n} sentences and the second {m}: give as many of each, "
        "or use similarity() to score each with each"
    )
