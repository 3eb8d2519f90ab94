"""The two calls that most programs need: a score, and what it is made of.

>>> from compsim import similarity
>>> similarity("Cats chase mice.", "Mice chase cats.")  # doctest: +SKIP
0.5
>>> similarity("Cats chase mice.", ["Mice chase cats."])
Traceback (most recent call last):
...
compsim.errors.InputError: one argument is a string and the other is not: give two strings, ...
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.explanation import Explanation
from compsim.kernels.locks import SharedLock
from compsim.method import Method, check_pairs, check_sentences
from compsim.registry import load

__all__ = ["DEFAULT_METHOD", "explain", "loaded", "similarity"]

#: The method that is used where none is named.
DEFAULT_METHOD: Final = "verbnet-cn"


@overload
def similarity(s1: str, s2: str, method: str = ..., **options: Any) -> float: ...
@overload
def similarity(
    s1: Iterable[str], s2: Iterable[str], method: str = ..., **options: Any
) -> npt.NDArray[np.float64]: ...
def similarity(
    s1: str | Iterable[str],
    s2: str | Iterable[str],
    method: str = DEFAULT_METHOD,
    **options: Any,
) -> float | npt.NDArray[np.float64]:
    """How alike two sentences are, or each sentence of a list and the one at its place in another.

    Args:
        s1: A sentence, or an iterable of n sentences.
        s2: A sentence, or as many sentences as ``s1`` has.
        method: A name that ``methods`` lists.
        **options: Options of the method, as for ``load``. A method once loaded is kept for the next
            call with the same options.

    Returns:
        A float for two strings, a float64 array (n,) for two lists. The range is that of the method
        (see ``MethodInfo``); 1 is the same for all of them but those that say otherwise.

    Raises:
        InputError: One argument is a string and the other is not, the lists are not equally long,
            something in them is no string, or the method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.
        DataError: A file that an option names is missing or malformed.

    Examples:
        >>> from compsim import similarity
        >>> round(similarity("Cats chase mice.", "Mice chase cats.", vectors="builtin"), 4)
        0.5288
        >>> similarity(["It rains.", "It rains."], ["It rains.", "It snows."]).shape
        (2,)
    """
    single = isinstance(s1, str)
    if single != isinstance(s2, str):
        raise InputError(
            "one argument is a string and the other is not: give two strings, or two lists of the "
            "same length; to compare one with many use "
            f'load("{method}").similarity([sentence], sentences)'
        )
    first = [s1] if isinstance(s1, str) else s1
    second = [s2] if isinstance(s2, str) else s2
    first, second = check_pairs(first, second)
    scores = loaded(method, options).similarity_pairwise(first, second)
    return float(scores[0]) if single else scores


def explain(s1: str, s2: str, method: str = DEFAULT_METHOD, **options: Any) -> Explanation:
    """What the score of two sentences is made of.

    Args:
        s1: A sentence.
        s2: Another.
        method: A name that ``methods`` lists.
        **options: Options of the method, as for ``load``.

    Returns:
        The rows of the score, which add up to it; its ``score`` is what ``similarity`` gives for
        the two. It prints as a table, and shows itself as a page in a notebook.

    Raises:
        InputError: An argument is no string, or the method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.
        DataError: A file that an option names is missing or malformed.

    Examples:
        >>> from compsim import explain
        >>> why = explain("Cats chase mice.", "Mice chase cats.", vectors="builtin")
        >>> [row.role for row in why]
        ['concept', 'concept', 'concept', 'roles', 'conflict: roles']
    """
    first, second = check_sentences([s1, s2])
    return loaded(method, options).explain(first, second)


def loaded(name: str, options: dict[str, Any]) -> Method[Any]:
    """Return the method with these options, kept from an earlier call where they can be compared.

    Raises what ``load`` raises.
    """
    key = tuple(sorted(options.items()))
    try:
        hash(key)
    except TypeError:
        return load(name, **options)
    with _slots:
        slot = _slot(name, key)
    return slot.method()


class _Slot:
    """A method that is loaded once, however many threads ask for it first."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self._name, self._options = name, options
        self._method: Method[Any] | None = None
        self._lock = SharedLock()

    def method(self) -> Method[Any]:
        """Return the method; raises what ``load`` raises, and tries again at the next call."""
        if self._method is None:
            with self._lock:
                if self._method is None:
                    self._method = load(self._name, **self._options)
        return self._method


#: Held while a slot is looked up, not while a method is loaded: others may go on meanwhile.
_slots: Final = SharedLock()


@lru_cache(maxsize=8, typed=True)
def _slot(name: str, options: tuple[tuple[str, Any], ...]) -> _Slot:
    return _Slot(name, dict(options))
