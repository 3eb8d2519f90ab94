"""A thread that feeds a process with one task after the other, and starts another where it ends."""

from __future__ import annotations

import math
import queue
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from compsim.errors import CompsimError
from compsim.serving.due import Due
from compsim.serving.logs import REQUESTS
from compsim.serving.process import Answer, Process, ProcessEndedError
from compsim.serving.refusal import RefusedError, body_of, describe_error

__all__ = ["Feeder", "Reason", "State", "Status", "Task", "log_failure"]

Status: TypeAlias = Literal["ok", "warming", "restarting", "failed"]
#: Why a process ended early: its task was late, or crashed it, or it had grown.
Reason: TypeAlias = Literal["late", "crash", "grown"]

#: Seconds after which it is seen that a process ended that had nothing to do.
_LOOK: Final = 1.0
#: Seconds before the next attempt to start, doubled with each one that fails, up to the last.
_FIRST_PAUSE: Final = 1.0
_LAST_PAUSE: Final = 30.0


class Task:
    """A request of a kind and its body.

    ``counts`` are how many documents, pairs or explanations it asks for, once they are known.
    """

    def __init__(self, kind: str, body: bytes, due: Due) -> None:
        self.kind, self.body, self.due = kind, body, due
        self.counts: dict[str, int] = {}
        self.answer: Future[Answer] = Future()
        self.dropped = False

    def cancel(self) -> bool:
        """Give the task up if it has not begun, and return whether it never will."""
        if not self.answer.cancel():
            return False
        self.body = b""  # what is still in the queue holds no memory
        return True


@dataclass
class State:
    """State of a worker, seen from outside.

    Attributes:
        name: The name of the method.
        status: Whether a process is ready, or becomes so for the first time or again.
        memory: Bytes of memory that the process had after its last task.
        ends: How many processes ended early, by reason.
        seconds: How long the last start took.
    """

    name: str
    status: Status = "warming"
    memory: int = 0
    ends: dict[Reason, int] = field(default_factory=lambda: {"late": 0, "crash": 0, "grown": 0})
    seconds: float = 5.0

    def ended(self, reason: Reason) -> float:
        """Return how many processes ended for a reason."""
        return self.ends[reason]

    def refusal(self) -> RefusedError:
        """Return what a request is told while no process is ready."""
        wait = max(1, math.ceil(self.seconds))
        message = f"the service starts again: try again in {wait} s"
        return RefusedError(503, message, retry_after=wait)


