"""One line of JSON for each request, without a word of what it says.

>>> line({"status": 200, "path": "/v1/rerank"})
'{"status": 200, "path": "/v1/rerank"}'

Neither texts, nor addresses that a client made up, nor messages of errors are logged: of an error
that nobody foresaw, its kind and where it happened.
"""

from __future__ import annotations

import json
import logging
import math
import sys
import threading
import time
import traceback
import uuid
import warnings
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from compsim.serving.paths import routed_path
from compsim.serving.refusal import WENT_AWAY, answer

__all__ = ["REQUESTS", "JsonLines", "RequestLog", "line", "log_to", "places"]

#: The logger of requests; ``compsim serve`` writes it to standard error.
REQUESTS: Final = logging.getLogger("compsim.serving")

#: Loggers whose messages hold no text of a client.
_KNOWN: Final = (REQUESTS.name, "uvicorn")

Observe = Callable[[str, str, int, float], None]


class RequestLog:
    """The outermost layer: names, times, counts and logs each request; an error ends here.

    ``paths`` are the addresses, as they are routed, that are named in logs; ``observe`` is told the
    path, the method, the status and the seconds of each request.
    """

    def __init__(self, app: ASGIApp, paths: Collection[str], observe: Observe) -> None:
        self.app, self.paths, self.observe = app, paths, observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name, begun = uuid.uuid4().hex, time.perf_counter()
        scope.setdefault("state", {})["request_id"] = name
        status = size = 0
        trouble: Mapping[str, Any] = {}

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"x-request-id", name.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except Exception as error:  # its message may hold a text, so it goes no further
            trouble = {"error": type(error).__name__, "at": places(error)}
            if not status:
                await answer(error)(scope, receive, sent)
        seconds = time.perf_counter() - begun
        routed = routed_path(scope)
        path = routed if routed in self.paths else "other"
        method = scope["method"] if scope["method"] in ("GET", "POST") else "other"
        status = status or WENT_AWAY
        self.observe(path, method, status, seconds)
        trouble = trouble or scope["state"].get("trouble", {})
        result = {
            "id": name,
            "method": method,
            "path": path,
            "status": status,
            "ms": round(1000 * seconds, 1),
            "bytes": size,
            **scope["state"].get("counts", {}),
            **trouble,
        }
        REQUESTS.log(logging.ERROR if trouble else logging.INFO, "request", extra={"told": result})


def places(error: BaseException) -> list[str]:
    """Return the traceback's files and lines, innermost last, without any values."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


def line(fields: Mapping[str, Any]) -> str:
    """A record as one line of JSON."""
    return json.dumps(fields)


def log_to(stream: IO[str]) -> None:
    """Write all that is logged, warned of or left unhandled to a stream, as lines of JSON."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(_Seldom())
    root = logging.getLogger()
    root.handlers = [handler]
    for logger in (logging.getLogger("uvicorn"), REQUESTS):
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.INFO)
    warnings.showwarning = _log_warning
    threading.excepthook = lambda args: _log_unhandled(args.exc_value)
    sys.unraisablehook = lambda args: _log_unhandled(args.exc_value)


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: IO[str] | None = None,
    line: str | None = None,
) -> None:
    at = [f"{Path(filename).name}:{lineno}"]
    REQUESTS.warning("a warning", extra={"told": {"warning": category.__name__, "at": at}})


def _log_unhandled(error: BaseException | None) -> None:
    REQUESTS.error("an error that nothing handled", exc_info=error)


class _Seldom(logging.Filter):
    """Lets a message of another package through once in a second: some are logged without end."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written."""
        if record.name == REQUESTS.name:
            return True
        key = f"{record.name}:{record.lineno}"
        before, self._last[key] = self._last.get(key, -math.inf), record.created
        return not 0 <= record.created - before < 1


class JsonLines(logging.Formatter):
    """Every record as a line of JSON, those of the server and of other packages too.

    Of another package's message only the first line is written, before anything is put into it: it
    may hold a text.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, message, what is told of a request, where an error happened."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        result: dict[str, Any] = {"time": at, "level": record.levelname.lower()}
        if record.name.startswith(_KNOWN):
            result["message"] = record.getMessage()
        else:
            result |= {"message": str(record.msg).partition("\n")[0][:200], "logger": record.name}
        result |= getattr(record, "told", {})
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            result |= {"error": type(error).__name__, "at": places(error)}
        return line(result)
