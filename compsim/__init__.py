"""How alike two sentences are, judged by who did what to whom.

>>> import compsim
>>> compsim.similarity("Cats chase mice.", "Mice chase cats.")  # doctest: +SKIP
0.5

The names below are imported when they are first used, so ``import compsim`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from compsim._version import __version__

if TYPE_CHECKING:
    from compsim.api import explain, similarity
    from compsim.errors import (
        CompsimError,
        DataError,
        InputError,
        MissingExtraError,
        ParseError,
        ServiceError,
        UnknownNameError,
    )
    from compsim.explanation import Explanation
    from compsim.graph import Edge, Node, RoleGraph, Status
    from compsim.method import Encoded, Method, MethodInfo
    from compsim.registry import load, methods
    from compsim.vectors import WordVectors

__all__ = [
    "CompsimError",
    "DataError",
    "Edge",
    "Encoded",
    "Explanation",
    "InputError",
    "Method",
    "MethodInfo",
    "MissingExtraError",
    "Node",
    "ParseError",
    "RoleGraph",
    "ServiceError",
    "Status",
    "UnknownNameError",
    "WordVectors",
    "__version__",
    "explain",
    "load",
    "methods",
    "similarity",
]

_HOME = {
    "api": ("explain", "similarity"),
    "errors": (
        "CompsimError",
        "DataError",
        "InputError",
        "MissingExtraError",
        "ParseError",
        "ServiceError",
        "UnknownNameError",
    ),
    "explanation": ("Explanation",),
    "graph": ("Edge", "Node", "RoleGraph", "Status"),
    "method": ("Encoded", "Method", "MethodInfo"),
    "registry": ("load", "methods"),
    "vectors": ("WordVectors",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'compsim' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"compsim.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
