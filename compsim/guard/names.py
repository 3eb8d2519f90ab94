"""The names of the guard's methods, in a module that imports nothing heavy."""

from __future__ import annotations

from typing import Final

__all__ = ["DEFAULT_METHOD", "LIGHT_METHOD"]

#: The method of a guard where none is named.
DEFAULT_METHOD: Final = "concepts-hybrid"
#: The one that compares no whole texts.
LIGHT_METHOD: Final = "concepts"
