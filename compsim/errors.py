"""Every error that compsim raises on purpose derives from :class:`CompsimError`.

A message names the thing, the reason and the mend in one sentence, so a caller can print it as it
is; the command line does just that and exits with status 2.

>>> from compsim.errors import CompsimError, DataError
>>> issubclass(DataError, CompsimError)
True
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "CompsimError",
    "DataError",
    "InputError",
    "MissingExtraError",
    "ParseError",
    "ServiceError",
    "UnknownNameError",
    "UntrustedCodeError",
    "check_choice",
]


class CompsimError(Exception):
    """Root of all errors raised on purpose."""


class InputError(CompsimError, ValueError):
    """An argument has the wrong type, shape or range."""


class UntrustedCodeError(InputError):
    """A model brings code that runs only where the caller says to trust it."""


class DataError(CompsimError, ValueError):
    """A file is missing, truncated, malformed or fails its checksum."""


class ParseError(CompsimError, ValueError):
    """A sentence could not be parsed and the caller asked for ``on_failure="raise"``."""


class UnknownNameError(CompsimError, LookupError):
    """A method, parser, role or other named thing does not exist."""


class MissingExtraError(CompsimError, ImportError):
    """An optional dependency is not installed; the message holds the install command."""


class ServiceError(CompsimError, ConnectionError):
    """A network service does not answer, or answers with an error."""


def check_choice(name: str, value: object, known: Sequence[str]) -> None:
    """Raise ``InputError`` for a value that is none of those that an option may have."""
    if value not in known:
        raise InputError(f"{name}={value!r} is not known: use one of {', '.join(known)}")
