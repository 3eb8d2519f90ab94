"""The process that computes, as the service sees it: a pipe to it, a pipe from it, and its end.

Messages are pickled. The process gets ``sys.path`` and the settings, then ``(number, kind, body,
seconds)`` for each job, and a number alone where nobody waits for that job any more. It says
``("opened", name)`` and ``("warm", memory)``, or ``("refused", error, message)`` or
``("failed", message)`` where it cannot start; for each job its counts, unless the request is
refused before, and an ``Answer``.

Another process can be ended whatever it computes, and computes while this one talks to clients.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from compsim import errors
from compsim.errors import CompsimError, InputError
from compsim.processes import started
from compsim.serving.settings import Settings

__all__ = ["Answer", "FailedError", "Process", "ProcessEndedError", "pickled"]

#: Seconds that a process has for its end once nothing is left to do.
_END_SECONDS: Final = 5.0


class Answer(NamedTuple):
    """Result of a job.

    Attributes:
        status: Of HTTP.
        body: JSON.
        headers: Beside those of the body.
        memory: Bytes of memory that the process has.
        grown: Whether the process has grown so much that another one should follow it.
        trouble: The kind of an error that nobody foresaw and where it happened, for the log.
    """

    status: int
    body: bytes
    headers: Mapping[str, str]
    memory: int
    grown: bool
    trouble: Mapping[str, Any]


class ProcessEndedError(CompsimError):
    """The process ended, or was ended, before it had answered."""


class FailedError(CompsimError):
    """The process failed before it was ready, in a way that nobody foresaw."""


def pickled(settings: Settings) -> bytes:
    """Return settings as they are sent; raises ``InputError`` where an option cannot be."""
    try:
        return pickle.dumps(settings)
    except Exception as error:  # of any kind: options are objects of any class
        raise InputError(
            "an option of the method cannot be sent to the process that computes "
            f"({type(error).__name__}): give a name, a path or an object that can be pickled"
        ) from error


class Process:
    """A process that opens the method of some pickled settings, and computes with it."""

    def __init__(self, settings: bytes) -> None:
        self._process = started("compsim.serving.child", "main")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._number = 0  # of the last job
        self._sending = threading.Lock()
        self._send(settings)

    def opened(self) -> str:
        """Wait until the method is open, and return its name.

        Raises ``CompsimError`` where it cannot be opened, ``FailedError`` or ``ProcessEndedError``.
        """
        return str(self._expect("opened"))

    def warm(self) -> int:
        """Wait until the process is warm, and return its memory; raises as ``opened`` does."""
        return int(self._expect("warm"))

    def begin(self, kind: str, body: bytes, seconds: float) -> None:
        """Hand over a job that is due in so many seconds; raises ``ProcessEndedError``."""
        self._number += 1
        self._send(pickle.dumps((self._number, kind, body, seconds)))

    def cancel(self) -> None:
        """Have the last job that was handed over end after its step, if it still runs."""
        with contextlib.suppress(ProcessEndedError):
            self._send(pickle.dumps(self._number))

    def receive(self) -> Any:
        """Return the next message; raises ``ProcessEndedError``."""
        try:
            return pickle.load(self._from)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise ProcessEndedError("the process that computes ended: see its log") from error

    def ended(self) -> bool:
        """Return whether the process is no more."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the process now, whatever it does."""
        self._process.kill()

    def close(self) -> int:
        """Let the process end, and return its exit status; below 0, the signal that ended it."""
        with contextlib.suppress(OSError):
            self._to.close()
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._from.close()
        return status

    def _send(self, message: bytes) -> None:
        try:
            with self._sending:
                self._to.write(message)
                self._to.flush()
        except (OSError, ValueError) as error:
            raise ProcessEndedError("the process that computes ended: see its log") from error

    def _expect(self, kind: str) -> Any:
        message = self.receive()
        if message[0] == kind:
            return message[1]
        if message[0] == "refused":
            raise _error(*message[1:])
        raise FailedError(message[1])


def _error(name: str, message: str) -> CompsimError:
    """The error of this package with a name, the root of them for one of another package."""
    kind = getattr(errors, name, CompsimError)
    error: CompsimError = kind(message)
    return error
