"""When an answer is due.

>>> due = Due.within(60)
>>> due.check()
>>> 59 < due.left <= 60
True
"""

from __future__ import annotations

import time
from typing import Self

from compsim.serving.refusal import RefusedError

__all__ = ["Due"]


class Due:
    """A time ``at`` which an answer is due, on the clock ``time.monotonic``."""

    def __init__(self, at: float) -> None:
        self.at = at

    @classmethod
    def within(cls, seconds: float) -> Self:
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - time.monotonic()

    def check(self) -> None:
        """Raise ``RefusedError`` (504) once it is too late; long work asks between its steps."""
        if self.left <= 0:
            raise RefusedError(504, "the answer took too long: send fewer or shorter texts")
