"""The process that computes, kept ready for one task after the other.

One process computes, in one thread: parsing is Python's work, which one thread does at a time (two
threads ranked three quarters of what one did). Whoever has more processors starts more services.

A task that is not done when it is due, and does not notice, ends with its process; so does one that
crashes it. One that nobody waits for is never begun, or ends after its step. A process that has
grown is replaced by another one, once that is warm.

>>> import asyncio
>>> worker = Worker(Settings(options={"vectors": "builtin"}))
>>> task = Task("similarity", b'{"first": "Dogs bark.", "second": "Dogs bark."}', Due.within(120))
>>> asyncio.run(worker.run(task)).body
b'{"method":"hybrid","scores":[...]}'
>>> task.counts, worker.state.status
({'pairs': 1}, 'ok')
>>> worker.stop()
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import replace
from typing import Final

from compsim.serving.due import Due
from compsim.serving.feeder import Feeder, State, Task, log_failure
from compsim.serving.process import Answer, pickled
from compsim.serving.refusal import RefusedError
from compsim.serving.settings import Settings

__all__ = ["Due", "Task", "Worker"]

#: Seconds that a task has to notice that it is too late, before its process is ended.
_GRACE: Final = 1.0


class Worker:
    """Keeps a process ready, and hands it one task at a time; ``state`` is what can be seen of it.

    Raises ``InputError`` for options that cannot be sent to another process.
    """

    def __init__(self, settings: Settings) -> None:
        self.state = State(settings.method)
        self._settings = pickled(replace(settings, token=None))
        self._lock = threading.Lock()
        self._feeder: Feeder | None = None

    def open(self) -> None:
        """Start, and wait until the method is open.

        Raises ``CompsimError`` where it cannot be; then nothing is left running.
        """
        try:
            self._started().opened.result()
        except BaseException:
            self.stop()
            raise

    def start(self) -> Feeder:
        """Start where that was not done, as behind a ``Mount``, which tells no start."""
        feeder = self._feeder
        if feeder is None:
            feeder = self._started()
            feeder.opened.add_done_callback(_log_failure)
        return feeder

    async def run(self, task: Task) -> Answer:
        """Return the answer of a task.

        Raises ``RefusedError`` where there is none: 503 where it was not begun in time or the
        process starts again, 504 where it was not done in time. Cancelling it drops the task.
        """
        feeder = self.start()
        if self.state.status in ("restarting", "failed"):
            raise self.state.refusal()
        feeder.put(task)
        try:
            async with asyncio.timeout(max(0.0, task.due.left)):
                return await asyncio.wrap_future(task.answer)
        except asyncio.CancelledError:
            if not task.cancel():
                feeder.drop(task)
                _later(max(0.0, task.due.left) + _GRACE, feeder, task)
            raise
        except TimeoutError as error:
            if task.cancel():
                message = "the service was too busy to begin in time: try again in a second"
                raise RefusedError(503, message, retry_after=1) from error
            _later(_GRACE, feeder, task)
            message = "the answer took too long: send fewer or shorter texts"
            raise RefusedError(504, message) from error

    def stop(self) -> None:
        """End the process, and refuse what waits."""
        with self._lock:
            feeder, self._feeder = self._feeder, None
        if feeder is not None:
            feeder.stop()

    def _started(self) -> Feeder:
        with self._lock:
            if self._feeder is None:
                self.state.status = "warming"
                self._feeder = Feeder(self._settings, self.state)
            return self._feeder


def _later(seconds: float, feeder: Feeder, task: Task) -> None:
    """End the process in so many seconds where it still runs the task then."""
    timer = threading.Timer(seconds, feeder.end_late, [task])
    timer.daemon = True
    timer.start()


def _log_failure(opened: Future[None]) -> None:
    if error := opened.exception():
        log_failure(error)
