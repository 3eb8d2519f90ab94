"""The arguments that all adapters of the reranker have in common.

``method`` is the name of a method or a reranker that is made already; all options of ``Reranker``
and of the method may stand beside it, or in a dictionary ``options`` where a framework saves the
arguments of its parts.

>>> gathered({"method", "options"}, {"method": "hybrid", "combine": 2, "options": {"weight": 1}})
{'method': 'hybrid', 'options': {'weight': 1, 'combine': 2}}
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any, Final

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.method import Method
from compsim.registry import check_options as check_options_of
from compsim.registry import check_unmade
from compsim.retrieval import Reranker
from compsim.retrieval.calibration import as_calibration

__all__ = ["check_name", "check_options", "gathered", "open_reranker", "plain_options"]


def gathered(fields: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with those that are no field among the ``options``.

    Raises ``InputError`` as ``check_options`` does.
    """
    kept = {name: value for name, value in given.items() if name in fields}
    others = {name: value for name, value in given.items() if name not in fields}
    found = {**(kept.get("options") or {}), **others}
    check_options(kept.get("method", DEFAULT_METHOD), found)
    return {**kept, "options": found}


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
