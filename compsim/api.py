"""Scores of sentences, and what a score is made of.

>>> from compsim import similarity
>>> similarity("Cats chase mice.", "Mice chase cats.") < 0.7
True
>>> similarity("Cats sleep.", ["Cats sleep.", "Dogs bark."]).shape
(2,)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Unpack, overload

import numpy as np
import numpy.typing as npt

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.explanation import Explanation
from compsim.kernels.locks import SharedLock
from compsim.method import Method
from compsim.registry import check_unmade, load
from compsim.sentences import check_sentences

if TYPE_CHECKING:
    from compsim.method_options import AnyOptions

__all__ = ["explain", "loaded", "similarity", "similarity_pairwise"]


@overload
def similarity(  # type: ignore[overload-overlap]
    a: str, b: str, method: str | Method[Any] = ..., **options: Unpack[AnyOptions]
) -> float: ...
@overload
def similarity(
    a: str | Iterable[str],
    b: str | Iterable[str],
    method: str | Method[Any] = ...,
    **options: Unpack[AnyOptions],
) -> npt.NDArray[np.float32]: ...
def similarity(
    a: str | Iterable[str],
    b: str | Iterable[str],
    method: str | Method[Any] = DEFAULT_METHOD,
    **options: Unpack[AnyOptions],
) -> float | npt.NDArray[np.float32]:
    """Score each sentence of a against each of b.

    Args:
        a: A sentence, or an iterable of n sentences.
        b: A sentence, or an iterable of m sentences.
        method: A name that ``methods`` lists, or a method.
        **options: Options of the method, as for ``load``. A method once loaded is kept for the next
            call with the same options.

    Returns:
        A float for two sentences, float32 (m,) or (n,) for a sentence and several, float32 (n, m)
        for two lists. The range is that of the method (``MethodInfo``): [0, 1] for ``hybrid``,
        where 1 says the same.

    Raises:
        InputError: Something is no string, or the method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.
        DataError: A file that an option names is missing or malformed.

    Examples:
        >>> from compsim import similarity
        >>> similarity("The dog bit the man.", "The man was bitten by the dog.") > 0.9
        True
        >>> similarity(["It rains.", "It snows."], ["It rains.", "It rained.", "No."]).shape
        (2, 3)
    """
    return loaded(method, **options).similarity(a, b)


def similarity_pairwise(
    a: Iterable[str],
    b: Iterable[str],
    method: str | Method[Any] = DEFAULT_METHOD,
    **options: Unpack[AnyOptions],
) -> npt.NDArray[np.float64]:
    """Score each sentence of a against the one at the same place in b.

    Args:
        a: n sentences.
        b: As many.
        method: A name that ``methods`` lists, or a method.
        **options: Options of the method, as for ``load``.

    Returns:
        The scores, float64 (n,), in the range of the method.

    Raises:
        InputError: The lists are not equally long, something in them is no string, or the method
            has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.
        DataError: A file that an option names is missing or malformed.

    Examples:
        >>> from compsim import similarity_pairwise
        >>> similarity_pairwise(["It rains.", "It rains."], ["It rains.", "Cats sleep."]).round(1)
        array([1., 0.])
    """
    return loaded(method, **options).similarity_pairwise(a, b)


def explain(
    a: str, b: str, method: str | Method[Any] = DEFAULT_METHOD, **options: Unpack[AnyOptions]
) -> Explanation:
    """Say what the score of two sentences is made of.

    Args:
        a: A sentence.
        b: Another.
        method: A name that ``methods`` lists, or a method.
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
        >>> why = explain("Cats chase mice.", "Mice chase cats.")
        >>> [conflict.reason for row in why.conflicts for conflict in row.conflicts][0][:35]
        '"Cats" and "mice" changed places: i'
    """
    for name, sentence in (("first", a), ("second", b)):
        if not isinstance(sentence, str):
            raise InputError(
                f"the {name} argument is a {type(sentence).__name__}: explain takes two sentences, "
                "so call it for each pair"
            )
    first, second = check_sentences([a, b])
    return loaded(method, **options).explain(first, second)


def loaded(name: str | Method[Any], **options: Unpack[AnyOptions]) -> Method[Any]:
    """Return the method with these options, kept from an earlier call where they can be compared.

    Raises what ``load`` raises, and ``InputError`` for options beside a method that is made.
    """
    check_unmade(name, options)
    if isinstance(name, Method):
        return name
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
