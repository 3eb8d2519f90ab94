"""One thread that computes, beside the one that talks to clients.

More threads would be slower: parsing is Python's work, which one thread does at a time (two threads
ranked three quarters of what one did). Whoever has more processors starts more processes.

>>> import asyncio, time
>>> worker = Worker()
>>> asyncio.run(worker.run(lambda due: 6 * 7, Due(time.monotonic() + 10)))
42
>>> worker.stop()
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from compsim.serving.refusal import RefusedError

__all__ = ["Due", "Worker"]

T = TypeVar("T")


class Due:
    """When an answer is due, on the clock ``time.monotonic``, and whether work on it has begun."""

    def __init__(self, at: float) -> None:
        self.at = at
        self.begun = False

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - time.monotonic()

    def check(self) -> None:
        """Raise ``RefusedError`` (504) once it is too late; long work asks between its steps."""
        if self.left <= 0:
            raise RefusedError(504, "the answer took too long: send fewer or shorter texts")


class Worker:
    """Runs what takes long, one job after the other."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="compsim-worker")

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Begin a job that nobody waits for."""
        return self._pool.submit(job)

    async def run(self, job: Callable[[Due], T], due: Due) -> T:
        """The result of a job, which is handed when it is due.

        Raises ``RefusedError`` where it is not done in time: 503 where it had not begun, 504 where
        it runs, which it does until it asks ``due``.
        """

        def begin() -> T:
            due.begun = True
            due.check()
            return job(due)

        future = self._pool.submit(begin)
        try:
            async with asyncio.timeout(max(0.0, due.left)):
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            if not due.begun:
                message = "the service was too busy to begin in time: try again in a second"
                raise RefusedError(503, message, retry_after=1) from error
            message = "the answer took too long: send fewer or shorter texts"
            raise RefusedError(504, message) from error

    def stop(self) -> None:
        """Wait for what runs, and forget what waits."""
        self._pool.shutdown(wait=True, cancel_futures=True)
