"""What is said where a package of an extra is not installed.

>>> raise missing("langchain-core", "langchain", ImportError("No module named 'langchain_core'"))
Traceback (most recent call last):
...
compsim.errors.MissingExtraError: this needs langchain-core, which is not installed ...
"""

from __future__ import annotations

from importlib.util import find_spec

from compsim.errors import MissingExtraError

__all__ = ["missing", "require"]


def require(package: str, extra: str) -> None:
    """Raise ``MissingExtraError`` where a package is not installed, without importing it."""
    if find_spec(package) is None:
        error = ModuleNotFoundError(f"No module named {package!r}", name=package)
        raise missing(package, extra, error)


def missing(package: str, extra: str, error: ImportError) -> MissingExtraError:
    """The error for a package that the extra of this name brings."""
    return MissingExtraError(
        f"this needs {package}, which is not installed ({error}): run pip install "
        f"'compsim[{extra}]'",
        name=error.name,
    )
