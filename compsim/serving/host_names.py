"""The names by which a service may be asked.

>>> names = HostNames(["*.example.org"])
>>> names.allow("localhost:8000"), names.allow("[::1]"), names.allow("a.example.org")
(True, True, True)
>>> names.allow("example.org"), names.allow("a.example.org.evil.example")
(False, False)
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Final

__all__ = ["HostNames", "is_host_pattern"]

_LOOPBACK: Final = ("localhost", "*.localhost")
#: A name and, perhaps, a port; an address of version 6 stands in brackets.
_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]]*)(?::\d*)?")
_PATTERN: Final = re.compile(r"\*|(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


class HostNames:
    """Names that are allowed beside those of this machine, and beside addresses.

    ``*.name`` allows all names below one, ``*`` all.
    """

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = {name.lower() for name in (*_LOOPBACK, *allowed)}

    def allow(self, host: str) -> bool:
        """Return whether they allow a ``Host`` header."""
        match = _HOST.fullmatch(host.strip())
        if match is None:
            return False
        name = match[1].lower().removesuffix(".")
        if "*" in self._allowed or name in self._allowed or _is_address(name):
            return True
        _, _, parent = name.partition(".")
        while parent:
            if f"*.{parent}" in self._allowed:
                return True
            _, _, parent = parent.partition(".")
        return False


def is_host_pattern(name: str) -> bool:
    """Return whether a name can be allowed.

    >>> [is_host_pattern(name) for name in ("*", "*.example.org", "::1", "a.*", "a:80", "")]
    [True, True, True, False, False, False]
    """
    return _PATTERN.fullmatch(name) is not None or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
