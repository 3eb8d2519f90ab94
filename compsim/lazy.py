"""Names of a package that are imported when they are first used, so that importing it is quick.

A package's ``__init__`` says in which module each name is. Type checkers read imports instead, and
so know a name that is not there::

    if TYPE_CHECKING:
        from compsim.api import explain, similarity
    else:
        __getattr__, __dir__ = lazy_names(__name__, {"compsim.api": ("explain", "similarity")})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package, from the names in each module."""
    home = {name: module for module, names in homes.items() for name in names}
    there = vars(sys.modules[package])

    def find(name: str) -> Any:
        if name not in home:
            # The interpreter looks for a name like it in the module.
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package]
            )
        value = there[name] = getattr(import_module(home[name]), name)
        return value

    return find, lambda: sorted({*there, *home})
