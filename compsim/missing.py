"""Messages for packages of an extra that is not installed.

>>> raise missing("langchain-core", "langchain", ImportError("No module named 'langchain_core'"))
Traceback (most recent call last):
...
compsim.errors.MissingExtraError: this needs langchain-core, which is not installed ...
>>> raise missing("pandas", "bench", ImportError("No module named '_bz2'", name="_bz2"))
Traceback (most recent call last):
...
compsim.errors.MissingExtraError: this needs the module '_bz2' of Python itself, which this one ...
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from compsim.errors import MissingExtraError

__all__ = ["incomplete", "install_command", "missing", "require"]


def require(package: str, extra: str) -> None:
    """Raise ``MissingExtraError`` where a package is not installed, without importing it."""
    if find_spec(package) is None:
        error = ModuleNotFoundError(f"No module named {package!r}", name=package)
        raise missing(package, extra, error)


def missing(package: str, extra: str, error: ImportError) -> MissingExtraError:
    """The error for a package that the extra of this name brings."""
    return incomplete("this", error) or MissingExtraError(
        f"this needs {package}, which is not installed ({error}): run {install_command(extra)}",
        name=error.name,
    )


def incomplete(user: str, error: ImportError) -> MissingExtraError | None:
    """The error where it is Python itself that lacks something, which pip cannot install.

    None where it is a package. ``user`` is what needs it.
    """
    module = (error.name or "").partition(".")[0]
    if module not in sys.stdlib_module_names:
        return None
    return MissingExtraError(
        f"{user} needs the module {module!r} of Python itself, which this one lacks ({error}): "
        "use a complete Python",
        name=error.name,
    )


def install_command(*extras: str) -> str:
    """Return the command that installs extras, to be run in a copy of the repository.

    Until this package is in the Python index, where ``compsim`` is another one.

    >>> install_command("amr", "bench")
    'pip install ".[amr,bench]"'
    """
    return f'pip install ".[{",".join(extras)}]"'
