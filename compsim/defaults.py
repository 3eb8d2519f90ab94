"""Default method and options, in a module that imports nothing.

The default does not depend on what is installed or downloaded.

>>> DEFAULT_METHOD
'hybrid'
"""

from __future__ import annotations

from typing import Final

__all__ = ["DEFAULT_METHOD"]

#: The method of every function, class, command and adapter that takes one.
DEFAULT_METHOD: Final = "hybrid"
