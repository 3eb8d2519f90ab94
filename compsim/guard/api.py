"""Decision on two texts, same or different: the call that most programs need.

>>> from compsim import same
>>> verdict = same("Cats chase mice.", "Mice chase cats.", vectors="builtin")
>>> verdict.answer, verdict.differences[0].kind
('different', 'roles')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack, overload

from compsim.api import loaded
from compsim.defaults import DEFAULT_METHOD
from compsim.guard.guard import Guard
from compsim.guard.names import MAX_FALSE, MAX_MISSED
from compsim.guard.verdict import Verdict
from compsim.method import Method

if TYPE_CHECKING:
    from compsim.method_options import AnyOptions

__all__ = ["same"]


@overload
def same(  # type: ignore[overload-overlap]
    first: str,
    second: str,
    method: str | Method[Any] = ...,
    max_false: float = ...,
    max_missed: float = ...,
    **options: Unpack[AnyOptions],
) -> Verdict: ...
@overload
def same(
    first: str | Iterable[str],
    second: Iterable[str],
    method: str | Method[Any] = ...,
    max_false: float = ...,
    max_missed: float = ...,
    **options: Unpack[AnyOptions],
) -> list[Verdict]: ...
def same(
    first: str | Iterable[str],
    second: str | Iterable[str],
    method: str | Method[Any] = DEFAULT_METHOD,
    max_false: float = MAX_FALSE,
    max_missed: float = MAX_MISSED,
    **options: Unpack[AnyOptions],
) -> Verdict | list[Verdict]:
    """Decide whether two texts say the same, so that one may stand for the other.

    Args:
        first: A text, or n of them.
        second: A text or a list to compare the one text with; n texts where ``first`` has n.
        method: The name of a method over concepts, or a method.
        max_false: The share of different pairs that may be answered "same"; see ``Guard``.
        max_missed: The share of same pairs that may be answered "different".
        **options: Options of the method, as for ``load``. A method once loaded is kept for the next
            call with the same options.

    Returns:
        A verdict, or a list of n. It is true only where the answer is "same"; it is "unsure" where
        the probability lies between the thresholds, and for blank texts, other languages, code and
        texts of more than 160 words.

    Raises:
        InputError: The lists are not equally long, something in them is no string, or the method
            has no calibration.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.

    Examples:
        >>> from compsim import same
        >>> options = {"vectors": "builtin"}
        >>> bool(same("I'd like a colour TV.", "I would like a color TV", **options))
        True
        >>> [v.answer for v in same("He paid.", ["He did not pay.", ""], **options)]
        ['different', 'unsure']
    """
    guard = Guard(loaded(method, **options), max_false=max_false, max_missed=max_missed)
    return guard.same(first, second)
