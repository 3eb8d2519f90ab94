"""Main loop of the computing process: one job after the other, until its input ends.

Its log is JSON lines, as that of the service. What else it writes to standard output or error is
dropped, since it may hold a text.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO, Any, Final, NamedTuple, Never

from compsim.errors import CompsimError
from compsim.processes import take_over
from compsim.serving.due import Due
from compsim.serving.engine import Engine
from compsim.serving.jobs import Jobs
from compsim.serving.logs import log_to, places
from compsim.serving.memory import limit_memory, memory
from compsim.serving.process import Answer
from compsim.serving.refusal import body_of, describe_error
from compsim.serving.settings import Settings

__all__ = ["main"]

#: The share of the memory by which the process may grow after which it should be replaced.
_GROWN: Final = 0.25


class _Request(NamedTuple):
    """A job as the service hands it over."""

    kind: str
    body: bytes
    due: Due


def main() -> Never:
    """Open the method, get warm, and answer jobs until there are no more."""
    # A signal to the whole group is the service's to act upon.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    requests = sys.stdin.buffer
    replies = _take_over_outputs()
    try:
        settings: Settings = pickle.load(requests)
        engine = Engine.open(settings)
        _send(replies, ("opened", engine.name))
        engine.warm_up()
    except CompsimError as error:
        _send(replies, ("refused", type(error).__name__, str(error)))
        os._exit(1)
    except BaseException as error:
        # It has seen no request yet, so its message holds no text of one.
        reason = f"{type(error).__name__} ({error}) at {''.join(places(error)[-1:])}"
        _send(replies, ("failed", f"the method failed: {reason}"))
        os._exit(1)
    waiting: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    start = memory()
    limit_memory(settings.max_memory)
    _send(replies, ("warm", start))
    most = start + _GROWN * settings.max_memory
    jobs = Jobs(settings, engine)
    while True:
        request = waiting.get()
        if request is None:
            os._exit(0)
        status, content, headers, trouble = _answer(jobs, *request, replies)
        del request
        size = memory()
        grown = size > most or trouble.get("error") == MemoryError.__name__
        _send(replies, Answer(status, content, headers, size, grown, trouble))


def _read(requests: IO[bytes], waiting: queue.SimpleQueue[_Request | None]) -> None:
    """Read jobs until there are no more, and cancel those that nobody waits for."""
    last, due = 0, Due.within(0)
    while True:
        try:
            message = pickle.load(requests)
        except (EOFError, OSError, MemoryError, pickle.UnpicklingError):
            waiting.put(None)
            return
        if isinstance(message, int):
            if message == last:
                due.cancel()
            continue
        last, kind, body, seconds = message
        due = Due.within(seconds)
        waiting.put(_Request(kind, body, due))


def _answer(
    jobs: Jobs, kind: str, body: bytes, due: Due, replies: IO[bytes]
) -> tuple[int, bytes, dict[str, str], dict[str, Any]]:
    """The status, the body and the headers of a job's answer, and the log entry of a failure."""
    try:
        job = jobs.read(kind, body)
        _send(replies, job.counts)
        due.check()
        return 200, job.answer(due), {"Cache-Control": "no-store"}, {}
    # Whatever a method raises, the end of the interpreter too, ends its job only.
    except BaseException as error:
        status, message, headers = describe_error(error)
        if isinstance(error, MemoryError):
            message = "the request needs more memory than it gets: send fewer or shorter texts"
            status = 413
        expected = isinstance(error, CompsimError)
        trouble = {} if expected else {"error": type(error).__name__, "at": places(error)}
        return status, body_of(message), dict(headers), trouble


def _send(replies: IO[bytes], message: Any) -> None:
    try:
        pickle.dump(message, replies)
        replies.flush()
    except OSError:  # the service is gone
        os._exit(1)


def _take_over_outputs() -> IO[bytes]:
    """Return the pipe to the service; only the log still reaches standard error."""
    replies, log = take_over(1), take_over(2)
    log_to(io.TextIOWrapper(log, encoding="utf-8", errors="backslashreplace"))
    return replies
