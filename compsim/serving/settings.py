"""Settings of a service: the method, and limits of requests.

>>> Settings(timeout=0)
Traceback (most recent call last):
...
compsim.errors.InputError: timeout=0 is no time: give the seconds of a request, above 0 and at ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.serving.host_names import is_host_pattern

__all__ = ["Settings"]

_DAY: Final = 24 * 60 * 60
_MOST: Final = 2**63


@dataclass(frozen=True)
class Settings:
    """The settings of one service; each has a default.

    Attributes:
        method: A name of the registry.
        options: Its options, as for ``load``.
        token: What ``Authorization: Bearer`` must hold for all but the pages, the description and
            ``/healthz``; None, or an empty one, asks for nothing.
        allowed_hosts: Names that the ``Host`` header may have, beside those of this machine and
            addresses, as ``name``, ``*.name`` for all below one, or ``*``; None: no more of them
            without a token, any with one.
        max_body: Bytes of a request.
        max_documents: Documents, pairs of sentences, or cells of a matrix in it.
        max_document: Characters of a document.
        max_sentence: Characters of a query, or of a sentence that is compared with another.
        max_words: Different words of a request.
        max_requests: Requests that are taken at a time, the one that runs and those that wait; what
            comes beside them gets 429.
        max_memory: Bytes that the process that computes may have beyond those that it has once it
            is warm; a request that needs more gets 413.
        timeout: Seconds from a request's first byte to its answer, at most a day.

    Raises:
        InputError: A limit is not above 0, the token is not of visible ASCII characters, or one of
            ``allowed_hosts`` is no name.

    Examples:
        >>> Settings(max_documents=100).timeout
        30.0
    """

    method: str = DEFAULT_METHOD
    options: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)
    allowed_hosts: Sequence[str] | None = None
    max_body: int = 2 * 1024 * 1024
    max_documents: int = 1000
    max_document: int = 20_000
    max_sentence: int = 2_000
    max_words: int = 50_000
    max_requests: int = 32
    max_memory: int = 2 * 1024**3
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if self.token and not all("!" <= mark <= "~" for mark in self.token):
            raise InputError(
                "the token has white space in it, or something that is not ASCII, which headers do "
                "not carry: choose another"
            )
        if isinstance(self.allowed_hosts, str):
            raise InputError("allowed_hosts is one text: give a list of names")
        for name in self.allowed_hosts or ():
            if not is_host_pattern(name):
                raise InputError(
                    f"allowed_hosts has {name!r}, which is no name of a host: give it without "
                    "http:// and a port"
                )
        for limit in fields(self):
            value = getattr(self, limit.name)
            if limit.name == "timeout":
                number = isinstance(value, int | float) and not isinstance(value, bool)
                if not number or not 0 < value <= _DAY:
                    raise InputError(
                        f"timeout={value!r} is no time: give the seconds of a request, above 0 and "
                        "at most a day"
                    )
            elif limit.name.startswith("max_") and (
                isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _MOST
            ):
                raise InputError(
                    f"{limit.name}={value!r} is not a whole number above 0 and below 2**63: mend it"
                )
