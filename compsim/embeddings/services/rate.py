"""Keep to a service's limits: so many requests and so many tokens in any minute.

>>> limit = RateLimit(requests=1000, tokens=None)
>>> limit.wait(12)  # the first need not wait
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from compsim.errors import InputError
from compsim.kernels.locks import SharedLock

__all__ = ["RateLimit"]

_WINDOW = 60.0  # seconds


class RateLimit:
    """Lets at most ``requests`` and ``tokens`` through in any 60 seconds; None is no limit.

    A request of more than ``tokens`` has a minute of its own. ``clock`` and ``sleep`` are in
    seconds.
    """

    def __init__(
        self,
        requests: int | None,
        tokens: int | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        for name, limit in (("requests", requests), ("tokens", tokens)):
            if limit is not None and limit < 1:
                raise InputError(f"{limit} {name} a minute let nothing through: give at least 1")
        self._requests, self._tokens = requests, tokens
        self._clock, self._sleep = clock, sleep
        self._sent: deque[tuple[float, int]] = deque()
        self._lock = SharedLock()

    def wait(self, tokens: int) -> None:
        """Return when a request of so many tokens may go; threads go one after another."""
        if self._requests is None and self._tokens is None:
            return
        with self._lock:
            while (pause := self._pause(tokens)) > 0:
                self._sleep(pause)
            self._sent.append((self._clock(), tokens))

    def _pause(self, tokens: int) -> float:
        now = self._clock()
        while self._sent and self._sent[0][0] + _WINDOW <= now:
            self._sent.popleft()
        free_at = now
        if self._requests is not None and len(self._sent) >= self._requests:
            free_at = self._sent[len(self._sent) - self._requests][0] + _WINDOW
        if self._tokens is not None:
            total = tokens + sum(count for _, count in self._sent)
            for sent_at, count in self._sent:
                if total <= self._tokens:
                    break
                total -= count
                free_at = max(free_at, sent_at + _WINDOW)
        return free_at - now
