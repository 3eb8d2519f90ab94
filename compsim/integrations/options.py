"""The arguments that all adapters of the reranker have in common.

``method`` is the name of a method or a reranker that is made already; all options of ``Reranker``
and of the method may stand beside it, or in a dictionary ``options``, as frameworks save them.

>>> gathered({"method", "options"}, {"method": "hybrid", "combine": 2, "options": {"weight": 1}})
{'method': 'hybrid', 'options': {'weight': 1, 'combine': 2}}
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.method import Method
from compsim.registry import check_options as check_options_of
from compsim.registry import check_unmade
from compsim.retrieval import Reranker
from compsim.retrieval.calibration import as_calibration

__all__ = [
    "Opened",
    "all_options",
    "check_name",
    "check_options",
    "gathered",
    "open_reranker",
    "plain_options",
    "reopened",
]


def all_options(
    method: str | Method[Any] | Reranker,
    options: Mapping[str, Any] | None,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the options of a dictionary and those that stand beside the method, as one.

    Raises ``InputError`` as ``check_options`` does.

    >>> all_options("hybrid", {"weight": 1}, {"combine": 2})
    {'weight': 1, 'combine': 2}
    """
    result = {**(options or {}), **more}
    check_options(method, result)
    return result


def gathered(fields: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with those that are no field among the ``options``.

    Raises ``InputError`` as ``check_options`` does.
    """
    kept = {name: value for name, value in given.items() if name in fields}
    others = {name: value for name, value in given.items() if name not in fields}
    method = kept.get("method", DEFAULT_METHOD)
    return {**kept, "options": all_options(method, kept.get("options"), others)}


def check_options(method: str | Method[Any] | Reranker, options: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for an option that neither a reranker nor its method has.

    >>> check_options("mean-cn", {"hue": 1})
    Traceback (most recent call last):
    ...
    compsim.errors.InputError: method 'mean-cn' has no option 'hue': there are blend, ...
    """
    if isinstance(method, Reranker):
        if options:
            raise InputError(
                f"the reranker is made already: leave out {', '.join(options)}, or give the name "
                "of a method"
            )
        return
    known = [name for name in inspect.signature(Reranker).parameters if name not in _OTHERS]
    if isinstance(method, str):
        check_options_of(method, options, known)
        return
    check_unmade(method, [name for name in options if name not in known])


def open_reranker(method: str | Method[Any] | Reranker, options: Mapping[str, Any]) -> Reranker:
    """Return the reranker of some arguments."""
    return method if isinstance(method, Reranker) else Reranker(method, **options)


class Opened(NamedTuple):
    """A reranker, and the arguments that it was opened with."""

    method: str | Method[Any] | Reranker
    options: dict[str, Any]
    reranker: Reranker


def reopened(
    before: Opened | None, method: str | Method[Any] | Reranker, options: Mapping[str, Any]
) -> Opened:
    """Return the reranker that was opened before, or another one where the arguments changed."""
    if before is not None and _same(before.method, method):
        given = before.options
        if given.keys() == options.keys() and all(
            _same(given[name], value) for name, value in options.items()
        ):
            return before
    return Opened(method, dict(options), open_reranker(method, options))


def _same(one: Any, other: Any) -> bool:
    """Return whether two arguments are the same; arrays and objects are compared by identity.

    >>> _same("hybrid", "hybrid"), _same([0.5], [0.5])
    (True, False)
    """
    plain = str | int | float
    return one is other or (isinstance(one, plain) and type(one) is type(other) and one == other)


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options to be saved: a calibration as its two numbers, by their names.

    >>> plain_options({"calibration": (6, -3)})
    {'calibration': {'slope': 6.0, 'intercept': -3.0}}
    """
    calibration = as_calibration(options.get("calibration"))
    return dict(options) if calibration is None else {**options, "calibration": asdict(calibration)}


def check_name(method: str | Method[Any] | Reranker) -> None:
    """Raise ``InputError`` for what is no name where a name is to be saved."""
    if not isinstance(method, str):
        raise InputError("what is made already cannot be saved: give the name of a method")


_OTHERS: Final = ("method", "options")