class Feeder:
    """Feeds processes that open the method of some pickled settings, until it is stopped.

    ``opened`` is done once the first of them has opened it, or has the ``CompsimError`` why not.
    """

    def __init__(self, settings: bytes, state: State) -> None:
        self.opened: Future[None] = Future()
        self._settings, self._state = settings, state
        #: Tasks, a process to go on with, None to stop.
        self._queue: queue.SimpleQueue[Task | Process | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._processes: set[Process] = set()
        self._running: tuple[Task, Process] | None = None
        self._late = self._replacing = False
        self._thread = threading.Thread(target=self._run, name="compsim-feeder", daemon=True)
        self._thread.start()

    def put(self, task: Task) -> None:
        """Add a task to those that wait."""
        self._queue.put(task)

    def drop(self, task: Task) -> None:
        """Have a task that runs end after its step, since nobody waits for its answer."""
        task.dropped = True
        with self._lock:
            if self._running is not None and self._running[0] is task:
                self._running[1].cancel()

    def end_late(self, task: Task) -> None:
        """End the process where it still runs a task that is too late."""
        with self._lock:
            if self._running is not None and self._running[0] is task:
                self._late = True
                self._running[1].kill()

    def stop(self) -> None:
        """End the process, and refuse what waits."""
        with self._lock:
            self._stopping.set()
            for process in self._processes:
                process.kill()
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        spare: Process | None = None
        while not self._stopping.is_set():
            try:
                process = spare or self._launched()
            except (CompsimError, OSError) as error:
                self._tell_failure(error)
                spare = self._refuse_waiting()
                self._stopping.wait(pause)
                pause = min(2 * pause, _LAST_PAUSE)
            else:
                pause = _FIRST_PAUSE
                self._state.status = "ok"
                self._feed(process)
                spare = self._refuse_waiting()
        if spare is not None:
            self._close(spare)

    def _launched(self) -> Process:
        """Return a process that is warm; raises what ``Process`` raises."""
        begun = time.monotonic()
        process = Process(self._settings)
        with self._lock:
            self._processes.add(process)
            if self._stopping.is_set():
                process.kill()
        try:
            self._state.name = process.opened()
            if not self.opened.done():
                self.opened.set_result(None)
            self._state.memory = process.warm()
        except BaseException:
            self._close(process)
            raise
        self._state.seconds = time.monotonic() - begun
        return process

    def _feed(self, process: Process) -> None:
        """Hand over tasks until the process ends or the feeder is stopped."""
        while True:
            try:
                item = self._queue.get(timeout=_LOOK)
            except queue.Empty:
                if process.ended():
                    self._note_end(process, "crash")
                    return
                continue
            if isinstance(item, Process):
                self._note_end(process, "grown")
                process, self._replacing = item, False
            elif item is None:
                self._close(process)
                return
            elif process.ended():  # while it had nothing to do, so this task is not to blame
                self._note_end(process, "crash")
                self._refuse(item)
                return
            elif item.answer.set_running_or_notify_cancel() and not self._compute(process, item):
                return

    def _compute(self, process: Process, task: Task) -> bool:
        """Set the answer of a task, and return whether the process can go on."""
        with self._lock:
            self._running = task, process
        answer: Answer | None = None
        try:
            process.begin(task.kind, task.body, task.due.left)
            if task.dropped:  # before it was handed over
                process.cancel()
            message = process.receive()
            if not isinstance(message, Answer):
                task.counts = message
                message = process.receive()
            answer = message
        except ProcessEndedError:
            pass
        with self._lock:
            late, self._late, self._running = self._late, False, None
        if answer is None or late:
            status = self._note_end(process, "late" if late else "crash")
            trouble = {"error": "ProcessEnded", "at": [], "exit": status}
            answer = answer or Answer(
                500, body_of(describe_error(RuntimeError())[1]), {}, 0, False, trouble
            )
            task.answer.set_result(answer)
            return False
        self._state.memory = answer.memory
        task.answer.set_result(answer)
        if answer.grown and not self._replacing:
            self._replacing = True
            threading.Thread(target=self._replace, name="compsim-replacing", daemon=True).start()
        return True

    def _replace(self) -> None:
        """Start a process beside the one that has grown, to go on with once it is warm."""
        try:
            process = self._launched()
        except (CompsimError, OSError) as error:
            self._replacing = False
            log_failure(error)
            return
        with self._lock:
            stopping = self._stopping.is_set()
            if not stopping:
                self._queue.put(process)
        if stopping:
            self._close(process)

    def _tell_failure(self, error: Exception) -> None:
        if self._stopping.is_set():
            return
        self._state.status = "failed"
        if self.opened.done():
            log_failure(error)
        else:
            self.opened.set_exception(error)

    def _refuse_waiting(self) -> Process | None:
        """Refuse the tasks that wait, and return the process that does, if any."""
        spare: Process | None = None
        while True:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return spare
            if isinstance(item, Process):
                spare, self._replacing = item, False
            elif item is not None:
                self._refuse(item)

    def _refuse(self, task: Task) -> None:
        if task.answer.set_running_or_notify_cancel():
            task.answer.set_exception(self._state.refusal())

    def _note_end(self, process: Process, reason: Reason) -> int:
        """Close a process that ended early, and return its exit status."""
        if reason != "grown":
            self._state.status = "restarting"
        status = self._close(process)
        if not self._stopping.is_set():
            self._state.ends[reason] += 1
            details = {"reason": reason, "exit": status, "memory": self._state.memory}
            REQUESTS.warning("the process that computes is replaced", extra={"told": details})
        return status

    def _close(self, process: Process) -> int:
        with self._lock:
            self._processes.discard(process)
        return process.close()


def log_failure(error: BaseException) -> None:
    """Log why a process could not start; what it says was said before any request."""
    details = {"error": type(error).__name__, "reason": str(error)}
    REQUESTS.error("the process that computes did not start", extra={"told": details})
