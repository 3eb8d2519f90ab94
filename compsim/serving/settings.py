"""What a service computes with, and what it takes at most.

>>> Settings(timeout=0)
Traceback (most recent call last):
...
compsim.errors.InputError: timeout=0 is no time: give the seconds of a request, above 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from compsim.errors import InputError

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """The settings of one service; each has a default.

    Attributes:
        method: A name of the registry.
        options: Its options, as for ``load``.
        token: What ``Authorization: Bearer`` must hold for ``/v1`` and ``/metrics``; None, or an
            empty one, asks for nothing.
        max_body: Bytes of a request.
        max_documents: Documents, or pairs of sentences, in it.
        max_document: Characters of a document.
        max_sentence: Characters of a query, or of a sentence that is compared with another.
        max_words: Different words of a request.
        max_requests: Requests that are taken at a time, the one that runs and those that wait; what
            comes beside them gets 429.
        max_memory: Bytes that the process that computes may have beyond those that it has once it
            is warm; a request that needs more gets 413.
        timeout: Seconds from a request's first byte to its answer.

    Raises:
        InputError: A limit is not above 0.

    Examples:
        >>> Settings(max_documents=100).timeout
        30.0
    """

    method: str = "hybrid"
    options: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)
    max_body: int = 2 * 1024 * 1024
    max_documents: int = 1000
    max_document: int = 20_000
    max_sentence: int = 2_000
    max_words: int = 50_000
    max_requests: int = 32
    max_memory: int = 2 * 1024**3
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if self.token is not None and any(mark.isspace() for mark in self.token):
            raise InputError("the token has white space in it, which no header can carry: mend it")
        for limit in fields(self):
            value = getattr(self, limit.name)
            if limit.name == "timeout":
                if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                    raise InputError(
                        f"timeout={value!r} is no time: give the seconds of a request, above 0"
                    )
            elif limit.name.startswith("max_") and (
                isinstance(value, bool) or not isinstance(value, int) or value < 1
            ):
                raise InputError(f"{limit.name}={value!r} is not a whole number above 0: mend it")
