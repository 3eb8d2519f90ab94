"""Deadlines of answers, and clients that no longer wait.

>>> due = Due.within(60)
>>> due.check()
>>> 59 < due.left <= 60
True
>>> due.cancel()
>>> due.check()
Traceback (most recent call last):
...
compsim.serving.refusal.RefusedError: the client went away
"""

from __future__ import annotations

import time
from typing import Self

from compsim.serving.refusal import RefusedError, client_left

__all__ = ["Due"]


class Due:
    """A time ``at`` which an answer is due, on the clock ``time.monotonic``."""

    def __init__(self, at: float) -> None:
        self.at = at
        self.cancelled = False

    @classmethod
    def within(cls, seconds: float) -> Self:
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - time.monotonic()

    def cancel(self) -> None:
        """Have the next ``check`` end the work, in whichever thread that is done."""
        self.cancelled = True

    def check(self) -> None:
        """Raise ``RefusedError`` once it is too late (504) or nobody waits any more (499).

        Long work asks between its steps.
        """
        if self.cancelled:
            raise client_left()
        if self.left <= 0:
            raise RefusedError(504, "the answer took too long: send fewer or shorter texts")
